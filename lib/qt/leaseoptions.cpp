// SPDX-License-Identifier: MIT
#include <Baton/leaseoptions.h>

#include "consuladdress.h"

#include "consul/codec.h"
#include "core/backoff.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QSysInfo>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds ShortestTtl = 10s; ///< Consul's own limit (`session_ttl_min`, 10 s unless lowered).
constexpr Milliseconds LongestTtl = 24h; ///< Consul's own limit.
constexpr Milliseconds LongestLockDelay = 60s; ///< Consul takes more, and applies 60 s.
constexpr Milliseconds ShortestRenewal = 50ms; ///< Twenty renewals a second and candidate are load enough.
constexpr Milliseconds ShortestTimeout = 100ms; ///< Below it a busy machine alone would look like an outage.
constexpr Milliseconds ShortestWatch = 1s;
constexpr Milliseconds LongestWatch = 10min; ///< Consul's own limit.
constexpr Milliseconds LongestStop = 60s;
constexpr qsizetype MaxName = 256; ///< Characters of instanceId and sessionName.
constexpr qsizetype MaxMetadata =
    8 * 1024; ///< Bytes; every waiting candidate reads the value at each change.

constexpr Milliseconds DefaultTtl = 10s;
constexpr Milliseconds DefaultMargin = 2s;
constexpr Milliseconds DefaultWatch = 50s;
constexpr Milliseconds DefaultStop = 5s;

/// The pause before a lost renewal is tried again, jitter included.
constexpr auto RetryPause = std::chrono::ceil<Milliseconds>(Core::TransientRetry.first * 12 / 10);

Milliseconds defaultLockDelay(Profile profile)
{
    switch (profile) {
    case Profile::Conservative:
        return 15s;
    case Profile::Balanced:
        return 9s;
    case Profile::Fast:
        return 500ms;
    }
    Q_UNREACHABLE();
}

QString text(Milliseconds duration)
{
    if (duration != 0ms && duration % 1h == 0ms)
        return u"%1 h"_s.arg(duration / 1h);
    return duration % 1s == 0ms ? u"%1 s"_s.arg(duration / 1s) : u"%1 ms"_s.arg(duration.count());
}

/// A message where \a value, if it is set, is outside of \a least to \a most.
void checkRange(QStringList &problems, const QString &field, const std::optional<Milliseconds> &value,
                Milliseconds least, Milliseconds most)
{
    if (value && (*value < least || *value > most))
        problems += u"%1: %2 is not between %3 and %4"_s.arg(field, text(*value), text(least), text(most));
}

void checkElection(QStringList &problems, const LeaseOptions &options)
{
    if (options.key.isEmpty() && options.serviceName.trimmed().isEmpty()) {
        problems += u"serviceName: must not be empty unless key is set"_s;
    } else if (const auto problem = Wire::keyProblem(options.lockKey())) {
        const QString field = options.key.isEmpty() ? u"serviceName"_s : u"key"_s;
        problems += u"%1: the lock key \"%2\" %3"_s.arg(field, Wire::plainLine(options.lockKey()), *problem);
    }
}

void checkToken(QStringList &problems, const LeaseOptions &options)
{
    const QString &token = options.token;
    if (token.trimmed().isEmpty())
        return;
    if (!options.tokenFile.isEmpty())
        problems += u"tokenFile: cannot be set together with token"_s;
    const auto bad = std::find_if(token.cbegin(), token.cend(), [](QChar c) { return c < u'!' || c > u'~'; });
    if (bad != token.cend())
        problems += u"token: character %1 is white space, a control character or not ASCII"_s.arg(
            std::distance(token.cbegin(), bad) + 1);
}

void checkConsul(QStringList &problems, const LeaseOptions &options)
{
    const auto address = Shell::parseConsulAddress(options.address);
    if (const auto *problem = std::get_if<Shell::AddressProblem>(&address))
        problems += u"address: %1"_s.arg(problem->reason);
    checkToken(problems, options);
    problems += options.environmentProblems;
}

void checkTtl(QStringList &problems, const LeaseOptions &options)
{
    const Milliseconds ttl = options.ttl.value_or(DefaultTtl);
    if (ttl <= 0ms)
        problems += u"ttl: %1 would never expire or is no duration; it must be between 10 s and 24 h"_s.arg(
            text(ttl));
    else if (ttl > LongestTtl)
        problems += u"ttl: %1 is above Consul's maximum of 24 h"_s.arg(text(ttl));
    else if (ttl < ShortestTtl && !options.allowShortTtl)
        problems +=
            u"ttl: %1 is below Consul's minimum of 10 s; set allowShortTtl if your servers allow it"_s.arg(
                text(ttl));
}

void checkMargin(QStringList &problems, const LeaseOptions &options)
{
    const Milliseconds ttl = options.ttl.value_or(DefaultTtl);
    const Milliseconds margin = options.margin.value_or(DefaultMargin);
    if (margin <= 0ms || margin >= ttl)
        problems += u"margin: %1 is not above 0 and below the ttl of %2"_s.arg(text(margin), text(ttl));
}

