// SPDX-License-Identifier: MIT
#include "consulaccess.h"

#include <qt/consuladdress.h>
#include <qt/tokenfile.h>

using namespace Qt::StringLiterals;

namespace Baton::Observe {

namespace {

ObserveTrouble troubleOf(const Wire::Failure &failure, Wire::Exchange exchange)
{
    if (exchange == Wire::Exchange::TooLarge)
        return ObserveTrouble::TooLarge;
    switch (failure.kind) {
    case Wire::FailureKind::Unreachable:
        return ObserveTrouble::Unreachable;
    case Wire::FailureKind::TimedOut:
        return ObserveTrouble::TimedOut;
    case Wire::FailureKind::Interrupted:
        return ObserveTrouble::Interrupted;
    case Wire::FailureKind::ServerError:
    case Wire::FailureKind::NodeUnhealthy:
        return failure.detail.contains("No cluster leader"_L1) ? ObserveTrouble::NoLeader
                                                               : ObserveTrouble::ServerError;
    case Wire::FailureKind::Denied:
        return ObserveTrouble::Denied;
    case Wire::FailureKind::RateLimited:
        return ObserveTrouble::RateLimited;
    case Wire::FailureKind::Rejected:
        return ObserveTrouble::Rejected;
    case Wire::FailureKind::NotConsul:
        return ObserveTrouble::NotConsul;
    }
    Q_UNREACHABLE();
}

/// The rule that a request for \a part needs; none helps a token that Consul does not know.
QString ruleFor(const ObserveError &error)
{
    if (error.trouble != ObserveTrouble::Denied || error.detail.contains("ACL not found"_L1))
        return {};
    switch (error.part) {
    case ObservedPart::Sessions:
        return u"session_prefix \"\" { policy = \"read\" }"_s;
    case ObservedPart::Keys:
        return u"key_prefix \"%1\" { policy = \"read\" }"_s.arg(error.subject);
    case ObservedPart::Agent:
        return u"agent_prefix \"\" { policy = \"read\" }"_s;
    case ObservedPart::Action:
        return u"session_prefix \"\" { policy = \"write\" } and key \"%1\" { policy = \"write\" }"_s.arg(
            error.subject);
    }
    Q_UNREACHABLE();
}

} // namespace

ConsulAccess::ConsulAccess(const ObserverOptions &options)
    : base(std::get<Shell::ConsulAddress>(Shell::parseConsulAddress(options.address)).url({})),
      scope{options.datacenter, options.nameSpace, options.partition},
      token(options.token.trimmed().toLatin1()), tokenFile(options.tokenFile)
{
}

QString ConsulAccess::readToken()
{
    if (tokenFile.isEmpty())
        return {};
    const Shell::TokenFile file = Shell::readTokenFile(tokenFile);
    token = file.token;
    return file.problem;
}

ObserveError errorOf(const Wire::Failure &failure, Wire::Exchange exchange, ObservedPart part,
                     const QString &subject)
{
    ObserveError error;
    error.trouble = troubleOf(failure, exchange);
    error.part = part;
    error.subject = subject;
    error.status = failure.status;
    error.detail = failure.detail;
    error.missingRule = ruleFor(error);
    return error;
}

bool needsMending(ObserveTrouble trouble)
{
    return trouble == ObserveTrouble::Denied || trouble == ObserveTrouble::Rejected
        || trouble == ObserveTrouble::NotConsul || trouble == ObserveTrouble::TooLarge
        || trouble == ObserveTrouble::InvalidOptions || trouble == ObserveTrouble::NoApplication;
}

} // namespace Baton::Observe
