// SPDX-License-Identifier: MIT
#include "connectionhealth.h"

#include "consulaccess.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Observe {

void ConnectionHealth::started(Core::Instant now)
{
    m_running = true;
    m_heard.reset();
    m_lastFailure.reset();
    m_agent = {};
    std::ranges::fill(m_parts, Part{});
    m_report = {};
    m_report.state = ConnectionState::Connecting;
    m_report.since = now.time_since_epoch();
}

void ConnectionHealth::stopped(Core::Instant now)
{
    m_running = false;
    m_report.state = ConnectionState::Idle;
    m_report.since = now.time_since_epoch();
    m_report.error = {};
    m_report.degraded = false;
}

void ConnectionHealth::refusedToStart(const ObserveError &error, Core::Instant now)
{
    stopped(now);
    m_report.state = ConnectionState::Refused;
    m_report.error = error;
}

void ConnectionHealth::noteAnswer(Part &part, Core::Instant now)
{
    part = {.everAnswered = true, .failures = 0};
    m_heard = now;
}

void ConnectionHealth::noteFailure(Part &part, const ObserveError &error, Core::Instant now)
{
    ++part.failures;
    part.error = error;
    m_lastFailure = now;
    if (error.status != 0)
        m_heard = now;
}

void ConnectionHealth::answered(std::size_t part, Core::Instant now)
{
    noteAnswer(m_parts[part], now);
}

void ConnectionHealth::failed(std::size_t part, const ObserveError &error, Core::Instant now)
{
    noteFailure(m_parts[part], error, now);
}

void ConnectionHealth::agentAnswered(bool knowsLeader, Core::Instant now)
{
    if (knowsLeader) {
        noteAnswer(m_agent, now);
        return;
    }
    noteFailure(m_agent, {.trouble = ObserveTrouble::NoLeader, .part = ObservedPart::Agent}, now);
    m_heard = now;
}

void ConnectionHealth::agentFailed(const ObserveError &error, Core::Instant now)
{
    noteFailure(m_agent, error, now);
}

ConnectionState ConnectionHealth::judge(Core::Instant now, ObserveError &error) const
{
    const bool all = std::ranges::all_of(m_parts, &Part::everAnswered);
    const auto down = [](const Part &part) { return part.failures > 1; };
    const auto refused = [](const Part &part) { return needsMending(part.error.trouble); };
    const bool agentDown = down(m_agent) || m_agent.error.trouble == ObserveTrouble::NoLeader;
    const auto worst = std::ranges::find_if(
        m_parts, [&](const Part &part) { return refused(part) || (down(part) && part.failures > 0); });
    if (worst != m_parts.end())
        error = worst->error;
    if (agentDown)
        error = m_agent.error;
    // Something that is not Consul, or a token that is not known, refuses everything alike.
    if (worst != m_parts.end() && !agentDown && std::ranges::all_of(m_parts, refused))
        return ConnectionState::Refused;
    if (refused(m_agent) && std::ranges::none_of(m_parts, &Part::everAnswered))
        return ConnectionState::Refused;
    // A part that may not be read is told of; the rest is as live as ever.
    const bool anyDown = agentDown
        || std::ranges::any_of(m_parts, [&](const Part &part) { return down(part) && !refused(part); });
    const bool silent = m_heard && *m_heard + SilenceLimit <= now;
    if (silent && error.isOk())
        error = {.trouble = ObserveTrouble::TimedOut, .part = ObservedPart::Agent};
    const bool haveAll = all
        || std::ranges::all_of(m_parts, [&](const Part &part) { return part.everAnswered || refused(part); });
    if (!haveAll)
        return ConnectionState::Connecting;
    return anyDown || silent ? ConnectionState::Stale : ConnectionState::Live;
}

ConnectionReport ConnectionHealth::report(Core::Instant now)
{
    if (m_running) {
        ObserveError error;
        const ConnectionState state = judge(now, error);
        if (state != m_report.state)
            m_report.since = now.time_since_epoch();
        m_report.state = state;
        m_report.error = error;
        m_report.degraded =
            m_lastFailure && *m_lastFailure + DegradedFor > now && m_heard && state == ConnectionState::Live;
    }
    if (m_heard)
        m_report.heard = m_heard->time_since_epoch();
    return m_report;
}

std::optional<Core::Instant> ConnectionHealth::nextTimeout() const
{
    if (!m_running || !m_heard || m_report.state != ConnectionState::Live)
        return std::nullopt;
    Core::Instant next = *m_heard + SilenceLimit;
    if (m_report.degraded)
        next = std::min(next, *m_lastFailure + DegradedFor);
    return next;
}

} // namespace Baton::Observe
