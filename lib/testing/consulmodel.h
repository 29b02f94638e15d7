// SPDX-License-Identifier: MIT
#pragma once

#include "consulstore.h"

#include <deque>
#include <queue>

namespace Baton::Testing {

/*!
 * Consul as far as leader election sees it: sessions with their timers and checks, keys with Raft indexes,
 * lock-delays, transactions, blocking queries, rights, and what happens to its servers. Pure: time is an
 * argument and never runs backwards, chance comes from the seed. It speaks Consul's operations with Consul's
 * codes and texts; an HTTP front or a simulator stands before it. Not thread-safe.
 *
 * It is one leader with one log: there are no stale reads and no elections inside, only the instants at
 * which a leader is lost and found.
 *
 * A write has two moments, as in Consul: admit() is what the leader looks at before the log (rights,
 * lock-delay), apply() is what the log then does. A front that lets time pass between the two shows what a
 * `lock` in flight can do: admitted before its rival's session ends and applied after, it passes the
 * lock-delay. execute() is both at once.
 */
class ConsulModel
{
public:
    explicit ConsulModel(quint64 seed);

    /// Consul's `session_ttl_min`: 10 s unless its operator says otherwise.
    void setShortestTtl(Duration ttl) { m_shortestTtl = ttl; }

    // Time
    /// Ends what is due: sessions, checks, waits. Every call that takes a time does this first.
    void advance(Instant now);
    [[nodiscard]] std::optional<Instant> nextTimeout() const;

    // Writes
    /// Nothing where the command goes into the log; else the refusal.
    [[nodiscard]] std::optional<Outcome> admit(const Command &command, const Rights &rights, Instant now);
    Outcome apply(const Command &command, Instant now);
    /// As apply(); what \a rights hide is left out of the answer.
    Outcome applyFor(const Command &command, const Rights &rights, Instant now);
    Outcome execute(const Command &command, const Rights &rights, Instant now);
    /// Not a write: it starts the session's timer anew in the leader's memory, and no index changes.
    Outcome renew(const QString &session, const Rights &rights, Instant now);

    // Reads
    [[nodiscard]] Reading read(const Query &query, const Rights &rights, Instant now);
    /// A blocking query: answered through takeAnswer() as soon as the index of \a query is above \a after, or
    /// when \a wait (and up to a sixteenth more) is over.
    quint64 watch(const Query &query, quint64 after, Duration wait, const Rights &rights, Instant now);
    /// The client has gone.
    void unwatch(quint64 watch);
    struct WatchAnswer
    {
        quint64 watch = 0;
        Reading reading;
    };
    [[nodiscard]] std::optional<WatchAnswer> takeAnswer();

    // Nodes and checks
    void addNode(const QString &node) { m_store.addNode(node, m_logIndex); }
    void removeNode(const QString &node, Instant now);
    void setCheck(CheckRecord check, Instant now);
    void removeCheck(const QString &node, const QString &check, Instant now);
    /// False where there is no such check with a TTL.
    bool updateCheck(const QString &node, const QString &check, CheckStatus status, const QString &output,
                     Instant now);
    bool passCheck(const QString &node, const QString &check, Instant now)
    {
        return updateCheck(node, check, CheckStatus::Passing, {}, now);
    }
    void setService(const ServiceRecord &service, Instant now);
    /// With its checks; what is bound to them ends.
    void removeService(const QString &node, const QString &service, Instant now);

    // Rights
    void setRights(const QByteArray &token, const Rights &rights) { m_rights[token] = rights; }
    /// Of the anonymous token where \a token is empty: everything, unless set otherwise.
    [[nodiscard]] Rights rightsOf(const QByteArray &token) const;

    // Servers
    [[nodiscard]] bool hasLeader() const { return m_hasLeader; }
    /// Until elect(), everything is answered 500 and no timer runs. Parked queries end.
    void loseLeader(Instant now);
    /// A new leader starts every session's timer anew.
    void elect(Instant now);
    /// The only server is stopped and started: as a new leader, and the log imposes every lock-delay anew.
    /// The connections of parked queries are gone.
    void restart(Instant now);
    struct Snapshot
    {
        ConsulStore store;
    };
    [[nodiscard]] Snapshot snapshot() const { return {m_store}; }
    /// In place: the log's index goes on, those of keys and sessions go back; running lock-delays are lost.
    void restore(const Snapshot &snapshot, Instant now);
    /// A new cluster under the old address: nothing is left, and indexes start anew.
    void rebuild(Instant now);

    // For whoever judges what happened
    [[nodiscard]] const ConsulStore &store() const { return m_store; }
    [[nodiscard]] quint64 logIndex() const { return m_logIndex; }
    [[nodiscard]] std::optional<Instant> lockDelayUntil(const QString &key) const;

private:
    struct Watch
    {
        quint64 id = 0;
        Query query;
        quint64 after = 0;
        Rights rights;
        Instant until;
    };
    struct Timer
    {
        enum class Kind { Session, Check, Watch };
        Instant at;
        Kind kind{};
        QString id; ///< Of the session or check.
        QString node; ///< Of the check.
        quint64 watch = 0;
        bool operator>(const Timer &other) const { return at > other.at; }
    };

    // Writes (consulmodel_write.cpp)
    std::optional<Outcome> refuse(const PutKey &put, const Rights &rights, Instant now) const;
    std::optional<Outcome> refuse(const DeleteKey &remove, const Rights &rights, Instant now) const;
    std::optional<Outcome> refuse(const Transaction &transaction, const Rights &rights, Instant now) const;
    std::optional<Outcome> refuse(const MakeSession &make, const Rights &rights, Instant now) const;
    std::optional<Outcome> refuse(const EndSession &end, const Rights &rights, Instant now) const;
    Outcome perform(const PutKey &put, Instant now);
    Outcome perform(const DeleteKey &remove, Instant now);
    Outcome perform(const Transaction &transaction, Instant now);
    Outcome perform(const MakeSession &make, Instant now);
    Outcome perform(const EndSession &end, Instant now);
    [[nodiscard]] bool isDelayed(const QString &key, Instant now) const;
    void endSession(const QString &session, Instant now);
    void endUnhealthySessions(Instant now);

    // Time and queries (consulmodel.cpp, consulmodel_watch.cpp)
    void ring(const Timer &timer);
    void startTimer(SessionRecord &session, Instant now);
    void startTimers(Instant now);
    Reading readNow(const Query &query, const Rights &rights) const;
    void wake();
    void answer(const Watch &watch, Reading reading);
    void dropWatches(const QString &text);
    quint64 random();
    QString newId();

    ConsulStore m_store;
    quint64 m_logIndex;
    Duration m_shortestTtl = std::chrono::seconds{10};
    std::map<QString, Instant> m_lockDelays;
    std::map<QString, Duration> m_delaysInLog; ///< What a replay of the log imposes again.
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> m_timers;
    std::vector<Watch> m_watches;
    std::deque<WatchAnswer> m_answers;
    quint64 m_lastWatch = 0;
    std::map<QByteArray, Rights> m_rights;
    bool m_hasLeader = true;
    Instant m_now;
    quint64 m_random;
};

} // namespace Baton::Testing
