// SPDX-License-Identifier: MIT
#include <Baton/EmbeddedAgent>

#include <httprequest.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QThread>

#include <future>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// The object itself: where it listens, who waits, and what a test can do to it. What it answers is the
// business of the conformance suite.
class TestEmbeddedAgent : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void listens_where_it_says();
    void tells_what_stands_in_its_way();
    void says_that_it_is_simulated();
    void listens_on_its_port_again();
    void a_session_expires_by_the_clock();
    void a_poll_is_answered_at_a_write();
    void a_poll_whose_client_has_gone_is_forgotten();
    void hundreds_of_polls_wait_at_once();
    void sessions_and_keys_as_a_test_sees_them();
    void frozen_it_does_all_later();
    void without_a_leader();
    void a_restart_drops_connections_and_keeps_what_is_stored();
    void rights_of_tokens();
    void pretty_answers();

private:
    using Answer = std::future<HttpAnswer>;

    /// Asked from another thread, since this one answers.
    Answer ask(const QByteArray &method, const QByteArray &target, const QByteArray &body = {},
               const QByteArray &token = {}) const;
    HttpAnswer answer(Answer future) const;
    HttpAnswer request(const QByteArray &method, const QByteArray &target, const QByteArray &body = {},
                       const QByteArray &token = {}) const
    {
        return answer(ask(method, target, body, token));
    }
    QString session(const QByteArray &members) const;

    std::unique_ptr<EmbeddedAgent> m_agent;
};

namespace {
constexpr int Bound = 20'000; // Milliseconds, for what takes none.

bool isReady(const std::future<HttpAnswer> &future)
{
    return future.wait_for(0s) == std::future_status::ready;
}
} // namespace

void TestEmbeddedAgent::init()
{
    m_agent = std::make_unique<EmbeddedAgent>();
    m_agent->setSessionTtlMin(50ms);
    QVERIFY2(m_agent->start(), qPrintable(m_agent->errorString()));
}

TestEmbeddedAgent::Answer TestEmbeddedAgent::ask(const QByteArray &method, const QByteArray &target,
                                                 const QByteArray &body, const QByteArray &token) const
{
    const quint16 port = m_agent->port();
    return std::async(std::launch::async, [=] {
        return httpRequest(u"127.0.0.1"_s, port, method, target, body, std::chrono::milliseconds(Bound),
                           token);
    });
}

HttpAnswer TestEmbeddedAgent::answer(Answer future) const
{
    (void)QTest::qWaitFor([&] { return isReady(future); }, Bound);
    return future.get();
}

QString TestEmbeddedAgent::session(const QByteArray &members) const
{
    const HttpAnswer made = request("PUT", "/v1/session/create", '{' + members + '}');
    return QJsonDocument::fromJson(made.body)["ID"_L1].toString();
}

void TestEmbeddedAgent::listens_where_it_says()
{
    QVERIFY(m_agent->port() != 0);
    QCOMPARE(m_agent->address(), u"http://127.0.0.1:%1"_s.arg(m_agent->port()));
    QCOMPARE(request("GET", "/v1/status/leader").body, "\"127.0.0.1:8300\"");
    const EmbeddedAgent idle;
    QCOMPARE(idle.address(), QString());
    QVERIFY(idle.sessions().isEmpty());
}

void TestEmbeddedAgent::tells_what_stands_in_its_way()
{
    EmbeddedAgent second;
    second.setPort(m_agent->port());
    QVERIFY(!second.start());
    QVERIFY2(second.errorString().startsWith(u"cannot listen on 127.0.0.1 port %1: "_s.arg(m_agent->port())),
             qPrintable(second.errorString()));
    EmbeddedAgent nowhere;
    nowhere.setBindAddress(u"localhost"_s);
    QVERIFY(!nowhere.start());
    QCOMPARE(nowhere.errorString(), u"'localhost' is not an IP address"_s);
}

void TestEmbeddedAgent::says_that_it_is_simulated()
{
    m_agent->stop();
    m_agent = std::make_unique<EmbeddedAgent>();
    m_agent->setNodeName(u"n7"_s);
    m_agent->setDatacenter(u"lab"_s);
    QVERIFY(m_agent->start());
    const QJsonDocument self = QJsonDocument::fromJson(request("GET", "/v1/agent/self").body);
    QCOMPARE(self["Config"_L1]["NodeName"_L1].toString(), u"n7"_s);
    QCOMPARE(self["Config"_L1]["Datacenter"_L1].toString(), u"lab"_s);
    QCOMPARE(self["Config"_L1]["Version"_L1].toString(), u"1.8.7+simulated"_s);
    QCOMPARE(self["Meta"_L1]["simulated-by"_L1].toString(), u"Baton " BATON_VERSION ""_s);
}

