// SPDX-License-Identifier: MIT
#include "testing/httpface.h"

#include <QtCore/QScopeGuard>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <deque>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using namespace Baton::Testing;

namespace {

constexpr int Patience = 10'000;

/// A peer that sends bytes as they are and keeps what comes back.
class Peer : public QTcpSocket
{
public:
    explicit Peer(const HttpFace &face)
    {
        connect(this, &QTcpSocket::readyRead, this, [this] { received += readAll(); });
        connectToHost(QHostAddress(QHostAddress::LocalHost), face.port());
    }
    QByteArray received;
};

/// A face that keeps every exchange for the test to end.
struct Parking
{
    Parking() { QVERIFY(face.listen()); }

    std::deque<std::pair<Request, Responder>> parked;
    HttpFace face{[this](const Request &request, const Responder &responder) {
        parked.emplace_back(request, responder);
    }};
};

const QByteArray Get = "GET /v1/x HTTP/1.1\r\nHost: h\r\n\r\n";

} // namespace

class TestHttpFace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneRequest_data();
    void oneRequest();
    void everyPrefixIsNoRequest_data();
    void everyPrefixIsNoRequest();
    void everySplitIsTheSameRequest_data();
    void everySplitIsTheSameRequest();
    void refused_data();
    void refused();
    void staysRefused();
    void severalInOnePiece();
    void whatIsAskedFor();

    void keepsConnections();
    void pipelinedRequestsWaitTheirTurn();
    void answersMuchLater();
    void closesWhenAsked_data();
    void closesWhenAsked();
    void refusesWithAStatus();
    void seesThePeerGo();
    void endedExchangesAreDeaf();
    void resets();
    void cuts();
    void drips();
    void floods();
    void manyParkedPolls();
    void goesDownAndComesUp();
};

/// Whole requests and what they are.
void TestHttpFace::oneRequest_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("keepAlive");
    QTest::newRow("no body") << Get << QByteArray("GET") << QByteArray("/v1/x") << QByteArray() << true;
    QTest::newRow("length") << QByteArray("PUT /a HTTP/1.1\r\ncontent-LENGTH: 5\r\n\r\nhello")
                            << QByteArray("PUT") << QByteArray("/a") << QByteArray("hello") << true;
    QTest::newRow("length zero") << QByteArray("PUT /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
                                 << QByteArray("PUT") << QByteArray("/a") << QByteArray() << true;
    QTest::newRow("chunked") << QByteArray("PUT /a HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"
                                           "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n")
                             << QByteArray("PUT") << QByteArray("/a") << QByteArray("abc0123456789") << true;
    QTest::newRow("body with line ends")
        << QByteArray("PUT /a HTTP/1.1\r\nContent-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n") << QByteArray("PUT")
        << QByteArray("/a") << QByteArray("\r\n\r\n\r\n\r\n") << true;
    QTest::newRow("bare line feeds") << QByteArray("GET /a HTTP/1.1\nHost: h\n\n") << QByteArray("GET")
                                     << QByteArray("/a") << QByteArray() << true;
    QTest::newRow("empty line first") << QByteArray("\r\nGET /a HTTP/1.1\r\n\r\n") << QByteArray("GET")
                                      << QByteArray("/a") << QByteArray() << true;
    QTest::newRow("close") << QByteArray("GET /a HTTP/1.1\r\nConnection: Close\r\n\r\n") << QByteArray("GET")
                           << QByteArray("/a") << QByteArray() << false;
    QTest::newRow("1.0") << QByteArray("GET /a HTTP/1.0\r\n\r\n") << QByteArray("GET") << QByteArray("/a")
                         << QByteArray() << false;
}

void TestHttpFace::oneRequest()
{
    QFETCH(QByteArray, bytes);
    HttpParser parser;
    parser.feed(bytes);
    const std::optional<Request> request = parser.next();
    QVERIFY(request);
    QTEST(request->method, "method");
    QTEST(request->target, "target");
    QTEST(request->body, "body");
    QTEST(request->keepAlive, "keepAlive");
    QVERIFY(!parser.next());
    QVERIFY(!parser.refusal());
}

void TestHttpFace::everyPrefixIsNoRequest_data()
{
    oneRequest_data();
}

