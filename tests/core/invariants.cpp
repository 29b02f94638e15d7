// SPDX-License-Identifier: MIT
#include "invariants.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Core {

namespace {
/// Requests in any ten seconds. Creates, locks and polls are paced, renewals and retries spread; a candidate
/// whose every answer is bad comes to about half of this.
constexpr auto RateWindow = 10s;
constexpr size_t MostRequests = 100;
/// A process that stood still may find that the time for destroying a session is over: it has ended by
/// itself.
constexpr auto SleepThatMayEndASession = 5s;
} // namespace

void Invariants::require(bool holds, const char *what)
{
    if (!holds && m_violation.isEmpty())
        m_violation = QString::fromLatin1(what);
}

std::optional<quint64> Invariants::openTerm() const
{
    return m_term ? std::optional(m_term->number) : std::nullopt;
}

void Invariants::answers(quint64 request, const Wire::Reply &reply)
{
    const auto found = m_underWay.constFind(request);
    if (found == m_underWay.cend())
        return; // Late: it must change nothing.
    const Instant sent = found->at;
    const Send send = found->send;
    m_underWay.erase(found);
    m_beingAnswered = request;
    m_seenBefore = m_seen;
    if (const auto *made = std::get_if<Wire::SessionCreated>(&reply)) {
        if (kindOf(send) == Kind::Create)
            m_acknowledged.insert(made->session, {sent, m_slept});
    } else if (const auto *renewal = std::get_if<Wire::SessionRenewed>(&reply)) {
        const auto &info = renewal->info;
        const bool fit = info.ttl && *info.ttl >= m_settings.ttl && info.lockDelay >= m_settings.lockDelay;
        if (const auto *renew = std::get_if<Wire::RenewSession>(&send.message); renew && fit)
            m_acknowledged.insert(renew->session, {sent, m_slept});
    } else if (const auto *read = std::get_if<Wire::KeyRead>(&reply)) {
        if (kindOf(send) == Kind::Key)
            m_seen = *read;
    } else if (std::holds_alternative<Wire::SessionGone>(reply)) {
        if (const auto *renew = std::get_if<Wire::RenewSession>(&send.message))
            m_ended.insert(renew->session);
        else if (const auto *lock = std::get_if<Wire::LockKey>(&send.message))
            m_ended.insert(lock->session);
    }
    if (kindOf(send) == Kind::Lock)
        m_lifting = std::holds_alternative<Wire::LockWon>(reply);
}

void Invariants::does(const Harness::Done &done)
{
    const Instant at = done.at;
    const Output &output = done.output;
    if (const auto *send = std::get_if<Send>(&output)) {
        sends(*send, at);
        m_underWay.insert(send->request, {at, *send});
    } else if (const auto *cancel = std::get_if<Cancel>(&output)) {
        // Time passes before an answer is looked at, and may have made it worthless.
        require(m_underWay.remove(cancel->request) == 1 || cancel->request == m_beingAnswered,
                "only what is under way is cancelled");
    } else if (const auto *changed = std::get_if<StateChanged>(&output)) {
        require(changed->state != m_state, "a state changes to another one");
        require(changed->state != State::Over, "Over is never stayed in");
        m_state = changed->state;
    } else if (const auto *opened = std::get_if<SessionOpened>(&output)) {
        require(m_acknowledged.contains(opened->session), "a session opened was made");
    } else if (const auto *acquired = std::get_if<Acquired>(&output)) {
        acquires(*acquired, at);
    } else if (const auto *renewed = std::get_if<Renewed>(&output)) {
        renews(*renewed, at);
    } else if (const auto *risk = std::get_if<AtRisk>(&output)) {
        require(m_term && m_term->number == risk->term && !m_term->isVoid && !m_term->atRisk,
                "a valid term comes at risk once");
        if (m_term)
            m_term->atRisk = true;
    } else if (const auto *safe = std::get_if<Safe>(&output)) {
        require(m_term && m_term->number == safe->term && m_term->atRisk, "safe is what was at risk");
        if (m_term)
            m_term->atRisk = false;
    } else if (const auto *down = std::get_if<StoodDown>(&output)) {
        require(m_term && m_term->number == down->term && !m_term->isVoid, "a valid term stands down once");
        if (m_term)
            m_term->isVoid = true;
    } else if (const auto *lost = std::get_if<Lost>(&output)) {
        loses(*lost);
    } else if (const auto *seen = std::get_if<TroubleSeen>(&output)) {
        m_troubles.insert(seen->trouble.code);
    } else if (const auto *over = std::get_if<TroubleOver>(&output)) {
        require(m_troubles.remove(over->code), "only trouble that was told is over");
    }
}

void Invariants::acquires(const Acquired &acquired, Instant at)
{
    require(!m_term, "one term at a time");
    require(acquired.token > m_lastToken, "tokens rise");
    require(acquired.token > m_settings.tokenFloor, "tokens are above the floor");
    require(acquired.deadline > at, "a term is announced while it is valid");
    require(acquired.deadline <= m_acknowledged.value(acquired.session).sent + m_settings.window(),
            "a deadline is a window after the send of what was acknowledged");
    require(!m_ended.contains(acquired.session), "nobody leads with a session that has ended");
    require(!m_led.contains(acquired.session), "a session serves one term");
    ++m_terms;
    m_lastToken = acquired.token;
    m_led.insert(acquired.session, acquired.term);
    m_term = Term{acquired.term, acquired.session, acquired.deadline};
}

