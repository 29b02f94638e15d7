// SPDX-License-Identifier: MIT
#include "codec.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

/// The longest key Baton uses, in bytes of UTF-8. Consul has no limit of its own (1.8.7 took 5,000 bytes);
/// this one keeps the request line, where a byte may need three characters, far below the 8 KiB of common
/// proxies.
constexpr qsizetype MaxKeyBytes = 512;

/// 18446744073709551615 has 20 digits.
constexpr qsizetype MaxIndexDigits = 20;

std::optional<QString> segmentProblem(QStringView segment)
{
    if (segment.isEmpty())
        return u"must not contain an empty part (//): Consul would redirect to another key"_s;
    if (segment == "."_L1 || segment == ".."_L1)
        return u"must not contain a part \".\" or \"..\": Consul would redirect to another key"_s;
    return std::nullopt;
}

/// As Go's unicode.IsPrint, by which Consul filters paths (400 with an empty body). Its transactions do not,
/// so the lock of such a key could be taken and never be watched.
bool isPrintable(char32_t c)
{
    return c == U' ' || (QChar::isPrint(c) && !QChar::isSpace(c));
}

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

struct DurationUnit
{
    QStringView name;
    qint64 nanoseconds;
};

/// Longer names first where one begins with another. Go writes the micro sign and reads the Greek letter too.
constexpr std::array<DurationUnit, 8> DurationUnits = {{
    {u"ns", 1},
    {u"us", 1'000},
    {u"\u00b5s", 1'000},
    {u"\u03bcs", 1'000},
    {u"ms", 1'000'000},
    {u"s", 1'000'000'000},
    {u"m", 60'000'000'000},
    {u"h", 3'600'000'000'000},
}};

/// Takes the digits at the front of \a text off it.
QStringView takeDigits(QStringView &text)
{
    qsizetype count = 0;
    while (count < text.size() && isDigit(text[count]))
        ++count;
    const QStringView digits = text.first(count);
    text = text.sliced(count);
    return digits;
}

/// \a whole . \a fraction units of \a unit nanoseconds; nothing where that is beyond 64 bits. What is smaller
/// than a nanosecond is dropped, as Go does.
std::optional<qint64> nanoseconds(QStringView whole, QStringView fraction, qint64 unit)
{
    constexpr qint64 Most = std::numeric_limits<qint64>::max();
    const std::optional<quint64> count = whole.isEmpty() ? 0 : parseIndex(whole.toLatin1());
    if (!count || *count > quint64(Most / unit))
        return std::nullopt;
    qint64 result = qint64(*count) * unit;
    for (const QChar digit : fraction) {
        unit /= 10;
        const qint64 part = unit * (digit.unicode() - u'0');
        if (part > Most - result)
            return std::nullopt;
        result += part;
    }
    return result;
}

} // namespace

std::optional<QString> keyProblem(const QString &key)
{
    if (key.isEmpty())
        return u"must not be empty"_s;
    if (!key.isValidUtf16())
        return u"must be valid Unicode"_s;
    if (key.toUtf8().size() > MaxKeyBytes)
        return u"must not be longer than %1 bytes"_s.arg(MaxKeyBytes);
    if (key.startsWith(u'/') || key.endsWith(u'/'))
        return u"must not begin or end with a slash: Consul would redirect to another key"_s;
    const QList<uint> characters = key.toUcs4();
    if (!std::all_of(characters.begin(), characters.end(), isPrintable))
        return u"must not contain control or other unprintable characters: Consul would not answer for it"_s;
    const QList<QStringView> segments = QStringView(key).split(u'/');
    for (const QStringView segment : segments) {
        if (const std::optional<QString> problem = segmentProblem(segment))
            return problem;
    }
    return std::nullopt;
}

std::optional<quint64> parseIndex(QByteArrayView text)
{
    if (text.isEmpty() || text.size() > MaxIndexDigits || (text.front() == '0' && text.size() > 1))
        return std::nullopt;
    quint64 number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        const auto digit = quint64(c - '0');
        if (number > (std::numeric_limits<quint64>::max() - digit) / 10)
            return std::nullopt;
        number = number * 10 + digit;
    }
    return number;
}

std::optional<std::chrono::nanoseconds> parseDuration(QStringView text)
{
    if (text == "0"_L1)
        return std::chrono::nanoseconds::zero();
    qint64 total = 0;
    do {
        const QStringView whole = takeDigits(text);
        const bool point = text.startsWith(u'.');
        if (point)
            text = text.sliced(1);
        const QStringView fraction = point ? takeDigits(text) : QStringView();
        const auto unit =
            std::find_if(DurationUnits.begin(), DurationUnits.end(),
                         [text](const DurationUnit &candidate) { return text.startsWith(candidate.name); });
        if ((whole.isEmpty() && fraction.isEmpty()) || unit == DurationUnits.end())
            return std::nullopt;
        text = text.sliced(unit->name.size());
        const std::optional<qint64> part = nanoseconds(whole, fraction, unit->nanoseconds);
        if (!part || *part > std::numeric_limits<qint64>::max() - total)
            return std::nullopt;
        total += *part;
    } while (!text.isEmpty());
    return std::chrono::nanoseconds(total);
}

QString formatDuration(Milliseconds duration)
{
    const qint64 count = duration.count();
    return count % 1000 == 0 ? u"%1s"_s.arg(count / 1000) : u"%1ms"_s.arg(count);
}

QString plainLine(QStringView text, int limit)
{
    QString line;
    const QList<uint> characters = text.toUcs4();
    for (const uint c : characters) {
        if (line.size() > limit)
            break;
        const QChar::Category category = QChar::category(c);
        if (QChar::isSpace(c)) {
            if (!line.isEmpty() && !line.endsWith(u' '))
                line += u' ';
        } else if (category == QChar::Other_Control || category == QChar::Other_Format) {
            line += QChar::ReplacementCharacter;
        } else {
            line += QChar::fromUcs4(c);
        }
    }
    if (line.endsWith(u' '))
        line.chop(1);
    if (line.size() <= limit)
        return line;
    line.truncate(qMax(0, limit - 1));
    if (!line.isEmpty() && line.back().isHighSurrogate())
        line.chop(1);
    return limit > 0 ? line + u'\u2026' : QString();
}

} // namespace Baton::Wire
