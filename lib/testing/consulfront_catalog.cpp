// SPDX-License-Identifier: MIT
#include "consulfront.h"

#include "consuljson.h"
#include "gotext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

/// Catalog and health are looked up in the model when the answer is made; the reading says when.
AgentAnswer catalogAnswer(const Reading &reading, const QByteArray &body)
{
    return withHeaders(jsonAnswer(body),
                       Headers{{"X-Consul-Effective-Consistency", "leader"}} + readHeaders(reading.index));
}

AgentAnswer missing(const QString &what)
{
    return textAnswer(400, "Missing "_L1 + what);
}

QByteArray number(int value)
{
    return QByteArray::number(value);
}

constexpr auto NodeMeta = R"({"consul-network-segment":""})";
constexpr auto Weights = R"({"Passing":1,"Warning":1})";
constexpr auto Proxy = R"({"MeshGateway":{},"Expose":{}})";

/// A service as the catalog lists it, beside its node.
QByteArray listedServiceJson(const ServiceRecord &service)
{
    return ",\"ServiceKind\":\"\",\"ServiceID\":" + goJson(service.id)
        + ",\"ServiceName\":" + goJson(service.name) + ",\"ServiceTags\":" + textsJson(service.tags)
        + ",\"ServiceAddress\":" + goJson(service.address) + ",\"ServiceWeights\":" + Weights
        + ",\"ServiceMeta\":" + mapJson(service.meta) + ",\"ServicePort\":" + number(service.port)
        + ",\"ServiceEnableTagOverride\":false,\"ServiceProxy\":" + Proxy + ",\"ServiceConnect\":{}"
        + indexesJson(service.createIndex, service.modifyIndex) + '}';
}

/// A service as one inside its node.
QByteArray nestedServiceJson(const ServiceRecord &service)
{
    return "{\"ID\":" + goJson(service.id) + ",\"Service\":" + goJson(service.name)
        + ",\"Tags\":" + textsJson(service.tags) + ",\"Address\":" + goJson(service.address)
        + ",\"Meta\":" + (service.meta.empty() ? QByteArray("null") : mapJson(service.meta)) + ",\"Port\":"
        + number(service.port) + ",\"Weights\":" + Weights + ",\"EnableTagOverride\":false,\"Proxy\":" + Proxy
        + ",\"Connect\":{}" + indexesJson(service.createIndex, service.modifyIndex) + '}';
}

} // namespace

QString ConsulFront::serverAddress() const
{
    return u"%1:%2"_s.arg(m_identity.address).arg(ServerPort);
}

ConsulFront::Reply ConsulFront::leader(const Call &)
{
    return jsonAnswer(goJson(m_model.hasLeader() ? serverAddress() : QString()));
}

ConsulFront::Reply ConsulFront::peers(const Call &)
{
    return jsonAnswer(textsJson({serverAddress()}));
}

ConsulFront::Reply ConsulFront::datacenters(const Call &)
{
    return jsonAnswer(textsJson({m_identity.datacenter}));
}

/// Without the brace at its end, since a listed service continues it.
QByteArray ConsulFront::nodeJson() const
{
    const QByteArray address = goJson(m_identity.address);
    return "{\"ID\":" + goJson(m_identity.nodeId) + ",\"Node\":" + goJson(m_identity.node) + ",\"Address\":"
        + address + ",\"Datacenter\":" + goJson(m_identity.datacenter) + ",\"TaggedAddresses\":{\"lan\":"
        + address + ",\"lan_ipv4\":" + address + ",\"wan\":" + address + ",\"wan_ipv4\":" + address + '}';
}

ConsulFront::Reply ConsulFront::nodes(const Call &call)
{
    return queryWithHeaders(call, CatalogQuery{}, [this](const Reading &reading) {
        return catalogAnswer(reading, '[' + wholeNodeJson() + ']');
    });
}

QByteArray ConsulFront::wholeNodeJson() const
{
    const CheckRecord *check = m_model.store().check(m_identity.node, u"serfHealth"_s);
    const quint64 index = check ? check->createIndex : 1; // They come together.
    return nodeJson() + ",\"Meta\":" + NodeMeta + indexesJson(index, index) + '}';
}

ConsulFront::Reply ConsulFront::node(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"node name"_s);
    return queryWithHeaders(call, CatalogQuery{}, [this, name = call.rest](const Reading &reading) {
        if (name != m_identity.node)
            return catalogAnswer(reading, "null");
        QByteArrayList items;
        for (const ServiceRecord &service : m_model.store().services())
            items += goJson(service.id) + ':' + nestedServiceJson(service);
        return catalogAnswer(reading,
                             "{\"Node\":" + wholeNodeJson() + ",\"Services\":{" + items.join(',') + "}}");
    });
}

