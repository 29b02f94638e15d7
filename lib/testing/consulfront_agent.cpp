// SPDX-License-Identifier: MIT
#include "consulfront.h"

#include "consuljson.h"
#include "gojson.h"

#include <QtCore/QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {

namespace {

/// Whose words this front speaks, and that it is not that.
constexpr auto Version = "1.8.7+simulated"_L1;

AgentAnswer done()
{
    return {200, {}, {{"Vary", "Accept-Encoding"}}};
}

AgentAnswer undecodable(const QString &problem)
{
    return textAnswer(400, "Request decode failed: "_L1 + problem);
}

std::optional<CheckStatus> statusNamed(const QString &name)
{
    if (name == "passing"_L1)
        return CheckStatus::Passing;
    if (name == "warning"_L1)
        return CheckStatus::Warning;
    return name == "critical"_L1 ? std::optional(CheckStatus::Critical) : std::nullopt;
}

QByteArray serviceJson(const ServiceRecord &service)
{
    return "{\"ID\":" + goJson(service.id) + ",\"Service\":" + goJson(service.name)
        + ",\"Tags\":" + textsJson(service.tags) + ",\"Meta\":" + mapJson(service.meta)
        + ",\"Port\":" + QByteArray::number(service.port) + ",\"Address\":" + goJson(service.address)
        + R"(,"Weights":{"Passing":1,"Warning":1},"EnableTagOverride":false})";
}

} // namespace

ConsulFront::Reply ConsulFront::self(const Call &)
{
    const QByteArray node = goJson(m_identity.node);
    return jsonAnswer(
        "{\"Config\":{\"Datacenter\":" + goJson(m_identity.datacenter) + ",\"NodeName\":" + node
        + ",\"NodeID\":" + goJson(m_identity.nodeId) + ",\"Revision\":\"\",\"Server\":true,\"Version\":"
        + goJson(Version) + "},\"Member\":{\"Name\":" + node + ",\"Addr\":" + goJson(m_identity.address)
        + ",\"Status\":1},\"Meta\":{\"simulated-by\":" + goJson(u"Baton " BATON_VERSION ""_s) + "}}");
}

ConsulFront::Reply ConsulFront::members(const Call &)
{
    return jsonAnswer("[{\"Name\":" + goJson(m_identity.node) + ",\"Addr\":" + goJson(m_identity.address)
                      + ",\"Port\":8301,\"Tags\":{\"dc\":" + goJson(m_identity.datacenter)
                      + ",\"role\":\"consul\"},\"Status\":1}]");
}

ConsulFront::Reply ConsulFront::agentChecks(const Call &)
{
    QByteArrayList items;
    for (CheckRecord check : m_model.store().checks()) {
        if (!check.ttl) // The node's own check is the servers'.
            continue;
        check.createIndex = check.modifyIndex = 0; // Which an agent does not know.
        items += goJson(check.id) + ':' + checkJson(check, serviceOf(check.service.value_or(QString())));
    }
    return jsonAnswer('{' + items.join(',') + '}');
}

ConsulFront::Reply ConsulFront::agentServices(const Call &)
{
    QByteArrayList items;
    for (const ServiceRecord &service : m_model.store().services()) {
        if (service.id != "consul"_L1)
            items += goJson(service.id) + ':' + serviceJson(service);
    }
    return jsonAnswer('{' + items.join(',') + '}');
}

ConsulFront::Reply ConsulFront::agentService(const Call &call)
{
    const ServiceRecord *service = serviceOf(call.rest);
    return service ? jsonAnswer(serviceJson(*service))
                   : textAnswer(404, u"unknown service ID: %1"_s.arg(call.rest));
}

ConsulFront::Reply ConsulFront::registerCheck(const Call &call)
{
    GoObject fields = GoObject::parse(call.request.body);
    const QString service = fields.text(u"ServiceID"_s);
    const CheckRecord check = checkIn(fields, service);
    fields.refuseOthers();
    if (!fields.problem().isEmpty())
        return undecodable(fields.problem());
    if (check.name.isEmpty())
        return textAnswer(400, u"Missing check name"_s);
    if (!check.ttl)
        return textAnswer(400, u"Invalid check: TTL must be > 0 for TTL checks"_s);
    if (!service.isEmpty() && !serviceOf(service))
        return textAnswer(500, u"ServiceID %1 does not exist"_s.arg(goQuoted(service)));
    if (!call.rights.serviceWrite)
        return textAnswer(403, u"Permission denied"_s);
    m_model.setCheck(check, call.now);
    return done();
}

