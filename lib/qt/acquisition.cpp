// SPDX-License-Identifier: MIT
#include "acquisition.h"

#include "bootclock.h"
#include "courier.h"

#include <algorithm>

namespace Baton::Shell {

namespace {
/// Nobody waits that long, and the instant of a much later end would overflow.
constexpr std::chrono::hours Endless{24 * 365};
} // namespace

Acquisition::Acquisition(AcquireJob job, Courier &courier)
    : m_job(std::move(job)), m_courier(courier), m_alarm(this),
      m_watcher(std::make_unique<QFutureWatcher<AcquireResult>>())
{
    connect(&m_alarm, &Alarm::rang, this, [this] {
        settle(AcquireOutcome::TimedOut, m_lastError);
        Q_EMIT abandoned();
    });
    connect(m_watcher.get(), &QFutureWatcherBase::canceled, this, [this] {
        settle(AcquireOutcome::Cancelled);
        Q_EMIT abandoned();
    });
    m_watcher->setFuture(m_job.promise->future());
    if (m_job.timeout && *m_job.timeout < Endless)
        m_alarm.setAt(Core::bootNow() + std::max(*m_job.timeout, std::chrono::milliseconds::zero()));
}

bool Acquisition::observe(const Core::Output &output, const std::shared_ptr<Term> &term)
{
    if (std::holds_alternative<Core::Acquired>(output))
        return settleWon(term);
    if (const auto *seen = std::get_if<Core::TroubleSeen>(&output)) {
        const auto &[step, code, status, detail] = seen->trouble;
        m_lastError = {code, step, status, detail, m_job.key};
        if (m_job.once)
            settle(AcquireOutcome::Failed, m_lastError);
    } else if (std::holds_alternative<Core::TroubleOver>(output)) {
        m_lastError = {};
    } else if (std::holds_alternative<Core::Waits>(output) && m_job.once) {
        settle(AcquireOutcome::Contended);
    } else if (std::holds_alternative<Core::Stopped>(output)) {
        settle(AcquireOutcome::Cancelled);
    }
    return m_settled;
}

/// The application gets the only lease of the term: when it drops it, the term is given up.
bool Acquisition::settleWon(const std::shared_ptr<Term> &term)
{
    m_settled = true;
    m_watcher.release()->deleteLater(); // Keeps no copy of the result, which would keep the term.
    m_courier.post([promise = std::move(m_job.promise), hold = term->hold(), term] {
        // A cancelled promise takes no result, so the term is given up.
        const auto link = term->driver();
        if (promise->isCanceled() && link)
            link->drop(term->number, LostReason::Cancelled);
        promise->addResult(AcquireResult{AcquireOutcome::Won, Lease(term), {}});
        promise->finish();
    });
    return true;
}

void Acquisition::settle(AcquireOutcome outcome, const LeaseError &error)
{
    if (std::exchange(m_settled, true))
        return;
    m_watcher.release()->deleteLater();
    m_courier.post([promise = std::move(m_job.promise), outcome, error] {
        promise->addResult(AcquireResult{outcome, {}, error});
        promise->finish();
    });
}

} // namespace Baton::Shell
