// SPDX-License-Identifier: MIT
#pragma once

#include "act.h"

#include <core/settings.h>

#include <vector>

namespace Baton::Sim {

/// How the network and Consul's log behave.
struct Weather
{
    Duration leastDelay = std::chrono::microseconds{200}; ///< One way.
    Duration mostDelay = std::chrono::milliseconds{2};
    Duration longDelay{}; ///< Up to this, for a few messages: they overtake each other.
    double delayed = 0; ///< Probability of a long delay.
    double lostRequests = 0; ///< Before their effect.
    double lostAnswers = 0; ///< After it.
    double doubled = 0; ///< Requests that the network layer sends twice, also PUTs.
    double resets = 0; ///< Of the lost ones, those that are noticed at once.
    Duration leastCommit = std::chrono::microseconds{200}; ///< From the leader's look to the log's effect.
    Duration mostCommit = std::chrono::milliseconds{2};
};

/// How the application behaves.
struct Habits
{
    Duration leadsFor{}; ///< On average, then it gives the lease up; zero: it never does.
    Duration writesEvery{}; ///< To the fenced store, while it leads; zero: never.
    Duration writeDelay{}; ///< On average, until a write reaches the store.
    Duration handOverWithin{}; ///< After it was told that the term is released.
    double neverHandsOver = 0;
    double writesUnasked = 0; ///< Writes without asking isHeld(), also after the end of the term.
    bool campaignsAgain = true; ///< Start{again}; otherwise it starts anew after each stop.
};

struct CandidatePlan
{
    Core::Settings settings;
    Habits habits;
    Instant clock; ///< What its clock shows at the beginning of the world.
    int drift = 0; ///< In parts per million.
};

/// What a seed decides before anything happens.
struct Plan
{
    quint64 seed = 0;
    std::vector<CandidatePlan> candidates;
    Weather weather;
    Duration troubleFor{}; ///< Then everything is healed.
    Duration actEvery{}; ///< On average.
    bool outsideAssumptions = false; ///< Clocks that stand still: only what holds then is judged.
    bool crashAtEnd = false; ///< After healing a leader dies, and the failover is timed.
};

/// Drift up to this is within the documented bound.
inline constexpr int MostDrift = 50'000;

[[nodiscard]] Plan planFor(quint64 seed);
/// Something that happens during the trouble.
[[nodiscard]] Act randomAct(const Plan &plan, Chance &chance);
/// A candidate called \a name with the profile Balanced, in a calm world.
[[nodiscard]] CandidatePlan balancedCandidate(const QString &name);

} // namespace Baton::Sim
