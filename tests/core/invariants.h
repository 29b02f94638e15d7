// SPDX-License-Identifier: MIT
#pragma once

#include "harness.h"

#include <QtCore/QMap>
#include <QtCore/QSet>

#include <deque>

namespace Baton::Core {

/*!
 * Watches one machine from outside and knows what must hold whatever is done to it. It believes nothing that
 * the machine says of itself: deadlines, sessions and holders are computed from the requests and replies
 * alone.
 */
class Invariants
{
public:
    struct Request
    {
        Instant at;
        Send send;
    };
    explicit Invariants(Settings settings) : m_settings(std::move(settings)) { }

    // What is done to the machine, told before it is done
    void answers(quint64 request, const Wire::Reply &reply);
    void sleeps(Duration by) { m_slept += by; }
    void handsOver(quint64 term) { m_handedOver.insert(term); }
    /// What it did.
    void does(const Harness::Done &done);
    /// It has nothing more to say at \a now.
    void rests(const CandidateMachine &machine, Instant now);
    /// It was stopped, and everything that could still come has come.
    void hasEnded(const CandidateMachine &machine);

    /// The first thing that did not hold, in words; empty where everything did.
    [[nodiscard]] const QString &violation() const { return m_violation; }
    [[nodiscard]] std::optional<quint64> openTerm() const;
    [[nodiscard]] const QMap<quint64, Request> &underWay() const { return m_underWay; }
    [[nodiscard]] qsizetype terms() const { return m_terms; }
    [[nodiscard]] size_t mostRequests() const { return m_mostRequests; }

private:
    struct Term
    {
        quint64 number = 0;
        QString session;
        Instant deadline;
        bool isVoid = false;
        bool atRisk = false;
    };
    struct Acknowledged
    {
        Instant sent;
        Duration slept{}; ///< All sleep until then.
    };
    void sends(const Send &send, Instant at);
    void sendsWhileLeading(const Send &send);
    void locks(const Wire::LockKey &lock);
    static bool fitsTo(const Wire::LockKey &lock, const std::optional<Wire::KeyRead> &seen);
    void releases(const QString &session);
    void acquires(const Acquired &acquired, Instant at);
    void renews(const Renewed &renewed, Instant at);
    void loses(const Lost &lost);
    void counts(const Send &send, Instant at);
    void require(bool holds, const char *what);

    const Settings m_settings;
    QString m_violation;
    std::optional<Term> m_term; ///< Announced, and not yet lost.
    qsizetype m_terms = 0;
    quint64 m_lastToken = 0;
    QSet<quint64> m_handedOver;
    QMap<quint64, Request> m_underWay;
    QMap<QString, Acknowledged> m_acknowledged; ///< Of each session, the last create or renewal.
    QSet<QString> m_ended; ///< Sessions destroyed, or known to be gone.
    QMap<QString, quint64> m_led; ///< The term of each session that has led.
    QSet<QString> m_lost; ///< Sessions that were lost, not given up.
    quint64 m_beingAnswered = 0;
    std::optional<Wire::KeyRead> m_seen;
    std::optional<Wire::KeyRead> m_seenBefore; ///< What a timer went by that was due before the answer.
    bool m_lifting = false; ///< The last lock was won with a token too low.
    QSet<ErrorCode> m_troubles;
    State m_state = State::Idle;
    Duration m_slept{}; ///< In all.
    std::deque<Instant> m_requests; ///< Of the last seconds.
    size_t m_mostRequests = 0;
};

} // namespace Baton::Core
