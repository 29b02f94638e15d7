// SPDX-License-Identifier: MIT
#include "side.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {

HttpAnswer Side::request(const QByteArray &method, const QByteArray &target, const QByteArray &body,
                         const QByteArray &token) const
{
    return httpRequest(host(), port(), method, target, body, 30s, token);
}

QString Side::version() const
{
    return QJsonDocument::fromJson(
               request("GET", "/v1/agent/self", {}, m_token).body)["Config"_L1]["Version"_L1]
        .toString();
}

QByteArray Side::session(const QByteArray &members) const
{
    const HttpAnswer answer = request("PUT", "/v1/session/create", '{' + members + '}');
    return QJsonDocument::fromJson(answer.body)["ID"_L1].toString().toLatin1();
}

bool Side::lives(const QByteArray &session) const
{
    return QJsonDocument::fromJson(request("GET", "/v1/session/info/" + session).body).array().size() == 1;
}

bool Side::put(const QByteArray &key, const QByteArray &query, const QByteArray &value) const
{
    const HttpAnswer answer = request("PUT", "/v1/kv/" + key + '?' + query, value);
    return answer.isOk() && answer.body.trimmed() == "true";
}

quint64 Side::modifyIndex(const QByteArray &key) const
{
    const QJsonDocument entries = QJsonDocument::fromJson(request("GET", "/v1/kv/" + key).body);
    return quint64(entries[0]["ModifyIndex"_L1].toInteger());
}

EmbeddedSide::EmbeddedSide() : m_agent(new EmbeddedAgent)
{
    m_agent->setNodeName(NodeName);
    m_agent->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_agent, &QObject::deleteLater);
    m_thread.start();
}

EmbeddedSide::~EmbeddedSide()
{
    m_thread.quit();
    m_thread.wait();
}

bool EmbeddedSide::start(std::chrono::milliseconds sessionTtlMin)
{
    bool started = false;
    QMetaObject::invokeMethod(
        m_agent,
        [&] {
            m_agent->setSessionTtlMin(sessionTtlMin);
            started = m_agent->start();
            m_port = m_agent->port();
        },
        Qt::BlockingQueuedConnection);
    return started;
}

void EmbeddedSide::denyByDefault()
{
    allow({}, {false, false, false, false, false});
    allow(MasterToken, {});
}

void EmbeddedSide::allow(const QByteArray &token, const EmbeddedAgent::TokenRights &rights)
{
    QMetaObject::invokeMethod(
        m_agent, [&] { m_agent->setTokenRights(token, rights); }, Qt::BlockingQueuedConnection);
}

bool EmbeddedSide::restart()
{
    QMetaObject::invokeMethod(m_agent, &EmbeddedAgent::restartServer, Qt::BlockingQueuedConnection);
    return true;
}

bool RealSide::start(const QJsonObject &config)
{
    m_agent.setConfig(config);
    return m_agent.start();
}

QString RealSide::doubt() const
{
    const qint64 pid = m_agent.processId();
    if (pid == 0 || pid == QCoreApplication::applicationPid())
        return u"it is no process of its own"_s;
    // Asked itself, on its command line.
    QProcess program;
    program.start(QFileInfo(u"/proc/%1/exe"_s.arg(pid)).symLinkTarget(), {u"version"_s});
    program.waitForFinished();
    const QByteArray line = program.readAllStandardOutput().split('\n').value(0).trimmed();
    if (!line.startsWith("Consul v") || line.mid(8) != version().toLatin1())
        return u"the program says '%1', the agent '%2'"_s.arg(QString::fromUtf8(line), version());
    const HttpAnswer self = request("GET", "/v1/agent/self", {}, m_token);
    if (self.body.contains("simulated"))
        return u"the agent says that it is simulated"_s;
    // Only Consul itself knows its own debugging configuration.
    return self.body.contains("\"DebugConfig\"") ? QString() : u"its agent/self is not Consul's"_s;
}

bool RealSide::restart()
{
    m_agent.kill();
    return m_agent.start();
}

} // namespace Baton::Testing
