// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"
#include "models/electionmodel.h"
#include "models/journalmodel.h"
#include "models/selection.h"
#include "models/sessionmodel.h"
#include "models/timewindow.h"

#include <Baton/clustersnapshot.h>

#include <QtCore/QObject>

#include <optional>

namespace Baton::Monitor {

/*!
 * What a window shows: the newest snapshot, how it stands with Consul, and the models, selection and clock
 * that all pages share. It knows no network: whoever has a snapshot gives it here.
 *
 * It is about one Consul: another one needs another feed. Paused, it keeps what comes and shows it when it
 * goes on; the journal is written all the same.
 *
 * Order of a change: models first, then the signals, so that who hears of it finds the models up to date.
 */
class Feed : public QObject
{
    Q_OBJECT
public:
    explicit Feed(Clock::Source source = {}, QObject *parent = nullptr);

    void show(const ClusterSnapshot &snapshot, const ClusterDelta &delta);
    void show(const ConnectionReport &report);

    [[nodiscard]] const ClusterSnapshot &snapshot() const { return m_snapshot; }
    [[nodiscard]] const ConnectionReport &connection() const { return m_connection; }
    [[nodiscard]] bool hasData() const { return m_snapshot.number > 0; }
    /// What is shown is not the present: it is drawn in muted, and nothing counts.
    [[nodiscard]] bool isStale() const;

    [[nodiscard]] bool isPaused() const { return m_pausedAt.has_value(); }
    /// When it was paused; an instant of the clock.
    [[nodiscard]] std::optional<Nanoseconds> pausedAt() const { return m_pausedAt; }
    void setPaused(bool paused);
    /// Changes that came while it was paused.
    [[nodiscard]] int waitingChanges() const { return m_waitingChanges; }

    [[nodiscard]] const Clock &clock() const { return m_clock; }
    /// The present, also while what is shown stands still.
    [[nodiscard]] Nanoseconds present() const { return m_source.now(); }
    [[nodiscard]] ElectionModel &elections() { return m_elections; }
    [[nodiscard]] SessionModel &sessions() { return m_sessions; }
    [[nodiscard]] JournalModel &journal() { return m_journal; }
    [[nodiscard]] Selection &selection() { return m_selection; }
    [[nodiscard]] TimeWindow &timeWindow() { return m_timeWindow; }

Q_SIGNALS:
    /// Another snapshot is shown.
    void changed();
    void connectionChanged();
    void pausedChanged();
    /// Lines that are new; for whoever keeps them.
    void journalGrew(const QList<Baton::Monitor::JournalEntry> &entries);

private:
    void apply(const ClusterSnapshot &snapshot);
    void write(const QList<JournalEntry> &entries);
    void setClock();

    Clock m_source;
    Clock m_clock;
    ElectionModel m_elections;
    SessionModel m_sessions;
    JournalModel m_journal;
    Selection m_selection;
    TimeWindow m_timeWindow;
    ClusterSnapshot m_snapshot;
    ConnectionReport m_connection;
    std::optional<Nanoseconds> m_pausedAt;
    std::optional<ClusterSnapshot> m_waiting;
    int m_waitingChanges = 0;
};

} // namespace Baton::Monitor
