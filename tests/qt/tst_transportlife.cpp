// SPDX-License-Identifier: MIT
#include "transportfixture.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QSignalSpy>

using namespace std::chrono_literals;
using namespace TransportFixture;

/// Calls that wait for others, are cancelled, or whose callback does the unexpected.
class TestTransportLife : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverMoreThanFiveAtOnce_data();
    void neverMoreThanFiveAtOnce();
    void f52_longPollsDoNotDelayWork();
    void timeInTheQueueCounts();
    void neverCallsBackInsideSend();
    void cancelled_data();
    void cancelled();
    void cancelledCallMakesRoom();
    void cancelOfWhatIsOverDoesNothing();
    void callbackSendsAndCancels();
    void f55_destroyedInItsCallback_data();
    void f55_destroyedInItsCallback();
    void f55_destroyedWithCallsInEveryState();
    void allDueAtOnceAndTheFirstDestroys();
    void f55_thousandRandomCancels();
};

void TestTransportLife::neverMoreThanFiveAtOnce_data()
{
    QTest::addColumn<Role>("role");
    QTest::newRow("work") << Role::Work;
    QTest::newRow("watch") << Role::Watch;
}

void TestTransportLife::neverMoreThanFiveAtOnce()
{
    QFETCH(Role, role);
    constexpr int Calls = 12;
    Agent agent;
    Transport transport(agent.face.url());
    QByteArrayList answers;
    for (int i = 0; i < Calls; ++i) {
        HttpCall call = get(role);
        call.target = "/" + QByteArray::number(i);
        transport.send(call, Enough, [&answers](const HttpAnswer &answer) { answers.append(answer.body); });
    }
    for (int done = 0; done < Calls; ++done) {
        const size_t started = size_t(std::min(done + Transport::MaxRunning, Calls));
        QVERIFY(turnUntil([&] { return agent.requests.size() == started; }));
        agent.parked[size_t(done)].reply(200, agent.requests[size_t(done)].target);
        QVERIFY(turnUntil([&] { return answers.size() == done + 1; }));
    }
    QCOMPARE(agent.requests.size(), size_t(Calls));
    QVERIFY(agent.face.connectionsAccepted() <= quint64(Transport::MaxRunning));
    // The first five leave side by side and may overtake one another; from then on it is first come, first
    // served.
    for (int i = Transport::MaxRunning; i < Calls; ++i)
        QCOMPARE(agent.requests[size_t(i)].target, "/" + QByteArray::number(i));
}

/// With one manager for both, six long polls open delay a PUT by seconds.
void TestTransportLife::f52_longPollsDoNotDelayWork()
{
    Agent agent;
    Transport transport(agent.face.url());
    for (int i = 0; i < 6; ++i)
        transport.send(get(Role::Watch), Enough, [](const HttpAnswer &) {});
    QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), size_t(Transport::MaxRunning), Patience);
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "true"); };
    QCOMPARE(ask(transport, put("{}", true), 2s).body, "true");
    QCOMPARE(ask(transport, put(), 2s).body, "true");
    for (size_t i = 0; i < size_t(Transport::MaxRunning); ++i)
        QVERIFY(agent.parked[i].isOpen());
}

void TestTransportLife::timeInTheQueueCounts()
{
    Agent agent;
    Transport transport(agent.face.url());
    for (int i = 0; i < Transport::MaxRunning; ++i)
        transport.send(get(), Enough, [](const HttpAnswer &) {});
    QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), size_t(Transport::MaxRunning), Patience);
    const HttpAnswer answer = ask(transport, put("{}", true), 50ms);
    QCOMPARE(answer.exchange, Exchange::TimedOut);
    agent.parked.front().reply(200);
    QCOMPARE(ask(transport, put(), 50ms).exchange, Exchange::TimedOut);
    // It took the place that had become free; the one that timed out in the queue never left.
    QCOMPARE(agent.requests.size(), size_t(Transport::MaxRunning + 1));
    QVERIFY(agent.requests.back().body.isEmpty());
}

void TestTransportLife::neverCallsBackInsideSend()
{
    Agent agent;
    for (const char *base : {"http://127.0.0.1:1", "http://127.0.0.1:99999", "http://"}) {
        for (const std::chrono::milliseconds total :
             {std::chrono::milliseconds(-1), 0ms, std::chrono::milliseconds(Enough)}) {
            Transport transport{QUrl(QString::fromLatin1(base))};
            bool sending = true;
            bool inside = false;
            bool called = false;
            const auto done = [&](const HttpAnswer &answer) {
                inside = sending;
                called = answer.exchange != Exchange::Complete;
            };
            transport.send(get(), total, done);
            sending = false;
            QTRY_VERIFY_WITH_TIMEOUT(called, Patience);
            QVERIFY(!inside);
        }
    }
}

