// SPDX-License-Identifier: MIT
#include "models/format.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Monitor::Format {
namespace {

using Seconds = std::chrono::seconds;
using Tenths = std::chrono::duration<qint64, std::deci>;

/// A session id is a UUID; its two ends tell sessions apart.
constexpr int IdHead = 8;
constexpr int IdTail = 4;

QString words(const char *source)
{
    return QCoreApplication::translate("Format", source);
}

QString decimal(double value, int digits)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'f', digits);
}

/// The number alone: `0.3`, `22.4`.
QString tenths(Nanoseconds length)
{
    return decimal(double(std::chrono::round<Tenths>(length).count()) / 10, 1);
}

/// `2:39`, `3 h 12 min`, `5 d 3 h`.
QString clockwork(Seconds length)
{
    const qint64 seconds = length.count();
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    if (hours == 0)
        return u"%1:%2"_s.arg(minutes).arg(seconds % 60, 2, 10, '0'_L1);
    if (hours < 24)
        return words(QT_TRANSLATE_NOOP("Format", "%1 h %2 min")).arg(hours).arg(minutes % 60);
    return words(QT_TRANSLATE_NOOP("Format", "%1 d %2 h")).arg(hours / 24).arg(hours % 24);
}

} // namespace

QString duration(Nanoseconds length)
{
    if (length < 0ns)
        return QChar(0x2212) + duration(-length);
    if (const auto ms = std::chrono::round<std::chrono::milliseconds>(length); ms < 1s)
        return words(QT_TRANSLATE_NOOP("Format", "%1 ms")).arg(ms.count());
    if (std::chrono::round<Tenths>(length) < 60s)
        return words(QT_TRANSLATE_NOOP("Format", "%1 s")).arg(tenths(length));
    return clockwork(std::chrono::round<Seconds>(length));
}

QString countdown(Nanoseconds left)
{
    const auto tenthsLeft = std::chrono::ceil<Tenths>(std::max(left, Nanoseconds(0)));
    if (tenthsLeft < 60s)
        return words("%1 s").arg(tenths(tenthsLeft));
    return clockwork(std::chrono::ceil<Seconds>(left));
}

QString age(Nanoseconds length)
{
    return clockwork(std::chrono::floor<Seconds>(std::max(length, Nanoseconds(0))));
}

QString setting(std::chrono::milliseconds length)
{
    if (length < 1s)
        return words("%1 ms").arg(length.count());
    const auto hours = std::chrono::floor<std::chrono::hours>(length);
    const auto minutes = std::chrono::floor<std::chrono::minutes>(length - hours);
    const auto rest = length - hours - minutes;
    QStringList parts;
    if (hours > 0h)
        parts += words(QT_TRANSLATE_NOOP("Format", "%1 h")).arg(hours.count());
    if (minutes > 0min)
        parts += words(QT_TRANSLATE_NOOP("Format", "%1 min")).arg(minutes.count());
    if (rest > 0ms) {
        const bool whole = rest % 1s == 0ms;
        const QString seconds =
            whole ? QString::number(rest / 1s) : QLocale().toString(double(rest.count()) / 1000, 'g', 5);
        parts += words("%1 s").arg(seconds);
    }
    return parts.join(' '_L1);
}

QString atLeast(Nanoseconds length)
{
    const auto seconds = std::chrono::floor<Seconds>(std::max(length, Nanoseconds(0)));
    if (seconds < 1min)
        return words(QT_TRANSLATE_NOOP("Format", "≥ %1 s")).arg(seconds.count());
    if (seconds < 1h)
        return words(QT_TRANSLATE_NOOP("Format", "≥ %1 min")).arg(seconds / 1min);
    if (seconds < 48h)
        return words(QT_TRANSLATE_NOOP("Format", "≥ %1 h")).arg(seconds / 1h);
    return words(QT_TRANSLATE_NOOP("Format", "≥ %1 d")).arg(seconds / 24h);
}

