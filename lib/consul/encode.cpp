// SPDX-License-Identifier: MIT
#include "queries.h"

#include <QtCore/QUrl>

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

/// Consul's own longest wait; it would cut a longer one in silence.
constexpr Milliseconds MaxWait = 10min;
/// A wait of zero would mean Consul's default of five minutes.
constexpr Milliseconds MinWait = 1ms;

QByteArray encoded(const QString &text)
{
    return QUrl::toPercentEncoding(text);
}

/// The path of \a key: its slashes separate segments, everything else is encoded.
QByteArray keyPath(const QString &key)
{
    return "/v1/kv/" + QUrl::toPercentEncoding(key, "/");
}

void addParameter(QByteArray &target, QByteArrayView name, const QByteArray &value)
{
    target += target.contains('?') ? '&' : '?';
    target.append(name).append('=').append(value);
}

QByteArray scoped(QByteArray target, const Scope &scope)
{
    if (!scope.datacenter.isEmpty())
        addParameter(target, "dc", encoded(scope.datacenter));
    if (!scope.nameSpace.isEmpty())
        addParameter(target, "ns", encoded(scope.nameSpace));
    if (!scope.partition.isEmpty())
        addParameter(target, "partition", encoded(scope.partition));
    return target;
}

HttpCall get(const QByteArray &target)
{
    return {.method = "GET", .target = target, .body = {}, .answerLimit = MaxAnswer};
}

HttpCall put(const QByteArray &target, const QByteArray &body = {})
{
    return {.method = "PUT", .target = target, .body = body, .answerLimit = MaxAnswer};
}

/// \a text as a JSON string, quotes included.
QByteArray jsonString(const QString &text)
{
    static constexpr char Hex[] = "0123456789abcdef";
    QByteArray result = "\"";
    const QByteArray utf8 = text.toUtf8();
    for (const char c : utf8) {
        if (c == '"' || c == '\\')
            result.append('\\').append(c);
        else if (uchar(c) < 0x20)
            result.append("\\u00").append(Hex[uchar(c) >> 4]).append(Hex[uchar(c) & 15]);
        else
            result.append(c);
    }
    return result.append('"');
}

QByteArray stringList(const QStringList &texts)
{
    QByteArrayList items;
    for (const QString &text : texts)
        items.append(jsonString(text));
    return '[' + items.join(',') + ']';
}

/// One KV operation of a transaction. Namespace and partition are repeated in each: Consul does not apply
/// those of the query to the operations, so without them the lock would be taken elsewhere than it is
/// watched.
QByteArray operation(QByteArrayView verb, const QString &key, const QByteArray &members, const Scope &scope)
{
    QByteArray result = R"({"KV":{"Verb":")" + verb.toByteArray() + R"(","Key":)" + jsonString(key) + members;
    if (!scope.nameSpace.isEmpty())
        result += R"(,"Namespace":)" + jsonString(scope.nameSpace);
    if (!scope.partition.isEmpty())
        result += R"(,"Partition":)" + jsonString(scope.partition);
    return result + "}}";
}

QByteArray sessionMember(const QString &session)
{
    return R"(,"Session":)" + jsonString(session);
}

QByteArray valueMember(const QByteArray &value)
{
    return R"(,"Value":")" + value.toBase64() + '"';
}

QByteArray guardOperation(const LockKey &request, const Scope &scope)
{
    if (const auto *free = std::get_if<IfIndex>(&request.guard))
        return operation("check-index", request.key, R"(,"Index":)" + QByteArray::number(free->index), scope);
    if (std::holds_alternative<IfOurs>(request.guard))
        return operation("check-session", request.key, sessionMember(request.session), scope);
    return operation("check-not-exists", request.key, {}, scope);
}

HttpCall transaction(const QByteArrayList &operations, const Scope &scope)
{
    HttpCall call = put(scoped("/v1/txn", scope), '[' + operations.join(',') + ']');
    call.once = true;
    return call;
}

HttpCall callFor(const CreateSession &request, const Scope &scope)
{
    QByteArray body = R"({"Name":)" + jsonString(request.name) + R"(,"TTL":)"
        + jsonString(formatDuration(request.ttl)) + R"(,"LockDelay":)"
        + jsonString(formatDuration(request.lockDelay)) + R"(,"Behavior":"release","NodeChecks":)"
        + stringList(request.nodeChecks);
    if (!request.serviceChecks.isEmpty()) {
        QByteArrayList checks;
        for (const QString &id : request.serviceChecks)
            checks.append(R"({"ID":)" + jsonString(id) + '}');
        body += R"(,"ServiceChecks":[)" + checks.join(',') + ']';
    }
    HttpCall call = put(scoped("/v1/session/create", scope), body + '}');
    call.once = true;
    return call;
}

