// SPDX-License-Identifier: MIT
#include "candidatemachine.h"

#include <algorithm>

using namespace Qt::StringLiterals;

/* Replies to events: what an answer means where the candidate stands, and what is noted whatever it means. */
namespace Baton::Core {

namespace {
/// A token that has been surpassed is lifted one write at a time; what needs more is another store.
constexpr int MaxClimbs = 10'000;

template <typename T>
const T *as(const Wire::Reply &reply)
{
    return std::get_if<T>(&reply);
}
} // namespace

/// What somebody has to mend is tried less often than what passes.
RetryPolicy CandidateMachine::retryPolicy(const Wire::Reply &reply)
{
    using enum Wire::FailureKind;
    const auto *failure = as<Wire::Failure>(reply);
    const bool needsMending =
        failure && (failure->kind == NodeUnhealthy || failure->kind == Denied || failure->kind == Rejected);
    return needsMending ? SlowRetry : TransientRetry;
}

void CandidateMachine::handleAnswer(const Answer &answer, Instant now)
{
    if (m_closer.handle(answer.request, answer.reply, now, m_random))
        return;
    Occasion occasion{now, &answer.reply};
    const auto takes = [&](Slot &slot) {
        if (!slot || slot.request != answer.request)
            return false;
        occasion.sent = slot.sent;
        slot = {};
        return true;
    };
    if (takes(m_renew))
        fire(classifyRenewal(occasion), occasion);
    else if (takes(m_key))
        fire(classifyKey(occasion, std::exchange(m_confirming, false)), occasion);
    else if (takes(m_lock))
        fire(classifyLock(occasion), occasion);
    else if (takes(m_create))
        fire(classifyCreate(answer.reply), occasion);
    else if (takes(m_inspect))
        fire(classifyInspection(answer.reply), occasion);
    else
        ++m_lateReplies;
}

Event CandidateMachine::classifyCreate(const Wire::Reply &reply)
{
    if (as<Wire::SessionCreated>(reply))
        return Event::Created; // Whether it is what was asked for, its first renewal shows.
    const auto *failure = as<Wire::Failure>(reply);
    if (failure && m_state != State::Idle) // There it concerns nobody any more.
        m_troubles.failed(Step::CreateSession, *failure);
    return Event::CreateFailed;
}

Event CandidateMachine::classifyRenewal(const Occasion &occasion)
{
    if (as<Wire::SessionGone>(*occasion.reply))
        return Event::SessionGone;
    Event event = Event::RenewFailed;
    if (const auto *renewed = as<Wire::SessionRenewed>(*occasion.reply)) {
        m_troubles.worked(Step::RenewSession);
        // A larger TTL is what a loaded server answers; anything shorter would break the bound of the lease.
        const auto &info = renewed->info;
        if (info.ttl && *info.ttl >= m_settings.ttl && info.lockDelay >= m_settings.lockDelay) {
            noteRenewal(info, occasion);
            return Event::Renewed;
        }
        noteUnfit(info);
        event = Event::Unfit;
    } else if (const auto *failure = as<Wire::Failure>(*occasion.reply)) {
        m_troubles.failed(Step::RenewSession, *failure);
    }
    m_renewBackoff.use(hasDeadline() ? TransientRetry : retryPolicy(*occasion.reply));
    m_renewAt = occasion.now + m_renewBackoff.next(m_random);
    return event;
}

void CandidateMachine::noteUnfit(const Wire::SessionInfo &info)
{
    m_troubles.failed(Step::CreateSession, ErrorCode::SessionUnfit,
                      u"Consul stored TTL %1 and lock-delay %2 ms instead of %3 ms and %4 ms"_s
                          .arg(info.ttl ? QString::number(info.ttl->count()) + u" ms"_s : u"none"_s)
                          .arg(info.lockDelay.count())
                          .arg(m_settings.ttl.count())
                          .arg(m_settings.lockDelay.count()));
}

void CandidateMachine::noteRenewal(const Wire::SessionInfo &info, const Occasion &occasion)
{
    m_renewBackoff.reset();
    m_sent = occasion.sent;
    m_deadline = m_sent + m_settings.window();
    m_renewAt = m_sent + m_settings.renewInterval;
    m_troubles.worked(Step::CreateSession);
    if (info.nodeChecks == m_settings.nodeChecks)
        m_troubles.worked(Step::InspectSession);
    else
        m_troubles.failed(Step::InspectSession, ErrorCode::NodeCheckForced,
                          info.nodeChecks.join(QLatin1Char(' ')));
    if (m_state != State::Leading)
        return;
    m_outbox.push(Renewed{m_term, m_deadline, occasion.now - m_sent});
    if (m_atRisk && m_sent + m_settings.window() / 2 > occasion.now) {
        m_atRisk = false;
        m_outbox.push(Safe{m_term});
    }
}

Event CandidateMachine::classifyKey(const Occasion &occasion, bool confirming)
{
    const Step step = m_state == State::Reading ? Step::ReadKey : Step::Watch;
    const auto *read = as<Wire::KeyRead>(*occasion.reply);
    if (!read) {
        if (const auto *failure = as<Wire::Failure>(*occasion.reply))
            m_troubles.failed(step, *failure);
        m_watchBackoff.use(retryPolicy(*occasion.reply));
        m_watchAt = occasion.now + m_watchBackoff.next(m_random);
        return Event::KeyFailed;
    }
    // One way to read the key shows that the other is open as well; a poll may take a minute to show it
    // itself.
    m_troubles.worked(Step::ReadKey);
    m_troubles.worked(Step::Watch);
    m_backoff.reset();
    m_watchBackoff.reset();
    const bool ours = read->entry && read->entry->session == m_session;
    if (m_state == State::Leading && !ours) {
        const Event event = classifyOthersKey(*read, confirming);
        if (event != Event::KeyDoubtful)
            noteKey(*read, occasion.now);
        return event;
    }
    noteKey(*read, occasion.now);
    if (ours)
        return Event::KeyOurs;
    if (read->entry && read->entry->session)
        return Event::KeyHeld;
    if (notBefore(occasion.now))
        return Event::KeyDelayed;
    return read->entry ? Event::KeyFree : Event::KeyAbsent;
}

/// A leader sees the key in other hands, or in none. Only news from after its own lock counts.
Event CandidateMachine::classifyOthersKey(const Wire::KeyRead &read, bool confirming) const
{
    const quint64 index = read.entry ? read.entry->modifyIndex : read.index.value_or(0);
    if (index <= m_token && !confirming)
        return Event::KeyDoubtful;
    if (!read.entry)
        return Event::KeyAbsent;
    return read.entry->session ? Event::KeyHeld : Event::KeyFree;
}

void CandidateMachine::noteKey(const Wire::KeyRead &read, Instant now)
{
    const auto holder = [](const std::optional<Wire::KeyRead> &r) -> std::optional<QString> {
        return r && r->entry ? r->entry->session : std::nullopt;
    };
    const auto before = holder(m_seen);
    const auto after = holder(read);
    const bool ours = after && *after == m_session;
    const bool changed = !m_seen || before != after
        || (read.entry && m_seen->entry && read.entry->value != m_seen->entry->value);

    // An index that is missing or runs backwards says nothing: start again from the beginning, at a calm
    // pace.
    m_watchAfter = read.index && *read.index >= m_watchAfter ? *read.index : 1;
    m_watchAt = now;
    if (read.entry && !ours)
        m_highest = std::max(m_highest, read.entry->modifyIndex);

    if (before != after && m_newsPace.earliest(now) <= now) {
        m_newsPace.take(now);
        m_watchPace = WatchPace;
        m_lockPace = LockPace;
    }
    if (before && !after)
        noteFreed(read, now);
    if (after && before != after)
        noteTaken();
    if (const auto value = after ? LockValue::fromJson(read.entry->value) : std::nullopt) {
        m_holderIsBaton = true;
        m_delayHint = value->lockDelay;
    }
    m_seen = read;
    if (after && !ours)
        m_closer.claims(*after, now);
    if (changed) {
        const QByteArray value = read.entry ? read.entry->value : QByteArray();
        m_outbox.push(LeaderSeen{after, after ? LockValue::fromJson(value) : std::nullopt,
                                 read.entry ? read.entry->modifyIndex : read.index.value_or(0), ours});
    }
}

/// The key has lost its holder under our eyes. Consul imposes the lock-delay only where the session was
/// invalidated, not where the key was deleted or released in the holder's name; so, unless the holder itself
/// released it (Baton does that with an empty value), its lock-delay is waited for here. An older state that
/// came back, from a snapshot, tells nothing of a release. A holder of our own needs none.
void CandidateMachine::noteFreed(const Wire::KeyRead &read, Instant now)
{
    const Wire::KeyEntry &held = *m_seen->entry;
    const bool releasedInOrder =
        read.entry && read.entry->value.isEmpty() && read.entry->modifyIndex > held.modifyIndex;
    if (releasedInOrder)
        m_delayHint.reset();
    m_freeSince = now;
    m_delayBackoff.reset();
    const bool own = *held.session == m_session || m_closer.isPast(*held.session);
    m_lockableAt = m_holderIsBaton && !releasedInOrder && !own ? now + *m_delayHint : now;
}

/// What is known of the holder before says nothing about this one.
void CandidateMachine::noteTaken()
{
    m_lockableAt = {};
    m_freeSince.reset();
    m_delayHint.reset();
    m_holderIsBaton = false;
    m_holderForever = false;
    m_inspected.clear();
    drop(m_inspect);
}

/// When the lock-delay ends, where it was seen to begin and its length is known.
std::optional<Instant> CandidateMachine::delayEnd(Instant now) const
{
    if (!m_freeSince || !m_delayHint || *m_freeSince + *m_delayHint <= now)
        return std::nullopt;
    return *m_freeSince + *m_delayHint;
}

/// Nothing where a free key may be locked now, else when it may.
std::optional<Instant> CandidateMachine::notBefore(Instant now) const
{
    Instant earliest = std::max({m_lockableAt, m_deniedUntil, m_lockPace.earliest(now)});
    // A win on a session whose last acknowledged renewal is too old would be void on arrival.
    if (m_deadline <= now)
        earliest = std::max(earliest, now + TransientRetry.first);
    return earliest > now ? std::optional(earliest) : std::nullopt;
}

/// Each climb lifts the token by one at least; where that cannot be enough, nothing is written in vain.
bool CandidateMachine::isWithinClimb(quint64 gap) const
{
    return m_climbs < MaxClimbs && gap < quint64(MaxClimbs - m_climbs);
}

Event CandidateMachine::classifyLock(const Occasion &occasion)
{
    // A poll may have overtaken the answer. Then the key is not free any more, whatever was said of it
    // before.
    const bool overtaken = isHeld();
    if (const auto *won = as<Wire::LockWon>(*occasion.reply)) {
        m_mayHold = true;
        if (occasion.now >= m_deadline)
            return Event::WonLate;
        if (const quint64 floor = std::max(m_settings.tokenFloor, m_highest); won->index <= floor)
            return isWithinClimb(floor - won->index) ? Event::WonLow : Event::WonHopeless;
        m_troubles.worked(Step::Lock);
        return Event::Won;
    }
    if (const auto *refused = as<Wire::LockRefused>(*occasion.reply)) {
        m_troubles.worked(Step::Lock);
        switch (refused->why) {
        case Wire::Refusal::Held:
            return Event::Contended;
        case Wire::Refusal::LockDelay:
            return overtaken ? Event::Contended : Event::Delayed;
        case Wire::Refusal::StaleGuard:
            return Event::Stale;
        }
    }
    if (as<Wire::SessionGone>(*occasion.reply))
        return Event::SessionGone;
    if (const auto *failure = as<Wire::Failure>(*occasion.reply)) {
        m_troubles.failed(Step::Lock, *failure);
        // Where only the right to read is missing, the lock is taken and its result hidden.
        constexpr int Ok = 200;
        m_mayHold = m_mayHold || failure->status == Ok;
        if (failure->kind == Wire::FailureKind::Denied)
            return overtaken ? Event::Contended : Event::LockDenied;
    }
    m_mayHold = true;
    return Event::LockUnknown;
}

Event CandidateMachine::classifyInspection(const Wire::Reply &reply)
{
    if (const auto *shown = as<Wire::SessionShown>(reply)) {
        if (m_state == State::Waiting) {
            m_holderForever = !shown->info.ttl;
            m_delayHint = std::min(shown->info.lockDelay, LockValue::MaxLockDelay);
        }
        return Event::SessionSeen;
    }
    return Event::SessionUnseen;
}

} // namespace Baton::Core
