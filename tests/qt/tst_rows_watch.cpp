// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about long polls: what they may show, how often they are sent, and that their failure ends
/// nothing.
class TestRowsWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f04_watchFails_data();
    void f04_watchFails();
    void f24_everySecondPollFails();
};

void TestRowsWatch::f04_watchFails_data()
{
    addAnswersThatProveNothing();
    QTest::newRow("closed after reading") << -1 << QByteArray() << QByteArray();
    QTest::newRow("reset") << -2 << QByteArray() << QByteArray();
    QTest::newRow("silence") << -3 << QByteArray() << QByteArray();
    QTest::newRow("filtered") << 404 << QByteArray() << Text;
}

void TestRowsWatch::f04_watchFails()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, type);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    if (status == -1)
        agent.closeAfterReading(Kind::Watch);
    else if (status == -2)
        agent.intercept([](const Request &request, const Responder &responder) {
            if (isWatch(request))
                responder.reset();
            return isWatch(request);
        });
    else if (status == -3)
        agent.blackhole(Kind::Watch);
    else
        agent.answer(Kind::Watch, status, body, type);
    agent.putValue("wakes the poll that is open");
    const bool tells = status != -3; // That a poll brings nothing is its nature.
    if (tells)
        QVERIFY(candidate.waitFor(u"error"_s, 2)); // The first is the foreign write.
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 3));
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.provider.isLeading());

    agent.heal();
    agent.setHolder(Stranger, "rival");
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost lock_key_taken"_s);
    QVERIFY(candidate.provider.lostEvidence().contains(Stranger));
}

/// A mark, no loss, and no flood of reports: the mark does not come and go with every poll.
void TestRowsWatch::f24_everySecondPollFails()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const auto key = agent.key();
    std::atomic<int> polls = 0;
    agent.intercept([&, body = keyJson(*key), index = key->modifyIndex](const Request &request,
                                                                        const Responder &responder) {
        if (!isWatch(request))
            return false;
        if (polls++ % 2 == 0)
            responder.reply(500, "rpc error making call: i/o deadline reached", {{"Content-Type", Text}});
        else
            responder.reply(
                200, body,
                {{"Content-Type", "application/json"}, {"X-Consul-Index", QByteArray::number(index + 1)}});
        return true;
    });
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error server_error watch"_s));
    QTRY_VERIFY_WITH_TIMEOUT(polls >= 16, Patience);
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.provider.isLeading());
    QVERIFY2(
        candidate.count(u"error server_error"_s) <= 2,
        qPrintable(u"%1 reports of %2 polls"_s.arg(candidate.count(u"error server_error"_s)).arg(polls)));
}

QTEST_GUILESS_MAIN(TestRowsWatch)
#include "tst_rows_watch.moc"
