// SPDX-License-Identifier: MIT
#include "candidate.h"

#include "consulagent.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>

#include <ctime>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

BootTime bootTime()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

double inMs(BootTime duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

Candidate::Candidate(const LeaseOptions &options) : m_provider(options)
{
    connect(&m_provider, &LeaseProvider::leadershipAcquired, this, &Candidate::acquired);
    connect(&m_provider, &LeaseProvider::leadershipLost, this, &Candidate::lost);
    connect(&m_provider, &LeaseProvider::renewed, this,
            [this](std::chrono::milliseconds, std::chrono::microseconds roundTrip) { renewed(roundTrip); });
    connect(&m_provider, &LeaseProvider::errorOccurred, this,
            [this](const LeaseError &error) { m_errors.append(error); });
}

bool Candidate::sawError(ErrorCode code) const
{
    return std::any_of(m_errors.begin(), m_errors.end(),
                       [code](const LeaseError &error) { return error.code == code; });
}

void Candidate::stopWhenLost()
{
    connect(&m_provider, &LeaseProvider::leadershipLost, &m_provider, &LeaseProvider::stop);
}

void Candidate::acquired(quint64 token)
{
    const BootTime now = bootTime();
    const Lease lease = m_provider.lease();
    expect(!leads(), "acquired once a term");
    expect(m_terms.isEmpty() || token > m_terms.last().token, "tokens rise");
    expect(lease.token() == token, "the lease has the token of the signal");
    expect(m_provider.state() == ProviderState::Leading, "the state is Leading at acquired");
    TermRecord term;
    term.lease = lease;
    term.token = token;
    term.session = lease.session();
    term.acquiredAt = now;
    term.deadline = now + lease.remaining();
    m_terms.append(term);
}

void Candidate::renewed(std::chrono::microseconds roundTrip)
{
    const BootTime now = bootTime();
    expect(leads(), "renewed only while leading");
    if (!leads())
        return;
    const BootTime left = m_provider.lease().remaining();
    if (left == 0ns)
        return; // It has passed since; what was recorded before stands.
    m_terms.last().deadline = now + left;
    m_terms.last().renewalSentAt = now - roundTrip;
    m_terms.last().roundTrip = roundTrip;
}

void Candidate::lost(LostReason reason)
{
    const BootTime now = bootTime();
    expect(leads(), "lost once a term");
    expect(!m_provider.isLeading() && !m_provider.token(), "not leading at lost");
    if (!leads())
        return;
    TermRecord &term = m_terms.last();
    expect(!term.lease.isHeld(), "the lease is void at lost");
    expect(term.lease.lostReason() == reason, "the lease has the reason of the signal");
    term.lostAt = now;
    term.reason = reason;
    term.evidence = m_provider.lostEvidence();
}

void Candidate::expect(bool condition, const char *rule)
{
    if (!condition && m_broken.isEmpty())
        m_broken = u"term %1: %2"_s.arg(m_terms.size()).arg(QLatin1StringView(rule));
}

Candidate *leaderOf(const QList<Candidate *> &candidates)
{
    for (Candidate *candidate : candidates) {
        if (candidate->leads())
            return candidate;
    }
    return nullptr;
}

bool waitUntil(const std::function<bool()> &condition, std::chrono::milliseconds bound)
{
    QTimer tick; // For conditions that no event announces.
    tick.start(10ms);
    const QDeadlineTimer deadline(bound);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

LeaseOptions quickOptions(const ConsulAgent &agent, const QString &service)
{
    LeaseOptions options = balancedOptions(agent, service);
    options.ttl = 2s;
    options.lockDelay = 2s;
    options.margin = 400ms;
    options.allowShortTtl = true;
    return options;
}

LeaseOptions balancedOptions(const ConsulAgent &agent, const QString &service)
{
    LeaseOptions options;
    options.address = agent.address();
    options.serviceName = service;
    return options;
}

QJsonObject shortSessions()
{
    return {{u"session_ttl_min"_s, u"100ms"_s}};
}

} // namespace Baton::Testing
