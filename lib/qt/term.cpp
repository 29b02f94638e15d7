// SPDX-License-Identifier: MIT
#include "term.h"

#include "bootclock.h"
#include "driverlink.h"
#include "forkguard.h"

namespace Baton::Shell {

Term::Term(quint64 number_, quint64 token_, QString key_, QString session_, Core::Instant deadline,
           std::weak_ptr<DriverLink> driver)
    : number(number_), token(token_), key(std::move(key_)), session(std::move(session_)),
      m_deadline(deadline.time_since_epoch().count()), m_driver(std::move(driver))
{
    m_lost.start();
}

Core::Duration Term::remaining() const
{
    if (inForkedChild())
        return Core::Duration::zero();
    Core::BootTime::rep deadline = m_deadline.load();
    while (deadline != Void) {
        const Core::Duration left = Core::Duration{deadline} - Core::bootNow().time_since_epoch();
        if (left > Core::Duration::zero())
            return left;
        // Seen void: void for good, unless a renewal has moved the deadline in this very moment.
        if (m_deadline.compare_exchange_weak(deadline, Void))
            break;
    }
    return Core::Duration::zero();
}

bool Term::extend(Core::Instant deadline)
{
    Core::BootTime::rep old = m_deadline.load();
    while (old != Void) {
        if (m_deadline.compare_exchange_weak(old, deadline.time_since_epoch().count()))
            return true;
    }
    return false;
}

std::shared_ptr<void> Term::makeHold()
{
    // The pointer is never followed; it only counts.
    const std::shared_ptr<void> hold(this, [driver = m_driver, term = number](void *) {
        if (const auto link = driver.lock())
            link->drop(term, LostReason::Released);
    });
    m_hold = hold;
    return hold;
}

void Term::end(LostReason reason)
{
    standDown();
    const QMutexLocker lock(&m_mutex);
    m_lostReason = reason;
}

void Term::tellLost()
{
#if defined(__cpp_lib_jthread)
    m_stop.request_stop();
#endif
    m_lost.addResult(*lostReason());
    m_lost.finish();
}

std::optional<LostReason> Term::lostReason() const
{
    const QMutexLocker lock(&m_mutex);
    return m_lostReason;
}

} // namespace Baton::Shell
