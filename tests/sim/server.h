// SPDX-License-Identifier: MIT
#pragma once

#include "ledger.h"
#include "plan.h"

#include <testing/consulmodel.h>

namespace Baton::Sim {

class World;

/// Consul in the world: the model, the time that its log takes, and what is done to it.
class Server
{
public:
    Server(World &world, size_t candidates, const QString &key, quint64 seed);

    void arrive(quint32 message);
    void commit(quint32 message);
    /// Its timers, and the ends of its troubles.
    void attend();
    /// A client gave up waiting for a long poll.
    void forget(int candidate, quint32 life, quint64 request);
    void perform(const Act &act);
    void heal();

    [[nodiscard]] const Testing::ConsulModel &model() const { return m_model; }
    [[nodiscard]] const Ledger &ledger() const { return m_ledger; }

private:
    struct Parked
    {
        quint64 watch = 0;
        quint32 message = 0;
    };
    /// What is wrong with a candidate's node.
    struct Node
    {
        QString name;
        Testing::Rights rights;
        Instant illUntil;
        Instant goneUntil;
        Instant poorUntil; ///< Without all rights.
    };

    /// After anything was done to the model: judges what became of the key, passes answers on, sets timers.
    void settle(Cause cause);
    void answerParked();
    void callAt(Instant at);
    void take(quint32 message);
    void takeRenewal(quint32 message, Duration search);
    void commitUnderNewLeader(quint32 message);
    Testing::Outcome apply(quint32 message);
    void endTroubles();
    void dropParked();

    // What is done to it (server_acts.cpp)
    void destroy();
    void strike(quint8 leader);
    void unlock();
    void revoke(Node &node, Duration length);
    [[nodiscard]] std::optional<QString> victim() const;

    World &m_world;
    Testing::ConsulModel m_model;
    Ledger m_ledger;
    const QString m_key;
    std::vector<Node> m_nodes;
    std::vector<Parked> m_parked;
    std::optional<Testing::ConsulModel::Snapshot> m_snapshot;
    bool m_snapshotAtRelease = false; ///< Takes a snapshot at the next release.
    Instant m_lastCommit;
    Instant m_nextCall; ///< For which attend() is on the agenda; in the past: none.
    bool m_down = false;
    Instant m_downUntil;
    Instant m_leaderlessUntil;
    Duration m_strike{}; ///< How deaf the next leader gets that renews; zero: nothing is planned.
    quint32 m_reign = 0;
    int m_writes = 0;
};

} // namespace Baton::Sim
