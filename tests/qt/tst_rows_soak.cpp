// SPDX-License-Identifier: MIT
#include "rowsfixture.h"
#include "rowsload.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports at full length.
class TestRowsSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f06_agentAwayAndBack();
    void f16_floorOutOfReach();
    void f55_destroyedInEveryState();
    void f56_startStopFromAnotherThread();
    void f56_polls();
    void everythingUntilTimeIsUp();
};

void TestRowsSoak::f06_agentAwayAndBack()
{
    RowsLoad::agentAwayAndBack(20);
}

/// Bounded: it does not write for ever, does not lead, says why, and holds nothing meanwhile.
void TestRowsSoak::f16_floorOutOfReach()
{
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.tokenFloor = 1'000'000;
    Candidate candidate(options);
    candidate.provider.start();
    QTRY_VERIFY_WITH_TIMEOUT(candidate.count(u"error token_regressed lock"_s) == 1, 6 * Patience);
    QVERIFY(candidate.errors.last().message().contains("1000000"_L1));
    QCOMPARE(candidate.terms(), QStringList());
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList(), Patience);
    QCOMPARE(agent.key()->session, QString());
    const int writes = agent.count(Kind::Txn);
    QVERIFY2(writes > 10'000 && writes < 10'010, qPrintable(QString::number(writes)));
    QCOMPARE(candidate.errors.size(), 1);
}

void TestRowsSoak::f55_destroyedInEveryState()
{
    RowsLoad::destroyInEveryState(1000);
}

void TestRowsSoak::f56_startStopFromAnotherThread()
{
    Agent agent;
    RowsLoad::startStopFromAnotherThread(longLease(agent), 500);
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList(), Patience);
}

void TestRowsSoak::f56_polls()
{
    RowsLoad::polls(100'000);
}

/// For as long as ./tests/run was told to.
void TestRowsSoak::everythingUntilTimeIsUp()
{
    const Instant end =
        bootNow() + std::chrono::seconds(qEnvironmentVariable("BATON_SOAK_SECONDS", u"1"_s).toInt());
    int rounds = 0;
    for (; bootNow() < end; ++rounds) {
        Agent agent;
        RowsLoad::startStopFromAnotherThread(longLease(agent), 10);
        RowsLoad::agentAwayAndBack(3);
        RowsLoad::destroyInEveryState(42);
        RowsLoad::polls(500);
        if (QTest::currentTestFailed())
            return;
    }
    qInfo("%d rounds", rounds);
}

QTEST_GUILESS_MAIN(TestRowsSoak)
#include "tst_rows_soak.moc"
