// SPDX-License-Identifier: MIT
#include "duration.h"

#include <QtCore/QLatin1StringView>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
struct Unit
{
    QLatin1StringView name;
    std::chrono::milliseconds length;
};
constexpr std::array Units{Unit{"h"_L1, std::chrono::hours{1}}, Unit{"m"_L1, std::chrono::minutes{1}},
                           Unit{"s"_L1, std::chrono::seconds{1}},
                           Unit{"ms"_L1, std::chrono::milliseconds{1}}};

/// Nothing overflows with so many, and a TTL of a day takes eight even in milliseconds.
constexpr qsizetype MaxDigits = 9;
} // namespace

std::optional<std::chrono::milliseconds> parseDuration(QStringView text)
{
    const auto isDigit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    std::chrono::milliseconds total{};
    auto largest = Units.begin(); // That may still come.
    do {
        const auto digits = std::find_if_not(text.begin(), text.end(), isDigit) - text.begin();
        const auto end = std::find_if(text.begin() + digits, text.end(), isDigit) - text.begin();
        const QStringView name = text.mid(digits, end - digits);
        const auto unit = std::find_if(largest, Units.end(), [&](const Unit &u) { return name == u.name; });
        if (digits == 0 || digits > MaxDigits || unit == Units.end())
            return std::nullopt;
        total += text.first(digits).toLongLong() * unit->length;
        text = text.sliced(end);
        largest = unit + 1;
    } while (!text.isEmpty());
    return total;
}

} // namespace Baton::Tools
