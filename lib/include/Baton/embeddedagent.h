// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>
#include <optional>

namespace Baton::Testing {

/*!
 * A simulated Consul inside the process, for tests of an application's own use of Baton. It answers over HTTP
 * as one Consul 1.8.7 agent that is the only server of its datacenter: sessions, keys, transactions, checks,
 * services, blocking queries. Of health checks it knows those with a TTL. It does not gossip, stores nothing,
 * and knows no TLS; it is not meant for open networks. A test that passes against it says nothing about a
 * cluster of several servers.
 *
 * \code
 * Baton::Testing::EmbeddedAgent consul;
 * consul.setSessionTtlMin(std::chrono::seconds(1));
 * if (!consul.start())
 *     qFatal("%s", qUtf8Printable(consul.errorString()));
 * Baton::LeaseOptions options;
 * options.serviceName = QStringLiteral("invoice-worker");
 * options.address = consul.address();
 * options.ttl = std::chrono::seconds(2); // Crashes are noticed after twice that, so keep it short.
 * options.margin = std::chrono::milliseconds(500);
 * options.allowShortTtl = true;
 * \endcode
 * A whole test: lib/examples/tst_invoiceworker.cpp.
 *
 * Time is real: a session ends at twice its TTL, a lock-delay lasts as long as it says, on a clock that
 * stands still while the machine sleeps.
 *
 * Threads: it belongs to the thread it lives in, which answers the requests in its event loop. A test that
 * blocks there without one gets no answers; QTRY_VERIFY, QSignalSpy::wait() and the like turn the loop.
 *
 * Errors: start() says false, and errorString() why.
 *
 * Pinned by tests/conformance, which asks it and a real Consul the same, and by tst_embeddedagent.
 */
class EmbeddedAgent : public QObject
{
    Q_OBJECT
public:
    explicit EmbeddedAgent(QObject *parent = nullptr);
    ~EmbeddedAgent() override;

    // What it is; takes effect at the first start().

    /// Default: 127.0.0.1.
    void setBindAddress(const QString &address);
    /// Default: 0, any free port.
    void setPort(quint16 port);
    /// Default: "embedded".
    void setNodeName(const QString &name);
    /// Default: "dc1".
    void setDatacenter(const QString &name);
    /// The shortest TTL that a session may have, Consul's `session_ttl_min`. Default: 10 s, as Consul's.
    void setSessionTtlMin(std::chrono::milliseconds ttl);

    /// Begins to listen; false where that cannot be had.
    [[nodiscard]] bool start();
    /// Connections are reset and new ones refused. What is stored stays, and time goes on; start() listens on
    /// the same port again.
    void stop();
    /// Why start() failed.
    [[nodiscard]] QString errorString() const;
    /// "http://127.0.0.1:port", as for LeaseOptions::address and CONSUL_HTTP_ADDR. Empty until it has
    /// started.
    [[nodiscard]] QString address() const;
    [[nodiscard]] quint16 port() const;

    // What an operator, a rival or fate would do:

    /// Ids of the sessions that live.
    [[nodiscard]] QStringList sessions() const;
    /// As `session/destroy`: its locks are free after its lock-delay. False where there is no such session.
    bool destroySession(const QString &session);
    /// The session that holds the lock on \a key.
    [[nodiscard]] std::optional<QString> holder(const QString &key) const;
    /// Nothing where there is no such key.
    [[nodiscard]] std::optional<QByteArray> value(const QString &key) const;
    /// A plain write, which takes no notice of a lock.
    void put(const QString &key, const QByteArray &value);
    /// A plain delete, which ends a lock without a lock-delay.
    void remove(const QString &key);

    /// Requests are taken and not answered, and nothing happens inside, as when the agent's process is
    /// stopped (SIGSTOP); thaw() does all that was asked meanwhile.
    void freeze();
    /// Undoes freeze(): what waited is answered.
    void thaw();
    /// Everything is answered 500 `No cluster leader` and no session ends, until elect().
    void loseLeader();
    /// Every session's timer starts anew.
    void elect();
    /// The server is killed and started: connections are reset, timers start anew, old lock-delays apply
    /// again.
    void restartServer();

    /// What a token allows.
    struct TokenRights
    {
        bool keyRead = true;
        bool keyWrite = true;
        bool sessionRead = true;
        bool sessionWrite = true;
        bool serviceWrite = true;
    };
    /// Turns ACLs on: from here on, tokens that were not named get 403 `ACL not found`. An empty \a token is
    /// the anonymous one, which may do everything unless set otherwise.
    void setTokenRights(const QByteArray &token, const TokenRights &rights);

private:
    class Private;
    const std::unique_ptr<Private> d;
};

} // namespace Baton::Testing
