// SPDX-License-Identifier: MIT
#include "eventlog.h"

#include <Baton/boottime.h>

#include <QtCore/QDateTime>
#include <QtCore/QSysInfo>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

EventLog::EventLog(int descriptor, const QString &instance, QObject *parent)
    : QObject(parent), m_out(descriptor), m_boot(bootId()), m_host(QSysInfo::machineHostName()),
      m_instance(instance)
{
    connect(&m_out, &LineWriter::closed, this, &EventLog::closed);
}

EventLine EventLog::event(QLatin1StringView name)
{
    EventLine line;
    line.add("t", qint64(bootTime().count()))
        .add("boot", m_boot)
        .add("seq", ++m_seq)
        .add("host", m_host)
        .add("wall", QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs))
        .add("instance", m_instance)
        .add("event", name);
    return line;
}

void EventLog::tell(EventLine line)
{
    const quint64 dropped = m_out.dropped();
    if (dropped != m_toldDropped)
        line.add("dropped", dropped);
    if (m_out.write(line.text()))
        m_toldDropped = dropped;
}

} // namespace Baton::Tools
