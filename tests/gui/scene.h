// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>

#include <QtCore/QRandomGenerator>

namespace Baton::Testing {

/// Snapshots for a window: a small one with every state in it, and a large one that changes.
class Scene
{
public:
    /// "Now" of all scenes: far enough from the boot for an hour of history.
    static constexpr std::chrono::seconds Now{40'000};

    /// Twelve elections and eleven sessions, each state at least once.
    [[nodiscard]] static Scene small();
    /// Many, made from a seed.
    [[nodiscard]] static Scene large(int elections, int sessions, quint32 seed);

    [[nodiscard]] const ClusterSnapshot &snapshot() const { return m_snapshot; }
    /// What led to the snapshot from the one before; everything for the first one.
    [[nodiscard]] const ClusterDelta &delta() const { return m_delta; }
    [[nodiscard]] static ConnectionReport live();
    [[nodiscard]] static ConnectionReport failed(ConnectionState state, const ObserveError &error);

    /// Replaces or changes \a count records, as Consul does under load.
    void change(int count);

    void addElection(const ElectionRecord &election);
    void addSession(const SessionRecord &session);
    /// Takes what was added or changed into a new snapshot.
    void commit();

private:
    ClusterSnapshot m_snapshot;
    ClusterDelta m_delta;
    QList<ElectionPtr> m_elections;
    QList<SessionPtr> m_sessions;
    QRandomGenerator m_random{1};
    quint64 m_index = 74'000;
};

} // namespace Baton::Testing
