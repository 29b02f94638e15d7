// SPDX-License-Identifier: MIT
#include "models/clock.h"

#include <Baton/boottime.h>

#include <utility>

namespace Baton::Monitor {

Clock::Clock(Source source) : m_source(source ? std::move(source) : Source(&bootTime)) { }

Nanoseconds Clock::now() const
{
    return m_frozen ? m_frozenAt : m_source();
}

void Clock::freeze(Nanoseconds instant)
{
    m_frozenAt = instant;
    m_frozen = true;
}

void Clock::thaw()
{
    m_frozen = false;
}

QDateTime Clock::date(Nanoseconds instant) const
{
    const auto wall = std::chrono::floor<std::chrono::milliseconds>(instant + m_wallOffset);
    return QDateTime::fromMSecsSinceEpoch(wall.count());
}

Nanoseconds Clock::instant(const QDateTime &date) const
{
    return std::chrono::milliseconds(date.toMSecsSinceEpoch()) - m_wallOffset;
}

} // namespace Baton::Monitor
