// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace Baton::Tools {

/// One JSON object of `baton campaign`, member by member in the order they are added. Integers keep all their
/// digits: a token may be larger than what a double holds.
class EventLine
{
public:
    EventLine &add(const char *name, const QString &text);
    EventLine &add(const char *name, QLatin1StringView text) { return add(name, QString(text)); }
    EventLine &add(const char *name, quint64 number);
    EventLine &add(const char *name, qint64 number);
    EventLine &add(const char *name, int number) { return add(name, qint64(number)); }
    EventLine &add(const char *name, bool value);
    /// With the line feed at its end.
    [[nodiscard]] QByteArray text() const { return m_text + "}\n"; }

private:
    EventLine &addRaw(const char *name, const QByteArray &value);

    QByteArray m_text = "{";
};

} // namespace Baton::Tools
