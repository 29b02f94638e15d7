// SPDX-License-Identifier: MIT
#pragma once

#include "core/instant.h"

#include <QtCore/QString>

/*!
 * The clock of every lease decision. It counts the time that the machine is suspended, which QElapsedTimer,
 * QDeadlineTimer and QTimer do not on Linux: a laptop that slept past its deadline finds its lease void.
 * bootclock.cpp is the only file that reads a clock; everything else is handed instants. Any thread.
 */
namespace Baton::Core {

[[nodiscard]] Instant bootNow() noexcept;

/// Names the boot whose clock bootNow() reads: instants of two processes compare only where it is equal.
/// Empty where the system has no such name.
[[nodiscard]] QString bootId();

} // namespace Baton::Core
