// SPDX-License-Identifier: MIT
#include "judge.h"

#include "world.h"

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

void Judge::fail(Invariant invariant, const QString &detail)
{
    if (m_verdict || !m_watched[size_t(invariant)])
        return;
    m_verdict = Violation{invariant, detail, m_world.now()};
    m_world.note(u"*"_s, [&] { return u"VIOLATED: %1 (%2)"_s.arg(textOf(invariant).text, detail); });
}

void Judge::giveUp(const QString &detail)
{
    m_gaveUp = true;
    fail(Invariant::CalmRequests, detail);
}

QString Judge::nameOf(quint8 who) const
{
    return m_world.candidate(who).name();
}

/// A session of the process that \a who is now; nothing where it is none.
Judge::Session *Judge::sessionOf(quint8 who, const QString &session)
{
    const auto found = m_sessions.find(session);
    const bool own = found != m_sessions.end() && found->second.owner == who
        && found->second.life == m_world.candidate(who).life();
    return own ? &found->second : nullptr;
}

void Judge::sessionMade(const QString &session, quint8 who, quint32 life)
{
    const Core::Settings &settings = m_world.candidate(who).settings();
    Session made;
    made.owner = who;
    made.life = life;
    made.lockDelay = settings.lockDelay;
    // Written out anew, so that an error in Settings::window() does not judge itself.
    const Duration byTtl = settings.ttl - settings.margin;
    const Duration byDelay = Duration{settings.lockDelay} * 9 / 10;
    made.window = settings.lockDelay.count() == 0 ? byTtl : std::min(byTtl, byDelay);
    m_sessions[session] = made;
}

// ---- What is done to the world -------------------------------------------------------------------------

void Judge::died(quint8 who)
{
    const quint32 stamp = m_witnesses[who].auditStamp;
    m_witnesses[who] = {};
    m_witnesses[who].auditStamp = stamp + 1;
}

void Judge::clockStandsStill(quint8 who)
{
    for (auto &[id, session] : m_sessions) {
        if (session.owner == who)
            session.clockStood = true;
    }
}

/// Locks that were taken may be free now, and lock-delays that ran may not run any more.
void Judge::restored()
{
    for (auto &[id, session] : m_sessions)
        session.outlivedRestore = true;
}

void Judge::doubled(const Message &message)
{
    const auto *lock = std::get_if<Wire::LockKey>(&message.body);
    Session *session = lock ? sessionOf(message.from, lock->session) : nullptr;
    if (session)
        session->lockDoubled = true;
}

/// The store: it accepts a token that is at least the highest it has seen. Stale is a write of a term whose
/// lock was taken before that of a term that has written already, whatever the tokens say.
void Judge::storeReached(quint8 from, quint64 token, const QString &session)
{
    if (token < m_storeToken)
        return;
    m_storeToken = token;
    const Ledger::Grant *grant = m_world.server().ledger().grantOf(session, token);
    if (!grant)
        return fail(Invariant::FencedStore, u"%1 never had the lock and wrote"_s.arg(nameOf(from)));
    if (m_sessions.at(session).outlivedRestore)
        return; // An old lock that came back has no place in the order.
    // A cluster made from nothing may give the same tokens once more, to whoever does not know the old ones.
    if (grant->cluster != m_storeCluster)
        m_storeOrder = grant->order;
    m_storeCluster = grant->cluster;
    if (grant->order < m_storeOrder)
        fail(Invariant::FencedStore,
             u"a write of %1 with token %2 was accepted after one of a later term"_s.arg(nameOf(from))
                 .arg(token));
    m_storeOrder = std::max(m_storeOrder, grant->order);
}

quint64 Judge::highestKnown() const
{
    quint64 highest = 0;
    for (size_t i = 0; i < m_witnesses.size(); ++i)
        highest = std::max({highest, m_witnesses[i].highest, m_witnesses[i].highestSeen,
                            m_world.candidate(i).settings().tokenFloor});
    return highest;
}

/// A passed deadline has been told by now, and so has the reason of a lease that was taken away.
void Judge::audit(quint8 who, quint32 stamp)
{
    constexpr Duration Slack = World::TimerTick + 5ms;
    constexpr Duration LongestDiagnosis = 1s;
    const Candidate &candidate = m_world.candidate(who);
    const Witness &witness = m_witnesses[who];
    if (stamp != witness.auditStamp || !candidate.lease())
        return;
    const Instant due =
        Slack + (witness.stoodDownAt ? *witness.stoodDownAt + LongestDiagnosis : candidate.lease()->deadline);
    if (m_world.now() < candidate.pausedUntil() + Slack)
        m_world.add({candidate.pausedUntil() + Slack, 0, Event::Kind::Audit, who, stamp, 0});
    else if (candidate.localNow() < due)
        m_world.add({candidate.clock().when(due), 0, Event::Kind::Audit, who, stamp, 0});
    else
        fail(Invariant::LossInTime, u"%1 has not told its loss"_s.arg(nameOf(who)));
}

void Judge::callAudit(quint8 who, Instant local)
{
    const quint32 stamp = ++m_witnesses[who].auditStamp;
    const Instant at = std::max(m_world.candidate(who).clock().when(local), m_world.now());
    m_world.add({at, 0, Event::Kind::Audit, who, stamp, 0});
}

} // namespace Baton::Sim
