// SPDX-License-Identifier: MIT
#include "providerevents.h"

#include <QtCore/QCoreApplication>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
qint64 inMs(std::chrono::nanoseconds duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}
} // namespace

ProviderEvents::ProviderEvents(LeaseProvider &provider, EventLog &log, QObject *parent)
    : QObject(parent), m_provider(provider), m_log(log)
{
    connectTerm();
    connect(&m_provider, &LeaseProvider::sessionOpened, this, [this](const QString &session) {
        m_log.tell(m_log.event("session"_L1).add("session", session));
    });
    connect(&m_provider, &LeaseProvider::waiting, this, &ProviderEvents::tellWaiting);
    connect(&m_provider, &LeaseProvider::leaderChanged, this, &ProviderEvents::tellLeader);
    connect(&m_provider, &LeaseProvider::errorOccurred, this, &ProviderEvents::tellError);
}

void ProviderEvents::connectTerm()
{
    connect(&m_provider, &LeaseProvider::leadershipAcquired, this, &ProviderEvents::tellAcquired);
    connect(&m_provider, &LeaseProvider::leadershipLost, this, &ProviderEvents::tellLost);
    connect(&m_provider, &LeaseProvider::renewed, this,
            [this](std::chrono::milliseconds left, std::chrono::microseconds roundTrip) {
                m_log.tell(m_log.event("renewed"_L1)
                               .add("token", m_token)
                               .add("left_ms", inMs(left))
                               .add("round_trip_us", qint64(roundTrip.count())));
            });
    connect(&m_provider, &LeaseProvider::leadershipAtRisk, this, [this](std::chrono::milliseconds left) {
        m_log.tell(m_log.event("at_risk"_L1).add("token", m_token).add("left_ms", inMs(left)));
    });
    connect(&m_provider, &LeaseProvider::leadershipSafe, this,
            [this] { m_log.tell(m_log.event("safe"_L1).add("token", m_token)); });
}

void ProviderEvents::tellStarted()
{
    const LeaseOptions options = m_provider.options();
    const LeaseTimings timings = options.timings();
    EventLine line = m_log.event("started"_L1);
    line.add("version", QStringLiteral(BATON_VERSION))
        .add("pid", qint64(QCoreApplication::applicationPid()))
        .add("key", options.lockKey());
    if (!options.address.isEmpty())
        line.add("address", options.address);
    if (!options.datacenter.isEmpty())
        line.add("datacenter", options.datacenter);
    m_log.tell(line.add("profile", tag(options.profile))
                   .add("ttl_ms", inMs(timings.ttl))
                   .add("lock_delay_ms", inMs(timings.lockDelay))
                   .add("margin_ms", inMs(timings.margin))
                   .add("renew_interval_ms", inMs(timings.renewInterval))
                   .add("window_ms", inMs(timings.window)));
}

void ProviderEvents::tellStatus()
{
    EventLine line = m_log.event("status"_L1);
    const Lease lease = m_provider.lease();
    const bool leading = lease.isHeld();
    line.add("state", tag(m_provider.state())).add("leading", leading);
    if (leading)
        line.add("token", lease.token())
            .add("session", lease.session())
            .add("left_ms", inMs(lease.remaining()));
    m_log.tell(line);
}

void ProviderEvents::tellAcquired()
{
    EventLine line = m_log.event("acquired"_L1);
    const Lease lease = m_provider.lease();
    m_token = lease.token();
    m_log.tell(
        line.add("token", m_token).add("session", lease.session()).add("left_ms", inMs(lease.remaining())));
}

void ProviderEvents::tellLost(LostReason reason)
{
    const bool inOrder = reason == LostReason::Released || reason == LostReason::Cancelled;
    EventLine line = m_log.event(inOrder ? "released"_L1 : "lost"_L1);
    line.add("token", m_token).add("reason", tag(reason));
    if (!m_provider.lostEvidence().isEmpty())
        line.add("detail", m_provider.lostEvidence());
    m_log.tell(line);
}

void ProviderEvents::tellWaiting(WaitReason why, const QString &holder,
                                 std::optional<std::chrono::milliseconds> retryIn)
{
    EventLine line = m_log.event("waiting"_L1);
    line.add("why", tag(why));
    if (!holder.isEmpty())
        line.add("session", holder);
    if (retryIn)
        line.add("retry_in_ms", inMs(*retryIn));
    m_log.tell(line);
}

void ProviderEvents::tellLeader(const LeaderInfo &leader)
{
    EventLine line = m_log.event("leader"_L1);
    line.add("index", leader.index);
    if (!leader.isNull())
        line.add("session", leader.session);
    if (leader.isBaton)
        line.add("leader", leader.instance).add("token", leader.index);
    m_log.tell(line);
}

void ProviderEvents::tellError(const LeaseError &error)
{
    EventLine line = m_log.event("error"_L1);
    line.add("code", tag(error.code)).add("step", tag(error.step)).add("detail", error.message());
    if (error.status != 0)
        line.add("status", error.status);
    m_log.tell(line);
}

} // namespace Baton::Tools
