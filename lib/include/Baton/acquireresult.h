// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <Baton/lease.h>
#include <Baton/leaseerror.h>

namespace Baton {

/*!
 * What became of LeaseProvider::acquire() or tryAcquire().
 *
 * \code
 * provider.acquire(&context, [](const Baton::AcquireResult &result) {
 *     if (result.isWon())
 *         qInfo("leading with token %llu", result.lease.token());
 *     else
 *         qInfo("%s: %s", Baton::tag(result.outcome).data(), qUtf8Printable(result.error.message()));
 * });
 * \endcode
 *
 * A value: copy it from any thread; but each copy of a won one holds the term, see \c lease.
 *
 * Errors: each outcome is a result, and only Failed is an error. \c error is isOk() for Won, Contended and
 * Cancelled.
 *
 * Pinned by tst_acquire.
 */
struct BATON_EXPORT AcquireResult
{
    /// Which of the other fields say something.
    AcquireOutcome outcome = AcquireOutcome::Failed;
    /// The term; null unless Won. It is released in order when the last copy of this lease goes.
    Lease lease;
    /// Why it failed; for TimedOut the last thing that stood in the way, if anything but another leader did.
    LeaseError error;

    [[nodiscard]] bool isWon() const { return outcome == AcquireOutcome::Won; }
    bool operator==(const AcquireResult &) const = default;
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::AcquireResult)
