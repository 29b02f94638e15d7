// SPDX-License-Identifier: MIT
#pragma once

#include "candidate.h"
#include "invariant.h"
#include "message.h"

#include <bitset>
#include <unordered_map>

namespace Baton::Sim {

/*!
 * Sees everything that happens in a world, from outside and on true time, and says when something happened
 * that must not. What must hold, and under which assumptions, is in README.md beside this file.
 *
 * Not covered by "at most one lease", as the design says, and so not judged: the lease of a holder whose key
 * was deleted, released in its name, or taken back by a restore; that of a session ended by something else
 * than its TTL while its lock-delay is 0; that of a clock that stood still.
 */
class Judge
{
public:
    using Invariants = std::bitset<InvariantTexts.size()>;

    Judge(World &world, size_t candidates) : m_world(world), m_witnesses(candidates) { }

    /// Only violations of these are noticed.
    void setWatched(Invariants watched) { m_watched = watched; }
    void fail(Invariant invariant, const QString &detail);
    /// A hot loop that does not even let time pass: the world cannot go on, watched or not.
    void giveUp(const QString &detail);
    [[nodiscard]] bool isOver() const { return m_gaveUp || m_verdict; }
    [[nodiscard]] const std::optional<Violation> &verdict() const { return m_verdict; }
    [[nodiscard]] quint64 terms() const { return m_terms; }

    // What candidates say and hear
    void sent(quint8 who, const Core::Send &send);
    void answered(quint8 who, const Outstanding &asked, const Message &answer);
    /// What an answer tells a leader about its lock.
    enum class News {
        Nothing,
        Doubtful, ///< It is not its own, but that may be of the time before its own lock.
        Final, ///< It is not its own any more.
    };
    [[nodiscard]] News newsFor(quint8 who, const Outstanding &asked, const Message &answer) const;
    /// \a who has been told, and has done what it does about it.
    void reacted(quint8 who, News news);
    void rang(quint8 who);
    void acquired(quint8 who, const Core::Acquired &acquired);
    void renewed(quint8 who, const Core::Renewed &renewed);
    void stoodDown(quint8 who, const Core::StoodDown &down);
    void lost(quint8 who, const Core::Lost &lost);
    void handedOver(quint8 who);
    void becameIdle(quint8 who);

    // What is done to the world
    void died(quint8 who);
    void clockStandsStill(quint8 who);
    void restored();
    void sessionMade(const QString &session, quint8 who, quint32 life);
    void doubled(const Message &message);
    void storeReached(quint8 from, quint64 token, const QString &session);
    void audit(quint8 who, quint32 stamp);
    [[nodiscard]] std::optional<Instant> lastLoss() const { return m_lastLoss; }
    /// Over this a candidate may have to lift its next token.
    [[nodiscard]] quint64 highestKnown() const;

private:
    struct Session
    {
        quint8 owner = 0;
        quint32 life = 0;
        Duration lockDelay{};
        Duration window{};
        std::optional<Instant>
            lastSent; ///< Of the last acknowledged create or renewal, on the owner's clock.
        bool led = false;
        std::optional<LostReason> lost;
        bool handedOver = false;
        bool releaseSent = false;
        bool lockDoubled = false; ///< Somebody may lock the key with it once more than it knows.
        bool clockStood = false;
        bool outlivedRestore = false; ///< Its lock, or another's, may have come back.
        [[nodiscard]] bool lostInvoluntarily() const
        {
            return lost && lost != LostReason::Released && lost != LostReason::Cancelled;
        }
    };
    /// What one candidate has seen and done.
    struct Witness
    {
        std::optional<QString> seenHolder;
        quint64 seenIndex = 0;
        bool seenDelay = false; ///< The holder's value told its lock-delay.
        std::optional<Instant> patientUntil; ///< On its clock: a lost key must not be locked before.
        quint64 highest = 0; ///< Of its own tokens and those it saw in others' hands.
        quint64 highestSeen = 0; ///< Index of the key, in whatever hands.
        bool asked = false; ///< Since the last answer, how it stands with the key.
        QString lastSession; ///< Of the last announced term.
        std::optional<Instant> stoodDownAt; ///< On its clock.
        quint32 auditStamp = 0;
        Instant secondBegan; ///< For counting requests.
        int requests = 0;
        int alarms = 0;
    };
    struct Term
    {
        int order = 0;
        int cluster = 0;
        quint64 token = 0;
    };

    Session *sessionOf(quint8 who, const QString &session);
    [[nodiscard]] QString nameOf(quint8 who) const;

    // judge_terms.cpp
    void judgeToken(quint8 who, const Core::Acquired &acquired);
    void judgeOrder(quint8 who, const Term &term);
    void judgeOthers(quint8 who, const Core::Acquired &acquired);
    [[nodiscard]] bool isCovered(const QString &session, quint64 token) const;
    void judgeDeadline(quint8 who, const QString &session, Instant deadline);
    [[nodiscard]] QString untrueReason(quint8 who, const Core::Lost &lost) const;
    void callAudit(quint8 who, Instant local);

    // judge_requests.cpp
    void countRequest(quint8 who, const Core::Send &send);
    void judgeEnding(quint8 who, const Wire::Request &request);
    void judgeLock(quint8 who, const Wire::LockKey &lock);
    void noteKey(quint8 who, const Message &answer, const Wire::KeyRead &read);

    World &m_world;
    Invariants m_watched = Invariants().set();
    std::optional<Violation> m_verdict;
    std::unordered_map<QString, Session> m_sessions;
    std::vector<Witness> m_witnesses;
    std::vector<Term> m_announced;
    std::optional<Instant> m_lastLoss;
    bool m_gaveUp = false;
    quint64 m_terms = 0;
    quint64 m_storeToken = 0; ///< The highest that the fenced store has seen.
    int m_storeOrder = 0; ///< The latest lock of a write that it has accepted.
    int m_storeCluster = 0;
};

} // namespace Baton::Sim
