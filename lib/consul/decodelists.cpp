// SPDX-License-Identifier: MIT
#include "entry.h"
#include "fields.h"
#include "queries.h"
#include "replies.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

constexpr int StatusUnauthorized = 401;
/// The policy that Consul itself makes, with every right. Source: agent/structs/acl.go.
constexpr QLatin1StringView GlobalManagement = "00000000-0000-0000-0000-000000000001"_L1;

QueryReply replyToQuery(const ListSessions &, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    SessionsListed list{listHeader(answer), {}};
    const auto take = [&list](const Json &item) {
        const std::optional<SessionInfo> info = sessionFrom(item);
        list.sessions.append(info.value_or(SessionInfo()));
        return info.has_value();
    };
    if (!isJson(answer) || !Json::parseEach(answer.body, take))
        return unexpected(answer, u"not a list of sessions"_s);
    return list;
}

QueryReply replyToQuery(const ListKeys &query, const HttpAnswer &answer)
{
    KeysListed list{listHeader(answer), {}};
    // As for a single key: without an index it is what Consul says of an unknown path, and many a proxy of
    // everything; with a body it is somebody's error page.
    if (answer.status == StatusNotFound && answer.body.isEmpty() && !answer.consulIndex.isEmpty())
        return list;
    if (answer.status != StatusOk)
        return failureFor(answer);
    const auto take = [&](const Json &item) {
        const Json *name = item.member(u"Key");
        if (!name || name->type != Json::Type::String || !name->text.startsWith(query.prefix))
            return false;
        const std::optional<KeyEntry> entry = entryFrom(item, name->text);
        list.keys.append({name->text, entry.value_or(KeyEntry())});
        return entry.has_value();
    };
    if (!isJson(answer) || !Json::parseEach(answer.body, take) || list.keys.isEmpty())
        return unexpected(answer, u"not a list of keys"_s);
    return list;
}

QueryReply replyToQuery(const AskLeader &, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    const std::optional<Json> json = jsonBody(answer);
    if (json && json->type == Json::Type::String)
        return ConsulLeader{json->text};
    return unexpected(answer, u"not the address of Consul's leader"_s);
}

/// Any token but a known one is refused where ACLs are in force, and that is an answer too.
QueryReply replyToQuery(const AskAcls &, const HttpAnswer &answer)
{
    if (answer.status == StatusUnauthorized && plainBody(answer).trimmed() == "ACL support disabled"_L1)
        return AclState{false};
    const Failure failure = failureFor(answer);
    if (answer.status == StatusForbidden && failure.kind == FailureKind::Denied)
        return AclState{true};
    if (const std::optional<Json> json = answer.status == StatusOk ? jsonBody(answer) : std::nullopt) {
        Fields token(*json);
        const std::vector<Json> &policies = token.list(u"Policies");
        const bool manages = std::ranges::any_of(policies, [](const Json &policy) {
            const Json *id = policy.member(u"ID");
            return id && id->text == GlobalManagement;
        });
        if (token.ok())
            return AclState{!manages};
    }
    return failure;
}

QueryReply replyToQuery(const UnlockKey &query, const HttpAnswer &answer)
{
    return unlockReply(query, answer);
}

} // namespace

QueryReply decodeQuery(const Query &query, const HttpAnswer &answer)
{
    // What failed on the way means the same whatever was asked for.
    if (answer.exchange != Exchange::Complete)
        return std::get<Failure>(decode(ReadKey{}, answer));
    if (answer.body.size() > MaxList)
        return Failure{FailureKind::NotConsul, answer.status, u"longer than any answer of Consul"_s};
    QueryReply reply =
        std::visit([&answer](const auto &typed) { return replyToQuery(typed, answer); }, query);
    if (!answer.lengthKnown && !std::holds_alternative<Failure>(reply))
        return Failure{FailureKind::Interrupted, answer.status, u"the answer does not say how long it is"_s};
    return reply;
}

} // namespace Baton::Wire
