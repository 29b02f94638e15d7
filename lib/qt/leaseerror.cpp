// SPDX-License-Identifier: MIT
#include <Baton/leaseerror.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QDebug>
#include <QtCore/QStringList>

using namespace Qt::StringLiterals;

namespace Baton {
namespace {

// String-based queued connections look the type up by name, so it must be known before the first of them.
void registerLeaseError()
{
    qRegisterMetaType<LeaseError>();
}
Q_CONSTRUCTOR_FUNCTION(registerLeaseError)

QString stepText(Step step)
{
    switch (step) {
    case Step::Configure:
        return u"Starting the campaign"_s;
    case Step::CreateSession:
        return u"Creating the session"_s;
    case Step::RenewSession:
        return u"Renewing the session"_s;
    case Step::ReadKey:
        return u"Reading the lock key"_s;
    case Step::Lock:
        return u"Taking the lock"_s;
    case Step::Watch:
        return u"Watching the lock key"_s;
    case Step::Release:
        return u"Releasing the lock"_s;
    case Step::DestroySession:
        return u"Ending the session"_s;
    case Step::InspectSession:
        return u"Reading the session back"_s;
    case Step::Write:
        return u"Writing under the lock"_s;
    }
    Q_UNREACHABLE();
}

/// The ACL rule that \a step needs. Session rules name the node of the agent that is asked, which only the
/// operator knows.
QString missingRule(Step step, const QString &key)
{
    switch (step) {
    case Step::CreateSession:
    case Step::RenewSession:
    case Step::DestroySession:
    case Step::InspectSession:
        return u"session \"<node of the agent>\" { policy = \"write\" } or session_prefix \"\" { policy = \"write\" }"_s;
    case Step::Write:
        return u"key \"<each key written>\" { policy = \"write\" }"_s;
    case Step::Configure:
    case Step::ReadKey:
    case Step::Lock:
    case Step::Watch:
    case Step::Release:
        break;
    }
    return u"key \"%1\" { policy = \"write\" }"_s.arg(key.isEmpty() ? u"<lock key>"_s : key);
}

QString deniedText(const LeaseError &error)
{
    // Consul answers so to a token that it does not know; a rule would not help.
    if (error.detail.contains("ACL not found"_L1))
        return u"Consul does not know the ACL token"_s;
    return u"the ACL token lacks %1"_s.arg(missingRule(error.step, error.key));
}

QString causeText(const LeaseError &error)
{
    switch (error.code) {
    case ErrorCode::None:
        return u"no error"_s;
    case ErrorCode::InvalidOptions:
        return u"the options are not valid"_s;
    case ErrorCode::NoApplication:
        return u"there is no QCoreApplication"_s;
    case ErrorCode::Busy:
        return u"the provider is campaigning already"_s;
    case ErrorCode::Unreachable:
        return u"no connection to the Consul agent"_s;
    case ErrorCode::TimedOut:
        return u"the Consul agent did not answer in time"_s;
    case ErrorCode::Interrupted:
        return u"the answer was cut off, so the outcome is unknown"_s;
    case ErrorCode::ServerError:
        return u"Consul is in trouble"_s;
    case ErrorCode::NodeUnhealthy:
        return u"the agent's node is not registered or not healthy"_s;
    case ErrorCode::Denied:
        return deniedText(error);
    case ErrorCode::RateLimited:
        return u"Consul limits the rate of requests"_s;
    case ErrorCode::Rejected:
        return u"Consul refuses the request"_s;
    case ErrorCode::NotConsul:
        return u"something other than Consul answered"_s;
    case ErrorCode::SessionUnfit:
        return u"Consul made a session with other settings than asked for"_s;
    case ErrorCode::TokenRegressed:
        return u"the cluster's index is below a fencing token seen before"_s;
    case ErrorCode::ForeignWrite:
        return u"somebody else wrote to the lock key; the lease is unaffected"_s;
    case ErrorCode::NodeCheckForced:
        return u"Consul added a node check that was not asked for"_s;
    }
    Q_UNREACHABLE();
}

} // namespace

QString LeaseError::message() const
{
    QStringList evidence;
    if (status != 0)
        evidence += u"HTTP %1"_s.arg(status);
    if (!detail.isEmpty())
        evidence += detail;
    const QString sentence = stepText(step) + u": "_s + causeText(*this);
    return evidence.isEmpty() ? sentence : u"%1 (%2)"_s.arg(sentence, evidence.join(u", "_s));
}

QDebug operator<<(QDebug debug, const LeaseError &error)
{
    const QDebugStateSaver saver(debug);
    debug.noquote().nospace() << "LeaseError(" << tag(error.code) << ", " << tag(error.step) << ", "
                              << error.message() << ')';
    return debug;
}

} // namespace Baton
