// SPDX-License-Identifier: MIT
#include "judge.h"

#include "world.h"

using namespace Qt::StringLiterals;

/* Terms: how they begin, what keeps them, how they end. */
namespace Baton::Sim {

void Judge::acquired(quint8 who, const Core::Acquired &acquired)
{
    const Candidate &candidate = m_world.candidate(who);
    ++m_terms;
    if (candidate.lease())
        fail(Invariant::OneEnd, u"%1 leads anew without an end"_s.arg(nameOf(who)));
    Session *session = sessionOf(who, acquired.session);
    if (!session)
        return fail(Invariant::OwnSessions, u"%1 leads with another's session"_s.arg(nameOf(who)));
    if (session->led)
        fail(Invariant::OneTermASession, u"%1 leads with it again"_s.arg(nameOf(who)));
    session->led = true;
    m_witnesses[who].lastSession = acquired.session;
    m_witnesses[who].stoodDownAt.reset();
    judgeDeadline(who, acquired.session, acquired.deadline);
    if (acquired.deadline <= candidate.localNow())
        fail(Invariant::DeadlineRule, u"%1 announces a lease that is void"_s.arg(nameOf(who)));
    judgeToken(who, acquired);
    judgeOthers(who, acquired);
    callAudit(who, acquired.deadline);
}

void Judge::judgeDeadline(quint8 who, const QString &id, Instant deadline)
{
    const Session *session = sessionOf(who, id);
    if (!session || !session->lastSent || deadline > *session->lastSent + session->window)
        fail(Invariant::DeadlineRule, u"the deadline of %1 is too late"_s.arg(nameOf(who)));
}

void Judge::judgeToken(quint8 who, const Core::Acquired &acquired)
{
    const Ledger &ledger = m_world.server().ledger();
    const Ledger::Grant *grant = ledger.grantOf(acquired.session, acquired.token);
    if (!grant)
        return fail(Invariant::OneLease, u"%1 never had the lock"_s.arg(nameOf(who)));
    Witness &witness = m_witnesses[who];
    const quint64 known = std::max(witness.highest, m_world.candidate(who).settings().tokenFloor);
    if (acquired.token <= known)
        fail(Invariant::RisingTokens,
             u"%1 has token %2 and knew of %3"_s.arg(nameOf(who)).arg(acquired.token).arg(known));
    // A token is lifted only over one that is known, and by others' writes between a lock and its repetition.
    const Session &session = m_sessions.at(acquired.session);
    const bool mayBeLifted = ledger.firstGrantOf(acquired.session)->index <= known || session.lockDoubled
        || session.outlivedRestore || ledger.cluster() > 0 || ledger.foreignWrites() != grant->foreignWrites;
    if (acquired.token != grant->index && !mayBeLifted)
        fail(Invariant::TokenOrigin,
             u"%1 has token %2, its lock %3"_s.arg(nameOf(who)).arg(acquired.token).arg(grant->index));
    witness.highest = std::max(witness.highest, acquired.token);
    if (!session.outlivedRestore)
        judgeOrder(who, {grant->order, grant->cluster, acquired.token});
}

void Judge::judgeOrder(quint8 who, const Term &term)
{
    for (const Term &other : m_announced) {
        if (other.cluster != term.cluster)
            continue;
        const bool fine = other.order != term.order && other.token != term.token
            && (other.order < term.order) == (other.token < term.token);
        if (!fine)
            return fail(Invariant::RisingTokens,
                        u"token %1 of %2 and %3 of an %4 term"_s.arg(term.token)
                            .arg(nameOf(who))
                            .arg(other.token)
                            .arg(other.order < term.order ? u"earlier"_s : u"later"_s));
    }
    m_announced.push_back(term);
}

/// The holder of a lease that began is alone, unless the other lease is one that nobody promised anything of.
void Judge::judgeOthers(quint8 who, const Core::Acquired &acquired)
{
    for (quint8 other = 0; other < m_world.candidates(); ++other) {
        const Candidate &candidate = m_world.candidate(other);
        if (other != who && candidate.hasValidLease() && isCovered(acquired.session, acquired.token)
            && isCovered(candidate.lease()->session, candidate.lease()->token))
            fail(Invariant::OneLease, u"%1 and %2 lead"_s.arg(nameOf(other), nameOf(who)));
    }
}

bool Judge::isCovered(const QString &id, quint64 token) const
{
    const Session &session = m_sessions.at(id);
    const Ledger::Grant *grant = m_world.server().ledger().grantOf(id, token);
    if (session.clockStood || session.outlivedRestore)
        return false;
    if (!grant || !grant->lost)
        return true;
    const bool withoutDelay = session.lockDelay == Duration::zero() && grant->cause == Cause::Ended;
    return !withoutDelay && grant->cause != Cause::Deleted && grant->cause != Cause::Unlocked
        && grant->cause != Cause::Restored;
}

void Judge::renewed(quint8 who, const Core::Renewed &renewed)
{
    const Candidate &candidate = m_world.candidate(who);
    const auto &lease = candidate.lease();
    if (!lease || lease->term != renewed.term)
        return fail(Invariant::OneEnd, u"%1 renews a term that is over"_s.arg(nameOf(who)));
    judgeDeadline(who, lease->session, renewed.deadline);
    if (lease->deadline <= candidate.localNow() && !lease->isVoid)
        fail(Invariant::DeadlineRule, u"the lease of %1 was void and comes back"_s.arg(nameOf(who)));
}

void Judge::stoodDown(quint8 who, const Core::StoodDown &down)
{
    const Candidate &candidate = m_world.candidate(who);
    if (!candidate.lease() || candidate.lease()->term != down.term)
        return fail(Invariant::OneEnd, u"%1 stands down without leading"_s.arg(nameOf(who)));
    m_witnesses[who].stoodDownAt = candidate.localNow();
    callAudit(who, candidate.localNow());
}

void Judge::lost(quint8 who, const Core::Lost &lost)
{
    const Candidate &candidate = m_world.candidate(who);
    if (!candidate.lease() || candidate.lease()->term != lost.term)
        return fail(Invariant::OneEnd, u"%1 loses what it does not lead"_s.arg(nameOf(who)));
    ++m_witnesses[who].auditStamp;
    m_lastLoss = m_world.now();
    if (Session *session = sessionOf(who, candidate.lease()->session))
        session->lost = lost.reason;
    if (const QString why = untrueReason(who, lost); !why.isEmpty())
        fail(Invariant::CauseOfLoss,
             u"%1 says %2, but %3"_s.arg(nameOf(who), QLatin1StringView(tag(lost.reason)), why));
}

/// Empty where what happened bears the reason out.
QString Judge::untrueReason(quint8 who, const Core::Lost &lost) const
{
    const Candidate &candidate = m_world.candidate(who);
    const QString &id = candidate.lease()->session;
    const Session &session = m_sessions.at(id);
    const Ledger::Grant *grant = m_world.server().ledger().grantOf(id, candidate.lease()->token);
    switch (lost.reason) {
    case LostReason::SessionExpired:
    case LostReason::LockKeyTaken:
    case LostReason::LockKeyDeleted:
    case LostReason::LockKeyReleased:
        return grant && !grant->lostOnce ? u"it had the lock all the time"_s : QString();
    case LostReason::LocalDeadlineExceeded:
        return session.lastSent && candidate.localNow() < *session.lastSent + session.window
            ? u"its deadline has not passed"_s
            : QString();
    case LostReason::Released:
        return {};
    default:
        return u"nothing of the kind happens here"_s;
    }
}

void Judge::handedOver(quint8 who)
{
    if (Session *session = sessionOf(who, m_witnesses[who].lastSession))
        session->handedOver = true;
    // What an application that leads and gives up by turns causes is no loop of the machine.
    m_witnesses[who].requests = 0;
}

/// It begins anew without knowing what it saw before, as one that has just started.
void Judge::becameIdle(quint8 who)
{
    Witness &witness = m_witnesses[who];
    witness.seenHolder.reset();
    witness.patientUntil.reset();
    if (m_world.candidate(who).lease())
        fail(Invariant::OneEnd, u"%1 stops while it leads"_s.arg(nameOf(who)));
}

} // namespace Baton::Sim
