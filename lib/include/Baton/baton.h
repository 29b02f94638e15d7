// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton_global.h>

#include <QtCore/QLatin1StringView>
#include <QtCore/QMetaType>
#include <QtCore/QObject>

/*!
 * Every enum of Baton's public interface. They carry meta-information, so they print as names, travel through
 * string-based and queued connections, and are read by QSignalSpy.
 */
namespace Baton {
Q_NAMESPACE_EXPORT(BATON_EXPORT)

/// Why a term ended. tag() gives the stable spelling for logs, metrics and `baton campaign`.
enum class LostReason {
    SessionExpired, ///< Consul no longer knows the session ("session_expired").
    LockKeyTaken, ///< Another session holds the lock key ("lock_key_taken").
    LocalDeadlineExceeded, ///< No acknowledged renewal in time: a partition as seen from inside
                           ///< ("local_deadline_exceeded").
    Released, ///< Given up in order ("released").
    Cancelled, ///< The acquisition was cancelled after it had been won ("cancelled").
    LockKeyDeleted, ///< The lock key is gone ("lock_key_deleted").
    LockKeyReleased, ///< No session on the lock key although ours lives ("lock_key_released").
    HealthCheckFailed, ///< The agent no longer knows the health check, or it failed ("health_check_failed").
    TokenRegressed, ///< The cluster's indexes fell below a token already seen ("token_regressed").
    ApplicationStalled, ///< The provider's thread has not turned its event loop in time
                        ///< ("application_stalled").
};
Q_ENUM_NS(LostReason)

/// What a LeaseProvider is doing.
enum class ProviderState {
    Idle, ///< Not campaigning; holds nothing.
    Opening, ///< Creating the Consul session it campaigns with.
    Waiting, ///< Campaigning: another leads, or the lock-delay runs.
    Leading, ///< Holds a lease.
    Stopping, ///< Giving up in order: releasing the lock and ending the session.
};
Q_ENUM_NS(ProviderState)

/// Why a candidate waits. tag() gives the stable spelling.
enum class WaitReason {
    Held, ///< Another candidate's session holds the lock ("held").
    LockDelay, ///< The lock is free but Consul's or Baton's own lock-delay runs ("lock_delay").
    NeverExpires, ///< Held by a session without a TTL ("never_expires").
    Denied, ///< The ACL token lacks a right ("denied").
};
Q_ENUM_NS(WaitReason)

/// A set of defaults for timings and checks; see LeaseOptions::profile.
enum class Profile {
    Conservative, ///< TTL 10 s, lock-delay 15 s, node check serfHealth.
    Balanced, ///< TTL 10 s, lock-delay 9 s, no node check. The default.
    Fast, ///< As Balanced with lock-delay 500 ms and a health check of its own. Not available yet.
};
Q_ENUM_NS(Profile)

/// The kinds of failure for which LeaseOptions::predictedFailover() computes a band.
enum class FailureKind {
    HandOver, ///< Released in order.
    ProcessCrash, ///< The leader's process dies.
    ProcessFrozen, ///< The leader's process stands still and stays so.
    AgentLost, ///< The leader's agent dies without leaving.
    MachineLost, ///< The leader's machine dies.
    NetworkCut, ///< The leader is cut off from Consul's servers.
    ConsulLeaderLost, ///< Consul's own leader dies without notice.
};
Q_ENUM_NS(FailureKind)

/// The instant from which a failover is counted, to the next leadershipAcquired. tag() gives the stable
/// spelling.
enum class FailoverOrigin {
    ReleaseSent, ///< The old leader sent its release ("release_sent").
    DeathSeen, ///< A supervisor or lab saw the old leader end ("death_seen").
    LastRenewal, ///< The old leader sent the last renewal that was acknowledged ("last_renewal").
    LastHeartbeat, ///< The old leader sent the last heartbeat that was acknowledged, Profile::Fast
                   ///< ("last_heartbeat").
};
Q_ENUM_NS(FailoverOrigin)

/// What a LeaseError is about.
enum class ErrorCode {
    None, ///< No error.
    InvalidOptions, ///< LeaseOptions::validate() has something to say.
    NoApplication, ///< There is no QCoreApplication (yet, or any more).
    Busy, ///< The provider is campaigning already.
    Unreachable, ///< No connection to the agent.
    TimedOut, ///< The agent did not answer in time.
    Interrupted, ///< The answer was cut off or incomplete.
    ServerError, ///< 5xx: Consul has no leader, or is in trouble.
    NodeUnhealthy, ///< The agent's node is not registered or not healthy, so no session can be made.
    Denied, ///< 403 or "Permission denied": the ACL token lacks a right, or is unknown.
    RateLimited, ///< 429.
    Rejected, ///< 4xx: the request was refused and will be again.
    NotConsul, ///< Something else answered (a proxy, a login page).
    SessionUnfit, ///< Consul made a session with other timings than asked for.
    TokenRegressed, ///< The key's index is below a token already seen, and could not be lifted above it.
    ForeignWrite, ///< Somebody wrote to the lock key under a leader. It still leads.
    NodeCheckForced, ///< Consul added a node check that was not asked for.
};
Q_ENUM_NS(ErrorCode)

/// The step of a campaign in which an error occurred. tag() gives the stable spelling.
enum class Step {
    Configure,
    CreateSession,
    RenewSession,
    ReadKey,
    Lock,
    Watch,
    Release,
    DestroySession,
    InspectSession,
    Write,
};
Q_ENUM_NS(Step)

/// What became of an acquire() or tryAcquire().
enum class AcquireOutcome {
    Won, ///< Leadership is ours: AcquireResult::lease.
    Contended, ///< tryAcquire(): another leads, or the lock-delay runs.
    TimedOut, ///< acquire(): not won in the time given.
    Cancelled, ///< The future was cancelled, or the provider stopped.
    Failed, ///< It could not be tried; AcquireResult::error says why.
};
Q_ENUM_NS(AcquireOutcome)

/// What became of a fenced write.
enum class WriteOutcome {
    Written, ///< Consul wrote it while the lock was ours.
    Refused, ///< Nothing was written: the lease is void, the lock is not ours any more, or the request is
             ///< invalid.
    Unknown, ///< The answer was lost; it may have been written (only while the lock was ours).
};
Q_ENUM_NS(WriteOutcome)

/// What is known of an election; see ElectionRecord. From the best to the worst, but for the last two.
enum class ElectionState {
    Led, ///< A session holds the lock ("led").
    NeverExpires, ///< Held by a session without a TTL: nothing but its checks, if any, ends it
                  ///< ("never_expires").
    Vacant, ///< Nobody holds the lock, and nothing known keeps a candidate from taking it ("vacant").
    LockDelay, ///< Nobody holds the lock, and its last session vanished so recently that Consul refuses it
               ///< ("lock_delay").
    Orphaned, ///< Held by a session that does not exist, as far as may be read ("orphaned").
    HolderHidden, ///< Held by a session that is hidden by an ACL or gone: which, cannot be told
                  ///< ("holder_hidden").
    Hidden, ///< The key was seen before and may not be read any more ("hidden").
};
Q_ENUM_NS(ElectionState)

/// How the term of a leader ended, as far as reading the key can tell.
enum class TermEnd {
    Running, ///< It has not ended ("running").
    Released, ///< Given up in order: Baton leaves an empty value ("released").
    SessionEnded, ///< The session that held the lock was ended: it expired, or somebody or a check ended it
                  ///< ("session_ended").
    ReleasedOrEnded, ///< One of the two above; what was read does not tell which ("released_or_ended").
    KeyDeleted, ///< The lock key was deleted ("key_deleted").
    Replaced, ///< Another leader was there at the next look; how the change came about was not seen
              ///< ("replaced").
    Unseen, ///< It ended while nobody looked: before an outage, or with a store that was restored
            ///< ("unseen").
};
Q_ENUM_NS(TermEnd)

/// What an ObservedChange is about.
enum class ChangeKind {
    ElectionAppeared, ///< A lock key is there that was not ("election_appeared").
    ElectionRemoved, ///< It is gone and not kept any longer ("election_removed").
    LeaderElected, ///< A term began ("leader_elected").
    LeaderLost, ///< A term ended; ObservedChange::end says how ("leader_lost").
    StateChanged, ///< Another ElectionState without a change of leaders ("state_changed").
    TokenLifted, ///< The leader took the lock anew: same term, greater token ("token_lifted").
    TokenFell, ///< A term began with a token that is not greater than one seen before ("token_fell").
    ForeignWrite, ///< Somebody wrote to the key under a leader ("foreign_write").
    SessionAppeared, ///< A session is listed that was not ("session_appeared").
    SessionGone, ///< A session is not listed any more ("session_gone").
    IndexReset, ///< Consul's index ran backwards: restored, or another cluster ("index_reset").
};
Q_ENUM_NS(ChangeKind)

/// Whether a ClusterObserver's data are the present.
enum class ConnectionState {
    Idle, ///< Not started, or stopped ("idle").
    Connecting, ///< Started, and not everything has been read yet ("connecting").
    Live, ///< What is shown is what Consul has ("live").
    Stale, ///< It was, and Consul does not answer at present; it goes on by itself ("stale").
    Refused, ///< Consul, or whatever answers there, refuses; somebody has to mend that. It is tried on,
             ///< slowly
             ///< ("refused").
};
Q_ENUM_NS(ConnectionState)

/// What keeps a ClusterObserver or a SessionAdmin from its answer.
enum class ObserveTrouble {
    None, ///< Nothing.
    InvalidOptions, ///< ObserverOptions::validate() has something to say, or a token file cannot be read.
    NoApplication, ///< There is no QCoreApplication (yet, or any more).
    Unreachable, ///< No connection to the agent.
    TimedOut, ///< The agent did not answer in time.
    Interrupted, ///< The answer was cut off or incomplete.
    NoLeader, ///< Consul has no leader, so nothing can be read for certain.
    ServerError, ///< Any other 5xx.
    Denied, ///< 403: the ACL token is unknown or lacks the right that ObserveError::missingRule names.
    RateLimited, ///< 429.
    Rejected, ///< Any other 4xx.
    NotConsul, ///< Something else answered (a proxy, a login page).
    TooLarge, ///< More than is read at a time: a prefix with large values that are no lock keys.
};
Q_ENUM_NS(ObserveTrouble)

/// What a request of a ClusterObserver or SessionAdmin was for.
enum class ObservedPart {
    Sessions, ///< The list of sessions.
    Keys, ///< The keys under one prefix, or one key.
    Agent, ///< Whether the agent answers, knows a leader and has ACLs.
    Action, ///< Something to be done: SessionAdmin.
};
Q_ENUM_NS(ObservedPart)

/// Whether ACL rules may hide something from the token in use. Consul leaves out what may not be read and
/// does not say so, so an absence proves something only where Everything is visible.
enum class Visibility {
    Unknown, ///< Not asked yet, or the answer does not tell.
    Everything, ///< Nothing is hidden: Consul runs without ACLs.
    Some, ///< ACLs are in force and may hide any part.
    Nothing, ///< Keys under the prefix may not be read.
};
Q_ENUM_NS(Visibility)

/// How a read was asked for, and so how far it may lag behind.
enum class Consistency {
    Default, ///< Answered by Consul's leader; for a moment after that changed, by the former one.
    Consistent, ///< Confirmed by a quorum.
    Stale, ///< Answered by any server.
};
Q_ENUM_NS(Consistency)

/// What became of something that a SessionAdmin was asked to do.
enum class AdminOutcome {
    Done, ///< Consul confirms it ("done").
    Changed, ///< Nothing was done: what was to be acted on is not any more what was shown ("changed").
    Refused, ///< Nothing was done, and AdminResult::error says why ("refused").
    Unknown, ///< It was sent and the answer was lost; it may have been done ("unknown").
};
Q_ENUM_NS(AdminOutcome)

/// The stable spelling of \a value; never translated.
BATON_EXPORT QLatin1StringView tag(LostReason value);
BATON_EXPORT QLatin1StringView tag(ProviderState value);
BATON_EXPORT QLatin1StringView tag(WaitReason value);
BATON_EXPORT QLatin1StringView tag(Profile value);
BATON_EXPORT QLatin1StringView tag(FailureKind value);
BATON_EXPORT QLatin1StringView tag(FailoverOrigin value);
BATON_EXPORT QLatin1StringView tag(ErrorCode value);
BATON_EXPORT QLatin1StringView tag(Step value);
BATON_EXPORT QLatin1StringView tag(AcquireOutcome value);
BATON_EXPORT QLatin1StringView tag(WriteOutcome value);
BATON_EXPORT QLatin1StringView tag(ElectionState value);
BATON_EXPORT QLatin1StringView tag(TermEnd value);
BATON_EXPORT QLatin1StringView tag(ChangeKind value);
BATON_EXPORT QLatin1StringView tag(ConnectionState value);
BATON_EXPORT QLatin1StringView tag(ObserveTrouble value);
BATON_EXPORT QLatin1StringView tag(ObservedPart value);
BATON_EXPORT QLatin1StringView tag(Visibility value);
BATON_EXPORT QLatin1StringView tag(Consistency value);
BATON_EXPORT QLatin1StringView tag(AdminOutcome value);

} // namespace Baton
