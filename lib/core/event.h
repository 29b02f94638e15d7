// SPDX-License-Identifier: MIT
#pragma once

namespace Baton::Core {

/// What can happen to a candidate. Inputs, replies and timers are classified into one of these; the table of
/// transitions decides what follows.
enum class Event {
    // Commands
    Start,
    Stop,
    Release,
    HandedOver,
    Abandon,
    // Time
    Retry, ///< The next try of the state's own request is due.
    Deadline, ///< The lease's local deadline has passed.
    Bound, ///< The time limit of the state has passed.
    // The session
    Created,
    CreateFailed,
    Renewed,
    Unfit, ///< Renewed, but with other timings than asked for.
    RenewFailed,
    SessionGone, ///< Final: Consul does not know it.
    SessionSeen, ///< Asked for and shown: it lives.
    SessionUnseen, ///< Asked for and not shown.
    // The key, as read or watched
    KeyAbsent,
    KeyFree,
    KeyDelayed, ///< Absent or free, but not to be locked yet.
    KeyHeld, ///< By another session.
    KeyOurs,
    KeyDoubtful, ///< Not ours, but with an index below our token: old news?
    KeyFailed,
    // The locking transaction
    Won,
    WonLate, ///< The lease would be void already.
    WonLow, ///< With a token that has been surpassed; can be lifted.
    WonHopeless, ///< With a token too low to be lifted.
    Contended,
    Delayed,
    Stale,
    LockDenied,
    LockUnknown, ///< It may have taken effect.
};

} // namespace Baton::Core
