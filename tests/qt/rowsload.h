// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/LeaseProvider>

/// What the unit tests do for a moment and the soak test for long.
namespace RowsLoad {

/// A provider in a thread of its own is made, started, stopped and destroyed, in a different state each time;
/// fails the test on any warning.
void startStopFromAnotherThread(const Baton::LeaseOptions &options, int rounds);

/// Long polls that are answered after a millisecond, some of them with errors and some given up; fails the
/// test when memory grows after the first tenth.
void polls(int count);

} // namespace RowsLoad
