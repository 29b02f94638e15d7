// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <QtCore/QMap>

namespace Baton::Core {

/// Keeps what fails at present and tells each kind once until it changes: an outage of an hour is one report.
class TroubleLog
{
public:
    explicit TroubleLog(Outbox &outbox) : m_outbox(outbox) { }
    void failed(Step step, const Wire::Failure &failure);
    void failed(Step step, ErrorCode code, const QString &detail, int status = 0);
    void worked(Step step);
    /// Nothing is tried any more, so nothing fails.
    void clear();

private:
    bool isActive(ErrorCode code) const;

    Outbox &m_outbox;
    QMap<Step, ErrorCode> m_active;
};

} // namespace Baton::Core
