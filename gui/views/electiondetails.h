// SPDX-License-Identifier: MIT
#pragma once

#include "feed.h"

#include <QtWidgets/QWidget>

class QAction;
class QLabel;

namespace Baton::Monitor {

class Actions;
class ElidedLabel;
class HistoryBand;
class HistoryModel;
class TableView;

/// Everything about the chosen election: its state, its last hour, its leaders, and its holder's session.
class ElectionDetails : public QWidget
{
    Q_OBJECT
public:
    ElectionDetails(Feed &feed, Actions &actions, QWidget *parent = nullptr);

    /// Shows what is chosen, as it is now.
    void refresh();
    /// Ages moved on.
    void tick();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showHolder(const ElectionRecord &election);

    Feed &m_feed;
    ElectionPtr m_election;
    QWidget *m_glyph;
    ElidedLabel *m_name;
    ElidedLabel *m_state;
    HistoryBand *m_band;
    HistoryModel *m_history;
    TableView *m_table;
    QLabel *m_noHistory;
    QLabel *m_holderTitle;
    ElidedLabel *m_holder;
    QWidget *m_openSession;
};

} // namespace Baton::Monitor