QString number(quint64 value)
{
    QString digits = QString::number(value);
    for (qsizetype place = digits.size() - 3; place > 0; place -= 3)
        digits.insert(place, QChar(0x2009));
    return digits;
}

QString token(const std::optional<quint64> &value)
{
    return value ? number(*value) : QString(QChar(0x2013));
}

QString sessionId(const QString &id)
{
    const QString text = safe(id);
    if (text.size() <= IdHead + IdTail + 1)
        return text;
    return text.first(IdHead) + QChar(0x2026) + text.last(IdTail);
}

QString timeOfDay(const QDateTime &date, const QDateTime &today)
{
    if (!date.isValid())
        return QString(QChar(0x2013));
    const QString time = date.time().toString(u"HH:mm:ss"_s);
    return date.date() == today.date() ? time : date.date().toString(Qt::ISODate) + ' '_L1 + time;
}

Nanoseconds middle(const ObservedTime &time)
{
    return time.after ? *time.after + (time.by - *time.after) / 2 : time.by;
}

QString spread(const ObservedTime &time)
{
    const Nanoseconds half = time.after ? (time.by - *time.after) / 2 : 0ns;
    // A tenth of a second is as exact as two reads of a store can be told apart by an operator.
    const QString length =
        half < 50ms ? duration(std::max(half, Nanoseconds(1ms))) : words("%1 s").arg(tenths(half));
    return u"±"_s + length;
}

QString moment(const ObservedTime &time, const Clock &clock)
{
    if (!time.isExact())
        return words(QT_TRANSLATE_NOOP("Format", "seen %1")).arg(atLeast(clock.now() - time.by));
    return u"%1 (%2)"_s.arg(timeOfDay(clock.date(middle(time)), clock.date(clock.now())), spread(time));
}

QString created(const ObservedTime &time, const Clock &clock)
{
    if (!time.isExact())
        return moment(time, clock);
    return words(QT_TRANSLATE_NOOP("Format", "created %1")).arg(moment(time, clock));
}

QString since(const ObservedTime &time, const Clock &clock)
{
    if (!time.isExact())
        return moment(time, clock);
    const Nanoseconds began = middle(time);
    return u"%1  %2"_s.arg(timeOfDay(clock.date(began), clock.date(clock.now())), age(clock.now() - began));
}

QString freeIn(const LockDelayWindow &window, Nanoseconds now)
{
    const Nanoseconds earliest = window.earliestEnd() - now;
    const Nanoseconds latest = window.latestEnd() - now;
    if (latest <= 0ns)
        return words(QT_TRANSLATE_NOOP("Format", "free for %1")).arg(age(-latest));
    if (earliest <= 0ns)
        return words(QT_TRANSLATE_NOOP("Format", "free now or within %1 s")).arg(tenths(latest));
    const QString first = latest < 1min ? tenths(earliest) : clockwork(std::chrono::floor<Seconds>(earliest));
    const QString last = latest < 1min ? tenths(latest) : clockwork(std::chrono::ceil<Seconds>(latest));
    const QString ends =
        first == last ? first : words(QT_TRANSLATE_NOOP("Format", "%1 to %2")).arg(first, last);
    return words(QT_TRANSLATE_NOOP("Format", "free in %1"))
        .arg(latest < 1min ? words("%1 s").arg(ends) : ends);
}

QString band(Nanoseconds earliest, Nanoseconds latest)
{
    const QChar dash(0x2013);
    if (duration(earliest) == duration(latest))
        return duration(latest);
    if (latest < 1s) {
        const auto first = std::chrono::round<std::chrono::milliseconds>(earliest);
        const auto last = std::chrono::round<std::chrono::milliseconds>(latest);
        return words("%1 ms").arg(QString::number(first.count()) + dash + QString::number(last.count()));
    }
    if (std::chrono::round<Tenths>(latest) < 60s)
        return words("%1 s").arg(tenths(earliest) + dash + tenths(latest));
    return duration(earliest) + dash + duration(latest);
}

} // namespace Baton::Monitor::Format
