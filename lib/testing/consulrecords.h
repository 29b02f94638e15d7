// SPDX-License-Identifier: MIT
#pragma once

#include "core/instant.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <map>
#include <optional>
#include <variant>
#include <vector>

/// What the model of Consul keeps, what is asked of it and what it answers. Every type speaks Consul's own
/// terms; HTTP and Baton's typed messages are made from them elsewhere.
namespace Baton::Testing {

using Core::Duration;
using Core::Instant;

// ---- Records -------------------------------------------------------------------------------------------

struct KvEntry
{
    QString key;
    QByteArray value;
    quint64 flags = 0;
    std::optional<QString> session; ///< Nothing: not locked.
    quint64 createIndex = 0;
    quint64 modifyIndex = 0;
    quint64 lockIndex = 0;
};

enum class Behavior { Release, Delete };

struct SessionRecord
{
    QString id;
    QString name;
    QString node;
    std::optional<Duration> ttl; ///< Nothing: it never expires.
    QString ttlText; ///< As the client wrote it, which is how it is listed.
    Duration lockDelay{};
    Behavior behavior = Behavior::Release;
    QStringList nodeChecks;
    QStringList serviceChecks;
    QStringList checks; ///< By their name before Consul 1.7, which some clients still use.
    quint64 createIndex = 0;
    Instant expiresAt; ///< In the memory of Consul's leader only: no snapshot has it.
};

enum class CheckStatus { Passing, Warning, Critical };

struct CheckRecord
{
    QString node;
    QString id;
    std::optional<QString> service; ///< Nothing: a check of the node.
    CheckStatus status = CheckStatus::Passing;
    std::optional<Duration> ttl; ///< Turns critical when it is not passed for so long.
    Instant expiresAt;
    QString name{};
    QString notes{};
    QString output{};
    quint64 createIndex = 0;
    quint64 modifyIndex = 0;
};

struct ServiceRecord
{
    QString node;
    QString id;
    QString name;
    QStringList tags{};
    QString address{};
    int port = 0;
    std::map<QString, QString> meta{};
    quint64 createIndex = 0;
    quint64 modifyIndex = 0;
};

/// What a token allows.
struct Rights
{
    bool known = true; ///< False: the token does not exist.
    bool keyRead = true;
    bool keyWrite = true;
    bool sessionRead = true;
    bool sessionWrite = true;
    bool serviceWrite = true;

    [[nodiscard]] static Rights none() { return {true, false, false, false, false, false}; }
    [[nodiscard]] static Rights unknown() { return {false, false, false, false, false, false}; }
};

// ---- Commands, which go through the log ------------------------------------------------------------------

struct PutKey
{
    QString key;
    QByteArray value;
    quint64 flags = 0;
    std::optional<quint64> cas;
    std::optional<QString> acquire;
    std::optional<QString> release;
};
struct DeleteKey
{
    QString key;
    bool recurse = false;
    std::optional<quint64> cas;
};
enum class Verb {
    Set,
    Cas,
    Delete,
    DeleteCas,
    DeleteTree,
    Lock,
    Unlock,
    Get,
    GetTree,
    CheckIndex,
    CheckSession,
    CheckNotExists,
};
/// Whether the operation changes anything.
[[nodiscard]] constexpr bool isWrite(Verb verb)
{
    return verb < Verb::Get;
}
struct Operation
{
    Verb verb = Verb::Get;
    QString key;
    QByteArray value;
    quint64 flags = 0;
    quint64 index = 0;
    QString session;
};
struct Transaction
{
    std::vector<Operation> operations;
};
struct MakeSession
{
    QString name;
    QString node;
    std::optional<Duration> ttl;
    Duration lockDelay = std::chrono::seconds{15};
    Behavior behavior = Behavior::Release;
    std::optional<QStringList> nodeChecks; ///< Nothing: `serfHealth`.
    QStringList serviceChecks;
    QStringList checks{};
    QString ttlText{};
};
struct EndSession
{
    QString session;
};
using Command = std::variant<PutKey, DeleteKey, Transaction, MakeSession, EndSession>;

struct TxnError
{
    int operation = 0;
    QString what;
};
/// The answer to a command. Where \c status is 200 the members that the command gives are set; where it is
/// 409, \c errors; else \c text is the body.
struct Outcome
{
    int status = 200;
    QString text{};
    bool done = true; ///< PutKey, DeleteKey, EndSession: Consul's `true` or `false`.
    std::optional<SessionRecord> session{}; ///< MakeSession and a renewal.
    std::vector<KvEntry> results{}; ///< Transaction.
    std::vector<TxnError> errors{}; ///< Transaction.

    [[nodiscard]] bool ok() const { return status == 200; }
};

// ---- Queries, which may block --------------------------------------------------------------------------

struct KeyQuery
{
    QString key;
};
struct PrefixQuery
{
    QString prefix;
};
struct SessionQuery
{
    QString session;
};
struct SessionsQuery
{
    std::optional<QString> node; ///< Nothing: of all nodes.
};
/// Nodes, services and checks. Its answer has the index only; the records are ConsulStore's.
struct CatalogQuery
{
};
using Query = std::variant<KeyQuery, PrefixQuery, SessionQuery, SessionsQuery, CatalogQuery>;

struct Reading
{
    int status = 200;
    QString text{}; ///< The body where status is neither 200 nor 404.
    quint64 index = 0; ///< X-Consul-Index.
    std::vector<KvEntry> entries{};
    std::vector<SessionRecord> sessions{};
};

} // namespace Baton::Testing
