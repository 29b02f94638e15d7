// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/LeaseProvider>

/// What the unit tests do for a moment and the soak test for long.
namespace RowsLoad {

/// A provider in a thread of its own is made, started, stopped and destroyed, in a different state each time;
/// fails the test on any warning.
void startStopFromAnotherThread(const Baton::LeaseOptions &options, int rounds);

/// A provider is destroyed in a different state each time, or inside a different slot of its own; fails the
/// test on any warning, and where one outlives its end.
void destroyInEveryState(int rounds);

/// The agent is away for longer than the lease lasts, in one way or another, and comes back; fails the test
/// unless each time one term is lost and the next one won, by the same object.
void agentAwayAndBack(int rounds);

/// Long polls that are answered after a millisecond, some of them with errors and some given up; fails the
/// test when memory grows after the first tenth.
void polls(int count);

} // namespace RowsLoad
