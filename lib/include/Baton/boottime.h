// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton_global.h>

#include <QtCore/QString>

#include <chrono>

namespace Baton {

/*!
 * Time since boot, counting suspend: the clock of every lease. It never goes back, and no change of the wall
 * clock moves it. The same instant in every process of the machine; of no meaning on another machine or after
 * the next boot. Any thread, without an application object.
 *
 * \code
 * const std::chrono::nanoseconds begun = Baton::bootTime();
 * if (Baton::bootTime() - begun > std::chrono::seconds(5))
 *     qInfo("this took long, or the machine slept");
 * \endcode
 *
 * Linux: CLOCK_BOOTTIME. macOS: CLOCK_MONOTONIC. Windows: the biased interrupt time. Pinned by tst_bootclock.
 */
[[nodiscard]] BATON_EXPORT std::chrono::nanoseconds bootTime();

/// Names the boot whose clock bootTime() reads: instants of two processes compare exactly only where it is
/// equal. Empty where the system has no such name. Any thread.
[[nodiscard]] BATON_EXPORT QString bootId();

} // namespace Baton
