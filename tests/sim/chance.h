// SPDX-License-Identifier: MIT
#pragma once

#include <core/instant.h>

#include <QtCore/QtGlobal>

#include <cmath>
#include <initializer_list>

namespace Baton::Sim {

using Core::Duration;
using Core::Instant;

/// Everything that is left to chance in a simulated world comes from here, and so from its seed (SplitMix64).
class Chance
{
public:
    explicit Chance(quint64 seed) : m_state(seed) { }

    quint64 next()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        quint64 z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    /// Less than \a bound.
    int below(int bound) { return int(next() % quint64(bound)); }
    int between(int least, int most) { return least + below(most - least + 1); }
    double unit() { return double(next() >> 11) / 9007199254740992.0; } // 2^53.
    bool hits(double probability) { return probability > 0 && unit() < probability; }
    Duration between(Duration least, Duration most)
    {
        return least + Duration{Duration::rep(unit() * double((most - least).count()))};
    }
    /// Exponentially distributed: the gaps of events that know nothing of each other.
    Duration around(Duration mean)
    {
        return Duration{Duration::rep(-std::log(1.0 - unit()) * double(mean.count()))};
    }
    template <typename T>
    T oneOf(std::initializer_list<T> choices)
    {
        return choices.begin()[below(int(choices.size()))];
    }

private:
    quint64 m_state;
};

} // namespace Baton::Sim
