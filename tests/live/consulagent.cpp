// SPDX-License-Identifier: MIT
#include "consulagent.h"

#include "process.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QUdpSocket>
#include <QUrl>

namespace Baton::Testing {
namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

// An agent is ready 1 to 3 s after its start on an idle machine; tests run side by side on busy ones.
constexpr std::chrono::milliseconds readyWithin = 60s;
// A client that leaves waits 5 s (Consul's leave_drain_time) before it ends.
constexpr std::chrono::milliseconds endsWithin = 20s;
constexpr std::chrono::milliseconds pollInterval = 25ms;
constexpr int launchAttempts = 5;
constexpr qsizetype logTailBytes = 4000;

// The script that finds or fetches a Consul is the only one to know how, $BATON_CONSUL included.
QString consulProgram(QString &error)
{
    static QString program;
    if (!program.isEmpty())
        return program;
    QProcess script;
    script.start(QStringLiteral(BATON_GET_CONSUL), QStringList());
    if (!script.waitForFinished(-1) || script.exitCode() != 0) {
        error =
            u"no Consul for this test: %1"_s.arg(QString::fromUtf8(script.readAllStandardError().trimmed()));
        return {};
    }
    program = QString::fromUtf8(script.readAllStandardOutput().trimmed());
    return program;
}

bool saidTrue(const HttpAnswer &answer)
{
    return answer.isOk() && answer.body.trimmed() == "true";
}

QByteArray keyTarget(const QString &key)
{
    return "/v1/kv/" + QUrl::toPercentEncoding(key, "/");
}

} // namespace

ConsulAgent::ConsulAgent(Kind kind)
    : m_kind(kind),
      m_nodeName(u"node-%1"_s.arg(QRandomGenerator::system()->generate(), 8, 16, QLatin1Char('0'))),
      m_dir(QDir::temp().filePath(u"baton-consul-XXXXXX"_s))
{
}

ConsulAgent::~ConsulAgent()
{
    kill();
}

void ConsulAgent::join(const ConsulAgent &server)
{
    m_joinAddress = u"%1:%2"_s.arg(server.m_host).arg(server.m_ports.serf);
}

bool ConsulAgent::start()
{
    if (m_process && m_process->state() != QProcess::NotRunning)
        return fail(u"the agent is running already"_s);
    const QString program = consulProgram(m_error);
    if (program.isEmpty())
        return false;

    const bool placeIsFixed = m_ports.http != 0;
    for (int attempt = 0; attempt < launchAttempts; ++attempt) {
        if (!placeIsFixed && !choosePlace())
            continue;
        if (!launch(program))
            return false;
        if (waitUntilReady())
            return true;
        const bool tryElsewhere = !placeIsFixed && addressTaken();
        kill();
        if (!tryElsewhere)
            break;
    }
    return false;
}

bool ConsulAgent::restart()
{
    stop();
    return start();
}

bool ConsulAgent::relaunch()
{
    if (processId() != 0 || m_ports.http == 0)
        return fail(u"the agent is running already, or has never run"_s);
    return launch(consulProgram(m_error));
}

void ConsulAgent::terminate()
{
    if (m_process)
        m_process->terminate();
}

void ConsulAgent::stop()
{
    terminate();
    if (m_process && !m_process->waitForFinished(int(endsWithin.count())))
        kill();
    m_process.reset();
}

void ConsulAgent::kill()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        m_process->kill();
        m_process->waitForFinished(-1);
    }
    m_process.reset();
}

bool ConsulAgent::freeze()
{
    return freezeProcess(processId()) || fail(u"the agent does not stand still"_s);
}

void ConsulAgent::thaw()
{
    thawProcess(processId());
}

QString ConsulAgent::address() const
{
    return u"http://%1:%2"_s.arg(m_host).arg(m_ports.http);
}

HttpAnswer ConsulAgent::request(const QByteArray &method, const QByteArray &target, const QByteArray &body,
                                std::chrono::milliseconds timeout) const
{
    return httpRequest(m_host, m_ports.http, method, target, body, timeout, m_token);
}

std::optional<QString> ConsulAgent::createSession(const QJsonObject &fields) const
{
    const HttpAnswer answer = request("PUT", "/v1/session/create", QJsonDocument(fields).toJson());
    const QString id = QJsonDocument::fromJson(answer.body).object().value(u"ID"_s).toString();
    return answer.isOk() && !id.isEmpty() ? std::optional(id) : std::nullopt;
}

bool ConsulAgent::destroySession(const QString &id) const
{
    return saidTrue(request("PUT", "/v1/session/destroy/" + id.toLatin1()));
}

bool ConsulAgent::putKey(const QString &key, const QByteArray &value, const QByteArray &query) const
{
    return saidTrue(request("PUT", keyTarget(key) + (query.isEmpty() ? QByteArray() : '?' + query), value));
}

bool ConsulAgent::deleteKey(const QString &key) const
{
    return saidTrue(request("DELETE", keyTarget(key)));
}

