// SPDX-License-Identifier: MIT
#include <Baton/leaseoptions.h>

#include "core/backoff.h"

#include <algorithm>

using namespace std::chrono_literals;

// Every figure without another source was measured on Consul 1.8.7.
namespace Baton {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// A hand-over on one machine: the bare steps took 1 ms, Consul's own lock tool 7 to 12 ms.
constexpr Milliseconds UsualHandOver = 5ms;
constexpr Milliseconds SlowHandOver = 50ms;

/// How late Consul's timers and the requests of the next leader may be on an idle network.
constexpr Milliseconds ConsulSlack = 500ms;
/// A waiter that does not know when the lock-delay ends asks twice a second.
constexpr Milliseconds WaiterPace = 500ms;

/// Gossip declares a silent node failed no sooner than its suspicion time: suspicion_mult 4 x probe_interval
/// 1 s.
constexpr Milliseconds FastestGossip = 4s;
/// … and took 5.8 and 6.1 s in a healthy cluster (14 and 26 s where other nodes had died shortly before).
constexpr Milliseconds UsualGossip = 6s;

/// How long renewals fail after Consul's own leader died, raft_multiplier 5: 11.4 to 18.9 s in 13 runs.
constexpr Milliseconds UsualElection = 15s;
constexpr Milliseconds LongestElection = 18'900ms;

/// TTL of the health check that a session of Profile::Fast is bound to.
constexpr Milliseconds Heartbeat = 400ms;

/// The longest pause between two tries, jitter included.
constexpr auto LongestPause = std::chrono::ceil<Milliseconds>(Core::TransientRetry.most * 12 / 10);

/// The session ends because nobody renews it: not before the TTL, and in practice at twice that.
FailoverPrediction byExpiry(const LeaseTimings &timings)
{
    const Milliseconds expected = 2 * timings.ttl + timings.lockDelay;
    return {.origin = FailoverOrigin::LastRenewal,
            .earliest = timings.ttl + timings.lockDelay,
            .expected = expected,
            .latest = expected + ConsulSlack + WaiterPace};
}

/// The process does nothing any more, its agent lives.
FailoverPrediction processEnds(const LeaseOptions &options)
{
    const LeaseTimings timings = options.timings();
    if (options.profile == Profile::Fast) {
        // The agent counts the check's TTL itself: 102 / 253 / 504 / 1003 ms for 100 / 250 / 500 / 1000 ms.
        const Milliseconds expected = Heartbeat + timings.lockDelay;
        return {.origin = FailoverOrigin::LastHeartbeat,
                .earliest = expected,
                .expected = expected,
                .latest = expected + WaiterPace};
    }
    FailoverPrediction prediction = byExpiry(timings);
    // Nobody but the application knows how soon its own checks notice.
    if (!options.sessionChecks.isEmpty())
        prediction.earliest = timings.lockDelay;
    return prediction;
}

/// The leader's node is gone for Consul's servers; gossip tells, if the session has a node check.
FailoverPrediction nodeEnds(const LeaseOptions &options)
{
    const LeaseTimings timings = options.timings();
    FailoverPrediction prediction = byExpiry(timings);
    if (!options.nodeChecks().isEmpty()) {
        prediction.earliest = std::min(prediction.earliest, FastestGossip + timings.lockDelay);
        prediction.expected = std::min(prediction.expected, UsualGossip + timings.lockDelay);
    }
    return prediction;
}

/// Nobody can renew until Consul has a leader again. The leader stands down at its deadline and ends its
/// session as soon as Consul answers.
FailoverPrediction electionOfConsul(const LeaseTimings &timings)
{
    if (timings.window > LongestElection + timings.renewInterval)
        return {.origin = FailoverOrigin::LastRenewal, .leadershipMoves = false};
    const Milliseconds answered =
        LongestElection + timings.renewInterval + timings.requestTimeout + LongestPause;
    return {.origin = FailoverOrigin::LastRenewal,
            .earliest = timings.window + timings.lockDelay,
            .expected = std::max(UsualElection, timings.window) + timings.lockDelay,
            .latest = answered + timings.lockDelay + ConsulSlack + WaiterPace};
}

} // namespace

FailoverPrediction LeaseOptions::predictedFailover(FailureKind failure) const
{
    switch (failure) {
    case FailureKind::HandOver:
        return {.origin = FailoverOrigin::ReleaseSent,
                .earliest = 0ms,
                .expected = UsualHandOver,
                .latest = SlowHandOver};
    case FailureKind::ProcessCrash:
    case FailureKind::ProcessFrozen:
        return processEnds(*this);
    case FailureKind::AgentLost:
    case FailureKind::MachineLost:
    case FailureKind::NetworkCut:
        return nodeEnds(*this);
    case FailureKind::ConsulLeaderLost:
        return electionOfConsul(timings());
    }
    Q_UNREACHABLE();
}

} // namespace Baton
