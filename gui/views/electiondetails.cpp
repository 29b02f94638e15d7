// SPDX-License-Identifier: MIT
#include "views/electiondetails.h"

#include "actions.h"
#include "models/electiontext.h"
#include "models/format.h"
#include "views/elidedlabel.h"
#include "views/historyband.h"
#include "views/historymodel.h"
#include "views/tableview.h"
#include "views/widgets.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
constexpr int HeadingGlyph = 16;
} // namespace

ElectionDetails::ElectionDetails(Feed &feed, Actions &actions, QWidget *parent)
    : QWidget(parent), m_feed(feed), m_glyph(new QWidget(this)), m_name(new ElidedLabel(this)),
      m_state(new ElidedLabel(this)), m_band(new HistoryBand(feed.clock(), this)),
      m_history(new HistoryModel(feed.clock(), this)), m_table(new TableView(this)),
      m_noHistory(mutedLabel(tr("No leader has been seen yet."), this)),
      m_holderTitle(mutedLabel(tr("Holder's session"), this)), m_holder(new ElidedLabel(this)),
      m_openSession(actionButton(actions.openSession, this))
{
    setAccessibleName(tr("Details of the election"));
    m_glyph->setFixedSize(HeadingGlyph, HeadingGlyph);
    m_name->setFont(headingFont(font()));
    m_name->setObjectName(u"electionName"_s);
    setTextRole(m_state, Role::Muted);
    m_table->setAccessibleName(tr("Leaders of the election"));
    m_table->setModel(m_history);
    m_table->setSortingEnabled(false);
    m_table->setPreferredRows(4);
    m_table->cells().setStateColumn(-1);
    m_table->setElasticColumn(HistoryModel::Evidence);

    constexpr QMargins Sides(2 * Grid, 0, 2 * Grid, 0);
    auto *heading = new QHBoxLayout;
    heading->setContentsMargins(Sides);
    heading->setSpacing(Grid);
    heading->addWidget(m_glyph);
    heading->addWidget(m_name);
    heading->addWidget(m_state, 1);
    heading->addWidget(actionButton(actions.releaseLock, this));
    auto *middle = new QVBoxLayout;
    middle->setContentsMargins(Sides);
    middle->setSpacing(Grid);
    middle->addWidget(m_band);
    middle->addWidget(m_noHistory);
    auto *holder = new QHBoxLayout;
    holder->setContentsMargins(Sides);
    holder->setSpacing(Grid);
    holder->addWidget(m_holderTitle);
    holder->addWidget(m_holder, 1);
    holder->addWidget(m_openSession);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid, 0, Grid);
    column->setSpacing(Grid);
    column->addLayout(heading);
    column->addLayout(middle);
    column->addWidget(m_table, 1);
    column->addStretch();
    column->addLayout(holder);
}

void ElectionDetails::refresh()
{
    m_election = m_feed.snapshot().election(m_feed.selection().current());
    const bool stale = m_feed.isStale();
    m_band->show(m_election);
    m_band->setMuted(stale);
    m_history->show(m_election);
    m_table->growColumns();
    const bool empty = m_history->rowCount() == 0;
    m_noHistory->setVisible(empty);
    m_table->setVisible(!empty);
    m_table->setMuted(stale);
    if (!m_election)
        return;
    m_name->setText(Format::safe(m_election->name));
    for (QWidget *text : {static_cast<QWidget *>(m_name), static_cast<QWidget *>(m_holder)})
        text->setForegroundRole(stale ? QPalette::PlaceholderText : QPalette::WindowText);
    showHolder(*m_election);
    tick();
    update();
}

void ElectionDetails::tick()
{
    if (!m_election)
        return;
    const Nanoseconds now = m_feed.clock().now();
    const Concern concern =
        concernOf(*m_election, visibilityOf(m_feed.snapshot().prefixes, *m_election), now);
    m_state->setText(stateSentence(*m_election, concern, now));
    m_band->update();
    m_table->viewport()->update();
    update();
}

void ElectionDetails::showHolder(const ElectionRecord &election)
{
    const bool held = election.isHeld();
    m_openSession->setVisible(election.session != nullptr);
    m_holderTitle->setText(held ? tr("Holder's session") : tr("Lock key"));
    if (!held) {
        m_holder->setText(election.exists ? Format::safe(election.key)
                                          : tr("%1 (deleted)").arg(Format::safe(election.key)));
        return;
    }
    QStringList parts{Format::sessionId(election.leader.session)};
    if (!election.session) {
        parts += tr("not listed");
    } else {
        const SessionRecord &session = *election.session;
        parts += session.ttl ? tr("TTL %1").arg(Format::setting(*session.ttl)) : tr("never expires");
        parts += tr("lock-delay %1").arg(Format::setting(session.lockDelay));
        parts += session.nodeChecks.isEmpty() && session.serviceChecks.isEmpty()
            ? tr("no checks")
            : tr("checks: %1").arg(Format::safe((session.nodeChecks + session.serviceChecks).join(u", "_s)));
        parts += tr("node %1").arg(Format::safe(session.node));
    }
    parts += tr("key %1").arg(Format::safe(election.key));
    m_holder->setText(parts.join(u"   "_s));
}

void ElectionDetails::paintEvent(QPaintEvent *)
{
    if (!m_election)
        return;
    QPainter painter(this);
    const Nanoseconds now = m_feed.clock().now();
    const StateKind kind =
        stateKind(concernOf(*m_election, visibilityOf(m_feed.snapshot().prefixes, *m_election), now));
    const Role role = m_feed.isStale() ? Role::Muted : roleOf(kind);
    paintGlyph(&painter, m_glyph->geometry(), glyphOf(kind), colorFor(role, palette()));
}

} // namespace Baton::Monitor
