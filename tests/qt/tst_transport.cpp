// SPDX-License-Identifier: MIT
#include "transportfixture.h"

#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using namespace TransportFixture;

/// What goes over the wire, and what each kind of answer is reported as.
class TestTransport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f54_sendsWhatItSaysAndNothingElse_data();
    void f54_sendsWhatItSaysAndNothingElse();
    void targetsAreSentAsTheyAre_data();
    void targetsAreSentAsTheyAre();
    void aPathInTheBaseComesFirst();
    void theTokenCanChange();
    void consulsHeadersAreKept();
    void answers_data();
    void answers();
    void f58_redirectsAreNotFollowed_data();
    void f58_redirectsAreNotFollowed();
    void noProxyIsAsked();
    void f35_localhost();
};

void TestTransport::f54_sendsWhatItSaysAndNothingElse_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("once");
    QTest::addColumn<QByteArray>("token");
    QTest::newRow("GET") << QByteArray("GET") << QByteArray() << false << QByteArray();
    QTest::newRow("GET with a token") << QByteArray("GET") << QByteArray() << false << QByteArray("s3cret");
    QTest::newRow("PUT without a body") << QByteArray("PUT") << QByteArray() << false << QByteArray("s3cret");
    QTest::newRow("PUT") << QByteArray("PUT") << QByteArray("{}") << false << QByteArray("s3cret");
    QTest::newRow("PUT only once") << QByteArray("PUT") << QByteArray("{}") << true << QByteArray("s3cret");
    QTest::newRow("PUT of a long body only once")
        << QByteArray("PUT") << QByteArray(700'000, 'x') << true << QByteArray();
}

void TestTransport::f54_sendsWhatItSaysAndNothingElse()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, body);
    QFETCH(bool, once);
    QFETCH(QByteArray, token);
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "true"); };
    Transport transport(agent.face.url(), token);
    const HttpCall call{.method = method,
                        .target = "/v1/a?b=c",
                        .body = body,
                        .role = Role::Work,
                        .once = once,
                        .answerLimit = 99};
    QCOMPARE(ask(transport, call).body, "true");

    Headers expected = {{"Host", "127.0.0.1:" + QByteArray::number(agent.face.port())},
                        {"Accept-Encoding", "identity"},
                        {"Accept-Language", "en"},
                        {"User-Agent", "baton/" BATON_VERSION},
                        {"Connection", "Keep-Alive"}};
    if (!token.isEmpty())
        expected.emplaceBack("X-Consul-Token", token);
    if (method == "PUT")
        expected.emplaceBack("Content-Length", QByteArray::number(body.size()));
    if (!body.isEmpty())
        expected.emplaceBack("Content-Type", "application/json");
    QCOMPARE(agent.requests.size(), size_t(1));
    Request &request = agent.requests.front();
    std::ranges::sort(expected);
    std::ranges::sort(request.headers);
    QCOMPARE(request.headers, expected);
    QCOMPARE(request.method, method);
    QCOMPARE(request.target, "/v1/a?b=c");
    QCOMPARE(request.body, body);
    QVERIFY(request.keepAlive); // So it was HTTP/1.1.
}

void TestTransport::targetsAreSentAsTheyAre_data()
{
    QTest::addColumn<QByteArray>("target");
    const auto row = [](const char *name, const QByteArray &target) { QTest::newRow(name) << target; };
    row("space", "/v1/kv/a%20b");
    row("hash and question mark", "/v1/kv/a%23b%3Fc?consistent");
    row("percent", "/v1/kv/50%25");
    row("encoded slash", "/v1/kv/a%2Fb/c");
    row("plus in path and query", "/v1/kv/a%2Bb?dc=a%2Bb");
    row("UTF-8", "/v1/kv/%C3%A7%C2%A0%F0%9F%98%80");
    row("ampersand in query", "/v1/kv/a?dc=x%26y&ns=z%3D");
    row("long poll", "/v1/kv/a?consistent&index=18446744073709551615&wait=50000ms");
}

void TestTransport::targetsAreSentAsTheyAre()
{
    QFETCH(QByteArray, target);
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200); };
    Transport transport(agent.face.url());
    HttpCall call = get();
    call.target = target;
    QCOMPARE(ask(transport, call).status, 200);
    QCOMPARE(agent.requests.front().target, target);
}

