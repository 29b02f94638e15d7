// SPDX-License-Identifier: MIT
#include "consulfront.h"

#include "gotext.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

/// As Go's path.Clean(), but that a slash at the end stays.
QString cleaned(const QString &path)
{
    QStringList parts;
    const QStringList segments = path.split(u'/', Qt::SkipEmptyParts);
    for (const QString &segment : segments) {
        if (segment == ".."_L1 && !parts.isEmpty())
            parts.removeLast();
        else if (segment != "."_L1 && segment != ".."_L1)
            parts += segment;
    }
    const bool isFolder = path.endsWith(u'/') && !parts.isEmpty();
    return u'/' + parts.join(u'/') + (isFolder ? u"/"_s : QString());
}

AgentAnswer moved(const QString &path, const QByteArray &target)
{
    const qsizetype query = target.indexOf('?');
    QByteArray location = QUrl::toPercentEncoding(path, "/+:@&=$,;!*'()");
    if (query >= 0)
        location += target.mid(query);
    return {301, {}, {{"Location", location}}};
}

bool isPrintable(const QString &path)
{
    const auto codes = path.toUcs4();
    return std::ranges::all_of(codes,
                               [](uint c) { return c == U' ' || (QChar::isPrint(c) && !QChar::isSpace(c)); });
}

AgentAnswer pretty(AgentAnswer answer)
{
    if (!answer.headers.contains({"Content-Type", "application/json"}))
        return answer;
    // QJsonDocument takes arrays and objects only.
    const QJsonValue value = QJsonDocument::fromJson('[' + answer.body + ']').array().first();
    if (value.isObject())
        answer.body = QJsonDocument(value.toObject()).toJson();
    else if (value.isArray())
        answer.body = QJsonDocument(value.toArray()).toJson();
    else
        answer.body += '\n';
    return answer;
}

} // namespace

Headers readHeaders(quint64 index, bool knownLeader)
{
    return {{"X-Consul-Index", QByteArray::number(index)},
            {"X-Consul-Knownleader", knownLeader ? "true" : "false"},
            {"X-Consul-Lastcontact", "0"}};
}

AgentAnswer refusedRead(const Reading &reading)
{
    return textAnswer(reading.status, reading.text);
}

ConsulFront::ConsulFront(const Identity &identity) : m_identity(identity), m_model(identity.seed)
{
    m_model.setShortestTtl(identity.shortestTtl);
    m_model.addNode(identity.node);
    // Every server of Consul is in the catalog itself.
    ServiceRecord server{identity.node, u"consul"_s, u"consul"_s};
    server.port = ServerPort;
    m_model.setService(server, Instant{});
}

bool ConsulFront::Call::has(const QString &parameter) const
{
    return request.query.hasQueryItem(parameter);
}

QString ConsulFront::Call::parameter(const QString &name) const
{
    return request.query.queryItemValue(name, QUrl::FullyDecoded);
}

void ConsulFront::setRights(const QByteArray &token, const Rights &rights)
{
    m_hasAcl = true;
    m_model.setRights(token, rights);
}

Rights ConsulFront::rightsOf(const Request &request) const
{
    if (!m_hasAcl)
        return {};
    QByteArray token = request.query.queryItemValue(u"token"_s, QUrl::FullyDecoded).toUtf8();
    if (token.isEmpty())
        token = request.header("X-Consul-Token");
    static constexpr QByteArrayView Bearer = "Bearer ";
    const QByteArray authorization = request.header("Authorization");
    if (token.isEmpty() && authorization.startsWith(Bearer))
        token = authorization.mid(Bearer.size());
    return m_model.rightsOf(token);
}

ConsulFront::Reply ConsulFront::handle(const Request &request, Instant now)
{
    Reply reply = dispatch(request, now);
    if (!request.query.hasQueryItem(u"pretty"_s))
        return reply;
    if (auto *answer = std::get_if<AgentAnswer>(&reply))
        *answer = pretty(std::move(*answer));
    else if (auto *parked = std::get_if<Parked>(&reply))
        parked->render = [plain = parked->render](const Reading &reading) { return pretty(plain(reading)); };
    else if (auto *logged = std::get_if<Logged>(&reply))
        logged->render = [plain = logged->render](const Outcome &outcome) { return pretty(plain(outcome)); };
    return reply;
}

/// Go's ServeMux first, then Consul's own look at path and method, then the endpoint.
ConsulFront::Reply ConsulFront::dispatch(const Request &request, Instant now)
{
    m_model.advance(now);
    const QString &path = request.path;
    if (!isPrintable(path))
        return AgentAnswer{400, {}, {}};
    if (const QString clean = cleaned(path); clean != path)
        return moved(clean, request.target);
    const auto fits = [&path](const Route &route) {
        return route.path.endsWith(u'/') ? path.startsWith(route.path) : path == route.path;
    };
    const auto route = std::ranges::find_if(routes(), fits);
    if (route == routes().end()) {
        const bool isFolder = std::ranges::any_of(
            routes(), [&](const Route &other) { return other.path == QString(path + u'/'); });
        return isFolder ? moved(path + u'/', request.target) : AgentAnswer{404, {}, {}};
    }
    const QByteArray methods = QByteArray("OPTIONS,") + route->methods;
    const Headers allow = {{"Allow", methods}};
    if (request.method == "OPTIONS")
        return AgentAnswer{200, {}, allow};
    if (!methods.split(',').contains(request.method))
        return withHeaders(
            textAnswer(405, u"method %1 not allowed"_s.arg(QString::fromLatin1(request.method))), allow);
    const Call call{request, path.mid(route->path.size()), rightsOf(request), now};
    return (this->*route->handler)(call);
}

