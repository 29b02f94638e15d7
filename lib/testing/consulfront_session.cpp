// SPDX-License-Identifier: MIT
#include "consulfront.h"

#include "consuljson.h"
#include "gojson.h"

#include <QtCore/QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {

namespace {

/// Consul takes a lock-delay below this as seconds.
constexpr Duration SmallestLockDelay = 1000ns;

/// `[{"ID": "check"}]`
QStringList serviceChecksIn(const QJsonValue &list)
{
    QStringList ids;
    const QJsonArray items = list.toArray();
    for (const QJsonValue &item : items)
        ids += GoObject(item).text(u"ID"_s);
    return ids;
}

AgentAnswer missingSession()
{
    return textAnswer(400, u"Missing session"_s);
}

} // namespace

ConsulFront::Reply ConsulFront::createSession(const Call &call)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    MakeSession make;
    make.node = m_identity.node;
    QString behavior;
    if (!call.request.body.isEmpty()) {
        GoObject fields = GoObject::parse(call.request.body);
        make.name = fields.text(u"Name"_s);
        make.ttlText = fields.text(u"TTL"_s);
        make.lockDelay = fields.duration(u"LockDelay"_s, make.lockDelay);
        if (make.lockDelay < SmallestLockDelay) // Also below zero, where Go lets it overflow.
            make.lockDelay =
                Duration(Duration::rep(quint64(make.lockDelay.count()) * quint64(Duration(1s).count())));
        behavior = fields.text(u"Behavior"_s);
        if (fields.has(u"Node"_s))
            make.node = fields.text(u"Node"_s);
        if (fields.has(u"NodeChecks"_s))
            make.nodeChecks = fields.texts(u"NodeChecks"_s);
        make.serviceChecks = serviceChecksIn(fields.value(u"ServiceChecks"_s));
        make.checks = fields.texts(u"Checks"_s);
        if (!fields.problem().isEmpty())
            return textAnswer(400, "Request decode failed: "_L1 + fields.problem());
    }
    if (!behavior.isEmpty() && behavior != "release"_L1 && behavior != "delete"_L1)
        return textAnswer(500, u"Invalid Behavior setting '%1'"_s.arg(behavior));
    make.behavior = behavior == "delete"_L1 ? Behavior::Delete : Behavior::Release;
    if (!make.ttlText.isEmpty()) {
        const auto ttl = parseGoDuration(make.ttlText);
        if (const QString *error = std::get_if<QString>(&ttl))
            return textAnswer(500, u"Session TTL '%1' invalid: %2"_s.arg(make.ttlText, *error));
        if (std::get<Duration>(ttl) != Duration::zero())
            make.ttl = std::get<Duration>(ttl);
    }
    return write(call, make, [](const Outcome &outcome) {
        return outcome.ok() ? jsonAnswer("{\"ID\":" + goJson(outcome.session->id) + '}')
                            : textAnswer(outcome.status, outcome.text);
    });
}

ConsulFront::Reply ConsulFront::renewSession(const Call &call)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    if (call.rest.isEmpty())
        return missingSession();
    const Outcome outcome = m_model.renew(call.rest, call.rights, call.now);
    if (!outcome.ok())
        return textAnswer(outcome.status, outcome.text);
    return jsonAnswer('[' + sessionJson(*outcome.session) + ']');
}

ConsulFront::Reply ConsulFront::destroySession(const Call &call)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    return call.rest.isEmpty() ? missingSession() : writtenOrNot(call, EndSession{call.rest});
}

ConsulFront::Reply ConsulFront::sessionInfo(const Call &call)
{
    return call.rest.isEmpty() ? missingSession() : sessions(call, SessionQuery{call.rest});
}

ConsulFront::Reply ConsulFront::sessionList(const Call &call)
{
    return sessions(call, SessionsQuery{});
}

ConsulFront::Reply ConsulFront::sessionsOfNode(const Call &call)
{
    return call.rest.isEmpty() ? textAnswer(400, u"Missing node name"_s)
                               : sessions(call, SessionsQuery{call.rest});
}

ConsulFront::Reply ConsulFront::sessions(const Call &call, const Query &query)
{
    return queryWithHeaders(call, query, [](const Reading &reading) {
        QByteArrayList list;
        for (const SessionRecord &session : reading.sessions)
            list += sessionJson(session);
        return withHeaders(jsonAnswer(listJson(list)), readHeaders(reading.index));
    });
}

} // namespace Baton::Testing
