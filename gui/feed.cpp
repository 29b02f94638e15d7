// SPDX-License-Identifier: MIT
#include "feed.h"

namespace Baton::Monitor {

Feed::Feed(Clock::Source source, QObject *parent)
    : QObject(parent), m_source(source), m_clock(std::move(source)), m_elections(m_clock),
      m_sessions(m_clock), m_journal(m_clock), m_timeWindow(m_clock)
{
    // Until the first snapshot brings its own.
    const std::chrono::milliseconds wall(QDateTime::currentMSecsSinceEpoch());
    m_source.setWallOffset(wall - m_source.now());
    m_clock.setWallOffset(m_source.wallOffset());
}

void Feed::show(const ClusterSnapshot &snapshot, const ClusterDelta &delta)
{
    QList<JournalEntry> entries;
    entries.reserve(delta.changes.size());
    for (const ObservedChange &change : delta.changes)
        entries += JournalEntry::of(change, snapshot);
    if (delta.changesDropped > 0)
        entries += JournalEntry::droppedChanges(delta.changesDropped, snapshot.wallTime(snapshot.made));
    if (isPaused()) {
        m_waiting = snapshot;
        m_waitingChanges += int(delta.changes.size());
        write(entries);
        Q_EMIT pausedChanged();
        return;
    }
    apply(snapshot);
    write(entries);
    Q_EMIT changed();
}

void Feed::show(const ConnectionReport &report)
{
    const bool told =
        report.state != m_connection.state || report.error.trouble != m_connection.error.trouble;
    m_connection = report;
    if (!isPaused())
        m_sessions.setHeard(report.heard);
    setClock();
    if (told && report.state != ConnectionState::Idle)
        write({JournalEntry::of(report, m_source)});
    Q_EMIT connectionChanged();
}

bool Feed::isStale() const
{
    return hasData() && m_connection.state != ConnectionState::Live;
}

void Feed::setPaused(bool paused)
{
    if (paused == isPaused())
        return;
    if (paused) {
        m_pausedAt = m_source.now();
    } else {
        m_pausedAt.reset();
        m_waitingChanges = 0;
        if (m_waiting) {
            apply(*m_waiting);
            m_waiting.reset();
        }
    }
    setClock();
    Q_EMIT pausedChanged();
    Q_EMIT changed();
}

void Feed::apply(const ClusterSnapshot &snapshot)
{
    m_snapshot = snapshot;
    if (snapshot.number > 0) {
        m_clock.setWallOffset(snapshot.wallOffset);
        m_source.setWallOffset(snapshot.wallOffset);
    }
    m_elections.show(snapshot);
    m_sessions.show(snapshot);
}

void Feed::write(const QList<JournalEntry> &entries)
{
    if (entries.isEmpty())
        return;
    m_journal.append(entries);
    Q_EMIT journalGrew(entries);
}

void Feed::setClock()
{
    // A countdown that runs on over data of the past would be a lie.
    if (isStale() && m_connection.dataFrom)
        m_clock.freeze(*m_connection.dataFrom);
    else if (m_pausedAt)
        m_clock.freeze(*m_pausedAt);
    else
        m_clock.thaw();
}

} // namespace Baton::Monitor