void TestHttpFace::everyPrefixIsNoRequest()
{
    QFETCH(QByteArray, bytes);
    for (qsizetype length = 0; length < bytes.size(); ++length) {
        HttpParser parser;
        parser.feed(QByteArrayView(bytes).first(length));
        QVERIFY2(!parser.next(), QByteArray::number(length));
        QVERIFY2(!parser.refusal(), QByteArray::number(length));
        parser.feed(QByteArrayView(bytes).sliced(length));
        const std::optional<Request> request = parser.next();
        QVERIFY2(request, QByteArray::number(length));
        QTEST(request->body, "body");
    }
}

void TestHttpFace::everySplitIsTheSameRequest_data()
{
    oneRequest_data();
}

void TestHttpFace::everySplitIsTheSameRequest()
{
    QFETCH(QByteArray, bytes);
    for (qsizetype piece = 1; piece <= 7; ++piece) {
        HttpParser parser;
        std::optional<Request> request;
        for (qsizetype at = 0; at < bytes.size(); at += piece) {
            QVERIFY(!request);
            parser.feed(QByteArrayView(bytes).sliced(at, std::min(piece, bytes.size() - at)));
            request = parser.next();
        }
        QVERIFY(request);
        QTEST(request->target, "target");
        QTEST(request->body, "body");
    }
}

void TestHttpFace::refused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    const QByteArray put = "PUT /a HTTP/1.1\r\n";
    QTest::newRow("not HTTP") << QByteArray("hello\r\n") << 400;
    QTest::newRow("two words") << QByteArray("GET /a\r\n") << 400;
    QTest::newRow("absolute target, as to a proxy") << QByteArray("GET http://h/ HTTP/1.1\r\n") << 400;
    QTest::newRow("method not a token") << QByteArray("G(T /a HTTP/1.1\r\n") << 400;
    QTest::newRow("HTTP/2") << QByteArray("PRI / HTTP/2.0\r\n") << 505;
    QTest::newRow("header without colon") << QByteArray("GET /a HTTP/1.1\r\nHost\r\n") << 400;
    QTest::newRow("folded header") << QByteArray("GET /a HTTP/1.1\r\nA: b\r\n c\r\n") << 400;
    QTest::newRow("space before colon") << QByteArray("GET /a HTTP/1.1\r\nA : b\r\n") << 400;
    QTest::newRow("length not a number") << put + "Content-Length: x\r\n\r\n" << 400;
    QTest::newRow("length with sign") << put + "Content-Length: +5\r\n\r\n" << 400;
    QTest::newRow("length negative") << put + "Content-Length: -5\r\n\r\n" << 400;
    QTest::newRow("length beyond 64 bits") << put + "Content-Length: 99999999999999999999\r\n\r\n" << 400;
    QTest::newRow("two lengths") << put + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n" << 400;
    QTest::newRow("length and chunked") << put + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        << 400;
    QTest::newRow("unknown coding") << put + "Transfer-Encoding: gzip\r\n\r\n" << 501;
    QTest::newRow("chunk size empty") << put + "Transfer-Encoding: chunked\r\n\r\n\r\n" << 400;
    QTest::newRow("chunk size not hex") << put + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n" << 400;
    QTest::newRow("chunk size prefixed") << put + "Transfer-Encoding: chunked\r\n\r\n0x1\r\n" << 400;
    QTest::newRow("chunk longer than it said") << put + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"
                                               << 400;
    QTest::newRow("body over the limit") << put + "Content-Length: 101\r\n\r\n" << 413;
    QTest::newRow("chunks over the limit")
        << put + "Transfer-Encoding: chunked\r\n\r\n64\r\n" + QByteArray(100, 'x') + "\r\n1\r\n"
        << 413;
    QTest::newRow("head over the limit, no line end") << QByteArray(201, 'x') << 431;
    QTest::newRow("head over the limit, many lines")
        << "GET /a HTTP/1.1\r\n" + QByteArray("A: b\r\n").repeated(40) << 431;
}

void TestHttpFace::refused()
{
    QFETCH(QByteArray, bytes);
    HttpParser parser({.head = 200, .body = 100});
    parser.feed(bytes);
    QVERIFY(!parser.next());
    QVERIFY(parser.refusal());
    QTEST(parser.refusal()->status, "status");
}

void TestHttpFace::staysRefused()
{
    HttpParser parser;
    parser.feed("hello\r\n" + Get);
    QVERIFY(!parser.next());
    parser.feed(Get);
    QVERIFY(!parser.next());
    QVERIFY(parser.refusal());
}

