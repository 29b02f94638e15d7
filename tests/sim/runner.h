// SPDX-License-Identifier: MIT
#pragma once

#include "judge.h"

#include <QtCore/QStringList>
#include <QtCore/QTextStream>

#include <chrono>
#include <functional>

namespace Baton::Sim {

/// What became of one world.
struct Outcome
{
    quint64 seed = 0;
    std::optional<Violation> violation;
    quint64 terms = 0;
    quint64 events = 0;
    Duration lived{};
};

/// Lives the world of \a seed.
[[nodiscard]] Outcome liveWorld(quint64 seed, Judge::Invariants watched = Judge::Invariants().set());
/// The same again with a trace, which ends where something was violated.
[[nodiscard]] QStringList traceOf(quint64 seed, Judge::Invariants watched = Judge::Invariants().set());
/// Lives the world of \a seed and prints its trace, or the end of it, and its verdict. 1 where something was
/// violated.
int replay(QTextStream &out, quint64 seed, bool whole, Judge::Invariants watched = Judge::Invariants().set());
/// The seed of the world number \a number of a run that began with \a base: neighbours have nothing in
/// common.
[[nodiscard]] quint64 seedOf(quint64 base, quint64 number);

struct RunLimits
{
    quint64 seeds = ~quint64(0);
    quint64 terms = ~quint64(0); ///< Stops when so many have been seen.
    std::chrono::seconds time = std::chrono::hours{24};
    int threads = 1;
};
struct RunTotals
{
    quint64 seeds = 0;
    quint64 terms = 0;
    quint64 events = 0;
    std::chrono::seconds lived{};
    std::optional<Outcome> failure; ///< The first world in which something was violated.
    quint64 failedAt = 0; ///< Its number, from 0.
};
/// Lives worlds, in parallel, until a limit is reached or one fails.
[[nodiscard]] RunTotals runWorlds(quint64 base, const RunLimits &limits,
                                  Judge::Invariants watched = Judge::Invariants().set());

} // namespace Baton::Sim