HttpCall callFor(const RenewSession &request, const Scope &scope)
{
    return put(scoped("/v1/session/renew/" + encoded(request.session), scope));
}

HttpCall callFor(const InspectSession &request, const Scope &scope)
{
    return get(scoped("/v1/session/info/" + encoded(request.session) + "?consistent", scope));
}

HttpCall callFor(const DestroySession &request, const Scope &scope)
{
    return put(scoped("/v1/session/destroy/" + encoded(request.session), scope));
}

HttpCall callFor(const ReadKey &request, const Scope &scope)
{
    return get(scoped(keyPath(request.key) + "?consistent", scope));
}

HttpCall callFor(const WatchKey &request, const Scope &scope)
{
    QByteArray target = keyPath(request.key) + "?consistent";
    addParameter(target, "index", QByteArray::number(std::max<quint64>(request.after, 1)));
    addParameter(target, "wait",
                 QByteArray::number(std::clamp(request.wait, MinWait, MaxWait).count()) + "ms");
    HttpCall call = get(scoped(target, scope));
    call.role = Role::Watch;
    return call;
}

HttpCall callFor(const LockKey &request, const Scope &scope)
{
    const QByteArray lock =
        operation("lock", request.key, valueMember(request.value) + sessionMember(request.session), scope);
    return transaction({guardOperation(request, scope), lock, operation("get", request.key, {}, scope)},
                       scope);
}

HttpCall callFor(const ReleaseKey &request, const Scope &scope)
{
    QByteArray target = keyPath(request.key);
    addParameter(target, "release", encoded(request.session));
    return put(scoped(target, scope));
}

HttpCall callFor(const FencedWrite &request, const Scope &scope)
{
    Q_ASSERT(!request.writes.isEmpty() && request.writes.size() <= FencedWrite::MaxWrites);
    QByteArrayList operations = {
        operation("check-session", request.lockKey, sessionMember(request.session), scope)};
    for (const KeyValue &write : request.writes)
        operations.append(operation("set", write.key, valueMember(write.value), scope));
    return transaction(operations, scope);
}

/// A list, at once or as a long poll.
HttpCall listCall(QByteArray target, const std::optional<quint64> &after, Milliseconds wait,
                  const Scope &scope)
{
    if (after) {
        addParameter(target, "index", QByteArray::number(std::max<quint64>(*after, 1)));
        addParameter(target, "wait", QByteArray::number(std::clamp(wait, MinWait, MaxWait).count()) + "ms");
    }
    HttpCall call = get(scoped(target, scope));
    call.role = Role::Watch;
    call.answerLimit = MaxList;
    return call;
}

HttpCall callFor(const ListSessions &query, const Scope &scope)
{
    return listCall("/v1/session/list", query.after, query.wait, scope);
}

HttpCall callFor(const ListKeys &query, const Scope &scope)
{
    return listCall(keyPath(query.prefix) + "?recurse", query.after, query.wait, scope);
}

HttpCall callFor(const AskLeader &, const Scope &scope)
{
    return get(scoped("/v1/status/leader", scope));
}

HttpCall callFor(const AskAcls &, const Scope &scope)
{
    return get(scoped("/v1/acl/token/self", scope));
}

HttpCall callFor(const UnlockKey &query, const Scope &scope)
{
    const QByteArray guard = R"(,"Index":)" + QByteArray::number(query.index);
    const QByteArray unlock = valueMember(query.value) + sessionMember(query.session);
    return transaction(
        {operation("check-index", query.key, guard, scope), operation("unlock", query.key, unlock, scope)},
        scope);
}

} // namespace

HttpCall encodeQuery(const Query &query, const Scope &scope)
{
    return std::visit([&scope](const auto &typed) { return callFor(typed, scope); }, query);
}

HttpCall encode(const Request &request, const Scope &scope)
{
    return std::visit([&scope](const auto &typed) { return callFor(typed, scope); }, request);
}

} // namespace Baton::Wire