void TestEmbeddedAgent::listens_on_its_port_again()
{
    m_agent->put(u"k"_s, "v");
    const QString address = m_agent->address();
    Answer parked = ask("GET", "/v1/kv/k?index=1000000&wait=60s");
    m_agent->stop();
    QCOMPARE(answer(std::move(parked)).status, 0);
    QCOMPARE(request("GET", "/v1/kv/k").status, 0);
    QVERIFY(m_agent->start());
    QCOMPARE(m_agent->address(), address);
    QCOMPARE(request("GET", "/v1/kv/k?raw").body, "v");
}

// Without a request that would make it look at the clock.
void TestEmbeddedAgent::a_session_expires_by_the_clock()
{
    const QString id = session(R"("TTL":"100ms","LockDelay":"0s")");
    QCOMPARE(m_agent->sessions(), QStringList{id});
    QCOMPARE(request("PUT", "/v1/kv/k?acquire=" + id.toLatin1()).body, "true");
    Answer watcher =
        ask("GET", "/v1/kv/k?wait=60s&index=" + request("GET", "/v1/kv/k").header("X-Consul-Index"));
    const HttpAnswer woken = answer(std::move(watcher));
    QCOMPARE(woken.status, 200);
    QVERIFY(!woken.body.contains("Session"));
    QVERIFY(m_agent->sessions().isEmpty());
}

void TestEmbeddedAgent::a_poll_is_answered_at_a_write()
{
    m_agent->put(u"k"_s, "1");
    const QByteArray index = request("GET", "/v1/kv/k").header("X-Consul-Index");
    Answer poll = ask("GET", "/v1/kv/k?raw&wait=60s&index=" + index);
    m_agent->put(u"other"_s, "x");
    QVERIFY(request("GET", "/v1/status/leader").isOk()); // Others are served meanwhile.
    QVERIFY(!isReady(poll));
    m_agent->put(u"k"_s, "2");
    const HttpAnswer news = answer(std::move(poll));
    QCOMPARE(news.body, "2");
    QVERIFY(news.header("X-Consul-Index").toULongLong() > index.toULongLong());
}

void TestEmbeddedAgent::a_poll_whose_client_has_gone_is_forgotten()
{
    m_agent->put(u"k"_s, "1");
    for (int i = 0; i < 3; ++i) {
        QTcpSocket client;
        client.connectToHost(u"127.0.0.1"_s, m_agent->port());
        client.write("GET /v1/kv/k?index=1000000&wait=60s HTTP/1.1\r\nHost: x\r\n\r\n");
        QTRY_COMPARE_WITH_TIMEOUT(client.bytesToWrite(), 0, Bound);
        QVERIFY(
            request("GET", "/v1/status/leader").isOk()); // By now the poll has arrived, or will find nobody.
        client.abort();
    }
    m_agent->put(u"k"_s, "2");
    QCOMPARE(request("GET", "/v1/kv/k?raw").body, "2");
}