void TestTransportLife::cancelled_data()
{
    QTest::addColumn<QString>("state");
    for (const char *state :
         {"not connected yet", "waiting", "arrived", "in the middle of the answer", "kept connection"})
        QTest::newRow(state) << QString::fromLatin1(state);
}

void TestTransportLife::cancelled()
{
    QFETCH(QString, state);
    const QByteArray row = state.toLatin1();
    Agent agent;
    Transport transport(agent.face.url());
    const auto never = [](const HttpAnswer &) { QFAIL("Called back after cancel()"); };
    if (row == "kept connection")
        warmUp(transport, agent);
    if (row == "waiting") {
        for (int i = 0; i < Transport::MaxRunning; ++i)
            transport.send(get(Role::Watch), Enough, never);
        QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), size_t(Transport::MaxRunning), Patience);
    }
    const size_t before = agent.requests.size();
    const quint64 id = transport.send(row == "waiting" ? get(Role::Watch) : put("{}", true), Enough, never);
    if (row != "waiting" && row != "not connected yet")
        QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), before + 1, Patience);
    if (row == "in the middle of the answer") {
        agent.parked.back().send(httpAnswer(200, "[1,2,3]").chopped(2));
        QCOMPARE(ask(transport, get(Role::Watch), 30ms).exchange, Exchange::TimedOut); // Time to arrive.
    }
    transport.cancel(id);
    if (row == "arrived" || row == "kept connection") // The agent learns of it.
        QTRY_VERIFY_WITH_TIMEOUT(!agent.parked.back().isOpen(), Patience);
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "next"); };
    QCOMPARE(ask(transport, put("{}", true)).body, "next");
}

void TestTransportLife::cancelledCallMakesRoom()
{
    Agent agent;
    Transport transport(agent.face.url());
    std::vector<quint64> ids;
    for (int i = 0; i < Transport::MaxRunning + 1; ++i)
        ids.push_back(transport.send(get(), Enough, [](const HttpAnswer &) {}));
    QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), size_t(Transport::MaxRunning), Patience);
    transport.cancel(ids[2]);
    QTRY_COMPARE_WITH_TIMEOUT(agent.requests.size(), size_t(Transport::MaxRunning + 1), Patience);
}

void TestTransportLife::cancelOfWhatIsOverDoesNothing()
{
    Agent agent;
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "true"); };
    Transport transport(agent.face.url());
    transport.cancel(1);
    quint64 first = 0;
    int answers = 0;
    first = transport.send(get(), Enough, [&](const HttpAnswer &) {
        ++answers;
        transport.cancel(first);
    });
    QTRY_COMPARE_WITH_TIMEOUT(answers, 1, Patience);
    transport.cancel(first);
    transport.cancel(first + 1000);
    QCOMPARE(ask(transport, get()).body, "true");
}

void TestTransportLife::callbackSendsAndCancels()
{
    Agent agent;
    agent.script = [](const Request &request, const Responder &responder) {
        if (request.target != "/hold")
            responder.reply(200, "true");
    };
    Transport transport(agent.face.url());
    HttpCall hold = get();
    hold.target = "/hold";
    bool called = false;
    const quint64 held = transport.send(hold, Enough, [&called](const HttpAnswer &) { called = true; });
    QByteArray answer;
    transport.send(get(), Enough, [&](const HttpAnswer &) {
        transport.cancel(held);
        transport.send(put("{}", true), Enough,
                       [&answer](const HttpAnswer &second) { answer = second.body; });
    });
    QTRY_COMPARE_WITH_TIMEOUT(answer, "true", Patience);
    QVERIFY(!called);
}

void TestTransportLife::f55_destroyedInItsCallback_data()
{
    QTest::addColumn<Exchange>("exchange");
    QTest::newRow("complete") << Exchange::Complete;
    QTest::newRow("unreachable") << Exchange::Unreachable;
    QTest::newRow("timed out") << Exchange::TimedOut;
    QTest::newRow("interrupted") << Exchange::Interrupted;
    QTest::newRow("too large") << Exchange::TooLarge;
}

