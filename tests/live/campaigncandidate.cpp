// SPDX-License-Identifier: MIT
#include "campaigncandidate.h"

#include "process.h"

#include <csignal>

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
    QStringList arguments{u"--instance"_s,   instance,
                          u"--service"_s,    options.serviceName,
                          u"--address"_s,    options.address,
                          u"--ttl"_s,        duration(timings.ttl),
                          u"--lock-delay"_s, duration(timings.lockDelay),
                          u"--margin"_s,     duration(timings.margin)};
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

quint64 CampaignCandidate::Event::token() const
{
    return quint64(fields.value(u"token"_s).toInteger());
}

bool CampaignCandidate::Event::endsATerm() const
{
    return name == u"lost" || name == u"released";
}

CampaignCandidate::CampaignCandidate(const LeaseOptions &options) : CampaignCandidate(options, newName()) { }

CampaignCandidate::CampaignCandidate(const LeaseOptions &options, const QString &name)
    : CampaignProcess(argumentsFor(options, name)), m_name(name)
{
}

bool CampaignCandidate::freeze()
{
    const bool frozen = freezeProcess(processId());
    m_haltedAt = bootTime();
    return frozen;
}

void CampaignCandidate::thaw()
{
    m_haltedAt.reset();
    thawProcess(processId());
}

void CampaignCandidate::kill()
{
    signal(SIGKILL);
    waitUntilGone();
    m_haltedAt = bootTime();
}

void CampaignCandidate::heard(const QJsonObject &line)
{
    m_events.append({BootTime(line.value(u"t"_s).toInteger()), line.value(u"event"_s).toString(), line});
}

QList<CampaignCandidate::Event> CampaignCandidate::events(const QString &name) const
{
    QList<Event> result;
    std::copy_if(m_events.begin(), m_events.end(), std::back_inserter(result),
                 [&](const Event &event) { return event.name == name; });
    return result;
}

std::optional<CampaignCandidate::Event> CampaignCandidate::term() const
{
    for (auto event = m_events.rbegin(); event != m_events.rend(); ++event) {
        if (event->name == u"acquired")
            return *event;
        if (event->endsATerm())
            return std::nullopt;
    }
    return std::nullopt;
}

bool CampaignCandidate::isWaiting() const
{
    return isRunning() && !events(u"waiting"_s).isEmpty() && !term();
}

} // namespace Baton::Testing