void TestTransport::aPathInTheBaseComesFirst()
{
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200); };
    for (const QString &path : {u"/consul"_s, u"/consul/"_s, u"/"_s, u""_s}) {
        QUrl base = agent.face.url();
        base.setPath(path);
        Transport transport(base);
        QCOMPARE(ask(transport, put()).status, 200);
        QCOMPARE(agent.requests.back().target, path.size() > 1 ? "/consul/v1/x" : "/v1/x");
    }
}

void TestTransport::theTokenCanChange()
{
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200); };
    Transport transport(agent.face.url(), "first");
    for (const QByteArray &token : {QByteArray("first"), QByteArray("second"), QByteArray()}) {
        transport.setToken(token);
        QCOMPARE(ask(transport, get()).status, 200);
        QCOMPARE(agent.requests.back().header("X-Consul-Token"), token);
    }
}

void TestTransport::consulsHeadersAreKept()
{
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) {
        responder.reply(200, "[]",
                        {{"Content-Type", "application/json"},
                         {"x-consul-index", "18446744073709551615"},
                         {"X-Consul-Knownleader", "false"},
                         {"X-Consul-Lastcontact", "12"}});
    };
    Transport transport(agent.face.url());
    const HttpAnswer answer = ask(transport, get());
    QCOMPARE(answer.contentType, "application/json");
    QCOMPARE(answer.consulIndex, "18446744073709551615");
    QCOMPARE(answer.consulKnownLeader, "false");
    QCOMPARE(answer.consulLastContact, "12");
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200); };
    QVERIFY(ask(transport, get()).consulIndex.isNull());
}

void TestTransport::answers_data()
{
    QTest::addColumn<QByteArray>("bytes"); ///< Sent, then the connection is closed.
    QTest::addColumn<Exchange>("exchange");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("lengthKnown");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const QByteArray &bytes, Exchange exchange, int status = 0,
                        bool known = false, const QByteArray &body = {}) {
        QTest::newRow(name) << bytes << exchange << status << known << body;
    };
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    row("length", ok + "Content-Length: 4\r\n\r\ntrue", Exchange::Complete, 200, true, "true");
    row("length zero", ok + "Content-Length: 0\r\n\r\n", Exchange::Complete, 200, true);
    row("no length, ended by FIN", ok + "\r\ntrue", Exchange::Complete, 200, false, "true");
    row("nothing", "", Exchange::Interrupted);
    row("shorter than its length", ok + "Content-Length: 5\r\n\r\ntrue", Exchange::Interrupted, 200);
    row("bytes after its length", ok + "Content-Length: 4\r\n\r\ntruefalse", Exchange::Complete, 200, true,
        "true");
    row("length not a number", ok + "Content-Length: x\r\n\r\ntrue", Exchange::Interrupted, 200);
    row("length negative", ok + "Content-Length: -1\r\n\r\ntrue", Exchange::Interrupted, 200);
    row("two lengths", ok + "Content-Length: 4\r\nContent-Length: 5\r\n\r\ntrue", Exchange::Interrupted, 200);
    const QByteArray chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    row("chunked JSON", chunked + "1\r\n[\r\n2\r\n1]\r\n0\r\n\r\n", Exchange::Complete, 200, true, "[1]");
    row("chunked scalar: a cut would not be seen", chunked + "4\r\ntrue\r\n0\r\n\r\n", Exchange::Complete,
        200, false, "true");
    row("not HTTP", "hello\r\n\r\n", Exchange::Interrupted);
    row("after 100 Continue", "HTTP/1.1 100 Continue\r\n\r\n" + httpAnswer(200, "true"), Exchange::Complete,
        200, true, "true");
    row("301", httpAnswer(301, "moved", {{"Location", "/v1/y"}}), Exchange::Complete, 301, true, "moved");
    row("401 with a challenge", httpAnswer(401, "who", {{"WWW-Authenticate", "Basic realm=\"x\""}}),
        Exchange::Complete, 401, true, "who");
    row("407 with a challenge", httpAnswer(407, "who", {{"Proxy-Authenticate", "Basic realm=\"x\""}}),
        Exchange::Complete, 407, true, "who");
    for (const int status : {400, 403, 404, 405, 409, 410, 413, 418, 429, 500, 501, 502, 503, 504, 599}) {
        row(QByteArray::number(status), httpAnswer(status, "text"), Exchange::Complete, status, true, "text");
        row("cut " + QByteArray::number(status), httpAnswer(status, "text").chopped(1), Exchange::Interrupted,
            status);
    }
}

