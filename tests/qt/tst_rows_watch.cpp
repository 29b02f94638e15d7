// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about long polls: what they ask, and that their failure ends nothing.
class TestRowsWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f04_watchFails_data();
    void f04_watchFails();
    void f41_waits();
};

namespace {
/// In place of a status, where there is none.
enum Fault { Closed = -1, Reset = -2, Silent = -3, Endless = -4 };
} // namespace

void TestRowsWatch::f04_watchFails_data()
{
    addAnswersThatProveNothing();
    QTest::newRow("closed after reading") << int(Closed) << QByteArray() << QByteArray();
    QTest::newRow("reset") << int(Reset) << QByteArray() << QByteArray();
    QTest::newRow("silence") << int(Silent) << QByteArray() << QByteArray();
    QTest::newRow("endless") << int(Endless) << QByteArray() << QByteArray();
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
    QTRY_COMPARE_WITH_TIMEOUT(agent.count(Kind::Watch), 1, Patience);
    if (status > 0)
        agent.answer(Kind::Watch, status, body, type);
    else if (status == Closed)
        agent.closeAfterReading(Kind::Watch);
    else if (status == Silent)
        agent.blackhole(Kind::Watch);
    else
        agent.intercept([status](const Request &request, const Responder &responder) {
            if (ScriptedAgent::kindOf(request) != Kind::Watch)
                return false;
            if (status == Reset)
                responder.reset();
            responder.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[");
            responder.flood(QByteArray(64 * 1024, ' '));
            return true;
        });
    agent.putValue("wakes the poll that is open");
    const bool tells = status != Silent; // That a poll brings nothing is its nature.
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

/// Everything that a watch sends: whole milliseconds within the bounds, an index of at least one, a
/// consistent read.
void TestRowsWatch::f41_waits()
{
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.watchWait = 1001ms;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    for (int i = 0; i < 3; ++i) {
        const int before = agent.count(Kind::Watch);
        agent.putValue(QByteArray::number(i));
        QTRY_VERIFY_WITH_TIMEOUT(agent.count(Kind::Watch) > before, Patience);
    }
    for (const auto &seen : agent.seen(Kind::Watch)) {
        const QUrlQuery &query = seen.request.query;
        QCOMPARE(query.queryItemValue(u"wait"_s), u"1001ms"_s);
        QVERIFY(query.queryItemValue(u"index"_s).toULongLong() >= 1);
        QVERIFY(query.hasQueryItem(u"consistent"_s));
    }
}

QTEST_GUILESS_MAIN(TestRowsWatch)
#include "tst_rows_watch.moc"
