// SPDX-License-Identifier: MIT
#include "agentproxy.h"

#include <QTcpSocket>

#include <algorithm>

namespace Baton::Testing {

using namespace Qt::StringLiterals;

namespace {

// One connection of the candidate's and the one to the agent that goes with it. Candidates do not pipeline:
// what comes after an answer begins a request.
class Link : public QObject
{
public:
    using Hold = std::function<void(std::function<void()> pass)>;

    Link(QTcpSocket *client, const QString &host, quint16 port, AgentProxy::Judge judge, Hold hold)
        : QObject(client), m_client(client), m_judge(std::move(judge)), m_hold(std::move(hold))
    {
        m_agent.connectToHost(host, port);
        connect(m_client, &QTcpSocket::readyRead, this, &Link::fromClient);
        connect(&m_agent, &QTcpSocket::readyRead, this, &Link::fromAgent);
        connect(m_client, &QTcpSocket::disconnected, m_client, &QObject::deleteLater);
        connect(&m_agent, &QTcpSocket::disconnected, m_client, [this] { m_client->disconnectFromHost(); });
        connect(&m_agent, &QTcpSocket::errorOccurred, m_client, [this] { m_client->disconnectFromHost(); });
        fromClient(); // What came before the connection above.
    }

private:
    void fromClient()
    {
        const QByteArray bytes = m_client->readAll();
        if (bytes.isEmpty())
            return;
        const bool begins = std::exchange(m_answered, false);
        if (begins)
            m_fate = m_judge(bytes.left(bytes.indexOf('\r')));
        if (m_fate == AgentProxy::Fate::Hold)
            m_kept += bytes;
        else if (m_fate != AgentProxy::Fate::Swallow)
            m_agent.write(bytes);
        if (begins && m_fate == AgentProxy::Fate::Hold)
            m_hold([self = QPointer(this)] {
                if (self)
                    self->pass();
            });
    }

    void pass()
    {
        m_fate = AgentProxy::Fate::Pass;
        m_agent.write(std::exchange(m_kept, {}));
        m_agent.flush();
    }

    void fromAgent()
    {
        const QByteArray bytes = m_agent.readAll();
        m_answered = true;
        if (m_fate == AgentProxy::Fate::CutAnswer)
            m_client->disconnectFromHost();
        else
            m_client->write(bytes);
    }

    QTcpSocket *const m_client;
    QTcpSocket m_agent;
    const AgentProxy::Judge m_judge;
    const Hold m_hold;
    QByteArray m_kept;
    AgentProxy::Fate m_fate = AgentProxy::Fate::Pass;
    bool m_answered = true;
};

} // namespace

AgentProxy::AgentProxy(const ConsulAgent &agent) : m_host(agent.host()), m_port(agent.port())
{
    connect(&m_server, &QTcpServer::newConnection, this, &AgentProxy::accept);
    if (!m_server.listen(QHostAddress::LocalHost))
        qFatal("no free port for a proxy");
}

void AgentProxy::accept()
{
    while (QTcpSocket *client = m_server.nextPendingConnection()) {
        m_clients.append(client);
        const auto judge = [this](const QByteArray &line) {
            m_lines.append(line);
            return m_judge ? m_judge(line) : Fate::Pass;
        };
        const auto hold = [this](std::function<void()> pass) {
            m_passHeld.append(std::move(pass));
            Q_EMIT held();
        };
        new Link(client, m_host, m_port, judge, hold);
    }
}

void AgentProxy::passHeld()
{
    const auto all = std::exchange(m_passHeld, {});
    for (const auto &pass : all)
        pass();
}

void AgentProxy::resetConnections()
{
    for (const QPointer<QTcpSocket> &client : std::as_const(m_clients)) {
        if (client)
            client->abort();
    }
    m_clients.clear();
}

QString AgentProxy::address() const
{
    return u"http://127.0.0.1:%1"_s.arg(m_server.serverPort());
}

qsizetype AgentProxy::count(const QByteArray &prefix) const
{
    return std::count_if(m_lines.begin(), m_lines.end(),
                         [&](const QByteArray &line) { return line.startsWith(prefix); });
}

} // namespace Baton::Testing