/// One lost renewal must not cost the lease: it, its time-out and the start of a second try fit into the
/// window.
void checkWindow(QStringList &problems, const LeaseOptions &options)
{
    const LeaseTimings timings = options.timings();
    if (timings.renewInterval + timings.requestTimeout + RetryPause < timings.window)
        return;
    QString field = timings.window < timings.ttl - timings.margin ? u"lockDelay"_s : u"margin"_s;
    if (options.renewInterval)
        field = u"renewInterval"_s;
    else if (options.requestTimeout)
        field = u"requestTimeout"_s;
    problems +=
        u"%1: renewing every %2 with a time-out of %3 leaves no time for a second try within the %4 for "
        "which a lease outlives its last renewal (the shorter of ttl - margin and 0.9 x lockDelay)"_s.arg(
            field, text(timings.renewInterval), text(timings.requestTimeout), text(timings.window));
}

void checkTimings(QStringList &problems, const LeaseOptions &options)
{
    if (options.profile == Profile::Fast)
        problems += u"profile: Fast is not available yet; use Balanced or Conservative"_s;
    const auto before = problems.size();
    checkTtl(problems, options);
    checkRange(problems, u"lockDelay"_s, options.lockDelay, 0ms, LongestLockDelay);
    checkRange(problems, u"renewInterval"_s, options.renewInterval, ShortestRenewal, LongestTtl);
    checkRange(problems, u"requestTimeout"_s, options.requestTimeout, ShortestTimeout, LongestTtl);
    if (problems.size() == before)
        checkMargin(problems, options);
    // With a value out of range the window means nothing, and its message would only hide the cause.
    if (problems.size() == before)
        checkWindow(problems, options);
    checkRange(problems, u"watchWait"_s, options.watchWait, ShortestWatch, LongestWatch);
    checkRange(problems, u"stopTimeout"_s, options.stopTimeout, 0ms, LongestStop);
    checkRange(problems, u"stallLimit"_s, options.stallLimit, 100ms, 1h);
}

void checkCandidate(QStringList &problems, const LeaseOptions &options)
{
    if (options.instanceId.size() > MaxName)
        problems +=
            u"instanceId: %1 characters are more than %2"_s.arg(options.instanceId.size()).arg(MaxName);
    if (options.sessionName.size() > MaxName)
        problems +=
            u"sessionName: %1 characters are more than %2"_s.arg(options.sessionName.size()).arg(MaxName);
    qsizetype bytes = 0;
    for (auto it = options.metadata.cbegin(); it != options.metadata.cend(); ++it)
        bytes += it.key().toUtf8().size() + it.value().toUtf8().size();
    if (bytes > MaxMetadata)
        problems += u"metadata: %1 bytes are more than %2"_s.arg(bytes).arg(MaxMetadata);
    if (options.sessionChecks.contains(QString()))
        problems += u"sessionChecks: must not contain an empty id"_s;
}

} // namespace

QStringList LeaseOptions::validate() const
{
    QStringList problems;
    checkElection(problems, *this);
    checkConsul(problems, *this);
    checkTimings(problems, *this);
    checkCandidate(problems, *this);
    return problems;
}

QString LeaseOptions::lockKey() const
{
    return key.isEmpty() ? u"service/%1/leader"_s.arg(serviceName) : key;
}

LeaseTimings LeaseOptions::timings() const
{
    LeaseTimings result;
    result.ttl = ttl.value_or(DefaultTtl);
    result.lockDelay = lockDelay.value_or(defaultLockDelay(profile));
    result.margin = margin.value_or(DefaultMargin);

    const bool bounded = result.lockDelay != 0ms;
    const Milliseconds byTtl = result.ttl - result.margin;
    result.window = bounded ? std::min(byTtl, result.lockDelay * 9 / 10) : byTtl;
    const Milliseconds third = result.ttl / 3;
    result.renewInterval = renewInterval.value_or(bounded ? std::min(third, result.lockDelay / 4) : third);
    result.requestTimeout = requestTimeout.value_or(std::max(result.renewInterval, ShortestTimeout));
    result.watchWait = watchWait.value_or(DefaultWatch);
    result.stopTimeout = stopTimeout.value_or(DefaultStop);
    return result;
}

QStringList LeaseOptions::nodeChecks() const
{
    return profile == Profile::Conservative ? QStringList{u"serfHealth"_s} : QStringList();
}

QString LeaseOptions::effectiveInstanceId() const
{
    if (!instanceId.isEmpty())
        return instanceId;
    return u"%1-%2"_s.arg(QSysInfo::machineHostName()).arg(QCoreApplication::applicationPid());
}

QString LeaseOptions::effectiveSessionName() const
{
    return sessionName.isEmpty() ? u"baton %1 %2"_s.arg(lockKey(), effectiveInstanceId()) : sessionName;
}

} // namespace Baton
