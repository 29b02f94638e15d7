// SPDX-License-Identifier: MIT
#pragma once

#include "httprequest.h"

#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <chrono>
#include <memory>
#include <optional>

namespace Baton::Testing {

// A key as Consul stores it.
struct StoredKey
{
    QByteArray value;
    QString session; // empty when nobody holds the key
    quint64 modifyIndex = 0;
    quint64 lockIndex = 0;
};

// A real Consul agent for a test: its own process, ports, loopback address and data, all gone with the
// object.
//
// Every agent listens on a loopback address of its own (127.x.y.z), so its ports stay free for it while it is
// stopped, and several agents can form a cluster on one machine.
//
// All calls block without running an event loop. An agent belongs to the thread that started it: the kernel
// kills the agent when that thread ends, which is how it also goes with a test that is killed.
class ConsulAgent
{
public:
    enum class Kind {
        Dev, // one server that forgets everything when it stops; JSON is indented
        Server, // one server that keeps its data over stop and start
        Client, // joins the server named by join()
    };

    explicit ConsulAgent(Kind kind = Kind::Dev);
    ~ConsulAgent();
    Q_DISABLE_COPY_MOVE(ConsulAgent)

    // These take effect at the next start.
    void join(const ConsulAgent &server);
    void setNodeName(const QString &name) { m_nodeName = name; }
    // Entries of Consul's own configuration file; they win over those of the fixture.
    void setConfig(const QJsonObject &config) { m_config = config; }
    // Goes with every request of this object.
    void setToken(const QByteArray &token) { m_token = token; }

    // Starts the agent and returns when sessions can be created through it. On failure errorString() has the
    // reason and the end of the agent's log. Address and ports are chosen at the first start and kept from
    // then on.
    [[nodiscard]] bool start();
    [[nodiscard]] bool restart();
    // Starts an agent that has run before, and returns without waiting until it is ready.
    [[nodiscard]] bool relaunch();
    // Asks the agent to end (SIGTERM), as a supervisor does: a client leaves its cluster. terminate() returns
    // at once, stop() when the process is gone.
    void terminate();
    void stop();
    void kill();
    // Stops the process in its tracks and returns when it does stand still; thaw() lets it go on.
    [[nodiscard]] bool freeze();
    void thaw();

    [[nodiscard]] QString errorString() const { return m_error; }
    [[nodiscard]] QString nodeName() const { return m_nodeName; }
    [[nodiscard]] QString host() const { return m_host; }
    [[nodiscard]] quint16 port() const { return m_ports.http; }
    // "http://127.x.y.z:port", as for LeaseOptions::address.
    [[nodiscard]] QString address() const;
    // 0 when it is not running.
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

    [[nodiscard]] HttpAnswer request(const QByteArray &method, const QByteArray &target,
                                     const QByteArray &body = {},
                                     std::chrono::milliseconds timeout = std::chrono::seconds(10)) const;
    // The id of the new session, or nothing. The fields are those of Consul's session/create.
    [[nodiscard]] std::optional<QString> createSession(const QJsonObject &fields = {}) const;
    bool destroySession(const QString &id) const;
    // `query` is e.g. "acquire=<session>". True if Consul said true.
    bool putKey(const QString &key, const QByteArray &value, const QByteArray &query = {}) const;
    bool deleteKey(const QString &key) const;
    // Nothing when the key is absent or could not be read.
    [[nodiscard]] std::optional<StoredKey> key(const QString &key) const;

private:
    struct Ports
    {
        quint16 http = 0;
        quint16 server = 0;
        quint16 serf = 0;
    };

    bool choosePlace();
    bool launch(const QString &program);
    bool waitUntilReady();
    bool writeConfig() const;
    [[nodiscard]] bool addressTaken() const;
    [[nodiscard]] QByteArray log() const;
    bool fail(const QString &reason);

    const Kind m_kind;
    QString m_nodeName;
    QString m_joinAddress;
    QJsonObject m_config;
    QByteArray m_token;
    QString m_host;
    Ports m_ports;
    QString m_error;
    QTemporaryDir m_dir;
    std::unique_ptr<QProcess> m_process;
};

} // namespace Baton::Testing