void TestHttpFace::severalInOnePiece()
{
    HttpParser parser;
    parser.feed("PUT /1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi" + Get
                + "PUT /3 HTTP/1.1\r\nTransfer-Encoding: "
                  "chunked\r\n\r\n2\r\nho\r\n0\r\n\r\nGET /4 HTTP/1.1\r\n");
    QCOMPARE(parser.next().value_or(Request()).body, "hi");
    QCOMPARE(parser.next().value_or(Request()).target, "/v1/x");
    const Request third = parser.next().value_or(Request());
    QCOMPARE(third.body, "ho");
    QCOMPARE(third.headers.size(), 1);
    QVERIFY(!parser.next());
    parser.feed("\r\n");
    QCOMPARE(parser.next().value_or(Request()).target, "/4");
}

void TestHttpFace::whatIsAskedFor()
{
    HttpParser parser;
    parser.feed(
        "GET /v1/kv/a%20b/%C3%A7?dc=a%2Bb&consistent&index=7 HTTP/1.1\r\nX-Consul-Token:  t \r\n\r\n");
    const Request request = parser.next().value_or(Request());
    QCOMPARE(request.path, u"/v1/kv/a b/\u00e7"_s);
    QCOMPARE(request.query.queryItemValue(u"dc"_s, QUrl::FullyDecoded), u"a+b"_s);
    QVERIFY(request.query.hasQueryItem(u"consistent"_s));
    QCOMPARE(request.query.queryItemValue(u"index"_s), u"7"_s);
    QCOMPARE(request.header("x-consul-token"), "t");
    QVERIFY(request.header("Missing").isNull());
}

void TestHttpFace::keepsConnections()
{
    Parking agent;
    Peer peer(agent.face);
    for (int i = 1; i <= 3; ++i) {
        peer.received.clear();
        peer.write(Get);
        QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(i), Patience);
        QCOMPARE(agent.parked.back().first.connection, quint64(1));
        agent.parked.back().second.reply(200, "true", {{"X-Consul-Index", "5"}});
        QTRY_COMPARE_WITH_TIMEOUT(
            peer.received, "HTTP/1.1 200 OK\r\nX-Consul-Index: 5\r\nContent-Length: 4\r\n\r\ntrue", Patience);
    }
    QCOMPARE(agent.face.connectionsAccepted(), quint64(1));
}

void TestHttpFace::pipelinedRequestsWaitTheirTurn()
{
    Parking agent;
    Peer peer(agent.face);
    peer.write("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    peer.write("GET /3 HTTP/1.1\r\n\r\n");
    for (size_t i = 1; i <= 3; ++i) {
        QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), i, Patience);
        agent.parked.back().second.reply(200, agent.parked.back().first.target);
    }
    const auto answer = [](const QByteArray &body) { return httpAnswer(200, body); };
    QTRY_COMPARE_WITH_TIMEOUT(peer.received, answer("/1") + answer("/2") + answer("/3"), Patience);
}

void TestHttpFace::answersMuchLater()
{
    Parking agent;
    Peer first(agent.face);
    first.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    Peer second(agent.face);
    second.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(2), Patience);
    agent.parked[1].second.reply(200, "second");
    QTRY_VERIFY_WITH_TIMEOUT(second.received.endsWith("second"), Patience);
    QVERIFY(first.received.isEmpty());
    const Responder late = agent.parked[0].second;
    late.after(20ms, [late] { late.reply(200, "first"); });
    QTRY_VERIFY_WITH_TIMEOUT(first.received.endsWith("first"), Patience);
}

void TestHttpFace::closesWhenAsked_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::newRow("Connection: close") << QByteArray("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    QTest::newRow("HTTP/1.0") << QByteArray("GET / HTTP/1.0\r\n\r\n");
}

void TestHttpFace::closesWhenAsked()
{
    QFETCH(QByteArray, request);
    Parking agent;
    Peer peer(agent.face);
    peer.write(request);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    agent.parked.back().second.reply(200, "bye");
    QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QAbstractSocket::UnconnectedState, Patience);
    QVERIFY(peer.received.endsWith("bye"));
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
}

