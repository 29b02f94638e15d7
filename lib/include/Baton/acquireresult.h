// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <Baton/lease.h>
#include <Baton/leaseerror.h>

namespace Baton {

/// What became of LeaseProvider::acquire() or tryAcquire().
struct BATON_EXPORT AcquireResult
{
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
