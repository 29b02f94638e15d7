// SPDX-License-Identifier: MIT
#include "rowsfixture.h"
#include "rowsload.h"

#include <Baton/FencedKv>

#include <memory>
#include <optional>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about ending: in order, within a bound, from any thread, and not in a forked child.
class TestRowsLife : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f14_releaseThenDestroy_data();
    void f14_releaseThenDestroy();
    void f14_deadAgent_data();
    void f14_deadAgent();
    void f06_agentAwayAndBack();
    void f55_destroyedInEveryState();
    void f56_startStopFromAnotherThread();
    void f56_polls();
    void f70_fork();
};

void TestRowsLife::f14_releaseThenDestroy_data()
{
    QTest::addColumn<QString>("end");
    QTest::newRow("stop") << u"stop"_s;
    QTest::newRow("destruction") << u"destroy"_s;
    QTest::newRow("release of the lease") << u"release"_s;
}

void TestRowsLife::f14_releaseThenDestroy()
{
    QFETCH(QString, end);
    Agent agent;
    auto first = std::make_unique<Candidate>(longLease(agent));
    QVERIFY(first->lead());
    const Lease lease = first->provider.lease();
    Candidate second(longLease(agent));
    second.provider.start();
    QVERIFY(second.waitFor(u"waiting held"_s));

    // After the release of its lease it would campaign on, and now and then be the next leader itself.
    QObject::connect(&first->provider, &LeaseProvider::leadershipLost, &first->provider,
                     &LeaseProvider::stop);
    const Instant asked = bootNow();
    if (end == "stop"_L1)
        first->provider.stop();
    else if (end == "destroy"_L1)
        first.reset();
    else
        lease.release();
    QVERIFY(end != "destroy"_L1 || bootNow() - asked < Late);
    QVERIFY(second.waitFor(u"acquired"_s));
    const auto took = second.last(u"acquired"_s)->at - asked;
    qInfo("the next leader after %.1f ms", double(took.count()) / 1e6);
    QVERIFY(took < 1s);
    QVERIFY(second.provider.token() > lease.token());
    QCOMPARE(lease.lostReason(), LostReason::Released);

    QTRY_VERIFY_WITH_TIMEOUT(!agent.sessions().contains(lease.session()), Patience);
    QCOMPARE(agent.count(Kind::Release), 1);
    QCOMPARE(agent.count(Kind::Destroy), 1);
    QVERIFY(agent.seen(Kind::Release).first().at < agent.seen(Kind::Destroy).first().at);
    QVERIFY(agent.seen(Kind::Release).first().request.body.isEmpty()); // What tells it from an expiry.
}

void TestRowsLife::f14_deadAgent_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<bool>("stop"); // Else it is destroyed.
    for (const QString &fault : {u"silent"_s, u"down"_s, u"failing"_s}) {
        QTest::addRow("%s, stopped", qPrintable(fault)) << fault << true;
        QTest::addRow("%s, destroyed", qPrintable(fault)) << fault << false;
    }
}

void TestRowsLife::f14_deadAgent()
{
    QFETCH(QString, fault);
    QFETCH(bool, stop);
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.stopTimeout = 300ms;
    auto candidate = std::make_unique<Candidate>(options);
    QVERIFY(candidate->lead());
    const Lease lease = candidate->provider.lease();
    if (fault == "silent"_L1)
        agent.blackhole();
    else if (fault == "down"_L1)
        agent.goDown();
    else
        agent.answerAll(500, "No cluster leader");
    const Instant asked = bootNow();
    if (stop) {
        candidate->provider.stop();
        QVERIFY(candidate->waitFor(u"stopped"_s));
        QVERIFY(bootNow() - asked < 300ms + Late);
        QCOMPARE(candidate->count(u"lost released"_s), 1);
    }
    candidate.reset();
    QVERIFY(bootNow() - asked < 1s + Late); // The bound of quitting.
    QVERIFY(!lease.isHeld());
}

void TestRowsLife::f06_agentAwayAndBack()
{
    RowsLoad::agentAwayAndBack(3);
}

void TestRowsLife::f55_destroyedInEveryState()
{
    RowsLoad::destroyInEveryState(42);
}

void TestRowsLife::f56_startStopFromAnotherThread()
{
    Agent agent;
    RowsLoad::startStopFromAnotherThread(longLease(agent), 50);
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList(), Patience);
}

void TestRowsLife::f56_polls()
{
    RowsLoad::polls(2'000);
}

/// Both go on after a fork: the child has inherited the memory of a leader and nothing else.
void TestRowsLife::f70_fork()
{
#ifdef Q_OS_UNIX
    Agent agent;
    std::optional<Candidate> candidate(std::in_place, longLease(agent));
    QVERIFY(candidate->lead());
    QVERIFY(candidate->waitFor(u"renewed"_s));
    const Lease lease = candidate->provider.lease();
    const pid_t child = fork();
    if (child == 0) {
        int wrong = lease.isHeld() + 2 * candidate->provider.isLeading() + 4 * (lease.remaining() > 0ns)
            + 8 * candidate->provider.token().has_value();
        QFuture<WriteResult> written = FencedKv(lease).write(u"data/x"_s, "child");
        wrong += 16 * !(written.isFinished() && written.result().outcome == WriteOutcome::Refused);
        lease.release();
        candidate->provider.stop();
        candidate->provider.start();
        LeaseProvider another(longLease(agent));
        another.start();
        candidate.reset();
        _exit(wrong);
    }
    int status = -1;
    const bool ended = QTest::qWaitFor([&] { return waitpid(child, &status, WNOHANG) == child; }, Patience);
    if (!ended)
        kill(child, SIGKILL);
    QVERIFY2(ended, "the child hangs");
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);

    const int renewed = candidate->count(u"renewed"_s);
    QVERIFY(candidate->waitFor(u"renewed"_s, renewed + 5));
    QVERIFY(lease.isHeld());
    QCOMPARE(candidate->terms().size(), 1);
    QVERIFY(candidate->errors.isEmpty());
    QCOMPARE(agent.count(Kind::Create), 1);
    QCOMPARE(agent.count(Kind::Txn), 1);
    QCOMPARE(agent.count(Kind::Release) + agent.count(Kind::Destroy), 0);
    const WriteResult result = [&] {
        QFuture<WriteResult> written = FencedKv(lease).write(u"data/x"_s, "parent");
        written.waitForFinished();
        return written.result();
    }();
    QCOMPARE(result.outcome, WriteOutcome::Written);
#endif
}

QTEST_GUILESS_MAIN(TestRowsLife)
#include "tst_rows_life.moc"
