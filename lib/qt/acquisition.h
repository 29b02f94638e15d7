// SPDX-License-Identifier: MIT
#pragma once

#include "alarm.h"
#include "driverlink.h"

#include <Baton/acquireresult.h>

#include <QtCore/QFutureWatcher>

namespace Baton::Shell {

class Courier;

/*!
 * One acquire() or tryAcquire() under way, on the engine's thread: watches what the machine says until there
 * is a result, and hands that to the courier. It needs no event loop of the application, which may be blocked
 * in QFuture::waitForFinished().
 */
class Acquisition : public QObject
{
    Q_OBJECT
public:
    Acquisition(AcquireJob job, Courier &courier);

    /// Looks at what the machine says; \a term goes with Acquired. True when there is a result.
    bool observe(const Core::Output &output, const std::shared_ptr<Term> &term);
    void settle(AcquireOutcome outcome, const LeaseError &error = {});

Q_SIGNALS:
    /// Time is up, or the future was cancelled: the campaign is to end.
    void abandoned();

private:
    bool settleWon(const std::shared_ptr<Term> &term);

    AcquireJob m_job;
    Courier &m_courier;
    Alarm m_alarm;
    std::unique_ptr<QFutureWatcher<AcquireResult>> m_watcher; ///< Hears of a cancelled future.
    LeaseError m_lastError;
    bool m_settled = false;
};

} // namespace Baton::Shell
