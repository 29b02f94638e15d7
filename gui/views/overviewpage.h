// SPDX-License-Identifier: MIT
#pragma once

#include "views/page.h"

namespace Baton::Monitor {

class ElectionDetails;

/// The elections: who leads, what is wrong now, what moved last; and everything about the chosen one.
class OverviewPage : public Page
{
    Q_OBJECT
public:
    OverviewPage(Feed &feed, Actions &actions, QWidget *parent = nullptr);

    void refresh() override;
    void tick() override;
    bool countsFast() const override;

protected:
    QString chosen() const override;
    void choose(const QString &key) override;
    bool hasDetails() const override;
    Message emptyMessage(QList<QAction *> *buttons) const override;
    QString hiddenText(int count) const override;

private:
    ElectionDetails *m_details;
};

} // namespace Baton::Monitor
