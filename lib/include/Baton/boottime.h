// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton_global.h>

#include <QtCore/QString>

#include <chrono>

namespace Baton {

/// Time since boot, counting suspend: the clock of every lease. Any thread.
[[nodiscard]] BATON_EXPORT std::chrono::nanoseconds bootTime();

/// Names the boot whose clock bootTime() reads: instants of two processes compare exactly only where it is equal. Empty
/// where the system has no such name.
[[nodiscard]] BATON_EXPORT QString bootId();

} // namespace Baton