/// The members of a check that \a body has; those of kinds other than TTL are read and mean nothing here.
CheckRecord ConsulFront::checkIn(GoObject &body, const QString &service) const
{
    CheckRecord check;
    check.node = m_identity.node;
    check.name = body.text(u"Name"_s);
    check.id = body.text(u"CheckID"_s);
    if (const QString id = body.text(u"ID"_s); check.id.isEmpty())
        check.id = id.isEmpty() ? check.name : id;
    check.notes = body.text(u"Notes"_s);
    check.status = statusNamed(body.text(u"Status"_s)).value_or(CheckStatus::Critical);
    if (const Duration ttl = body.duration(u"TTL"_s); ttl > Duration::zero())
        check.ttl = ttl;
    if (!service.isEmpty())
        check.service = service;
    for (const QString &name : {u"Output"_s, u"HTTP"_s, u"TCP"_s, u"Interval"_s, u"Timeout"_s, u"Args"_s,
                                u"DeregisterCriticalServiceAfter"_s, u"SuccessBeforePassing"_s,
                                u"FailuresBeforeCritical"_s, u"Namespace"_s, u"Token"_s})
        (void)body.value(name);
    return check;
}

ConsulFront::Reply ConsulFront::deregisterCheck(const Call &call)
{
    if (m_model.store().check(m_identity.node, call.rest))
        m_model.removeCheck(m_identity.node, call.rest, call.now);
    return done();
}

ConsulFront::Reply ConsulFront::passCheck(const Call &call)
{
    return setStatus(call, CheckStatus::Passing, call.parameter(u"note"_s));
}

ConsulFront::Reply ConsulFront::warnCheck(const Call &call)
{
    return setStatus(call, CheckStatus::Warning, call.parameter(u"note"_s));
}

ConsulFront::Reply ConsulFront::failCheck(const Call &call)
{
    return setStatus(call, CheckStatus::Critical, call.parameter(u"note"_s));
}

ConsulFront::Reply ConsulFront::updateCheck(const Call &call)
{
    GoObject fields = GoObject::parse(call.request.body);
    const QString name = fields.text(u"Status"_s);
    const std::optional<CheckStatus> status = statusNamed(name);
    if (!fields.problem().isEmpty())
        return undecodable(fields.problem());
    if (!status)
        return textAnswer(400, u"Invalid check status: '%1'"_s.arg(name));
    return setStatus(call, *status, fields.text(u"Output"_s));
}

ConsulFront::Reply ConsulFront::setStatus(const Call &call, CheckStatus status, const QString &output)
{
    if (!m_model.updateCheck(m_identity.node, call.rest, status, output, call.now))
        return textAnswer(500, u"CheckID %1 does not have associated TTL"_s.arg(goQuoted(call.rest)));
    return done();
}

ConsulFront::Reply ConsulFront::registerService(const Call &call)
{
    GoObject fields = GoObject::parse(call.request.body);
    const ServiceRecord service = serviceIn(fields);
    QJsonArray bodies = fields.value(u"Checks"_s).toArray();
    if (fields.has(u"Check"_s))
        bodies.prepend(fields.value(u"Check"_s));
    fields.refuseOthers();
    std::vector<CheckRecord> checks;
    for (const QJsonValue &body : std::as_const(bodies)) {
        GoObject checkFields(body);
        checks.push_back(checkIn(checkFields, service.id));
        CheckRecord &check = checks.back();
        if (check.id.isEmpty()) {
            const QString number = bodies.size() > 1 ? u":%1"_s.arg(checks.size()) : QString();
            check.id = u"service:"_s + service.id + number;
        }
        if (check.name.isEmpty())
            check.name = u"Service '%1' check"_s.arg(service.name);
        if (!checkFields.problem().isEmpty())
            fields.complain(checkFields.problem());
    }
    if (!fields.problem().isEmpty())
        return undecodable(fields.problem());
    if (service.name.isEmpty())
        return textAnswer(400, u"Missing service name"_s);
    if (!call.rights.known)
        return textAnswer(403, u"ACL not found"_s);
    if (!call.rights.serviceWrite)
        return textAnswer(403, u"Permission denied: Missing service:write on %1"_s.arg(service.name));
    m_model.setService(service, call.now);
    for (const CheckRecord &check : checks) {
        if (check.ttl) // Other kinds would have to be run.
            m_model.setCheck(check, call.now);
    }
    return done();
}

ServiceRecord ConsulFront::serviceIn(GoObject &body) const
{
    ServiceRecord service;
    service.node = m_identity.node;
    service.name = body.text(u"Name"_s);
    service.id = body.text(u"ID"_s);
    if (service.id.isEmpty())
        service.id = service.name;
    service.tags = body.texts(u"Tags"_s);
    service.address = body.text(u"Address"_s);
    service.port = int(body.number(u"Port"_s));
    const QJsonObject meta = body.value(u"Meta"_s).toObject();
    for (auto item = meta.begin(); item != meta.end(); ++item)
        service.meta[item.key()] = item.value().toString();
    for (const QString &name : {u"Kind"_s, u"EnableTagOverride"_s, u"Weights"_s, u"Token"_s, u"Namespace"_s,
                                u"TaggedAddresses"_s, u"Proxy"_s, u"Connect"_s})
        (void)body.value(name); // Consul knows them; nothing here does.
    return service;
}

ConsulFront::Reply ConsulFront::deregisterService(const Call &call)
{
    if (serviceOf(call.rest))
        m_model.removeService(m_identity.node, call.rest, call.now);
    return done();
}

} // namespace Baton::Testing
