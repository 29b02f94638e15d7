// SPDX-License-Identifier: MIT
#pragma once

#include "eventline.h"
#include "linewriter.h"

#include <QtCore/QString>

namespace Baton::Tools {

/// The events of one candidate on standard output, each stamped with time, order and place.
class EventLog : public QObject
{
    Q_OBJECT
public:
    EventLog(int descriptor, const QString &instance, QObject *parent = nullptr);

    /// Begins a line. Its instant is now, so it is called first thing when something happens.
    [[nodiscard]] EventLine event(QLatin1StringView name);
    /// Ends and writes it. One that comes after dropped lines has their number.
    void tell(EventLine line);
    void flush(std::chrono::milliseconds limit) { m_out.flush(limit); }

Q_SIGNALS:
    /// Nobody reads the events any more.
    void closed();

private:
    LineWriter m_out;
    const QString m_boot;
    const QString m_host;
    const QString m_instance;
    quint64 m_seq = 0;
    quint64 m_toldDropped = 0;
};

} // namespace Baton::Tools
