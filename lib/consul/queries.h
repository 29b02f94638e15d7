// SPDX-License-Identifier: MIT
#pragma once

#include "codec.h"

/*!
 * What an observer asks Consul, beyond what candidates ask: whole lists, whether there is a leader, whether
 * there are ACLs; and the one thing it may be told to do to a key. As strict as the rest of the codec.
 */
namespace Baton::Wire {

/// GET /v1/session/list; a long poll where \c after is set.
struct ListSessions
{
    std::optional<quint64> after; ///< At least 1.
    Milliseconds wait{};
};

/// GET /v1/kv/<prefix>?recurse; a long poll where \c after is set. Answered by Consul's leader.
struct ListKeys
{
    QString prefix;
    std::optional<quint64> after; ///< At least 1.
    Milliseconds wait{};
};

/// GET /v1/status/leader.
struct AskLeader
{
};

/// GET /v1/acl/token/self: only what it says of ACLs as such is of interest.
struct AskAcls
{
};

/// PUT /v1/txn: `check-index`, `unlock`. The value is written with it.
struct UnlockKey
{
    QString key;
    QString session;
    quint64 index = 0;
    QByteArray value;
};

using Query = std::variant<ListSessions, ListKeys, AskLeader, AskAcls, UnlockKey>;

/// What the headers of a list say.
struct ListHeader
{
    std::optional<quint64> index; ///< Nothing where it was missing, zero or nonsense.
    bool knownLeader = true;
    Milliseconds lastContact{};
    bool filtered = false; ///< Consul 1.11 and later say so where ACLs hid something.
};

struct SessionsListed
{
    ListHeader header;
    QList<SessionInfo> sessions;
};

struct ListedKey
{
    QString key;
    KeyEntry entry;
};

/// No keys: there are none, or none that may be read; Consul says 404 to both.
struct KeysListed
{
    ListHeader header;
    QList<ListedKey> keys;
};

/// Empty where Consul has no leader.
struct ConsulLeader
{
    QString address;
};

struct AclState
{
    bool mayHide = true; ///< False: no ACLs, or a token that may read everything.
};

using QueryReply =
    std::variant<Failure, SessionsListed, KeysListed, ConsulLeader, AclState, KeyReleased, LockRefused>;

/// Bytes: fifty thousand sessions, or ten thousand elections of Baton's with much metadata.
inline constexpr qint64 MaxList = 32 * 1024 * 1024;

[[nodiscard]] HttpCall encodeQuery(const Query &query, const Scope &scope = {});
/// The reply is the one that the query's type names, or a Failure. To UnlockKey: KeyReleased or LockRefused.
[[nodiscard]] QueryReply decodeQuery(const Query &query, const HttpAnswer &answer);

} // namespace Baton::Wire