void TestHttpFace::refusesWithAStatus()
{
    Parking agent;
    Peer peer(agent.face);
    peer.write("nonsense\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QAbstractSocket::UnconnectedState, Patience);
    QVERIFY(peer.received.startsWith("HTTP/1.1 400 "));
    QVERIFY(agent.parked.empty());
}

void TestHttpFace::seesThePeerGo()
{
    Parking agent;
    auto peer = std::make_unique<Peer>(agent.face);
    peer->write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    const Responder responder = agent.parked.back().second;
    bool gone = false;
    responder.whenGone([&gone] { gone = true; });
    QVERIFY(responder.isOpen());
    peer.reset();
    QTRY_VERIFY_WITH_TIMEOUT(gone, Patience);
    QVERIFY(!responder.isOpen());
    responder.reply(200, "nobody hears this");
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
    responder.reply(200, "nor this");
}

void TestHttpFace::endedExchangesAreDeaf()
{
    Parking agent;
    Peer peer(agent.face);
    peer.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    const Responder old = agent.parked.back().second;
    bool gone = false;
    old.whenGone([&gone] { gone = true; });
    old.reply(200, "once");
    old.reply(200, "twice");
    peer.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(2), Patience);
    old.reply(200, "thrice");
    old.reset();
    agent.parked.back().second.reply(200, "next");
    QTRY_COMPARE_WITH_TIMEOUT(peer.received, httpAnswer(200, "once") + httpAnswer(200, "next"), Patience);
    peer.disconnectFromHost();
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
    QVERIFY(!gone);
}

void TestHttpFace::resets()
{
#ifdef Q_OS_UNIX
    Parking agent;
    // Qt reports FIN and RST alike, so this peer is a bare socket.
    const int peer = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto closePeer = qScopeGuard([peer] { ::close(peer); });
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(agent.face.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QCOMPARE(::connect(peer, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    QCOMPARE(::send(peer, Get.constData(), size_t(Get.size()), 0), Get.size());
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    agent.parked.back().second.reset();
    char byte = 0;
    QCOMPARE(::recv(peer, &byte, 1, 0), -1);
    QCOMPARE(errno, ECONNRESET);
#else
    QSKIP("Needs a bare socket");
#endif
}

void TestHttpFace::cuts()
{
    const QByteArray whole = httpAnswer(200, "[{\"a\":1}]");
    for (qsizetype length = 0; length <= whole.size(); ++length) {
        Parking agent;
        Peer peer(agent.face);
        peer.write(Get);
        QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
        agent.parked.back().second.send(whole.left(length));
        agent.parked.back().second.close();
        QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QAbstractSocket::UnconnectedState, Patience);
        QCOMPARE(peer.received, whole.left(length));
    }
}

void TestHttpFace::drips()
{
    Parking agent;
    Peer peer(agent.face);
    int pieces = 0;
    connect(&peer, &QTcpSocket::readyRead, this, [&pieces] { ++pieces; });
    peer.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    agent.parked.back().second.drip("0123456789", 5ms, 2);
    QTRY_COMPARE_WITH_TIMEOUT(peer.received, "0123456789", Patience);
    QVERIFY(pieces > 1);
}

void TestHttpFace::floods()
{
    Parking agent;
    Peer peer(agent.face);
    peer.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
    agent.parked.back().second.flood(QByteArray(16 * 1024, 'x'));
    QTRY_VERIFY_WITH_TIMEOUT(peer.received.size() > 8 * 1024 * 1024, Patience);
    peer.abort();
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
}

void TestHttpFace::manyParkedPolls()
{
    Parking agent;
    std::vector<std::unique_ptr<Peer>> peers;
    for (int i = 0; i < 200; ++i) {
        peers.push_back(std::make_unique<Peer>(agent.face));
        peers.back()->write(Get);
    }
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), peers.size(), Patience);
    for (const auto &[request, responder] : agent.parked)
        responder.reply(200, "woken");
    for (const auto &peer : peers)
        QTRY_VERIFY_WITH_TIMEOUT(peer->received.endsWith("woken"), Patience);
}

void TestHttpFace::goesDownAndComesUp()
{
    Parking agent;
    const quint16 port = agent.face.port();
    Peer open(agent.face);
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(1), Patience);
    agent.face.stopListening();
    agent.face.resetConnections();
    QTRY_COMPARE_WITH_TIMEOUT(open.state(), QAbstractSocket::UnconnectedState, Patience);
    QTcpSocket refused;
    refused.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    QTRY_COMPARE_WITH_TIMEOUT(refused.error(), QAbstractSocket::ConnectionRefusedError, Patience);
    QVERIFY(agent.face.listen(QHostAddress::LocalHost, port));
    Peer again(agent.face);
    again.write(Get);
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(1), Patience);
}

QTEST_GUILESS_MAIN(TestHttpFace)
#include "tst_httpface.moc"
