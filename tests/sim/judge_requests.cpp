// SPDX-License-Identifier: MIT
#include "judge.h"

#include "world.h"

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/* What candidates ask of Consul, when, and how often; and what they have been told. */
namespace Baton::Sim {

void Judge::sent(quint8 who, const Core::Send &send)
{
    countRequest(who, send);
    judgeEnding(who, send.message);
    if (const auto *lock = std::get_if<Wire::LockKey>(&send.message))
        judgeLock(who, *lock);
    if (send.term != 0 && std::holds_alternative<Wire::ReadKey>(send.message))
        m_witnesses[who].asked = true;
}

void Judge::countRequest(quint8 who, const Core::Send &send)
{
    // The busiest second that the rules allow: bursts of polls and locks around a change of leaders, renewals
    // every 125 ms, retries of several sessions at once.
    constexpr int MostRequestsASecond = 50;
    Witness &witness = m_witnesses[who];
    const Instant now = m_world.candidate(who).localNow();
    if (now - witness.secondBegan >= 1s || now < witness.secondBegan) {
        witness.secondBegan = now;
        witness.requests = witness.alarms = 0;
    }
    const auto *lock = std::get_if<Wire::LockKey>(&send.message);
    if (lock && std::holds_alternative<Wire::IfOurs>(lock->guard))
        return; // Lifting a token is as fast as it can be, and bounded otherwise.
    if (++witness.requests > MostRequestsASecond)
        fail(Invariant::CalmRequests,
             u"%1 sends %2 requests in a second"_s.arg(nameOf(who)).arg(witness.requests));
}

void Judge::rang(quint8 who)
{
    constexpr int MostAlarmsASecond = 100;
    Witness &witness = m_witnesses[who];
    if (++witness.alarms > MostAlarmsASecond && m_world.candidate(who).localNow() - witness.secondBegan < 1s)
        fail(Invariant::CalmRequests, u"the timer of %1 never rests"_s.arg(nameOf(who)));
}

void Judge::judgeEnding(quint8 who, const Wire::Request &request)
{
    const auto *renew = std::get_if<Wire::RenewSession>(&request);
    const auto *release = std::get_if<Wire::ReleaseKey>(&request);
    const auto *destroy = std::get_if<Wire::DestroySession>(&request);
    if (!renew && !release && !destroy)
        return;
    const QString &id = renew ? renew->session : release ? release->session : destroy->session;
    Session *session = sessionOf(who, id);
    if (!session)
        return fail(Invariant::OwnSessions, nameOf(who));
    const auto &lease = m_world.candidate(who).lease();
    if (!renew && lease && lease->session == id)
        fail(Invariant::EndOfSession, u"%1 ends the session of a term that it leads"_s.arg(nameOf(who)));
    if (renew && (session->lostInvoluntarily() || session->handedOver))
        fail(Invariant::EndOfSession, u"%1 renews what it has lost"_s.arg(nameOf(who)));
    if (release && session->lostInvoluntarily())
        fail(Invariant::EndOfSession, u"%1 releases what it has lost"_s.arg(nameOf(who)));
    if (destroy && session->handedOver && !session->releaseSent)
        fail(Invariant::EndOfSession, u"%1 destroys what it has handed over"_s.arg(nameOf(who)));
    if (release && session->lost == LostReason::Released && !session->handedOver)
        fail(Invariant::EndOfSession, u"%1 releases what the application has not ended"_s.arg(nameOf(who)));
    if (release)
        session->releaseSent = true;
}

void Judge::judgeLock(quint8 who, const Wire::LockKey &lock)
{
    if (std::holds_alternative<Wire::IfOurs>(lock.guard))
        return;
    const Witness &witness = m_witnesses[who];
    if (witness.seenHolder)
        fail(Invariant::PatientLock, u"%1 has seen it held"_s.arg(nameOf(who)));
    if (witness.patientUntil && m_world.candidate(who).localNow() < *witness.patientUntil)
        fail(Invariant::PatientLock, u"%1 does not wait for the lock-delay"_s.arg(nameOf(who)));
}

void Judge::answered(quint8 who, const Outstanding &asked, const Message &answer)
{
    if (const auto *read = std::get_if<Wire::KeyRead>(&answer.reply)) {
        if (asked.term != 0)
            noteKey(who, answer, *read);
        return;
    }
    QString acknowledged;
    if (const auto *created = std::get_if<Wire::SessionCreated>(&answer.reply))
        acknowledged = created->session;
    else if (std::holds_alternative<Wire::SessionRenewed>(answer.reply))
        acknowledged = std::get<Wire::RenewSession>(answer.body).session;
    Session *session = sessionOf(who, acknowledged);
    if (!session)
        return;
    // What comes at the deadline or after it does not keep a term.
    const Instant now = m_world.candidate(who).localNow();
    if (!session->led || now < *session->lastSent + session->window)
        session->lastSent = std::max(session->lastSent.value_or(asked.sent), asked.sent);
}

void Judge::noteKey(quint8 who, const Message &answer, const Wire::KeyRead &read)
{
    Witness &witness = m_witnesses[who];
    const Candidate &candidate = m_world.candidate(who);
    const auto holder = read.entry ? read.entry->session : std::nullopt;
    const quint64 index = read.entry ? read.entry->modifyIndex : read.index.value_or(0);
    if (read.entry)
        witness.highestSeen = std::max(witness.highestSeen, index);
    // What a leader is told of the time before its own lock may be old, and is asked about once more.
    if (candidate.lease() && index < candidate.lease()->token
        && std::holds_alternative<Wire::WatchKey>(answer.body))
        return;
    const bool looksReleased = read.entry && read.entry->value.isEmpty() && index > witness.seenIndex;
    if (holder) {
        witness.patientUntil.reset();
        if (!candidate.lease() && !sessionOf(who, *holder))
            witness.highest = std::max(witness.highest, read.entry->modifyIndex);
    } else if (witness.seenHolder && witness.seenDelay && !looksReleased) {
        const Cause cause = answer.freedom.cause;
        const bool withoutDelay =
            cause == Cause::Deleted || cause == Cause::Unlocked || cause == Cause::Restored;
        if (withoutDelay && witness.seenHolder == answer.freedom.of && !sessionOf(who, *witness.seenHolder))
            witness.patientUntil = candidate.localNow() + m_sessions.at(*witness.seenHolder).lockDelay;
    }
    witness.seenHolder = holder;
    witness.seenIndex = index;
    // Somebody else's value does not say how long its holder's lock-delay is.
    witness.seenDelay = holder && Core::LockValue::fromJson(read.entry->value).has_value();
}

Judge::News Judge::newsFor(quint8 who, const Outstanding &asked, const Message &answer) const
{
    const Candidate &candidate = m_world.candidate(who);
    if (!candidate.hasValidLease() || asked.term != candidate.lease()->term)
        return News::Nothing;
    const Lease &lease = *candidate.lease();
    if (std::holds_alternative<Wire::SessionGone>(answer.reply)) {
        const auto *renew = std::get_if<Wire::RenewSession>(&answer.body);
        return renew && renew->session == lease.session ? News::Final : News::Nothing;
    }
    const auto *read = std::get_if<Wire::KeyRead>(&answer.reply);
    if (!read || (read->entry && read->entry->session == lease.session))
        return News::Nothing;
    // A read that a leader asked for at once confirms what a poll below its token said.
    const bool confirms = std::holds_alternative<Wire::ReadKey>(answer.body);
    const quint64 index = read->entry ? read->entry->modifyIndex : read->index.value_or(0);
    return confirms || index > lease.token ? News::Final : News::Doubtful;
}

void Judge::reacted(quint8 who, News news)
{
    const bool asked = std::exchange(m_witnesses[who].asked, false);
    if (news == News::Nothing || !m_world.candidate(who).hasValidLease())
        return;
    if (news == News::Final)
        fail(Invariant::FinalNews, u"%1 still leads"_s.arg(nameOf(who)));
    else if (!asked)
        fail(Invariant::FinalNews, u"%1 leads in doubt and does not ask"_s.arg(nameOf(who)));
}

} // namespace Baton::Sim
