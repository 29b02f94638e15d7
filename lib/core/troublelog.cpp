// SPDX-License-Identifier: MIT
#include "troublelog.h"

#include <algorithm>

namespace Baton::Core {

namespace {
ErrorCode errorCode(Wire::FailureKind kind)
{
    switch (kind) {
    case Wire::FailureKind::Unreachable:
        return ErrorCode::Unreachable;
    case Wire::FailureKind::TimedOut:
        return ErrorCode::TimedOut;
    case Wire::FailureKind::Interrupted:
        return ErrorCode::Interrupted;
    case Wire::FailureKind::ServerError:
        return ErrorCode::ServerError;
    case Wire::FailureKind::NodeUnhealthy:
        return ErrorCode::NodeUnhealthy;
    case Wire::FailureKind::Denied:
        return ErrorCode::Denied;
    case Wire::FailureKind::RateLimited:
        return ErrorCode::RateLimited;
    case Wire::FailureKind::Rejected:
        return ErrorCode::Rejected;
    case Wire::FailureKind::NotConsul:
        return ErrorCode::NotConsul;
    }
    Q_UNREACHABLE();
}
} // namespace

void TroubleLog::failed(Step step, const Wire::Failure &failure)
{
    failed(step, errorCode(failure.kind), failure.detail, failure.status);
}

void TroubleLog::failed(Step step, ErrorCode code, const QString &detail, int status)
{
    if (m_active.value(step, ErrorCode::None) == code)
        return;
    worked(step);
    // A missing right is told for each step, since each step needs another one; any other kind concerns them
    // all.
    const bool known = code != ErrorCode::Denied && isActive(code);
    m_active.insert(step, code);
    if (!known)
        m_outbox.push(TroubleSeen{{step, code, status, detail}});
}

void TroubleLog::worked(Step step)
{
    const ErrorCode code = m_active.take(step);
    if (code != ErrorCode::None && !isActive(code))
        m_outbox.push(TroubleOver{code});
}

void TroubleLog::clear()
{
    for (const Step step : m_active.keys())
        worked(step);
}

bool TroubleLog::isActive(ErrorCode code) const
{
    return std::find(m_active.cbegin(), m_active.cend(), code) != m_active.cend();
}

} // namespace Baton::Core