void TestTransport::answers()
{
    QFETCH(QByteArray, bytes);
    Agent agent;
    agent.script = [&bytes](const Request &, const Responder &responder) {
        responder.send(bytes);
        responder.close();
    };
    Transport transport(agent.face.url());
    const HttpAnswer answer = ask(transport, get());
    QTEST(answer.exchange, "exchange");
    QTEST(answer.body, "body");
    QTEST(answer.lengthKnown, "lengthKnown");
    QCOMPARE(answer.errorText.isEmpty(), answer.exchange == Exchange::Complete);
    if (answer.exchange == Exchange::Complete)
        QTEST(answer.status, "status");
}

void TestTransport::f58_redirectsAreNotFollowed_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("isPut");
    for (const int status : {301, 302, 303, 307, 308}) {
        for (const bool isPut : {false, true})
            QTest::addRow("%d %s", status, isPut ? "PUT" : "GET") << status << isPut;
    }
}

void TestTransport::f58_redirectsAreNotFollowed()
{
    QFETCH(int, status);
    QFETCH(bool, isPut);
    Agent stranger(QHostAddress(u"127.0.0.2"_s));
    stranger.script = [](const Request &, const Responder &responder) { responder.reply(200, "true"); };
    Agent agent;
    const QByteArray elsewhere = stranger.face.url().toEncoded() + "/v1/x";
    agent.script = [&](const Request &, const Responder &r) {
        r.reply(status, "moved", {{"Location", elsewhere}});
    };

    // The trap works: with Qt's own settings the stranger gets the token.
    QNetworkAccessManager naive;
    QNetworkRequest request(agent.face.url());
    request.setRawHeader("X-Consul-Token", "s3cret");
    const std::unique_ptr<QNetworkReply> reply(isPut ? naive.put(request, "{}") : naive.get(request));
    QTRY_VERIFY_WITH_TIMEOUT(reply->isFinished(), Patience);
    QCOMPARE(stranger.requests.size(), size_t(1));
    QCOMPARE(stranger.requests.front().header("X-Consul-Token"), "s3cret");

    Transport transport(agent.face.url(), "s3cret");
    for (const HttpCall &call : {isPut ? put("{}") : get(), isPut ? put("{}", true) : get(Role::Watch)}) {
        const HttpAnswer answer = ask(transport, call);
        // To QNAM a 307 is a reason to rewind the body even if it is not to follow it.
        const bool rewinds = call.once && status >= 307;
        QCOMPARE(answer.exchange, rewinds ? Exchange::Interrupted : Exchange::Complete);
        QCOMPARE(answer.status, status);
    }
    QCOMPARE(stranger.face.connectionsAccepted(), quint64(1));
}

void TestTransport::noProxyIsAsked()
{
    Agent proxy;
    QNetworkProxy::setApplicationProxy({QNetworkProxy::HttpProxy, u"127.0.0.1"_s, proxy.face.port()});
    const auto restore = qScopeGuard([] { QNetworkProxy::setApplicationProxy(QNetworkProxy::NoProxy); });
    // Qt never asks a proxy for a loopback address, so this needs a name, which the proxy need not resolve.
    const QUrl elsewhere(u"http://baton.invalid:8500"_s);

    // The trap works: with Qt's own settings the proxy is asked.
    QNetworkAccessManager naive;
    const std::unique_ptr<QNetworkReply> reply(naive.get(QNetworkRequest(elsewhere)));
    QTRY_VERIFY_WITH_TIMEOUT(reply->isFinished(), Patience);
    const quint64 asked = proxy.face.connectionsAccepted();
    QVERIFY(asked > 0);

    Transport transport(elsewhere);
    QVERIFY(ask(transport, get(), 1s).exchange != Exchange::Complete);
    QCOMPARE(proxy.face.connectionsAccepted(), asked);
}

void TestTransport::f35_localhost()
{
    Agent agent; // Listens on 127.0.0.1 alone.
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "true"); };
    QUrl url = agent.face.url();
    url.setHost(u"localhost"_s);
    Transport transport(url);
    QCOMPARE(ask(transport, put("{}", true)).body, "true");
}

QTEST_GUILESS_MAIN(TestTransport)
#include "tst_transport.moc"
