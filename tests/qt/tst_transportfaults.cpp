// SPDX-License-Identifier: MIT
#include "transportfixture.h"

#include "qt/bootclock.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QScopeGuard>
#include <QtCore/QThread>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

#include <atomic>
#include <future>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using namespace TransportFixture;
using Baton::Core::bootNow;

/// No answer, half an answer, an endless one, one that never comes, and connections that are dead already.
class TestTransportFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nobodyListens();
    void refusedAfterItWasSent();
    void silenceTimesOut();
    void f69_cutAnswerIsNoState_data();
    void f69_cutAnswerIsNoState();
    void f69_drippedAnswerTimesOut();
    void f69_endlessAnswerIsCutOffNearItsLimit();
    void longestAnswer();
    void f65_whatMustNotBeRepeatedIsNot_data();
    void f65_whatMustNotBeRepeatedIsNot();
    void f54_deadConnectionIsReplaced_data();
    void f54_deadConnectionIsReplaced();
    void f54_blackHoledConnectionsAreReplaced();
};

void TestTransportFaults::nobodyListens()
{
    QUrl url;
    {
        const Agent agent;
        url = agent.face.url();
    }
    Transport transport(url);
    for (const HttpCall &call : {get(), put(), put("{}"), put("{}", true)}) {
        const HttpAnswer answer = ask(transport, call);
        QCOMPARE(answer.exchange, Exchange::Unreachable);
        QVERIFY(!answer.errorText.isEmpty());
    }
}

/// QNAM sends it again to a port that refuses by now: "connection refused" does not mean "never arrived".
void TestTransportFaults::refusedAfterItWasSent()
{
    Agent agent;
    agent.script = [&agent](const Request &, const Responder &responder) {
        agent.face.stopListening();
        responder.close();
    };
    Transport transport(agent.face.url());
    QCOMPARE(ask(transport, put("{}")).exchange, Exchange::Interrupted);
    QCOMPARE(agent.requests.size(), size_t(1));
}

void TestTransportFaults::silenceTimesOut()
{
    Agent agent;
    Transport transport(agent.face.url());
    for (const HttpCall &call : {get(), put("{}", true), get(Role::Watch)}) {
        const auto start = bootNow();
        QCOMPARE(ask(transport, call, 60ms).exchange, Exchange::TimedOut);
        QVERIFY(bootNow() - start >= 60ms);
    }
    QCOMPARE(agent.requests.size(), size_t(3));
}

const QByteArray json = R"([{"Key":"a","Value":"eyJ2IjoxfQ=="}])";

void TestTransportFaults::f69_cutAnswerIsNoState_data()
{
    QTest::addColumn<QByteArray>("whole");
    QTest::addColumn<bool>("kept");
    QTest::addColumn<bool>("reset");
    const QByteArray chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n" + json.left(20)
        + "\r\n" + QByteArray::number(json.size() - 20, 16) + "\r\n" + json.mid(20) + "\r\n0\r\n\r\n";
    for (const bool kept : {false, true}) {
        for (const bool reset : {false, true}) {
            const QByteArray how = QByteArray(kept ? ", kept" : ", fresh") + (reset ? ", RST" : ", FIN");
            QTest::newRow("length" + how) << httpAnswer(200, json) << kept << reset;
            QTest::newRow("chunked" + how) << chunked << kept << reset;
            QTest::newRow("true" + how) << httpAnswer(200, "true") << kept << reset;
        }
    }
}

/// QNAM itself calls many of these complete, with NoError.
void TestTransportFaults::f69_cutAnswerIsNoState()
{
    QFETCH(QByteArray, whole);
    QFETCH(bool, kept);
    QFETCH(bool, reset);
    Agent agent;
    for (qsizetype length = 0; length < whole.size(); ++length) {
        Transport transport(agent.face.url());
        if (kept)
            warmUp(transport, agent);
        agent.script = [&](const Request &, const Responder &responder) {
            responder.send(whole.left(length));
            responder.after(1ms, [=] { reset ? responder.reset() : responder.close(); });
        };
        const HttpAnswer answer = ask(transport, get());
        const bool usable = answer.exchange == Exchange::Complete && answer.lengthKnown;
        if (!usable)
            continue;
        // Only what is chunked may seem complete, and then the JSON is whole or it shows that it is not.
        QVERIFY2(whole.contains("chunked"), QByteArray::number(length));
        QVERIFY2(answer.body == json || QJsonDocument::fromJson(answer.body).isNull(), answer.body);
    }
}

void TestTransportFaults::f69_drippedAnswerTimesOut()
{
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) {
        responder.drip(httpAnswer(200, QByteArray(10'000, ' ')), 2ms);
    };
    Transport transport(agent.face.url());
    const auto start = bootNow();
    const HttpAnswer answer = ask(transport, get(), 100ms);
    QCOMPARE(answer.exchange, Exchange::TimedOut);
    QVERIFY(answer.body.isEmpty());
    QVERIFY(bootNow() - start >= 100ms);
    QVERIFY(bootNow() - start < 5s);
}

void TestTransportFaults::f69_endlessAnswerIsCutOffNearItsLimit()
{
    // A server in a thread of its own, which writes as fast as the network layer takes it.
    constexpr qint64 Most = 512 * 1024 * 1024;
    std::promise<quint16> port;
    std::atomic<qint64> taken = 0;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        port.set_value(server.serverPort());
        if (!server.waitForNewConnection(Patience))
            return;
        QTcpSocket *socket = server.nextPendingConnection();
        socket->write("HTTP/1.1 200 OK\r\n\r\n");
        while (taken < Most && socket->state() == QAbstractSocket::ConnectedState) {
            taken += socket->write(QByteArray(256 * 1024, 'x'));
            while (socket->bytesToWrite() > 0 && socket->waitForBytesWritten(Patience / 4)) { }
            if (socket->bytesToWrite() > 0)
                return;
        }
    }));
    thread->start();
    const auto join = qScopeGuard([&thread] { thread->wait(); });
    Transport transport(QUrl(u"http://127.0.0.1:%1"_s.arg(port.get_future().get())));
    const HttpAnswer answer = ask(transport, get());
    QCOMPARE(answer.exchange, Exchange::TooLarge);
    QVERIFY(answer.body.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(thread->isFinished(), Patience);
    qInfo() << "taken of an endless answer with a limit of 1 MiB:" << taken / 1024 << "KiB";
    QVERIFY(taken < 16 * 1024 * 1024);
}

