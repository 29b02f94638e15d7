// SPDX-License-Identifier: MIT
#pragma once

#include "consulagent.h"

#include <QObject>
#include <QPointer>
#include <QTcpServer>

#include <functional>

QT_BEGIN_NAMESPACE
class QTcpSocket;
QT_END_NAMESPACE

namespace Baton::Testing {

// Stands between a candidate and a real agent and passes bytes on, but for the requests that the test picks.
// Everything happens in the thread it lives in, which needs an event loop.
class AgentProxy : public QObject
{
    Q_OBJECT
public:
    enum class Fate {
        Pass,
        Swallow, // The agent never sees it, and the candidate never hears of it.
        Hold, // It is kept back until passHeld().
        CutAnswer, // The agent does it, and the connection is closed instead of an answer.
    };
    // `line` is the first line of the request, e.g. "PUT /v1/session/create HTTP/1.1".
    using Judge = std::function<Fate(const QByteArray &line)>;

    explicit AgentProxy(const ConsulAgent &agent);

    // From now on; requests that are under way, such as long polls, are not looked at again.
    void judge(Judge judge) { m_judge = std::move(judge); }
    void passHeld();
    // Ends the connections with long polls under way, so that these come again and are judged.
    void resetConnections();

    [[nodiscard]] QString address() const;
    // How often a first line that begins so has come.
    [[nodiscard]] qsizetype count(const QByteArray &prefix) const;

    [[nodiscard]] static bool isWatch(const QByteArray &line) { return line.contains("index="); }
    [[nodiscard]] static bool isTransaction(const QByteArray &line) { return line.startsWith("PUT /v1/txn"); }
    [[nodiscard]] static bool isRenewal(const QByteArray &line)
    {
        return line.startsWith("PUT /v1/session/renew/");
    }
    [[nodiscard]] static bool isCreate(const QByteArray &line)
    {
        return line.startsWith("PUT /v1/session/create");
    }
    [[nodiscard]] static bool isRelease(const QByteArray &line)
    {
        return line.startsWith("PUT /v1/kv/") && line.contains("release=");
    }

Q_SIGNALS:
    // A request is kept back.
    void held();

private:
    void accept();

    const QString m_host;
    const quint16 m_port;
    QTcpServer m_server;
    Judge m_judge;
    QList<QByteArray> m_lines;
    QList<QPointer<QTcpSocket>> m_clients;
    QList<std::function<void()>> m_passHeld;
};

} // namespace Baton::Testing
