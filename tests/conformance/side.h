// SPDX-License-Identifier: MIT
#pragma once

#include <consulagent.h>

#include <Baton/EmbeddedAgent>

#include <QThread>

namespace Baton::Testing {

inline const QString NodeName = QStringLiteral("twin");
inline const QByteArray MasterToken = "aaaaaaaa-0000-0000-0000-000000000001";

// One of the two that are asked the same. All calls block.
class Side
{
public:
    Side() = default;
    virtual ~Side() = default;
    Q_DISABLE_COPY_MOVE(Side)

    [[nodiscard]] virtual QString name() const = 0;
    [[nodiscard]] virtual QString host() const = 0;
    [[nodiscard]] virtual quint16 port() const = 0;
    [[nodiscard]] virtual bool restart() = 0;

    [[nodiscard]] HttpAnswer request(const QByteArray &method, const QByteArray &target,
                                     const QByteArray &body = {}, const QByteArray &token = {}) const;
    // For version() and doubt(), where an agent does not tell everybody what it is.
    void setToken(const QByteArray &token) { m_token = token; }
    // What /v1/agent/self says it is.
    [[nodiscard]] QString version() const;
    // The id of a new session with these members of session/create; empty where there is none.
    [[nodiscard]] QByteArray session(const QByteArray &members) const;
    [[nodiscard]] bool lives(const QByteArray &session) const;
    // True if Consul said true.
    [[nodiscard]] bool put(const QByteArray &key, const QByteArray &query,
                           const QByteArray &value = "v") const;
    [[nodiscard]] quint64 modifyIndex(const QByteArray &key) const;

protected:
    QByteArray m_token;
};

// The model behind its HTTP face, in a thread of its own.
class EmbeddedSide : public Side
{
public:
    EmbeddedSide();
    ~EmbeddedSide() override;

    [[nodiscard]] bool start(std::chrono::milliseconds sessionTtlMin);
    // From here on ACLs are on, as with default_policy = "deny".
    void denyByDefault();
    void allow(const QByteArray &token, const EmbeddedAgent::TokenRights &rights);

    [[nodiscard]] QString name() const override { return QStringLiteral("embedded"); }
    [[nodiscard]] QString host() const override { return QStringLiteral("127.0.0.1"); }
    [[nodiscard]] quint16 port() const override { return m_port; }
    [[nodiscard]] bool restart() override;

private:
    QThread m_thread;
    EmbeddedAgent *m_agent;
    quint16 m_port = 0;
};

class RealSide : public Side
{
public:
    explicit RealSide(ConsulAgent::Kind kind) : m_agent(kind) { m_agent.setNodeName(NodeName); }

    [[nodiscard]] bool start(const QJsonObject &config);
    [[nodiscard]] ConsulAgent &agent() { return m_agent; }
    // Empty where this is HashiCorp's program in a process of its own; else what is wrong.
    [[nodiscard]] QString doubt() const;

    [[nodiscard]] QString name() const override { return QStringLiteral("real"); }
    [[nodiscard]] QString host() const override { return m_agent.host(); }
    [[nodiscard]] quint16 port() const override { return m_agent.port(); }
    [[nodiscard]] bool restart() override;

private:
    ConsulAgent m_agent;
};

} // namespace Baton::Testing
