// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <core/instant.h>

#include <QtCore/QFuture>
#include <QtCore/QMutex>
#include <QtCore/QPromise>
#include <QtCore/QString>

#include <atomic>
#include <memory>
#include <optional>
#include <version>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace Baton::Shell {

class DriverLink;

/*!
 * One term as all threads see it. The engine moves the deadline; everybody reads it against the clock. A term
 * that was once seen void is void for good: whoever sees the deadline passed takes it away, and a renewal
 * that comes in after that cannot put it back.
 */
class Term
{
public:
    Term(quint64 number, quint64 token, QString key, QString session, Core::Instant deadline,
         std::weak_ptr<DriverLink> driver);

    const quint64 number;
    const quint64 token;
    const QString key;
    const QString session;

    [[nodiscard]] bool isHeld() const { return remaining() > Core::Duration::zero(); }
    [[nodiscard]] Core::Duration remaining() const;
    [[nodiscard]] std::optional<LostReason> lostReason() const;
    [[nodiscard]] std::shared_ptr<DriverLink> driver() const { return m_driver.lock(); }
    /// What leases of a term won by acquire() share; null for others, and once the last lease has gone.
    [[nodiscard]] std::shared_ptr<void> hold() const { return m_hold.lock(); }
    /// Engine only, before anybody else knows the term: it is given up when the last copy of the result goes.
    [[nodiscard]] std::shared_ptr<void> makeHold();

    /// Engine only. False where the term is void already.
    [[nodiscard]] bool extend(Core::Instant deadline);
    /// Engine only.
    void standDown() { m_deadline.store(Void); }
    /// Engine only: stands down and notes why.
    void end(LostReason reason);

#if defined(__cpp_lib_jthread)
    [[nodiscard]] std::stop_token stopToken() const
    {
        return m_stop.get_token();
    }
#endif
    /// Has its result when the application is told that the term is over.
    [[nodiscard]] QFuture<LostReason> lost() const
    {
        return m_lost.future();
    }
    /// Tells whoever waits that the term is over; runs callbacks of the application: courier only.
    void tellLost();

private:
    static constexpr Core::BootTime::rep Void = 0;

    mutable std::atomic<Core::BootTime::rep> m_deadline; ///< Nanoseconds since boot; Void when over.
    mutable QMutex m_mutex;
    std::optional<LostReason> m_lostReason;
    std::weak_ptr<DriverLink> m_driver;
    std::weak_ptr<void> m_hold;
    QPromise<LostReason> m_lost;
#if defined(__cpp_lib_jthread)
    std::stop_source m_stop;
#endif
};

} // namespace Baton::Shell
