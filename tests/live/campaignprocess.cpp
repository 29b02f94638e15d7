// SPDX-License-Identifier: MIT
#include "campaignprocess.h"

#include "process.h"

#include <QJsonDocument>

namespace Baton::Testing {

using namespace Qt::StringLiterals;

namespace {

QString duration(std::chrono::milliseconds value)
{
    return u"%1ms"_s.arg(value.count());
}

QStringList argumentsFor(const LeaseOptions &options, const QString &instance)
{
    const LeaseTimings timings = options.timings();
    QStringList arguments{u"campaign"_s,
                          u"--instance"_s,
                          instance,
                          u"--service"_s,
                          options.serviceName,
                          u"--address"_s,
                          options.address,
                          u"--ttl"_s,
                          duration(timings.ttl),
                          u"--lock-delay"_s,
                          duration(timings.lockDelay),
                          u"--margin"_s,
                          duration(timings.margin)};
    if (options.profile == Profile::Conservative)
        arguments << u"--profile"_s << u"conservative"_s;
    if (options.allowShortTtl)
        arguments << u"--allow-short-ttl"_s;
    return arguments;
}

QString newName()
{
    static int last = 0;
    return u"candidate-%1"_s.arg(++last);
}

} // namespace

quint64 CampaignProcess::Event::token() const
{
    return quint64(fields.value(u"token"_s).toInteger());
}

bool CampaignProcess::Event::endsATerm() const
{
    return name == u"lost" || name == u"released";
}

CampaignProcess::CampaignProcess(const LeaseOptions &options)
    : m_name(newName()), m_arguments(argumentsFor(options, m_name))
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setChildProcessModifier(endWithParent());
    connect(&m_process, &QProcess::readyRead, this, &CampaignProcess::read);
}

CampaignProcess::~CampaignProcess()
{
    kill();
}

void CampaignProcess::start()
{
    m_process.start(QStringLiteral(BATON_PROGRAM), m_arguments);
}

void CampaignProcess::say(const QByteArray &line)
{
    m_process.write(line + '\n');
}

bool CampaignProcess::freeze()
{
    const bool frozen = freezeProcess(m_process.processId());
    m_haltedAt = bootTime();
    return frozen;
}

void CampaignProcess::thaw()
{
    m_haltedAt.reset();
    thawProcess(m_process.processId());
}

void CampaignProcess::kill()
{
    m_process.kill();
    m_process.waitForFinished(-1);
    m_haltedAt = bootTime();
    read();
}

void CampaignProcess::read()
{
    while (m_process.canReadLine()) {
        const QJsonObject line = QJsonDocument::fromJson(m_process.readLine()).object();
        m_events.append({BootTime(line.value(u"t"_s).toInteger()), line.value(u"event"_s).toString(), line});
    }
}

QList<CampaignProcess::Event> CampaignProcess::events(const QString &name) const
{
    QList<Event> result;
    std::copy_if(m_events.begin(), m_events.end(), std::back_inserter(result),
                 [&](const Event &event) { return event.name == name; });
    return result;
}

std::optional<CampaignProcess::Event> CampaignProcess::term() const
{
    for (auto event = m_events.rbegin(); event != m_events.rend(); ++event) {
        if (event->name == u"acquired")
            return *event;
        if (event->endsATerm())
            return std::nullopt;
    }
    return std::nullopt;
}

bool CampaignProcess::isWaiting() const
{
    return isRunning() && !events(u"waiting"_s).isEmpty() && !term();
}

} // namespace Baton::Testing
