// SPDX-License-Identifier: MIT
#pragma once

#include "agentanswer.h"
#include "consulmodel.h"

#include <functional>

namespace Baton::Testing {

class GoObject;

/// Where Consul's servers speak with each other by default; nobody listens there.
inline constexpr int ServerPort = 8300;

/*!
 * Consul's HTTP interface before a ConsulModel: requests to operations and answers to Consul's own words, as
 * version 1.8.7 speaks them. Pure: no socket, no clock. It is the agent and its only server in one, so that
 * an agent's checks and services are those of the catalog.
 *
 * Source: the conformance suite, which asks it and a real Consul the same.
 */
class ConsulFront
{
public:
    struct Identity
    {
        QString node;
        QString nodeId;
        QString datacenter;
        QString address; ///< Of the node, without a port.
        quint64 seed = 0;
        Duration shortestTtl{};
    };
    /// A blocking query: it is answered when the model answers \c watch.
    struct Parked
    {
        quint64 watch = 0;
        std::function<AgentAnswer(const Reading &)> render;
    };
    /// A write that was admitted: it is answered by commit(), and takes effect there. What is admitted
    /// meanwhile looks at a state without it, as at Consul's leader.
    struct Logged
    {
        Command command;
        Rights rights;
        std::function<AgentAnswer(const Outcome &)> render;
    };
    using Reply = std::variant<AgentAnswer, Parked, Logged>;

    explicit ConsulFront(const Identity &identity);

    [[nodiscard]] Reply handle(const Request &request, Instant now);
    /// In the order in which they were admitted.
    [[nodiscard]] AgentAnswer commit(const Logged &write, Instant now);

    [[nodiscard]] ConsulModel &model() { return m_model; }
    /// From the first call on, tokens that were not named are unknown to it.
    void setRights(const QByteArray &token, const Rights &rights);

private:
    struct Call
    {
        const Request &request;
        QString rest; ///< Of the path, behind the route.
        Rights rights;
        Instant now;

        [[nodiscard]] bool has(const QString &parameter) const;
        [[nodiscard]] QString parameter(const QString &name) const;
        [[nodiscard]] bool isPut() const { return request.method == "PUT"; }
    };
    using Render = std::function<AgentAnswer(const Reading &)>;
    using Finish = std::function<AgentAnswer(const Outcome &)>;
    using Handler = Reply (ConsulFront::*)(const Call &);
    struct Route
    {
        QLatin1StringView path; ///< With a slash at its end it takes whatever follows.
        const char *methods;
        Handler handler;
    };
    static const std::vector<Route> &routes();

    Reply dispatch(const Request &request, Instant now);
    Rights rightsOf(const Request &request) const;
    /// What is wrong with a parameter that every endpoint of the servers takes.
    [[nodiscard]] std::optional<AgentAnswer> parameterProblem(const Call &call) const;
    Reply query(const Call &call, const Query &query, const Render &render);
    /// Endpoints other than that of keys have the headers of a read also where a server refused.
    Reply queryWithHeaders(const Call &call, const Query &query, const Render &render);
    Reply write(const Call &call, const Command &command, const Finish &render);
    Reply writtenOrNot(const Call &call, const Command &command);

    // Keys (consulfront_kv.cpp)
    Reply kv(const Call &call);
    Reply readKeys(const Call &call);
    Reply putKey(const Call &call);
    Reply deleteKey(const Call &call);
    Reply transact(const Call &call);

    // Sessions (consulfront_session.cpp)
    Reply createSession(const Call &call);
    Reply renewSession(const Call &call);
    Reply destroySession(const Call &call);
    Reply sessionInfo(const Call &call);
    Reply sessionList(const Call &call);
    Reply sessionsOfNode(const Call &call);
    Reply sessions(const Call &call, const Query &query);

    // The agent's own (consulfront_agent.cpp)
    Reply self(const Call &call);
    Reply members(const Call &call);
    Reply agentChecks(const Call &call);
    Reply agentServices(const Call &call);
    Reply agentService(const Call &call);
    Reply registerCheck(const Call &call);
    Reply deregisterCheck(const Call &call);
    Reply passCheck(const Call &call);
    Reply warnCheck(const Call &call);
    Reply failCheck(const Call &call);
    Reply updateCheck(const Call &call);
    Reply setStatus(const Call &call, CheckStatus status, const QString &output);
    Reply registerService(const Call &call);
    Reply deregisterService(const Call &call);
    ServiceRecord serviceIn(GoObject &body) const;
    CheckRecord checkIn(GoObject &body, const QString &service) const;

    // The catalog (consulfront_catalog.cpp)
    Reply leader(const Call &call);
    Reply peers(const Call &call);
    Reply datacenters(const Call &call);
    Reply nodes(const Call &call);
    Reply node(const Call &call);
    Reply services(const Call &call);
    Reply service(const Call &call);
    Reply healthOfNode(const Call &call);
    Reply healthOfService(const Call &call);
    Reply healthInState(const Call &call);
    Reply checksOfService(const Call &call);
    Reply snapshot(const Call &call);
    [[nodiscard]] QByteArray nodeJson() const;
    [[nodiscard]] QByteArray wholeNodeJson() const;
    [[nodiscard]] QByteArray checksJson(const std::function<bool(const CheckRecord &)> &wanted) const;
    [[nodiscard]] const ServiceRecord *serviceOf(const QString &id) const;
    [[nodiscard]] std::vector<ServiceRecord> servicesNamed(const QString &name, const QString &tag) const;
    [[nodiscard]] QString serverAddress() const;

    const Identity m_identity;
    ConsulModel m_model;
    bool m_hasAcl = false;
    std::map<QByteArray, ConsulModel::Snapshot> m_snapshots; ///< By what stands for them outside.
};

/// The headers of a read, and what a read answers that cannot be answered.
[[nodiscard]] Headers readHeaders(quint64 index, bool knownLeader = true);
[[nodiscard]] AgentAnswer refusedRead(const Reading &reading);

} // namespace Baton::Testing