void TestTransportFaults::longestAnswer()
{
    Agent agent;
    Transport transport(agent.face.url());
    for (const int size : {65'535, 65'536, 65'537, 1'048'575, 1'048'576, 1'048'577}) {
        agent.script = [size](const Request &, const Responder &r) { r.reply(200, QByteArray(size, 'x')); };
        const HttpAnswer answer = ask(transport, get());
        const bool fits = size <= get().answerLimit;
        QCOMPARE(answer.exchange, fits ? Exchange::Complete : Exchange::TooLarge);
        QCOMPARE(answer.body.size(), fits ? size : 0);
    }
}

void TestTransportFaults::f65_whatMustNotBeRepeatedIsNot_data()
{
    QTest::addColumn<bool>("kept");
    QTest::addColumn<bool>("once");
    QTest::addColumn<QByteArray>("body");
    for (const bool kept : {false, true}) {
        const char *on = kept ? "kept" : "fresh";
        QTest::addRow("once, %s", on) << kept << true << QByteArray("{}");
        QTest::addRow("once, long body, %s", on) << kept << true << QByteArray(300'000, 'x');
        QTest::addRow("the trap: repeatable, %s", on) << kept << false << QByteArray("{}");
        QTest::addRow("the trap: no body, %s", on) << kept << false << QByteArray();
    }
}

void TestTransportFaults::f65_whatMustNotBeRepeatedIsNot()
{
    QFETCH(bool, kept);
    QFETCH(bool, once);
    QFETCH(QByteArray, body);
    Agent agent;
    Transport transport(agent.face.url());
    if (kept)
        warmUp(transport, agent);
    agent.script = [](const Request &, const Responder &responder) { responder.close(); };
    const HttpAnswer answer = ask(transport, put(body, once));
    QCOMPARE(answer.exchange, Exchange::Interrupted);
    QVERIFY(!answer.errorText.isEmpty());
    QCOMPARE(agent.requests.size(), size_t(once ? 1 : 2));
    for (const Request &request : agent.requests)
        QCOMPARE(request.body, body);
}

void TestTransportFaults::f54_deadConnectionIsReplaced_data()
{
    QTest::addColumn<bool>("once");
    QTest::addColumn<bool>("noticed"); ///< QNAM has had time to see that the idle connection is gone.
    QTest::newRow("noticed") << false << true;
    QTest::newRow("unnoticed") << false << false;
    QTest::newRow("once, noticed") << true << true;
    QTest::newRow("once, unnoticed") << true << false;
}

void TestTransportFaults::f54_deadConnectionIsReplaced()
{
    QFETCH(bool, once);
    QFETCH(bool, noticed);
    Agent agent;
    Transport transport(agent.face.url());
    warmUp(transport, agent);
    agent.face.resetConnections();
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "alive"); };
    if (noticed) // A round trip on another manager of the same kind is time enough.
        QCOMPARE(ask(transport, get(Role::Watch)).body, "alive");
    agent.requests.clear();
    const HttpAnswer answer = ask(transport, put("{}", once));
    if (answer.exchange == Exchange::Complete)
        QCOMPARE(answer.body, "alive");
    else // Sent into a connection that was dying: for what must not be repeated that is the right answer.
        QVERIFY(once && !noticed);
    QVERIFY(agent.requests.size() <= 1);
    QCOMPARE(ask(transport, put("{}", once)).body, "alive");
}

/// All connections that the work manager keeps go dead at once, as behind a firewall that forgot them. The
/// first call pays with its time; none after it does.
void TestTransportFaults::f54_blackHoledConnectionsAreReplaced()
{
    Agent agent;
    Transport transport(agent.face.url());
    int answered = 0;
    for (int i = 0; i < Transport::MaxRunning; ++i)
        transport.send(get(), Enough, [&answered](const HttpAnswer &) { ++answered; });
    QTRY_COMPARE_WITH_TIMEOUT(agent.parked.size(), size_t(Transport::MaxRunning), Patience);
    for (const Responder &responder : agent.parked)
        responder.reply(200);
    QTRY_COMPARE_WITH_TIMEOUT(answered, Transport::MaxRunning, Patience);
    const quint64 dead = agent.face.connectionsAccepted();
    QCOMPARE(dead, quint64(Transport::MaxRunning));

    agent.script = [dead](const Request &request, const Responder &responder) {
        if (request.connection > dead)
            responder.reply(200, "fresh");
    };
    QCOMPARE(ask(transport, put(), 100ms).exchange, Exchange::TimedOut);
    QCOMPARE(ask(transport, put(), Enough).body, "fresh");
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(1), Patience);
}

QTEST_GUILESS_MAIN(TestTransportFaults)
#include "tst_transportfaults.moc"
