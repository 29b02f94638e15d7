// SPDX-License-Identifier: MIT
#pragma once

#include "views/page.h"

namespace Baton::Monitor {

class SessionDetails;

/// The sessions: who holds what, and which of them are odd.
class SessionsPage : public Page
{
    Q_OBJECT
public:
    SessionsPage(Feed &feed, Actions &actions, QWidget *parent = nullptr);

    void refresh() override;
    void tick() override;

protected:
    QString chosen() const override;
    void choose(const QString &key) override;
    bool hasDetails() const override;
    Message emptyMessage(QList<QAction *> *buttons) const override;
    QString hiddenText(int count) const override;

private:
    SessionDetails *m_details;
};

} // namespace Baton::Monitor