void TestEmbeddedAgent::hundreds_of_polls_wait_at_once()
{
    constexpr int Polls = 300;
    m_agent->put(u"k"_s, "1");
    const QByteArray index = request("GET", "/v1/kv/k").header("X-Consul-Index");
    std::vector<std::unique_ptr<QTcpSocket>> clients;
    for (int i = 0; i < Polls; ++i) {
        clients.push_back(std::make_unique<QTcpSocket>());
        clients.back()->connectToHost(u"127.0.0.1"_s, m_agent->port());
        clients.back()->write("GET /v1/kv/k?wait=60s&index=" + index + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    QVERIFY(request("GET", "/v1/status/leader").isOk());
    m_agent->put(u"k"_s, "2");
    for (const auto &client : clients)
        QTRY_VERIFY_WITH_TIMEOUT(client->bytesAvailable() > 0, Bound);
}

void TestEmbeddedAgent::sessions_and_keys_as_a_test_sees_them()
{
    QCOMPARE(m_agent->value(u"k"_s), std::nullopt);
    QCOMPARE(m_agent->holder(u"k"_s), std::nullopt);
    QVERIFY(!m_agent->destroySession(u"11111111-2222-3333-4444-555555555555"_s));
    const QString id = session(R"("LockDelay":"0s")");
    QCOMPARE(request("PUT", "/v1/kv/k?acquire=" + id.toLatin1(), "mine").body, "true");
    QCOMPARE(m_agent->holder(u"k"_s), id);
    QCOMPARE(m_agent->value(u"k"_s), "mine");
    m_agent->put(u"k"_s, "yours");
    QCOMPARE(m_agent->holder(u"k"_s), id);
    QCOMPARE(m_agent->value(u"k"_s), "yours");
    m_agent->remove(u"k"_s);
    QCOMPARE(m_agent->value(u"k"_s), std::nullopt);
    QVERIFY(m_agent->destroySession(id));
    QVERIFY(m_agent->sessions().isEmpty());
}

void TestEmbeddedAgent::frozen_it_does_all_later()
{
    m_agent->put(u"other"_s, "u");
    const QByteArray index = request("GET", "/v1/kv/other").header("X-Consul-Index");
    Answer poll = ask("GET", "/v1/kv/other?raw&wait=60s&index=" + index);
    QVERIFY(request("GET", "/v1/status/leader").isOk());
    m_agent->freeze();
    Answer write = ask("PUT", "/v1/kv/k", "v");
    QVERIFY(
        !QTest::qWaitFor([&] { return isReady(write); }, 200)); // As long as a real request would never take.
    QCOMPARE(m_agent->value(u"k"_s), std::nullopt);
    m_agent->put(u"other"_s, "v"); // By the test itself; whoever watches it hears of it later.
    QVERIFY(!isReady(poll));
    m_agent->thaw();
    QCOMPARE(answer(std::move(poll)).body, "v");
    QCOMPARE(answer(std::move(write)).body, "true");
    QCOMPARE(m_agent->value(u"k"_s), "v");
}

void TestEmbeddedAgent::without_a_leader()
{
    m_agent->put(u"k"_s, "v");
    const QString id = session(R"("TTL":"100ms")");
    Answer poll = ask("GET", "/v1/kv/k?index=1000000&wait=60s");
    QVERIFY(request("GET", "/v1/status/leader").isOk());
    m_agent->loseLeader();
    QCOMPARE(answer(std::move(poll)).status, 500);
    QCOMPARE(request("GET", "/v1/status/leader").body, "\"\"");
    QCOMPARE(request("PUT", "/v1/kv/k").body, "No cluster leader");
    QCOMPARE(request("PUT", "/v1/session/renew/" + id.toLatin1()).body, "No cluster leader");
    m_agent->elect();
    QCOMPARE(request("PUT", "/v1/session/renew/" + id.toLatin1()).status, 200);
}

void TestEmbeddedAgent::a_restart_drops_connections_and_keeps_what_is_stored()
{
    m_agent->put(u"k"_s, "v");
    Answer poll = ask("GET", "/v1/kv/k?index=1000000&wait=60s");
    QVERIFY(request("GET", "/v1/status/leader").isOk());
    m_agent->restartServer();
    QCOMPARE(answer(std::move(poll)).status, 0);
    QCOMPARE(request("GET", "/v1/kv/k?raw").body, "v");
}

void TestEmbeddedAgent::rights_of_tokens()
{
    m_agent->put(u"k"_s, "v");
    QCOMPARE(request("GET", "/v1/kv/k", {}, "anything").status, 200);
    m_agent->setTokenRights("reader", {true, false, true, false, false});
    QCOMPARE(request("GET", "/v1/kv/k", {}, "anything").body, "ACL not found");
    QCOMPARE(request("GET", "/v1/kv/k").status, 200); // The anonymous token, of which nothing was said.
    QCOMPARE(request("GET", "/v1/kv/k", {}, "reader").status, 200);
    QCOMPARE(request("PUT", "/v1/kv/k", "w", "reader").body, "Permission denied");
    m_agent->setTokenRights({}, {false, false, false, false, false});
    QCOMPARE(request("GET", "/v1/kv/k").status, 403);
}

void TestEmbeddedAgent::pretty_answers()
{
    m_agent->put(u"k"_s, "v");
    const QByteArray compact = request("GET", "/v1/kv/k").body;
    QVERIFY(compact.startsWith(
        "[{\"LockIndex\":0,\"Key\":\"k\",\"Flags\":0,\"Value\":\"dg==\",\"CreateIndex\":"));
    const QByteArray pretty = request("GET", "/v1/kv/k?pretty").body;
    QVERIFY(pretty.startsWith("[\n    {\n"));
    QCOMPARE(QJsonDocument::fromJson(pretty), QJsonDocument::fromJson(compact));
    QCOMPARE(request("PUT", "/v1/kv/k?pretty", "w").body, "true\n");
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestEmbeddedAgent)
#include "tst_embeddedagent.moc"
