// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <algorithm>

namespace Baton::Sim {

/// A candidate's boot-time clock: it starts anywhere and runs a little too fast or too slow against the true
/// time, which is that of Consul's leader.
class DriftingClock
{
public:
    DriftingClock(Instant reading, int partsPerMillion) : m_reading(reading), m_ppm(partsPerMillion) { }

    [[nodiscard]] Instant at(Instant truth) const
    {
        const auto passed = std::max(truth - m_since, Duration::zero()).count();
        return m_reading + Duration{passed + passed * m_ppm / Million};
    }
    /// The first instant at which the clock shows \a reading or more.
    [[nodiscard]] Instant when(Instant reading) const
    {
        const auto wanted = (reading - m_reading).count();
        Instant truth = m_since + Duration{wanted - wanted * m_ppm / (Million + m_ppm)};
        while (at(truth) < reading)
            truth += Duration{1};
        return truth;
    }
    void setDrift(int partsPerMillion, Instant now)
    {
        m_reading = at(now);
        m_since = std::max(m_since, now);
        m_ppm = partsPerMillion;
    }
    /// It stands still from \a now to \a end, as no boot-time clock does.
    void standStill(Instant now, Instant end)
    {
        m_reading = at(now);
        m_since = std::max(m_since, end);
    }
    /// Before the end of its standstill.
    void goOn(Instant now) { m_since = std::min(m_since, now); }

private:
    static constexpr Duration::rep Million = 1'000'000;
    Instant m_since;
    Instant m_reading;
    Duration::rep m_ppm;
};

} // namespace Baton::Sim
