// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <QtCore/QMap>

namespace Baton::Core {

/*!
 * Keeps what fails at present and tells each kind once until it changes: an outage of an hour is one report.
 * What comes and goes (every second poll fails) is told anew at most once in ReportPause.
 */
class TroubleLog
{
public:
    static constexpr Duration ReportPause = std::chrono::seconds{10};

    explicit TroubleLog(Outbox &outbox) : m_outbox(outbox) { }
    /// The instant of what is told from now on.
    void setNow(Instant now) { m_now = now; }
    void failed(Step step, const Wire::Failure &failure);
    void failed(Step step, ErrorCode code, const QString &detail, int status = 0);
    void worked(Step step);
    /// The step is not tried any more. What passes by itself counts as over; what somebody has to mend does
    /// not.
    void ceased(Step step);
    /// Nothing is tried any more, so nothing fails; what fails next is news.
    void clear();

private:
    struct Active
    {
        ErrorCode code = ErrorCode::None;
        bool told = false; ///< Or kept back, since it was told a moment ago.
    };
    bool isTold(ErrorCode code) const;

    Outbox &m_outbox;
    Instant m_now;
    QMap<Step, Active> m_active;
    QMap<ErrorCode, Instant> m_toldAt;
};

} // namespace Baton::Core
