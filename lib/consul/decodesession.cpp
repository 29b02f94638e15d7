// SPDX-License-Identifier: MIT
#include "entry.h"
#include "fields.h"
#include "replies.h"

#include <QtCore/QUuid>

#include <limits>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

/// Consul's ids are UUIDs in lower case without braces.
bool isSessionId(const QString &text)
{
    return !text.isEmpty() && QUuid::fromString(text).toString(QUuid::WithoutBraces) == text;
}

/// Consul lists the checks of services with their namespace; the id is what the session was asked to be bound
/// to.
QStringList idsOf(Fields &session)
{
    QStringList ids;
    for (const Json &item : session.list(u"ServiceChecks")) {
        Fields check(item);
        ids.append(check.text(u"ID"));
        session.require(check.ok());
    }
    return ids;
}

/// The one session in the list that \a answer consists of, if it is \a session.
std::optional<SessionInfo> onlySession(const Json &list, const QString &session)
{
    if (list.type != Json::Type::Array || list.items.size() != 1)
        return std::nullopt;
    const std::optional<SessionInfo> info = sessionFrom(list.items.front());
    return info && info->id == session ? info : std::nullopt;
}

bool isEmptyList(const Json &json)
{
    return json.type == Json::Type::Array && json.items.empty();
}

} // namespace

std::optional<SessionInfo> sessionFrom(const Json &json)
{
    Fields fields(json);
    SessionInfo info;
    info.id = fields.text(u"ID");
    info.name = fields.text(u"Name");
    info.node = fields.text(u"Node");
    info.createIndex = fields.number(u"CreateIndex");
    // Some answers of older versions lack it; then it is the default.
    info.deletesKeys = fields.optionalText(u"Behavior") == "delete"_L1;
    info.serviceChecks = idsOf(fields);
    info.nodeChecks = fields.texts(u"NodeChecks");
    if (!json.member(u"NodeChecks"))
        info.nodeChecks = fields.texts(u"Checks"); // Before Consul 1.7.

    const quint64 lockDelay = fields.number(u"LockDelay"); // In nanoseconds.
    fields.require(lockDelay <= quint64(std::numeric_limits<qint64>::max()));
    info.lockDelay = std::chrono::duration_cast<Milliseconds>(std::chrono::nanoseconds(qint64(lockDelay)));

    const QString ttl = fields.text(u"TTL");
    if (!ttl.isEmpty()) {
        const std::optional<std::chrono::nanoseconds> duration = parseDuration(ttl);
        fields.require(duration.has_value());
        if (duration && duration->count() > 0)
            info.ttl = std::chrono::duration_cast<Milliseconds>(*duration);
    }
    return fields.ok() ? std::optional(info) : std::nullopt;
}

Reply replyTo(const CreateSession &, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    if (const std::optional<Json> json = jsonBody(answer)) {
        Fields fields(*json);
        const QString id = fields.text(u"ID");
        if (fields.ok() && isSessionId(id))
            return SessionCreated{id};
    }
    return unexpected(answer, u"not the id of a session"_s);
}

Reply replyTo(const RenewSession &request, const HttpAnswer &answer)
{
    // A 404 ends a term, so it must be Consul's own, and about our session.
    const QString gone = plainBody(answer).trimmed();
    if (answer.status == StatusNotFound && gone == u"Session id '%1' not found"_s.arg(request.session))
        return SessionGone{plainLine(gone)};
    if (answer.status != StatusOk)
        return failureFor(answer);
    if (const std::optional<Json> json = jsonBody(answer)) {
        if (const std::optional<SessionInfo> info = onlySession(*json, request.session))
            return SessionRenewed{*info};
    }
    return unexpected(answer, u"not the renewed session"_s);
}

Reply replyTo(const InspectSession &request, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    if (const std::optional<Json> json = jsonBody(answer)) {
        if (isEmptyList(*json))
            return SessionGone{u"the session is gone, or hidden by an ACL"_s};
        if (const std::optional<SessionInfo> info = onlySession(*json, request.session))
            return SessionShown{*info};
    }
    return unexpected(answer, u"not the session"_s);
}

Reply replyTo(const DestroySession &, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    const std::optional<Json> json = jsonBody(answer);
    if (json && json->type == Json::Type::True)
        return SessionDestroyed{};
    return unexpected(answer, u"not \"true\""_s);
}

} // namespace Baton::Wire
