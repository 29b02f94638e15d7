// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace Baton::Core {

/// The time line of every lease decision: nanoseconds since boot, counting suspend. It has no now():
/// the core is told the time, and only lib/qt/bootclock.cpp reads a clock.
struct BootTime
{
    using rep = std::int64_t;
    using period = std::nano;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<BootTime>;
    static constexpr bool is_steady = true;
};

using Duration = BootTime::duration;
using Instant = BootTime::time_point;

} // namespace Baton::Core
