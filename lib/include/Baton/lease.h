// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>

#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <version>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace Baton {

namespace Shell {
class Acquisition;
class Term;
} // namespace Shell

/*!
 * A handle of one term of leadership: from one leadershipAcquired to its leadershipLost.
 *
 * isHeld() compares the clock with the local deadline at each call. It needs no event loop and no signal, so
 * a process that stood still gets `false` on its very first call. Ask it before every act that only a leader
 * may do; what the act needs to be safe against a pause right after the question is the token, checked by the
 * resource. Once false, it stays false: a term that is over does not come back.
 *
 * \code
 * const Baton::Lease lease = provider.lease();
 * if (lease.isHeld())
 *     qInfo("acting as the leader, with token %llu", lease.token());
 * \endcode
 *
 * Clock: boot time, counting suspend. Every instant counts from before the last acknowledged renewal was
 * sent.
 *
 * Threads: all functions from any thread, also at once. Copies are cheap and share the term.
 *
 * Errors: none; a null lease answers false, zero or nothing. In a child made by fork() no lease is held.
 *
 * Lifetime: may outlive its provider and the application object; the term is over then. A term won by
 * LeaseProvider::acquire() or tryAcquire() is released when its last copy goes; one announced after start()
 * is not.
 *
 * Pinned by tst_rows_clock, tst_acquire and tst_live_lease.
 */
class BATON_EXPORT Lease
{
public:
    /// No term: isNull().
    Lease();
    ~Lease();
    Lease(const Lease &);
    Lease(Lease &&) noexcept;
    Lease &operator=(const Lease &);
    Lease &operator=(Lease &&) noexcept;

    /// A handle of no term at all; a term that is over is not null.
    [[nodiscard]] bool isNull() const { return !m_term; }
    /// The fencing token; never changes, and is greater for each later leader of the same key. 0 for a null
    /// lease.
    [[nodiscard]] quint64 token() const;
    /// The lock key; empty for a null lease.
    [[nodiscard]] QString key() const;
    /// The Consul session of this term; empty for a null lease.
    [[nodiscard]] QString session() const;

    /// True while this process may act as the leader.
    [[nodiscard]] bool isHeld() const;
    /// Time until the local deadline, if nothing moves it; zero where the lease is not held.
    [[nodiscard]] std::chrono::nanoseconds remaining() const;
    /// Why the term ended; nothing while it has not, and for a moment after isHeld() became false.
    [[nodiscard]] std::optional<LostReason> lostReason() const;

    /// Gives the term up in order: leadershipLost(Released) first, then the lock is released. The provider
    /// campaigns again if it was started. Returns at once; does nothing where the term is over.
    void release() const;

    /// Calls \a done in the thread of \a context when the term has ended, as soon as its event loop turns
    /// where it has already; never where \a context goes first, nor for a null lease. \a context must not be
    /// destroyed by another thread during this call.
    void onLost(QObject *context, std::function<void(Baton::LostReason)> done) const;

#if defined(__cpp_lib_jthread)
    /// Stopped when the term ends: a notification, while isHeld() is the truth. Callbacks run on a thread of
    /// Baton's, one after the other; a slow one delays other callbacks but no renewal.
    [[nodiscard]] std::stop_token stopToken() const;
#endif

    /// Handles of the same term, or both null.
    friend bool operator==(const Lease &a, const Lease &b)
    {
        return a.m_term == b.m_term;
    }

private:
    friend class LeaseProvider;
    friend class Shell::Acquisition;
    friend class FencedKv;
    friend class LeaseProviderPrivate;
    explicit Lease(std::shared_ptr<Shell::Term> term);
    std::shared_ptr<Shell::Term> m_term;
    std::shared_ptr<void> m_hold; ///< Of a term won by acquire(): released when the last one goes.
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::Lease)
