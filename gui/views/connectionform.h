// SPDX-License-Identifier: MIT
#pragma once

#include "models/connectionprofile.h"

#include <QtWidgets/QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace Baton::Monitor {

/// The fields of one connection. It says what is wrong with them while they are typed.
class ConnectionForm : public QWidget
{
    Q_OBJECT
public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    void setProfile(const ConnectionProfile &profile);
    /// With what is typed at present.
    [[nodiscard]] ConnectionProfile profile() const;
    [[nodiscard]] bool isValid() const;

Q_SIGNALS:
    void edited();
    /// Return in a field.
    void submitted();

private:
    void check();
    void showTokenField();
    QLineEdit *addField(const QString &name, const QString &hint);

    ConnectionProfile m_profile;
    QFormLayout *m_form;
    QLineEdit *m_name;
    QLineEdit *m_address;
    QLineEdit *m_datacenter;
    QLineEdit *m_prefixes;
    QComboBox *m_tokenSource;
    QLineEdit *m_token;
    QLabel *m_problem;
};

} // namespace Baton::Monitor