std::optional<StoredKey> ConsulAgent::key(const QString &key) const
{
    const HttpAnswer answer = request("GET", keyTarget(key) + "?consistent");
    const QJsonObject entry = QJsonDocument::fromJson(answer.body).array().at(0).toObject();
    if (!answer.isOk() || entry.isEmpty())
        return std::nullopt;
    return StoredKey{QByteArray::fromBase64(entry.value(u"Value"_s).toString().toLatin1()),
                     entry.value(u"Session"_s).toString(), quint64(entry.value(u"ModifyIndex"_s).toInteger()),
                     quint64(entry.value(u"LockIndex"_s).toInteger())};
}

// A loopback address that nobody else is likely to use, and ports that are free there. Outgoing connections
// of other programs never have such an address, so nothing takes the ports while the agent is stopped.
bool ConsulAgent::choosePlace()
{
    const quint32 random = QRandomGenerator::system()->generate();
    m_host =
        u"127.%1.%2.%3"_s.arg(64 + random % 128).arg(random >> 8 & 0xff).arg(1 + (random >> 16 & 0xff) % 254);
    const QHostAddress address(m_host);
    QTcpServer http;
    QTcpServer server;
    QTcpServer serf;
    QUdpSocket gossip;
    if (!http.listen(address) || !server.listen(address) || !serf.listen(address)
        || !gossip.bind(address, serf.serverPort()))
        return fail(u"no free ports on %1"_s.arg(m_host));
    m_ports = {http.serverPort(), server.serverPort(), serf.serverPort()};
    return true;
}

bool ConsulAgent::writeConfig() const
{
    QJsonObject config{
        {u"node_name"_s, m_nodeName},
        {u"bind_addr"_s, m_host},
        {u"client_addr"_s, m_host},
        {u"log_level"_s, u"err"_s},
        {u"disable_update_check"_s, true},
        {u"ports"_s,
         QJsonObject{{u"http"_s, m_ports.http},
                     {u"server"_s, m_ports.server},
                     {u"serf_lan"_s, m_ports.serf},
                     {u"serf_wan"_s, -1},
                     {u"dns"_s, -1},
                     {u"grpc"_s, -1}}},
    };
    if (m_kind != Kind::Dev)
        config.insert(u"data_dir"_s, m_dir.filePath(u"data"_s));
    if (m_kind == Kind::Server) {
        config.insert(u"server"_s, true);
        config.insert(u"bootstrap_expect"_s, 1);
        // The quickest elections that Consul offers; its default is 5.
        config.insert(u"performance"_s, QJsonObject{{u"raft_multiplier"_s, 1}});
    }
    if (m_kind == Kind::Client) {
        config.insert(u"retry_join"_s, QJsonArray{m_joinAddress});
        config.insert(u"retry_interval"_s, u"1s"_s);
    }
    for (auto entry = m_config.begin(); entry != m_config.end(); ++entry)
        config.insert(entry.key(), entry.value());

    QFile file(m_dir.filePath(u"agent.json"_s));
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(config).toJson()) > 0;
}

bool ConsulAgent::launch(const QString &program)
{
    if (!m_dir.isValid() || !writeConfig())
        return fail(u"cannot write to %1"_s.arg(m_dir.path()));
    QStringList arguments{u"agent"_s, u"-config-file=%1"_s.arg(m_dir.filePath(u"agent.json"_s))};
    if (m_kind == Kind::Dev)
        arguments.insert(1, u"-dev"_s);

    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardOutputFile(m_dir.filePath(u"log"_s));
    m_process->setChildProcessModifier(endWithParent());
    m_process->start(program, arguments);
    if (!m_process->waitForStarted(-1))
        return fail(u"%1 does not start: %2"_s.arg(program, m_process->errorString()));
    return true;
}

// A leader is not enough: only after the node's health check is registered do sessions bound to it work.
bool ConsulAgent::waitUntilReady()
{
    const QDeadlineTimer deadline(readyWithin);
    while (!deadline.hasExpired()) {
        if (const std::optional<QString> session = createSession())
            return destroySession(*session) || fail(u"a session cannot be destroyed"_s);
        m_process->waitForFinished(int(pollInterval.count()));
        if (m_process->state() == QProcess::NotRunning)
            return fail(u"the agent ended with code %1"_s.arg(m_process->exitCode()));
    }
    return fail(u"no session could be created within %1 s"_s.arg(readyWithin / 1s));
}

bool ConsulAgent::addressTaken() const
{
    return log().contains("address already in use");
}

QByteArray ConsulAgent::log() const
{
    QFile file(m_dir.filePath(u"log"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool ConsulAgent::fail(const QString &reason)
{
    m_error = u"Consul agent %1: %2"_s.arg(m_nodeName, reason);
    if (const QByteArray tail = log().right(logTailBytes).trimmed(); !tail.isEmpty())
        m_error += u"; its log ends with:\n"_s + QString::fromUtf8(tail);
    return false;
}

} // namespace Baton::Testing
