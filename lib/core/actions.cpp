// SPDX-License-Identifier: MIT
#include "candidatemachine.h"

#include <QtCore/QDateTime>

#include <algorithm>

using namespace Qt::StringLiterals;

/* What a transition does. The table says when. */
namespace Baton::Core {

namespace {
/// A lock-delay without a known end is asked about at most twice a second.
constexpr Duration BlindDelayRetry = std::chrono::milliseconds{500};
/// Naming the reason of a loss is worth this much and no more; the lease is void already.
constexpr Duration DiagnosisLimit = std::chrono::seconds{1};
/// A cluster whose indexes are far below a token already seen needs an operator.
constexpr Duration RegressedRetry = std::chrono::seconds{30};
} // namespace

// ---- The session ---------------------------------------------------------------------------------------

void CandidateMachine::open(const Occasion &occasion)
{
    if (m_create)
        return; // A stop did not wait for it. It serves this campaign.
    beginTerm();
    const Instant earliest = std::max(m_openPace.earliest(occasion.now), m_openNotBefore);
    if (earliest > occasion.now) {
        m_retryAt = earliest;
        return;
    }
    m_openPace.take(occasion.now);
    send(m_create,
         Wire::CreateSession{m_settings.sessionName, m_settings.ttl, m_settings.lockDelay,
                             m_settings.nodeChecks, m_settings.serviceChecks},
         m_settings.writeTimeout(), occasion.now);
}

void CandidateMachine::beginTerm()
{
    ++m_term;
    for (Slot *slot : {&m_create, &m_renew, &m_key, &m_lock, &m_inspect})
        drop(*slot);
    m_session.clear();
    m_value.clear();
    m_token = 0;
    m_climbs = 0;
    m_mayHold = false;
    m_atRisk = false;
    m_confirming = false;
    m_inspected.clear();
    m_renewBackoff.reset();
    m_told.reset();
}

void CandidateMachine::retryOpen(const Occasion &occasion)
{
    m_backoff.use(retryPolicy(*occasion.reply));
    m_retryAt = occasion.now + m_backoff.next(m_random);
}

void CandidateMachine::verify(const Occasion &occasion)
{
    if (const auto *created = occasion.reply ? std::get_if<Wire::SessionCreated>(occasion.reply) : nullptr) {
        m_session = created->session;
        m_sent = occasion.sent;
        m_deadline = m_sent + m_settings.window();
        m_outbox.push(SessionOpened{m_session});
    }
    send(m_renew, Wire::RenewSession{m_session}, m_settings.requestTimeout, occasion.now);
}

void CandidateMachine::retryVerify(const Occasion &)
{
    m_retryAt = m_renewAt;
}

void CandidateMachine::discardUnfit(const Occasion &occasion)
{
    endSession(SessionCloser::Ending::Destroy, occasion.now);
    m_backoff.use(SlowRetry);
    m_retryAt = occasion.now + m_backoff.next(m_random);
}

// ---- The key -------------------------------------------------------------------------------------------

void CandidateMachine::read(const Occasion &occasion)
{
    send(m_key, Wire::ReadKey{m_settings.key}, m_settings.writeTimeout(), occasion.now);
}

void CandidateMachine::retryRead(const Occasion &occasion)
{
    m_backoff.use(retryPolicy(*occasion.reply));
    m_retryAt = occasion.now + m_backoff.next(m_random);
}

/// The lock was refused; look again, but never turn in a circle at full speed.
void CandidateMachine::readAgain(const Occasion &occasion)
{
    const Instant earliest = m_lockPace.earliest(occasion.now);
    if (earliest > occasion.now)
        m_retryAt = earliest;
    else
        read(occasion);
}

void CandidateMachine::readAfterLock(const Occasion &occasion)
{
    drop(m_key);
    retryRead(occasion);
    m_retryAt = std::max(*m_retryAt, m_lockPace.earliest(occasion.now));
}

void CandidateMachine::await(const Occasion &occasion)
{
    m_retryAt.reset();
    m_troubles.ceased(Step::Lock);
    const Wire::KeyEntry &entry = *m_seen->entry;
    // A value of Baton's says what a session says; the session of a stranger is asked about, once.
    if (m_inspected != *entry.session && !m_holderIsBaton) {
        m_inspected = *entry.session;
        send(m_inspect, Wire::InspectSession{m_inspected}, m_settings.writeTimeout(), occasion.now);
    }
    tellWait(m_holderForever ? WaitReason::NeverExpires : WaitReason::Held, std::nullopt);
}

void CandidateMachine::refineWait(const Occasion &)
{
    if (isHeld())
        tellWait(m_holderForever ? WaitReason::NeverExpires : WaitReason::Held, std::nullopt);
}

void CandidateMachine::awaitDelay(const Occasion &occasion)
{
    const Instant now = occasion.now;
    const auto end = delayEnd(now);
    if (!std::holds_alternative<Wire::KeyRead>(*occasion.reply)) {
        // Consul says that the delay runs. Where its end is known and has passed, it cannot run for long.
        const bool passed = m_freeSince && m_delayHint;
        m_lockableAt = end.value_or(now + (passed ? m_delayBackoff.next(m_random) : BlindDelayRetry));
    }
    m_retryAt = notBefore(now);
    if (m_deniedUntil > now)
        tellWait(WaitReason::Denied, std::nullopt);
    else
        tellWait(WaitReason::LockDelay, end);
}

void CandidateMachine::awaitRight(const Occasion &occasion)
{
    // News of the key bring no right with them, so they do not hasten the next try.
    m_deniedUntil = occasion.now + m_deniedBackoff.next(m_random);
    m_retryAt = m_deniedUntil;
    tellWait(WaitReason::Denied, std::nullopt);
}

void CandidateMachine::tellWait(WaitReason why, std::optional<Instant> until)
{
    const Waits waits{why, isHeld() ? *m_seen->entry->session : QString(), until};
    if (m_told != waits)
        m_outbox.push(waits);
    m_told = waits;
}

// ---- The lock ------------------------------------------------------------------------------------------

void CandidateMachine::lock(const Occasion &occasion)
{
    // A key that is seen held is never locked; every way here passes a read that showed it free.
    Q_ASSERT(m_seen && !isHeld());
    m_lockPace.take(occasion.now);
    // While an earlier lock may have taken effect, this is the same one: its value, its token.
    if (!m_mayHold)
        m_value = newValue(occasion.now);
    if (m_seen->entry)
        sendLock(Wire::IfIndex{m_seen->entry->modifyIndex}, occasion.now);
    else
        sendLock(Wire::IfAbsent{}, occasion.now);
}

/// A lock whose answer was lost has taken effect: asked for again with the same value it answers the same
/// token.
void CandidateMachine::relock(const Occasion &occasion)
{
    m_lockPace.take(occasion.now);
    if (m_value.isEmpty())
        m_value = newValue(occasion.now);
    sendLock(Wire::IfOurs{}, occasion.now);
}

void CandidateMachine::climb(const Occasion &occasion)
{
    ++m_climbs;
    m_value = newValue(occasion.now);
    sendLock(Wire::IfOurs{}, occasion.now);
}

void CandidateMachine::sendLock(Wire::Guard guard, Instant now)
{
    send(m_lock, Wire::LockKey{m_settings.key, m_session, m_value, guard}, m_settings.writeTimeout(), now);
}

QByteArray CandidateMachine::newValue(Instant now)
{
    using std::chrono::duration_cast;
    const auto wall = duration_cast<Milliseconds>(now.time_since_epoch() + m_settings.wallOffset);
    LockValue value;
    value.instance = m_settings.instance;
    value.host = m_settings.host;
    value.pid = m_settings.pid;
    value.version = m_settings.version;
    value.since = QDateTime::fromMSecsSinceEpoch(wall.count(), Qt::UTC).toString(Qt::ISODateWithMs);
    value.session = m_session;
    value.ttl = m_settings.ttl;
    value.lockDelay = m_settings.lockDelay;
    value.nonce = QString::fromLatin1(m_random.hex(2));
    value.metadata = m_settings.metadata;
    return value.toJson();
}

void CandidateMachine::dropLate(const Occasion &occasion)
{
    ++m_missedTerms;
    endSession(SessionCloser::Ending::ReleaseThenDestroy, occasion.now);
}

void CandidateMachine::giveUpToken(const Occasion &occasion)
{
    m_troubles.failed(Step::Lock, ErrorCode::TokenRegressed,
                      u"index %1 of the key is below %2, the highest token known"_s
                          .arg(std::get<Wire::LockWon>(*occasion.reply).index)
                          .arg(std::max(m_settings.tokenFloor, m_highest)));
    m_openNotBefore = occasion.now + RegressedRetry;
    endSession(SessionCloser::Ending::ReleaseThenDestroy, occasion.now);
}

// ---- The lease -----------------------------------------------------------------------------------------

void CandidateMachine::lead(const Occasion &occasion)
{
    m_token = std::get<Wire::LockWon>(*occasion.reply).index;
    m_highest = m_token;
    m_lockPace = LockPace;
    m_watchPace = WatchPace;
    m_backoff.reset();
    m_deniedBackoff.reset();
    m_told.reset();
    m_outbox.push(Acquired{m_term, m_token, m_session, m_deadline});
    Wire::KeyRead ours;
    ours.index = m_token;
    ours.entry.emplace();
    ours.entry->modifyIndex = m_token;
    ours.entry->session = m_session;
    ours.entry->value = m_value;
    noteKey(ours, occasion.now);
}

void CandidateMachine::checkForeignWrite(const Occasion &)
{
    if (m_seen->entry->modifyIndex > m_token)
        m_troubles.failed(
            Step::Lock, ErrorCode::ForeignWrite,
            u"somebody wrote to the lock key (index %1); still leading"_s.arg(m_seen->entry->modifyIndex));
}

void CandidateMachine::confirm(const Occasion &occasion)
{
    read(occasion);
    m_confirming = true;
}

void CandidateMachine::standDown(const Occasion &occasion)
{
    m_outbox.push(StoodDown{m_term});
    drop(m_inspect);
    send(m_inspect, Wire::InspectSession{m_session}, m_settings.writeTimeout(), occasion.now);
    m_boundAt =
        std::min(occasion.now + DiagnosisLimit, m_deadline); // The loss is told by the deadline in any case.
}

void CandidateMachine::loseExpired(const Occasion &occasion)
{
    const auto *gone = occasion.reply ? std::get_if<Wire::SessionGone>(occasion.reply) : nullptr;
    lose(LostReason::SessionExpired,
         gone ? gone->detail : u"the key has no session, and session %1 was not shown"_s.arg(m_session),
         occasion);
}

void CandidateMachine::loseTaken(const Occasion &occasion)
{
    const Wire::KeyEntry &entry = *m_seen->entry;
    lose(LostReason::LockKeyTaken,
         u"session %1 holds the key at index %2"_s.arg(*entry.session).arg(entry.modifyIndex), occasion);
}

void CandidateMachine::loseDeleted(const Occasion &occasion)
{
    lose(LostReason::LockKeyDeleted, u"the key is absent at index %1"_s.arg(m_seen->index.value_or(0)),
         occasion);
}

void CandidateMachine::loseReleased(const Occasion &occasion)
{
    lose(LostReason::LockKeyReleased, u"the key has no session, but session %1 lives"_s.arg(m_session),
         occasion);
}

void CandidateMachine::loseByDeadline(const Occasion &occasion)
{
    const auto since = std::chrono::duration_cast<Milliseconds>(occasion.now - m_sent);
    lose(LostReason::LocalDeadlineExceeded, u"no acknowledged renewal for %1 ms"_s.arg(since.count()),
         occasion);
}

void CandidateMachine::abandon(const Occasion &occasion)
{
    lose(occasion.reason, {}, occasion);
}

/// The lease is void before anything else happens, and the lock-delay covers what is still in flight.
void CandidateMachine::lose(LostReason reason, const QString &evidence, const Occasion &occasion)
{
    m_outbox.push(Lost{m_term, reason, evidence});
    endSession(SessionCloser::Ending::Destroy, occasion.now);
}

void CandidateMachine::yield(const Occasion &occasion)
{
    m_outbox.push(Lost{m_term, occasion.reason, {}});
    drop(m_key);
    m_boundAt = occasion.now + m_settings.stopTimeout;
}

// ---- The end of a session ------------------------------------------------------------------------------

void CandidateMachine::handOver(const Occasion &occasion)
{
    m_openPace = OpenPace;
    endSession(SessionCloser::Ending::ReleaseThenDestroy, occasion.now);
}

void CandidateMachine::destroySession(const Occasion &occasion)
{
    endSession(SessionCloser::Ending::Destroy, occasion.now);
}

void CandidateMachine::endSession(SessionCloser::Ending ending, Instant now)
{
    for (Slot *slot : {&m_renew, &m_key, &m_lock, &m_inspect})
        drop(*slot);
    if (!m_session.isEmpty())
        m_closer.close(m_session, ending, now);
    m_session.clear();
    m_closer.work(now); // A release goes out before the next campaign's first request.
}

void CandidateMachine::forget(const Occasion &)
{
    m_session.clear();
}

void CandidateMachine::close(const Occasion &occasion)
{
    using enum SessionCloser::Ending;
    if (!m_lock) {
        endSession(m_mayHold ? ReleaseThenDestroy : Destroy, occasion.now);
        return;
    }
    // The transaction under way may win; its answer says how the session must end.
    for (Slot *slot : {&m_renew, &m_key, &m_inspect})
        drop(*slot);
}

void CandidateMachine::settleCreate(const Occasion &occasion)
{
    m_closer.close(std::get<Wire::SessionCreated>(*occasion.reply).session, SessionCloser::Ending::Destroy,
                   occasion.now);
}

void CandidateMachine::settleLock(const Occasion &occasion)
{
    endSession(m_mayHold ? SessionCloser::Ending::ReleaseThenDestroy : SessionCloser::Ending::Destroy,
               occasion.now);
}

void CandidateMachine::finish(const Occasion &occasion)
{
    // A lock whose answer did not come in time may have taken effect.
    if (m_lock)
        endSession(SessionCloser::Ending::ReleaseThenDestroy, occasion.now);
    m_seen.reset();
    m_troubles.clear();
    if (!m_again && !m_startsOver)
        m_outbox.push(Stopped{});
}

} // namespace Baton::Core