void TestTransportLife::f55_destroyedInItsCallback()
{
    QFETCH(Exchange, exchange);
    for (const bool once : {false, true}) {
        Agent agent;
        agent.script = [exchange](const Request &request, const Responder &responder) {
            if (request.method == "GET" || exchange == Exchange::TimedOut)
                return;
            if (exchange == Exchange::Interrupted)
                responder.close();
            else
                responder.reply(200, QByteArray(exchange == Exchange::TooLarge ? 200'000 : 10, 'x'));
        };
        if (exchange == Exchange::Unreachable)
            agent.face.stopListening();
        QUrl url(QStringLiteral("http://127.0.0.1:1"));
        if (exchange != Exchange::Unreachable)
            url = agent.face.url();
        auto transport = std::make_unique<Transport>(url);
        std::optional<Exchange> got;
        HttpCall call = put("{}", once);
        call.answerLimit = 100'000;
        if (exchange != Exchange::Unreachable) {
            for (int i = 0; i < 2 * Transport::MaxRunning; ++i)
                transport->send(get(Role::Watch), Enough,
                                [](const HttpAnswer &) { QFAIL("Called back after the end"); });
        }
        transport->send(call, exchange == Exchange::TimedOut ? 20ms : Enough, [&](const HttpAnswer &answer) {
            transport.reset();
            got = answer.exchange;
        });
        QTRY_VERIFY_WITH_TIMEOUT(got, Patience);
        QCOMPARE(*got, exchange);
        QVERIFY(!transport);
        QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
    }
}

void TestTransportLife::f55_destroyedWithCallsInEveryState()
{
    Agent agent;
    for (int round = 0; round < 20; ++round) {
        auto transport = std::make_unique<Transport>(agent.face.url());
        for (int i = 0; i < 8; ++i) {
            transport->send(get(Role::Watch), Enough,
                            [](const HttpAnswer &) { QFAIL("Called back after the end"); });
            transport->send(put("{}", true), Enough,
                            [](const HttpAnswer &) { QFAIL("Called back after the end"); });
        }
        // Each round ends a little later in the life of the calls.
        QDeadlineTimer until(round * 250us);
        while (!until.hasExpired())
            QCoreApplication::processEvents();
        if (!agent.parked.empty())
            agent.parked.back().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntr");
        transport.reset();
    }
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
}

void TestTransportLife::allDueAtOnceAndTheFirstDestroys()
{
    Agent agent;
    auto transport = std::make_unique<Transport>(agent.face.url());
    int called = 0;
    for (int i = 0; i < 8; ++i) {
        transport->send(get(), 10ms, [&](const HttpAnswer &) {
            ++called;
            transport.reset();
        });
    }
    QTRY_COMPARE_WITH_TIMEOUT(called, 1, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(agent.face.openConnections(), qsizetype(0), Patience);
    QCOMPARE(called, 1);
}

void TestTransportLife::f55_thousandRandomCancels()
{
    const quint32 seed = QRandomGenerator::global()->generate();
    qInfo() << "seed" << seed;
    QRandomGenerator random(seed);
    Agent agent;
    agent.script = [&](const Request &, const Responder &responder) {
        switch (random.bounded(6)) {
        case 0:
            return; // Silence.
        case 1:
            return responder.close();
        case 2:
            return responder.reset();
        case 3:
            responder.send(httpAnswer(200, "[1,2,3]").chopped(2));
            return responder.after(1ms, [responder] { responder.close(); });
        default:
            responder.reply(200, "true");
        }
    };
    Transport transport(agent.face.url());
    std::map<quint64, bool> open; // By id; true once cancelled.
    int wrong = 0;
    for (int round = 0; round < 1000; ++round) {
        const auto id = std::make_shared<quint64>();
        const HttpCall call = random.bounded(2) ? put("{}", random.bounded(2)) : get(Role(random.bounded(2)));
        *id =
            transport.send(call, std::chrono::milliseconds(random.bounded(40)), [&, id](const HttpAnswer &) {
                wrong += open.at(*id) ? 1 : 0;
                open.erase(*id);
            });
        open[*id] = false;
        if (random.bounded(2)) {
            auto victim = std::next(open.begin(), random.bounded(int(open.size())));
            transport.cancel(victim->first);
            victim->second = true;
        }
        for (int turns = random.bounded(4); turns > 0; --turns)
            QCoreApplication::processEvents();
    }
    const auto allAnswered = [&open] {
        return std::ranges::all_of(open, [](const auto &one) { return one.second; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(allAnswered(), Patience);
    QCOMPARE(wrong, 0);
    agent.script = [](const Request &, const Responder &responder) { responder.reply(200, "after"); };
    QCOMPARE(ask(transport, put("{}", true)).body, "after");
}

QTEST_GUILESS_MAIN(TestTransportLife)
#include "tst_transportlife.moc"
