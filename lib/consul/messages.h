// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>
#include <variant>

/*!
 * What Baton says to Consul and what Consul says back, as plain values. encode() and decode() (codec.h) turn
 * them into HTTP and back; the state machine and the simulator speak them directly.
 */
namespace Baton::Wire {

using Milliseconds = std::chrono::milliseconds;

// ---- Requests ------------------------------------------------------------------------------------------

/// PUT /v1/session/create with behaviour "release".
struct CreateSession
{
    QString name;
    Milliseconds ttl{};
    Milliseconds lockDelay{}; ///< Sent as text with a unit, also when zero: leaving it out would mean 15 s.
    QStringList nodeChecks; ///< Sent also when empty: leaving it out would mean serfHealth.
    QStringList serviceChecks;
    bool operator==(const CreateSession &) const = default;
};

/// PUT /v1/session/renew/<session>.
struct RenewSession
{
    QString session;
    bool operator==(const RenewSession &) const = default;
};

/// GET /v1/session/info/<session>?consistent.
struct InspectSession
{
    QString session;
    bool operator==(const InspectSession &) const = default;
};

/// PUT /v1/session/destroy/<session>.
struct DestroySession
{
    QString session;
    bool operator==(const DestroySession &) const = default;
};

/// GET /v1/kv/<key>?consistent, answered at once.
struct ReadKey
{
    QString key;
    bool operator==(const ReadKey &) const = default;
};

/// GET /v1/kv/<key>?consistent&index=<after>&wait=<wait>: a long poll.
struct WatchKey
{
    QString key;
    quint64 after = 1; ///< At least 1.
    Milliseconds wait{};
    bool operator==(const WatchKey &) const = default;
};

/// The key must not exist.
struct IfAbsent
{
    bool operator==(const IfAbsent &) const = default;
};
/// The key's ModifyIndex must be this one.
struct IfIndex
{
    quint64 index = 0;
    bool operator==(const IfIndex &) const = default;
};
/// The lock must already be ours: a lost answer is asked for again, or the token is lifted.
struct IfOurs
{
    bool operator==(const IfOurs &) const = default;
};
using Guard = std::variant<IfAbsent, IfIndex, IfOurs>;

/// PUT /v1/txn: the guard's check, `lock`, `get`.
struct LockKey
{
    QString key;
    QString session;
    QByteArray value;
    Guard guard;
    bool operator==(const LockKey &) const = default;
};

/// PUT /v1/kv/<key>?release=<session> with an empty body.
struct ReleaseKey
{
    QString key;
    QString session;
    bool operator==(const ReleaseKey &) const = default;
};

struct KeyValue
{
    QString key;
    QByteArray value;
    bool operator==(const KeyValue &) const = default;
};

/// PUT /v1/txn: `check-session` of the lock key, then every write.
struct FencedWrite
{
    /// Consul takes 64 operations a transaction; three are kept for checks.
    static constexpr int MaxWrites = 61;
    QString lockKey;
    QString session;
    QList<KeyValue> writes;
    bool operator==(const FencedWrite &) const = default;
};

using Request = std::variant<CreateSession, RenewSession, InspectSession, DestroySession, ReadKey, WatchKey,
                             LockKey, ReleaseKey, FencedWrite>;

// ---- Replies -------------------------------------------------------------------------------------------

/// Why a request has no usable answer.
enum class FailureKind {
    Unreachable, ///< No connection; the request was not sent.
    TimedOut, ///< No complete answer in time.
    Interrupted, ///< The connection ended early, or the answer is incomplete.
    ServerError, ///< 5xx.
    NodeUnhealthy, ///< session/create: the node's check is missing or critical.
    Denied, ///< 403, or 409 "Permission denied", or a result hidden by ACL.
    RateLimited, ///< 429.
    Rejected, ///< Any other 4xx without a foreign body, or a 5xx that names an invalid argument.
    NotConsul, ///< A redirect, HTML, a 404 that proves nothing, or a body that is not the expected JSON.
};

struct Failure
{
    FailureKind kind = FailureKind::Unreachable;
    int status = 0; ///< HTTP status, 0 where there was none.
    QString detail; ///< One line, at most MaxDetail characters, never a secret.
    bool operator==(const Failure &) const = default;
};

struct SessionCreated
{
    QString session;
    bool operator==(const SessionCreated &) const = default;
};

/// A session as Consul lists it.
struct SessionInfo
{
    QString id;
    QString name;
    QString node;
    std::optional<Milliseconds> ttl; ///< Nothing: it never expires.
    Milliseconds lockDelay{};
    QStringList nodeChecks;
    QStringList serviceChecks;
    quint64 createIndex = 0;
    bool deletesKeys = false; ///< Behavior "delete".
    bool operator==(const SessionInfo &) const = default;
};

struct SessionRenewed
{
    SessionInfo info;
    bool operator==(const SessionRenewed &) const = default;
};
/// Answer to InspectSession.
struct SessionShown
{
    SessionInfo info;
    bool operator==(const SessionShown &) const = default;
};
/// renew: Consul's own 404 about it, final. info: `[]`, gone or hidden by ACL. lock: "invalid session".
struct SessionGone
{
    QString detail;
    bool operator==(const SessionGone &) const = default;
};
struct SessionDestroyed
{
    bool operator==(const SessionDestroyed &) const = default;
};

struct KeyEntry
{
    quint64 createIndex = 0;
    quint64 modifyIndex = 0;
    quint64 lockIndex = 0;
    quint64 flags = 0;
    std::optional<QString> session;
    QByteArray value;
    bool operator==(const KeyEntry &) const = default;
};

/// Answer to ReadKey and WatchKey.
struct KeyRead
{
    /// Nothing: the key is absent, said by a 404 without a body and with an X-Consul-Index.
    std::optional<KeyEntry> entry;
    /// X-Consul-Index; nothing where it was missing, zero or nonsense.
    std::optional<quint64> index;
    bool knownLeader = true; ///< X-Consul-Knownleader.
    Milliseconds lastContact{}; ///< X-Consul-Lastcontact.
    bool operator==(const KeyRead &) const = default;
};

/// The lock is ours; \c index is the fencing token of this transaction.
struct LockWon
{
    quint64 index = 0;
    bool operator==(const LockWon &) const = default;
};
enum class Refusal {
    Held, ///< Another session holds the lock.
    LockDelay, ///< The lock-delay runs. Consul looked at nothing else: guard and session may be bad as well.
    StaleGuard, ///< The key has changed since it was read.
};
/// A 409 each of whose texts is known.
struct LockRefused
{
    Refusal why = Refusal::Held;
    QString detail;
    bool operator==(const LockRefused &) const = default;
};

/// Answer to ReleaseKey: Consul's own true or false.
struct KeyReleased
{
    bool released = false;
    bool operator==(const KeyReleased &) const = default;
};

struct Written
{
    /// The greatest ModifyIndex of the keys written; a value that was there already keeps its own.
    quint64 index = 0;
    bool operator==(const Written &) const = default;
};
/// The lock is not ours: nothing was written.
struct WriteRefused
{
    QString detail;
    bool operator==(const WriteRefused &) const = default;
};

using Reply =
    std::variant<Failure, SessionCreated, SessionRenewed, SessionShown, SessionGone, SessionDestroyed,
                 KeyRead, LockWon, LockRefused, KeyReleased, Written, WriteRefused>;

} // namespace Baton::Wire
