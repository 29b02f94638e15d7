// SPDX-License-Identifier: MIT
#include "consulprocess.h"

#include "childprocess.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QTcpServer>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Lab {

namespace {
constexpr auto StartLimit = 30s; ///< A loaded machine needs seconds; one agent alone is ready after one.
constexpr auto Pause = 50ms; ///< Between two looks.
constexpr int Launches = 3; ///< A free port may be taken before Consul gets to it.

QList<quint16> freePorts(int count)
{
    std::vector<std::unique_ptr<QTcpServer>> servers;
    QList<quint16> ports;
    for (int i = 0; i < count; ++i) {
        servers.push_back(std::make_unique<QTcpServer>());
        servers.back()->listen(QHostAddress::LocalHost);
        ports.append(servers.back()->serverPort());
    }
    return ports;
}
} // namespace

ConsulProcess::ConsulProcess(Kind kind, const QString &program, QObject *parent)
    : QObject(parent), m_kind(kind), m_program(program)
{
    m_network.setProxy(QNetworkProxy::NoProxy);
    m_network.setTransferTimeout(2000);
    m_next.setSingleShot(true);
    m_next.setInterval(Pause);
    connect(&m_next, &QTimer::timeout, this, &ConsulProcess::ask);
    connect(&m_network, &QNetworkAccessManager::finished, this, &ConsulProcess::answered);
    connect(&m_process, &QProcess::finished, this, &ConsulProcess::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            giveUp(m_process.errorString());
    });
}

ConsulProcess::~ConsulProcess()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(2000);
}

QString ConsulProcess::address() const
{
    return u"127.0.0.1:%1"_s.arg(m_port);
}

void ConsulProcess::start()
{
    m_since.start();
    launch();
}

QStringList ConsulProcess::arguments(const QList<quint16> &ports) const
{
    const QString port = QString::number(m_port);
    if (m_kind == Kind::Simulated)
        return {u"agent"_s, u"--node"_s, u"lab"_s, u"--port"_s, port};
    return {u"agent"_s,
            u"-dev"_s,
            u"-bind=127.0.0.1"_s,
            u"-client=127.0.0.1"_s,
            u"-node=lab"_s,
            u"-log-level=err"_s,
            u"-dns-port=-1"_s,
            u"-serf-wan-port=-1"_s,
            u"-grpc-port=-1"_s,
            u"-http-port="_s + port,
            u"-server-port=%1"_s.arg(ports[1]),
            u"-serf-lan-port=%1"_s.arg(ports[2])};
}

void ConsulProcess::launch()
{
    ++m_launches;
    const QList<quint16> ports = freePorts(3);
    m_port = ports[0];
    endWithThisThread(m_process);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(m_program, arguments(ports));
    m_next.start();
}

void ConsulProcess::ask()
{
    if (m_since.hasExpired(std::chrono::milliseconds(StartLimit).count())) {
        giveUp(u"no answer within %1 s"_s.arg(StartLimit.count()));
        return;
    }
    // The node's own check is what a session needs; before it is there, session/create fails.
    m_network.get(QNetworkRequest(QUrl(u"http://%1/v1/health/node/lab"_s.arg(address()))));
}

void ConsulProcess::answered(QNetworkReply *reply)
{
    reply->deleteLater();
    if (m_ready)
        return;
    const QByteArray body = reply->readAll();
    if (reply->url().path() == "/v1/agent/self"_L1) {
        m_version = QJsonDocument::fromJson(body)["Config"_L1]["Version"_L1].toString();
        m_ready = !m_version.isEmpty();
        if (m_ready)
            Q_EMIT ready();
        else
            m_next.start();
    } else if (QJsonDocument::fromJson(body)[0]["CheckID"_L1].toString() == "serfHealth"_L1) {
        m_network.get(QNetworkRequest(QUrl(u"http://%1/v1/agent/self"_s.arg(address()))));
    } else {
        m_next.start();
    }
}

void ConsulProcess::ended()
{
    if (!m_ready && m_launches < Launches)
        launch();
    else
        giveUp(QString::fromUtf8(m_process.readAll().trimmed().right(400)));
}

void ConsulProcess::giveUp(const QString &reason)
{
    m_next.stop();
    Q_EMIT failed(u"%1: %2"_s.arg(m_program, reason));
}

} // namespace Baton::Lab
