// SPDX-License-Identifier: MIT
#include "candidatemachine.h"

#include <algorithm>

namespace Baton::Core {

CandidateMachine::CandidateMachine(Settings settings)
    : m_settings(std::move(settings)), m_random(m_settings.seed)
{
}

void CandidateMachine::handle(const Input &input, Instant now)
{
    // A deadline that has passed ends the term before anything else is looked at: a late success changes
    // nothing.
    passTime(now);
    const Occasion occasion{now};
    if (const auto *start = std::get_if<Start>(&input)) {
        m_again = start->again;
        m_startsOver = m_state == State::Closing;
        fire(Event::Start, occasion);
    } else if (std::holds_alternative<Stop>(input)) {
        m_again = m_startsOver = false;
        fire(Event::Stop, occasion);
    } else if (const auto *release = std::get_if<Release>(&input)) {
        fire(Event::Release, {now, nullptr, {}, release->reason});
    } else if (const auto *handed = std::get_if<HandedOver>(&input)) {
        if (handed->term == m_term)
            fire(Event::HandedOver, occasion);
    } else if (const auto *abandon = std::get_if<Abandon>(&input)) {
        fire(Event::Abandon, {now, nullptr, {}, abandon->reason});
    } else if (const auto *answer = std::get_if<Answer>(&input)) {
        handleAnswer(*answer, now);
    }
    attendDuties(now);
}

void CandidateMachine::handleTimeout(Instant now)
{
    passTime(now);
    attendDuties(now);
}

void CandidateMachine::passTime(Instant now)
{
    m_troubles.setNow(now);
    const Occasion occasion{now};
    if (hasDeadline() && now >= m_deadline)
        fire(Event::Deadline, occasion);
    if (m_retryAt && *m_retryAt <= now) {
        m_retryAt.reset();
        // In Waiting the lock is tried; not before it may be.
        if (const auto later = m_state == State::Waiting ? notBefore(now) : std::nullopt)
            m_retryAt = later;
        else
            fire(Event::Retry, occasion);
    }
    if (m_boundAt && *m_boundAt <= now) {
        m_boundAt.reset();
        fire(Event::Bound, occasion);
    }
}

void CandidateMachine::fire(Event event, const Occasion &occasion)
{
    const auto table = transitions();
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Transition &t) { return t.from == m_state && t.on == event; });
    if (row == table.end())
        return;
    if (row->to != m_state) {
        m_retryAt.reset();
        m_boundAt.reset();
    }
    if (row->action)
        (this->*row->action)(occasion);
    if (row->to != State::Over) {
        enter(row->to, occasion.now);
    } else if (m_again) {
        enter(State::Opening, occasion.now);
        open(occasion);
    } else {
        enter(State::Closing, occasion.now);
    }
}

void CandidateMachine::enter(State state, Instant now)
{
    if (state == m_state)
        return;
    m_state = state;
    if (state == State::Closing)
        m_boundAt = now + m_settings.stopTimeout;
    m_outbox.push(StateChanged{state});
}

/// What is due beside the state's own request: renewals, the watch, the warning, old sessions.
void CandidateMachine::attendDuties(Instant now)
{
    if (m_state == State::Closing && m_closer.isEmpty() && !m_create && !m_lock)
        fire(Event::Bound, {now});
    if (m_state == State::Idle && (m_again || m_startsOver)) {
        m_startsOver = false;
        fire(Event::Start, {now});
    }
    if (renews() && !m_renew && m_renewAt <= now)
        send(m_renew, Wire::RenewSession{m_session}, m_settings.requestTimeout, now);
    if (watches() && !m_key && m_watchPace.earliest(m_watchAt) <= now) {
        m_watchPace.take(now);
        // Consul stretches a wait by up to a sixteenth so that not all polls end together.
        send(m_key, Wire::WatchKey{m_settings.key, m_watchAfter, m_settings.watchWait},
             m_settings.watchWait + m_settings.watchWait / 16 + m_settings.writeTimeout(), now);
    }
    if (m_state == State::Leading && !m_atRisk && m_sent + m_settings.window() / 2 <= now) {
        m_atRisk = true;
        m_outbox.push(AtRisk{m_term, m_deadline});
    }
    m_closer.work(now);
}

std::optional<Instant> CandidateMachine::nextTimeout() const
{
    std::optional<Instant> next = m_closer.nextTimeout();
    const auto consider = [&next](Instant at) { next = next ? std::min(*next, at) : at; };
    if (m_retryAt)
        consider(*m_retryAt);
    if (m_boundAt)
        consider(*m_boundAt);
    if (hasDeadline())
        consider(m_deadline);
    if (renews() && !m_renew)
        consider(m_renewAt);
    if (watches() && !m_key)
        consider(m_watchPace.earliest(m_watchAt));
    if (m_state == State::Leading && !m_atRisk)
        consider(m_sent + m_settings.window() / 2);
    return next;
}

bool CandidateMachine::renews() const
{
    using enum State;
    return m_state == Reading || m_state == Waiting || m_state == Locking || m_state == Leading
        || m_state == Yielding;
}

bool CandidateMachine::watches() const
{
    return m_state == State::Waiting || m_state == State::Leading;
}

void CandidateMachine::send(Slot &slot, Wire::Request message, Milliseconds timeout, Instant now)
{
    drop(slot);
    slot = {m_outbox.send(m_term, std::move(message), timeout), now};
}

void CandidateMachine::drop(Slot &slot)
{
    if (slot)
        m_outbox.push(Cancel{slot.request});
    slot = {};
}

} // namespace Baton::Core