std::optional<AgentAnswer> ConsulFront::parameterProblem(const Call &call) const
{
    const QString enterprise =
        u"Bad request: Invalid %1: \"%2\" - Namespaces are a Consul Enterprise feature"_s;
    if (!call.request.header("X-Consul-Namespace").isEmpty())
        return textAnswer(400, enterprise.arg(u"header"_s, u"X-Consul-Namespace"_s));
    if (call.has(u"ns"_s))
        return textAnswer(400, enterprise.arg(u"query parameter"_s, u"ns"_s));
    if (call.has(u"wait"_s) && std::holds_alternative<QString>(parseGoDuration(call.parameter(u"wait"_s))))
        return textAnswer(400, u"Invalid wait time"_s);
    bool isNumber = true;
    if (call.has(u"index"_s))
        (void)call.parameter(u"index"_s).toULongLong(&isNumber);
    if (!isNumber || call.parameter(u"index"_s).startsWith(u'+'))
        return textAnswer(400, u"Invalid index"_s);
    if (call.has(u"stale"_s) && call.has(u"consistent"_s))
        return textAnswer(400, u"Cannot specify ?stale with ?consistent, conflicting semantics."_s);
    const QString datacenter = call.parameter(u"dc"_s);
    if (!datacenter.isEmpty() && datacenter != m_identity.datacenter)
        return textAnswer(500, u"No path to datacenter"_s);
    return std::nullopt;
}

ConsulFront::Reply ConsulFront::query(const Call &call, const Query &query, const Render &render)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    const quint64 after = call.parameter(u"index"_s).toULongLong();
    if (after == 0)
        return render(m_model.read(query, call.rights, call.now));
    Duration wait{};
    if (call.has(u"wait"_s))
        wait = std::get<Duration>(parseGoDuration(call.parameter(u"wait"_s)));
    return Parked{m_model.watch(query, after, wait, call.rights, call.now), render};
}

ConsulFront::Reply ConsulFront::queryWithHeaders(const Call &call, const Query &query, const Render &render)
{
    if (auto problem = parameterProblem(call))
        return problem->status == 500 ? withHeaders(*problem, readHeaders(1, false)) : *problem;
    return this->query(call, query, [render](const Reading &reading) {
        return reading.status == 200 ? render(reading)
                                     : withHeaders(refusedRead(reading), readHeaders(1, false));
    });
}

ConsulFront::Reply ConsulFront::write(const Call &call, const Command &command, const Finish &render)
{
    if (const auto refusal = m_model.admit(command, call.rights, call.now))
        return render(*refusal);
    return Logged{command, call.rights, render};
}

AgentAnswer ConsulFront::commit(const Logged &write, Instant now)
{
    return write.render(m_model.applyFor(write.command, write.rights, now));
}

/// A write that says `true` or `false`.
ConsulFront::Reply ConsulFront::writtenOrNot(const Call &call, const Command &command)
{
    return write(call, command, [](const Outcome &outcome) {
        return outcome.ok() ? jsonAnswer(outcome.done ? "true" : "false")
                            : textAnswer(outcome.status, outcome.text);
    });
}

const std::vector<ConsulFront::Route> &ConsulFront::routes()
{
    using F = ConsulFront;
    static const std::vector<Route> routes = {
        {"/v1/kv/"_L1, "GET,PUT,DELETE", &F::kv},
        {"/v1/txn"_L1, "PUT", &F::transact},
        {"/v1/session/create"_L1, "PUT", &F::createSession},
        {"/v1/session/renew/"_L1, "PUT", &F::renewSession},
        {"/v1/session/destroy/"_L1, "PUT", &F::destroySession},
        {"/v1/session/info/"_L1, "GET", &F::sessionInfo},
        {"/v1/session/list"_L1, "GET", &F::sessionList},
        {"/v1/session/node/"_L1, "GET", &F::sessionsOfNode},
        {"/v1/agent/self"_L1, "GET", &F::self},
        {"/v1/agent/members"_L1, "GET", &F::members},
        {"/v1/agent/checks"_L1, "GET", &F::agentChecks},
        {"/v1/agent/services"_L1, "GET", &F::agentServices},
        {"/v1/agent/check/register"_L1, "PUT", &F::registerCheck},
        {"/v1/agent/check/deregister/"_L1, "PUT", &F::deregisterCheck},
        {"/v1/agent/check/pass/"_L1, "PUT", &F::passCheck},
        {"/v1/agent/check/warn/"_L1, "PUT", &F::warnCheck},
        {"/v1/agent/check/fail/"_L1, "PUT", &F::failCheck},
        {"/v1/agent/check/update/"_L1, "PUT", &F::updateCheck},
        {"/v1/agent/service/register"_L1, "PUT", &F::registerService},
        {"/v1/agent/service/deregister/"_L1, "PUT", &F::deregisterService},
        {"/v1/agent/service/"_L1, "GET", &F::agentService},
        {"/v1/status/leader"_L1, "GET", &F::leader},
        {"/v1/status/peers"_L1, "GET", &F::peers},
        {"/v1/catalog/datacenters"_L1, "GET", &F::datacenters},
        {"/v1/catalog/nodes"_L1, "GET", &F::nodes},
        {"/v1/catalog/node/"_L1, "GET", &F::node},
        {"/v1/catalog/services"_L1, "GET", &F::services},
        {"/v1/catalog/service/"_L1, "GET", &F::service},
        {"/v1/health/node/"_L1, "GET", &F::healthOfNode},
        {"/v1/health/checks/"_L1, "GET", &F::checksOfService},
        {"/v1/health/service/"_L1, "GET", &F::healthOfService},
        {"/v1/health/state/"_L1, "GET", &F::healthInState},
        {"/v1/snapshot"_L1, "GET,PUT", &F::snapshot},
    };
    return routes;
}

} // namespace Baton::Testing
