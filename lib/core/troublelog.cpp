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
    const Active before = m_active.value(step);
    if (before.code == code && before.told)
        return;
    if (before.code != code)
        worked(step);
    // A missing right is told for each step, since each step needs another one; any other kind concerns them
    // all.
    const bool known = code != ErrorCode::Denied && isTold(code);
    const auto last = m_toldAt.constFind(code);
    const bool recent = last != m_toldAt.cend() && m_now < *last + ReportPause && code != ErrorCode::Denied;
    m_active.insert(step, {code, known || !recent});
    if (known || recent)
        return;
    m_toldAt.insert(code, m_now);
    m_outbox.push(TroubleSeen{{step, code, status, detail}});
}

void TroubleLog::worked(Step step)
{
    const Active active = m_active.take(step);
    if (active.told && !isTold(active.code))
        m_outbox.push(TroubleOver{active.code});
}

void TroubleLog::ceased(Step step)
{
    using enum ErrorCode;
    const ErrorCode code = m_active.value(step).code;
    if (code == Unreachable || code == TimedOut || code == Interrupted || code == ServerError
        || code == RateLimited || code == NotConsul)
        worked(step);
}

void TroubleLog::clear()
{
    const auto steps = m_active.keys();
    for (const Step step : steps)
        worked(step);
    m_toldAt.clear();
}

bool TroubleLog::isTold(ErrorCode code) const
{
    return std::any_of(m_active.cbegin(), m_active.cend(),
                       [code](const Active &active) { return active.code == code && active.told; });
}

} // namespace Baton::Core
