// SPDX-License-Identifier: MIT
#pragma once

#include "instant.h"

#include <QtCore/QByteArray>

namespace Baton::Core {

/// A small, seeded generator (SplitMix64): the core has no random source of its own.
class Random
{
public:
    explicit Random(quint64 seed = 0) : m_state(seed) { }
    quint64 next();
    /// A factor between 1 - spread and 1 + spread.
    double around(double spread);
    QByteArray hex(int words);

private:
    quint64 m_state;
};

/// Waits before a retry: first, doubled up to most, each with 20 % jitter.
struct RetryPolicy
{
    Duration first{};
    Duration most{};
};

/// Trouble that passes: a lost packet, a server without a leader.
inline constexpr RetryPolicy TransientRetry{std::chrono::milliseconds{100}, std::chrono::seconds{1}};
/// Trouble that somebody has to mend: rights, an unhealthy node, a refused setting. About 15 tries a minute.
inline constexpr RetryPolicy SlowRetry{std::chrono::milliseconds{500}, std::chrono::seconds{5}};
/// A lock-delay that outlives its computed end: by a little, or a restarted server counts it anew.
inline constexpr RetryPolicy DelayedRetry{std::chrono::milliseconds{10}, std::chrono::milliseconds{500}};

class Backoff
{
public:
    explicit Backoff(RetryPolicy policy = TransientRetry) : m_policy(policy) { }
    /// The wait before the next try; longer each time until reset().
    [[nodiscard]] Duration next(Random &random);
    void reset() { m_last = Duration::zero(); }
    /// Goes over to \a policy; a wait that has already grown is kept within it.
    void use(RetryPolicy policy) { m_policy = policy; }

private:
    RetryPolicy m_policy;
    Duration m_last{};
};

/// At most \c rate events a second over time, with bursts of \c burst: keeps every loop calm that an outsider
/// can drive.
class Pace
{
public:
    constexpr Pace(int burst, int rate)
        : m_burst(burst), m_gap(std::chrono::nanoseconds{std::chrono::seconds{1}} / rate)
    {
    }
    /// When the next event may happen, \a now at the earliest.
    [[nodiscard]] Instant earliest(Instant now) const;
    /// Counts an event at \a at.
    void take(Instant at);

private:
    int m_burst;
    Duration m_gap;
    Instant m_emptyAt{}; ///< When the debt of all events so far is paid off.
};

} // namespace Baton::Core
