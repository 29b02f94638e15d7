// SPDX-License-Identifier: MIT
#include "backoff.h"

#include <algorithm>

namespace Baton::Core {

quint64 Random::next()
{
    m_state += 0x9E3779B97F4A7C15ULL;
    quint64 z = m_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double Random::around(double spread)
{
    constexpr double Range = 9007199254740992.0; // 2^53: every step of a double between 0 and 1.
    const double unit = double(next() >> 11) / Range;
    return 1.0 + spread * (2.0 * unit - 1.0);
}

QByteArray Random::hex(int words)
{
    QByteArray text;
    for (int i = 0; i < words; ++i)
        text += QByteArray::number(next(), 16).rightJustified(16, '0');
    return text;
}

Duration Backoff::next(Random &random)
{
    constexpr double Jitter = 0.2; // So that candidates that failed together do not come back together.
    m_last = m_last == Duration::zero() ? m_policy.first : std::min(m_last * 2, m_policy.most);
    return Duration{Duration::rep(double(m_last.count()) * random.around(Jitter))};
}

Instant Pace::earliest(Instant now) const
{
    return std::max(now, m_emptyAt - m_gap * (m_burst - 1));
}

void Pace::take(Instant at)
{
    m_emptyAt = std::max(m_emptyAt, at) + m_gap;
}

} // namespace Baton::Core
