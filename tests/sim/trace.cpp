// SPDX-License-Identifier: MIT
#include "trace.h"

using namespace Qt::StringLiterals;

namespace Baton::Sim {

QString secondsText(Duration time)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    return u"%1.%2"_s.arg(ms / 1000).arg(ms % 1000, 3, 10, QChar(u'0'));
}

void Trace::add(Instant at, const QString &who, const QString &text)
{
    constexpr int TimeWidth = 9;
    constexpr int NameWidth = 6;
    m_lines += u"%1  %2 %3"_s.arg(secondsText(at.time_since_epoch()), TimeWidth)
                   .arg(who.leftJustified(NameWidth), text);
}

} // namespace Baton::Sim
