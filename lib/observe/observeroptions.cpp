// SPDX-License-Identifier: MIT
#include <Baton/leaseoptions.h>
#include <Baton/observeroptions.h>

#include <consul/codec.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton {
namespace {

constexpr std::chrono::milliseconds ShortestWait = 1s;
constexpr std::chrono::milliseconds LongestWait = 10min; ///< Consul's own limit.
constexpr std::chrono::milliseconds LongestFloor = 1h;
constexpr qsizetype MaxPrefixBytes = 512;

QStringList prefixProblems(const QStringList &prefixes)
{
    QStringList problems;
    if (prefixes.isEmpty() || prefixes.size() > ObserverOptions::MaxPrefixes)
        problems += u"prefixes: there must be 1 to %1, not %2"_s.arg(ObserverOptions::MaxPrefixes)
                        .arg(prefixes.size());
    for (qsizetype i = 0; i < prefixes.size(); ++i) {
        const QString &prefix = prefixes[i];
        const QString shown = Wire::plainLine(prefix);
        // Consul would redirect such a request to another key.
        if (prefix.startsWith(u'/') || prefix.contains("//"_L1))
            problems += u"prefixes: \"%1\" begins with a slash or has an empty part"_s.arg(shown);
        else if (prefix.toUtf8().size() > MaxPrefixBytes || !prefix.isValidUtf16()
                 || shown != prefix.trimmed())
            problems += u"prefixes: \"%1\" is too long or has unprintable characters"_s.arg(shown);
        for (qsizetype other = 0; other < prefixes.size(); ++other) {
            if (other != i && prefix.startsWith(prefixes[other]))
                problems +=
                    u"prefixes: \"%1\" lies within \"%2\""_s.arg(shown, Wire::plainLine(prefixes[other]));
        }
    }
    return problems;
}

} // namespace

ObserverOptions ObserverOptions::fromEnvironment(const QProcessEnvironment &environment)
{
    const LeaseOptions read = LeaseOptions::fromEnvironment(environment);
    ObserverOptions options;
    options.address = read.address;
    options.nameSpace = read.nameSpace;
    options.partition = read.partition;
    options.token = read.token;
    options.tokenFile = read.tokenFile;
    options.environmentProblems = read.environmentProblems;
    return options;
}

QStringList ObserverOptions::validate() const
{
    // What concerns the way to Consul is judged in one place.
    LeaseOptions reached;
    reached.serviceName = u"any"_s;
    reached.address = address;
    reached.token = token;
    reached.tokenFile = tokenFile;
    reached.environmentProblems = environmentProblems;
    QStringList problems = reached.validate();
    problems += prefixProblems(prefixes);
    if (wait < ShortestWait || wait > LongestWait)
        problems += u"wait: %1 ms is not between 1 s and 10 min"_s.arg(wait.count());
    if (floor > LongestFloor)
        problems += u"floor: %1 ms is above 1 h"_s.arg(floor.count());
    return problems;
}

} // namespace Baton
