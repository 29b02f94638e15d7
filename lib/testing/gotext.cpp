// SPDX-License-Identifier: MIT
#include "gotext.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

struct Unit
{
    QStringView name;
    double nanoseconds;
};
constexpr std::array Units{Unit{u"ns", 1},   Unit{u"us", 1e3}, Unit{u"\u00b5s", 1e3}, Unit{u"\u03bcs", 1e3},
                           Unit{u"ms", 1e6}, Unit{u"s", 1e9},  Unit{u"m", 60e9},      Unit{u"h", 3600e9}};

/// Go counts in 63 bits.
constexpr double LongestNanoseconds = 9.2e18;

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

/// \a count of a unit of so many nanoseconds, with no more digits than it needs.
QString decimal(qint64 count, qint64 unit)
{
    QString digits = QString::number(count / unit);
    QString rest = QString::number(count % unit + unit).mid(1);
    while (rest.endsWith(u'0'))
        rest.chop(1);
    return rest.isEmpty() ? digits : digits + u'.' + rest;
}

} // namespace

QString goQuoted(const QString &text)
{
    QString quoted = text;
    return u'"' + quoted.replace(u'\\', "\\\\"_L1).replace(u'"', "\\\""_L1) + u'"';
}

QByteArray goJson(const QString &text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    QByteArray json = list.mid(1, list.size() - 2);
    return json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
}

QString goDuration(Core::Duration duration)
{
    constexpr qint64 Microsecond = 1'000;
    constexpr qint64 Millisecond = 1'000'000;
    constexpr qint64 Second = 1'000'000'000;
    const qint64 count = duration.count();
    if (count == 0)
        return u"0s"_s;
    if (count < 0)
        return u'-' + goDuration(-duration);
    if (count < Microsecond)
        return QString::number(count) + "ns"_L1;
    if (count < Millisecond)
        return decimal(count, Microsecond) + u"\u00b5s"_s;
    if (count < Second)
        return decimal(count, Millisecond) + "ms"_L1;
    const qint64 minutes = count / (60 * Second);
    const QString seconds = decimal(count % (60 * Second), Second) + u's';
    if (minutes == 0)
        return seconds;
    const QString withMinutes = QString::number(minutes % 60) + u'm' + seconds;
    return minutes < 60 ? withMinutes : QString::number(minutes / 60) + u'h' + withMinutes;
}

std::variant<Core::Duration, QString> parseGoDuration(const QString &text)
{
    const auto wrong = [&text](const QString &what) { return u"time: %1 %2"_s.arg(what, goQuoted(text)); };
    const QString invalid = wrong(u"invalid duration"_s);
    QStringView rest = text;
    const bool isNegative = rest.startsWith(u'-');
    if (isNegative || rest.startsWith(u'+'))
        rest = rest.mid(1);
    if (rest == u"0")
        return Core::Duration::zero();
    if (rest.isEmpty())
        return invalid;
    double total = 0;
    while (!rest.isEmpty()) {
        const auto number = std::ranges::find_if_not(rest, [](QChar c) { return isDigit(c) || c == u'.'; });
        const QStringView digits = rest.first(number - rest.begin());
        bool isNumber = false;
        const double count = digits.toDouble(&isNumber);
        if (!isNumber)
            return invalid;
        const auto end = std::find_if(number, rest.end(), [](QChar c) { return isDigit(c) || c == u'.'; });
        const QStringView name = rest.sliced(number - rest.begin()).first(end - number);
        const auto unit = std::ranges::find(Units, name, &Unit::name);
        if (name.isEmpty())
            return wrong(u"missing unit in duration"_s);
        if (unit == Units.end())
            return wrong(u"unknown unit %1 in duration"_s.arg(goQuoted(name.toString())));
        total += count * unit->nanoseconds;
        rest = rest.sliced(end - rest.begin());
    }
    if (total > LongestNanoseconds)
        return invalid;
    return Core::Duration(qint64(isNegative ? -total : total));
}

} // namespace Baton::Testing
