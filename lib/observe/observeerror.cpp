// SPDX-License-Identifier: MIT
#include <Baton/clustersnapshot.h>

#include <QtCore/QStringList>

using namespace Qt::StringLiterals;

namespace Baton {
namespace {

QString taskText(const ObserveError &error)
{
    switch (error.part) {
    case ObservedPart::Sessions:
        return u"Reading the sessions"_s;
    case ObservedPart::Keys:
        return u"Reading \"%1\""_s.arg(error.subject);
    case ObservedPart::Agent:
        return u"Asking the Consul agent"_s;
    case ObservedPart::Action:
        return u"Changing \"%1\""_s.arg(error.subject);
    }
    Q_UNREACHABLE();
}

QString causeText(const ObserveError &error)
{
    switch (error.trouble) {
    case ObserveTrouble::None:
        return u"no error"_s;
    case ObserveTrouble::InvalidOptions:
        return u"the options are not valid"_s;
    case ObserveTrouble::NoApplication:
        return u"there is no QCoreApplication"_s;
    case ObserveTrouble::Unreachable:
        return u"no connection to the Consul agent"_s;
    case ObserveTrouble::TimedOut:
        return u"the Consul agent did not answer in time"_s;
    case ObserveTrouble::Interrupted:
        return u"the answer was cut off"_s;
    case ObserveTrouble::NoLeader:
        return u"Consul has no leader"_s;
    case ObserveTrouble::ServerError:
        return u"Consul is in trouble"_s;
    case ObserveTrouble::Denied:
        return error.missingRule.isEmpty() ? u"Consul does not know the ACL token"_s
                                           : u"the ACL token lacks %1"_s.arg(error.missingRule);
    case ObserveTrouble::RateLimited:
        return u"Consul limits the rate of requests"_s;
    case ObserveTrouble::Rejected:
        return u"Consul refuses the request"_s;
    case ObserveTrouble::NotConsul:
        return u"something other than Consul answered"_s;
    case ObserveTrouble::TooLarge:
        return u"the answer is larger than what is read at a time"_s;
    }
    Q_UNREACHABLE();
}

} // namespace

QString ObserveError::message() const
{
    QStringList evidence;
    if (status != 0)
        evidence += u"HTTP %1"_s.arg(status);
    if (!detail.isEmpty())
        evidence += detail;
    const QString sentence = taskText(*this) + u": "_s + causeText(*this);
    return evidence.isEmpty() ? sentence : u"%1 (%2)"_s.arg(sentence, evidence.join(u", "_s));
}

} // namespace Baton