void Invariants::renews(const Renewed &renewed, Instant at)
{
    require(m_term && m_term->number == renewed.term && !m_term->isVoid, "only a valid term is extended");
    if (!m_term)
        return;
    require(at < m_term->deadline, "a deadline once passed ends the term");
    require(renewed.deadline >= m_term->deadline, "a deadline does not go back");
    require(renewed.deadline <= m_acknowledged.value(m_term->session).sent + m_settings.window(),
            "a deadline is a window after the send of what was acknowledged");
    m_term->deadline = renewed.deadline;
}

void Invariants::loses(const Lost &lost)
{
    require(m_term && m_term->number == lost.term, "one Lost for each Acquired");
    if (!m_term)
        return;
    if (lost.reason != LostReason::Released && lost.reason != LostReason::Cancelled)
        m_lost.insert(m_term->session);
    m_term.reset();
}

void Invariants::sends(const Send &send, Instant at)
{
    counts(send, at);
    const Kind kind = kindOf(send);
    for (const Request &other : std::as_const(m_underWay))
        require(send.term == 0 || kindOf(other.send) != kind, "one request of a kind at a time");
    if (const auto *renew = std::get_if<Wire::RenewSession>(&send.message)) {
        require(m_acknowledged.contains(renew->session), "only own sessions are renewed");
        require(!m_ended.contains(renew->session), "a session that has ended is not renewed");
    } else if (const auto *destroy = std::get_if<Wire::DestroySession>(&send.message)) {
        require(m_acknowledged.contains(destroy->session), "only own sessions are destroyed");
        m_ended.insert(destroy->session);
    } else if (const auto *release = std::get_if<Wire::ReleaseKey>(&send.message)) {
        releases(release->session);
    } else if (const auto *lock = std::get_if<Wire::LockKey>(&send.message)) {
        locks(*lock);
    }
    if (m_term && !m_term->isVoid)
        sendsWhileLeading(send);
}

/// What else is sent follows from the loss of the term, and has to come after it.
void Invariants::sendsWhileLeading(const Send &send)
{
    const Kind kind = kindOf(send);
    require(kind != Kind::Create && kind != Kind::Lock && kind != Kind::Inspect,
            "lost comes before the requests that follow");
    const auto *destroy = std::get_if<Wire::DestroySession>(&send.message);
    require(!destroy || destroy->session != m_term->session, "no session is destroyed under a lease");
}

void Invariants::locks(const Wire::LockKey &lock)
{
    require(m_acknowledged.contains(lock.session), "only own sessions lock");
    require(!m_ended.contains(lock.session), "a session that has ended does not lock");
    require(m_lifting || fitsTo(lock, m_seen) || fitsTo(lock, m_seenBefore),
            "a lock checks what was read last, and that was nobody else's");
}

bool Invariants::fitsTo(const Wire::LockKey &lock, const std::optional<Wire::KeyRead> &seen)
{
    if (!seen)
        return false;
    const auto &entry = seen->entry;
    if (const auto *guard = std::get_if<Wire::IfIndex>(&lock.guard))
        return entry && entry->modifyIndex == guard->index && !entry->session;
    if (std::holds_alternative<Wire::IfAbsent>(lock.guard))
        return !entry;
    return entry && entry->session == lock.session;
}

void Invariants::releases(const QString &session)
{
    require(m_acknowledged.contains(session), "only own sessions are released");
    require(!m_lost.contains(session), "a loss never releases");
    require(!m_term || m_term->session != session, "lost comes before the release");
    require(!m_led.contains(session) || m_handedOver.contains(m_led.value(session)),
            "a release waits for the application");
}

void Invariants::counts(const Send &send, Instant at)
{
    const auto *lock = std::get_if<Wire::LockKey>(&send.message);
    if (lock && m_lifting)
        return; // A token is lifted at full speed, with a bound of its own.
    m_requests.push_back(at);
    while (m_requests.front() + RateWindow < at)
        m_requests.pop_front();
    m_mostRequests = std::max(m_mostRequests, m_requests.size());
    require(m_requests.size() <= MostRequests, "requests are bounded");
}

void Invariants::rests(const CandidateMachine &machine, Instant now)
{
    m_beingAnswered = 0;
    m_seenBefore = m_seen;
    require(machine.state() == m_state, "every change of state is told");
    require((m_state == State::Leading) == (m_term && !m_term->isVoid), "who leads has a valid term");
    require(!m_term || m_term->isVoid || now < m_term->deadline, "a deadline once passed ends the term");
    const auto next = machine.nextTimeout();
    require(!next || *next > now - 1h, "a timer is not forgotten");
}

void Invariants::hasEnded(const CandidateMachine &machine)
{
    require(machine.state() == State::Idle, "a stop ends");
    require(!m_term, "every term is lost in the end");
    require(m_underWay.isEmpty(), "nothing is under way in the end");
    require(!machine.nextTimeout(), "no timer is left in the end");
    for (auto it = m_acknowledged.cbegin(); it != m_acknowledged.cend(); ++it)
        require(m_ended.contains(it.key()) || m_slept >= it->slept + SleepThatMayEndASession,
                "no session stays behind");
}

} // namespace Baton::Core
