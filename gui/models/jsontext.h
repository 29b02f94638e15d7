// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"

#include <Baton/clusterrecords.h>

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>

#include <limits>

/// How the dashboard writes its own JSON: rows that are copied or exported, and the journal.
namespace Baton::Monitor {

/// Indexes above 2^63 do not fit into a QJsonValue and are written as text; nothing is ever rounded.
inline QJsonValue jsonIndex(quint64 index)
{
    return index <= quint64(std::numeric_limits<qint64>::max()) ? QJsonValue(qint64(index))
                                                                : QJsonValue(QString::number(index));
}

inline QJsonValue jsonIndex(const std::optional<quint64> &index)
{
    return index ? jsonIndex(*index) : QJsonValue();
}

inline QJsonValue jsonMs(const std::optional<std::chrono::milliseconds> &length)
{
    return length ? QJsonValue(qint64(length->count())) : QJsonValue();
}

/// `2026-11-30T14:02:11.250Z`
inline QString isoText(Nanoseconds instant, const Clock &clock)
{
    return clock.date(instant).toUTC().toString(Qt::ISODateWithMs);
}

/// `{"after":…,"by":…}`; after is null where it was there at the first look.
inline QJsonObject jsonTime(const ObservedTime &time, const Clock &clock)
{
    return {{QStringLiteral("after"), time.after ? QJsonValue(isoText(*time.after, clock)) : QJsonValue()},
            {QStringLiteral("by"), isoText(time.by, clock)}};
}

/// `9.000`
inline QString secondsText(std::chrono::milliseconds length)
{
    return QString::number(double(length.count()) / 1000, 'f', 3);
}

} // namespace Baton::Monitor
