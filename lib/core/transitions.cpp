// SPDX-License-Identifier: MIT
#include "candidatemachine.h"

/*
 * The candidate, in prose.
 *
 * Idle until Start. Opening makes a session of its own for this one term; Verifying renews it once, which
 * also shows what Consul really stored. Reading looks at the key. If it is free, Locking sends the one
 * transaction that checks the key's index, locks it and reads it back; if not, Waiting keeps the session
 * alive and watches the key.
 *
 * A free key is not always to be locked at once. Consul's own lock-delay is heard of when the lock is
 * refused; where the key was deleted, or released in the holder's name, Consul imposes none, and the
 * candidate waits the holder's lock-delay by itself. A key that is seen held is never locked. Where the right
 * to lock is missing, news of the key do not hasten the next try.
 *
 * A token must be above every one known. One that is not is lifted, a write each, where the writes that are
 * allowed can be enough; else the term is given up at once, and the next is tried after a while.
 *
 * The lock won, Leading renews and watches. Its lease is valid until the local deadline, which only an
 * acknowledged renewal moves, and only while it has not passed. The term ends, and the lease is void, when
 *   - the deadline passes, whatever the network says;
 *   - Consul says that the session is gone (404 on renewal: final);
 *   - the key, read consistently at an index above the token, shows another session or is gone;
 *   - the key shows no session: Diagnosing then asks whether the session lives, only to name the reason;
 *   - the application gives it up: Yielding keeps the lock until it has ended its work, then hands over.
 *
 * An error, a time-out or a stranger's answer ends nothing: the deadline decides.
 *
 * After an involuntary end the session is destroyed without a release, so that the lock-delay covers what is
 * in flight; after an orderly one it is released, then destroyed. Either is the SessionCloser's work, beside
 * the next campaign. Over leads to Opening where the candidate campaigns again, else to Closing, which waits
 * for the SessionCloser, for a time; what is still open then is ended from Idle. A start that comes meanwhile
 * is kept until then.
 *
 * A lock whose answer was lost may have taken effect: Reading tells. If the key is ours, the same lock is
 * sent again, bound to our holding it; it answers with the same token.
 */
namespace Baton::Core {

std::span<const CandidateMachine::Transition> CandidateMachine::transitions()
{
    using enum State;
    using M = CandidateMachine;
    using E = Event;
    static constexpr Transition Table[] = {
        {Idle, E::Start, Opening, &M::open},
        {Idle, E::Stop, Idle, &M::finish},
        {Idle, E::Created, Idle, &M::settleCreate},

        {Opening, E::Stop, Closing, &M::close},
        {Opening, E::Retry, Opening, &M::open},
        {Opening, E::Created, Verifying, &M::verify},
        {Opening, E::CreateFailed, Opening, &M::retryOpen},

        {Verifying, E::Stop, Closing, &M::close},
        {Verifying, E::Retry, Verifying, &M::verify},
        {Verifying, E::Renewed, Reading, &M::read},
        {Verifying, E::Unfit, Opening, &M::discardUnfit},
        {Verifying, E::RenewFailed, Verifying, &M::retryVerify},
        {Verifying, E::SessionGone, Opening, &M::open},

        {Reading, E::Stop, Closing, &M::close},
        {Reading, E::Retry, Reading, &M::read},
        {Reading, E::SessionGone, Opening, &M::open},
        {Reading, E::KeyAbsent, Locking, &M::lock},
        {Reading, E::KeyFree, Locking, &M::lock},
        {Reading, E::KeyDelayed, Waiting, &M::awaitDelay},
        {Reading, E::KeyHeld, Waiting, &M::await},
        {Reading, E::KeyOurs, Locking, &M::relock},
        {Reading, E::KeyFailed, Reading, &M::retryRead},

        {Waiting, E::Stop, Closing, &M::close},
        {Waiting, E::Retry, Locking, &M::lock},
        {Waiting, E::SessionGone, Opening, &M::open},
        {Waiting, E::SessionSeen, Waiting, &M::refineWait},
        {Waiting, E::KeyAbsent, Locking, &M::lock},
        {Waiting, E::KeyFree, Locking, &M::lock},
        {Waiting, E::KeyDelayed, Waiting, &M::awaitDelay},
        {Waiting, E::KeyHeld, Waiting, &M::await},
        {Waiting, E::KeyOurs, Locking, &M::relock},

        {Locking, E::Stop, Closing, &M::close},
        {Locking, E::SessionGone, Opening, &M::open},
        {Locking, E::Won, Leading, &M::lead},
        {Locking, E::WonLate, Over, &M::dropLate},
        {Locking, E::WonLow, Locking, &M::climb},
        {Locking, E::WonHopeless, Over, &M::giveUpToken},
        {Locking, E::Contended, Reading, &M::readAgain},
        {Locking, E::Delayed, Waiting, &M::awaitDelay},
        {Locking, E::Stale, Reading, &M::readAgain},
        {Locking, E::LockDenied, Waiting, &M::awaitRight},
        {Locking, E::LockUnknown, Reading, &M::readAfterLock},

        {Leading, E::Stop, Yielding, &M::yield},
        {Leading, E::Release, Yielding, &M::yield},
        {Leading, E::Abandon, Over, &M::abandon},
        {Leading, E::Deadline, Over, &M::loseByDeadline},
        {Leading, E::SessionGone, Over, &M::loseExpired},
        {Leading, E::KeyAbsent, Over, &M::loseDeleted},
        {Leading, E::KeyFree, Diagnosing, &M::standDown},
        {Leading, E::KeyHeld, Over, &M::loseTaken},
        {Leading, E::KeyOurs, Leading, &M::checkForeignWrite},
        {Leading, E::KeyDoubtful, Leading, &M::confirm},

        {Diagnosing, E::SessionGone, Over, &M::loseExpired},
        {Diagnosing, E::SessionUnseen, Over, &M::loseExpired},
        {Diagnosing, E::Bound, Over, &M::loseExpired},
        {Diagnosing, E::SessionSeen, Over, &M::loseReleased},

        {Yielding, E::HandedOver, Over, &M::handOver},
        {Yielding, E::Deadline, Over, &M::destroySession},
        {Yielding, E::Bound, Over, &M::destroySession},
        {Yielding, E::SessionGone, Over, &M::forget},

        {Closing, E::Created, Closing, &M::settleCreate},
        {Closing, E::Won, Closing, &M::settleLock},
        {Closing, E::WonLate, Closing, &M::settleLock},
        {Closing, E::WonLow, Closing, &M::settleLock},
        {Closing, E::WonHopeless, Closing, &M::settleLock},
        {Closing, E::Contended, Closing, &M::settleLock},
        {Closing, E::Delayed, Closing, &M::settleLock},
        {Closing, E::Stale, Closing, &M::settleLock},
        {Closing, E::LockDenied, Closing, &M::settleLock},
        {Closing, E::LockUnknown, Closing, &M::settleLock},
        {Closing, E::SessionGone, Closing, &M::forget},
        {Closing, E::Bound, Idle, &M::finish},
    };
    return Table;
}

} // namespace Baton::Core
