// SPDX-License-Identifier: MIT
#include <Baton/boottime.h>

#include "bootclock.h"

namespace Baton {

std::chrono::nanoseconds bootTime()
{
    return Core::bootNow().time_since_epoch();
}

QString bootId()
{
    return Core::bootId();
}

} // namespace Baton
