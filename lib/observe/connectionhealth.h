// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>
#include <core/instant.h>

#include <vector>

namespace Baton::Observe {

/*!
 * Tells from what each part of an observer hears how it stands with its Consul. Pure.
 *
 * One failure makes nothing stale: a poll that is cut is asked again within a tenth of a second. Two in a row
 * do, and so does an agent that is not heard for SilenceLimit.
 */
class ConnectionHealth
{
public:
    static constexpr std::chrono::seconds SilenceLimit{6};
    /// Failures between answers are shown for so long.
    static constexpr std::chrono::seconds DegradedFor{60};

    /// \a parts: how many there are besides the agent itself.
    explicit ConnectionHealth(std::size_t parts) : m_parts(parts) { }

    void started(Core::Instant now);
    void stopped(Core::Instant now);
    void refusedToStart(const ObserveError &error, Core::Instant now);
    void answered(std::size_t part, Core::Instant now);
    void failed(std::size_t part, const ObserveError &error, Core::Instant now);
    void agentAnswered(bool knowsLeader, Core::Instant now);
    void agentFailed(const ObserveError &error, Core::Instant now);

    /// State, error and degraded; the rest is for others to fill in.
    [[nodiscard]] ConnectionReport report(Core::Instant now);
    /// When silence alone changes the state.
    [[nodiscard]] std::optional<Core::Instant> nextTimeout() const;
    /// Failures in a row of the agent itself.
    [[nodiscard]] int agentFailures() const { return m_agent.failures; }

private:
    struct Part
    {
        bool everAnswered = false;
        int failures = 0;
        ObserveError error = {};
    };
    [[nodiscard]] ConnectionState judge(Core::Instant now, ObserveError &error) const;
    void noteFailure(Part &part, const ObserveError &error, Core::Instant now);
    void noteAnswer(Part &part, Core::Instant now);

    std::vector<Part> m_parts;
    Part m_agent;
    bool m_running = false;
    std::optional<Core::Instant> m_heard;
    std::optional<Core::Instant> m_lastFailure;
    ConnectionReport m_report;
};

} // namespace Baton::Observe