ConsulFront::Reply ConsulFront::services(const Call &call)
{
    return queryWithHeaders(call, CatalogQuery{}, [this](const Reading &reading) {
        std::map<QString, QStringList> tags;
        for (const ServiceRecord &service : m_model.store().services())
            tags[service.name] += service.tags;
        QByteArrayList items;
        for (auto &[name, list] : tags) {
            list.removeDuplicates();
            items += goJson(name) + ':' + textsJson(list);
        }
        return catalogAnswer(reading, '{' + items.join(',') + '}');
    });
}

const ServiceRecord *ConsulFront::serviceOf(const QString &id) const
{
    const auto &all = m_model.store().services();
    const auto found = std::ranges::find(all, id, &ServiceRecord::id);
    return found == all.end() ? nullptr : &*found;
}

/// Those of a name, with the tag that was asked for.
std::vector<ServiceRecord> ConsulFront::servicesNamed(const QString &name, const QString &tag) const
{
    std::vector<ServiceRecord> found;
    for (const ServiceRecord &service : m_model.store().services()) {
        if (service.name == name && (tag.isEmpty() || service.tags.contains(tag)))
            found.push_back(service);
    }
    return found;
}

ConsulFront::Reply ConsulFront::service(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"service name"_s);
    return queryWithHeaders(call, CatalogQuery{},
                            [this, name = call.rest, tag = call.parameter(u"tag"_s)](const Reading &reading) {
                                QByteArrayList list;
                                for (const ServiceRecord &service : servicesNamed(name, tag))
                                    list +=
                                        nodeJson() + ",\"NodeMeta\":" + NodeMeta + listedServiceJson(service);
                                return catalogAnswer(reading, listJson(list));
                            });
}

QByteArray ConsulFront::checksJson(const std::function<bool(const CheckRecord &)> &wanted) const
{
    std::map<QString, QByteArray> byId; // As Consul orders them.
    for (const CheckRecord &check : m_model.store().checks()) {
        if (wanted(check))
            byId[check.id] = checkJson(check, serviceOf(check.service.value_or(QString())));
    }
    QByteArrayList list;
    for (const auto &[id, json] : byId)
        list += json;
    return listJson(list);
}

ConsulFront::Reply ConsulFront::healthOfNode(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"node name"_s);
    return queryWithHeaders(call, CatalogQuery{}, [this, name = call.rest](const Reading &reading) {
        return catalogAnswer(reading,
                             checksJson([&](const CheckRecord &check) { return check.node == name; }));
    });
}

ConsulFront::Reply ConsulFront::checksOfService(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"service name"_s);
    return queryWithHeaders(call, CatalogQuery{}, [this, name = call.rest](const Reading &reading) {
        const auto isOfService = [&](const CheckRecord &check) {
            const ServiceRecord *service = serviceOf(check.service.value_or(QString()));
            return service && service->name == name;
        };
        return catalogAnswer(reading, checksJson(isOfService));
    });
}

ConsulFront::Reply ConsulFront::healthInState(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"check state"_s);
    return queryWithHeaders(call, CatalogQuery{}, [this, state = call.rest](const Reading &reading) {
        const auto isInState = [&](const CheckRecord &check) {
            return state == "any"_L1 || statusName(check.status) == state;
        };
        return catalogAnswer(reading, checksJson(isInState));
    });
}

ConsulFront::Reply ConsulFront::healthOfService(const Call &call)
{
    if (call.rest.isEmpty())
        return missing(u"service name"_s);
    const bool passingOnly = call.has(u"passing"_s);
    return queryWithHeaders(
        call, CatalogQuery{},
        [=, this, name = call.rest, tag = call.parameter(u"tag"_s)](const Reading &reading) {
            QByteArrayList list;
            for (const ServiceRecord &service : servicesNamed(name, tag)) {
                const auto concerns = [&](const CheckRecord &check) {
                    return check.node == service.node && (!check.service || *check.service == service.id);
                };
                const auto fails = [&](const CheckRecord &check) {
                    return concerns(check) && check.status != CheckStatus::Passing;
                };
                if (passingOnly && std::ranges::any_of(m_model.store().checks(), fails))
                    continue;
                list += "{\"Node\":" + wholeNodeJson() + ",\"Service\":" + nestedServiceJson(service)
                    + ",\"Checks\":" + checksJson(concerns) + '}';
            }
            return catalogAnswer(reading, listJson(list));
        });
}

/// What is handed out stands for a state that stays here.
ConsulFront::Reply ConsulFront::snapshot(const Call &call)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    if (!m_model.hasLeader())
        return textAnswer(500, u"No cluster leader"_s);
    if (call.isPut()) {
        const auto kept = m_snapshots.find(call.request.body);
        if (kept == m_snapshots.end())
            return textAnswer(500, u"failed to decompress snapshot: unexpected EOF"_s);
        m_model.restore(kept->second, call.now);
        return AgentAnswer{200, {}, {}};
    }
    const QByteArray name =
        "a snapshot of a simulated Consul, number " + QByteArray::number(m_snapshots.size() + 1);
    m_snapshots[name] = m_model.snapshot();
    return withHeaders(AgentAnswer{200, name, {{"Content-Type", "application/x-gzip"}}}, readHeaders(1));
}

} // namespace Baton::Testing
