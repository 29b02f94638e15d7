// SPDX-License-Identifier: MIT
#pragma once

#include "models/connectionprofile.h"

#include <QtWidgets/QWidget>

namespace Baton::Monitor {

class ConnectionForm;

/// What a window shows that has no connection yet: what it is for, and the fields of the first connection.
class FirstRunPage : public QWidget
{
    Q_OBJECT
public:
    explicit FirstRunPage(QWidget *parent = nullptr);

    void focusForm();

Q_SIGNALS:
    void submitted(const Baton::Monitor::ConnectionProfile &profile);

private:
    void submit();

    ConnectionForm *m_form;
};

} // namespace Baton::Monitor
