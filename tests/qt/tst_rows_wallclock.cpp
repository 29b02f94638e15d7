// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <QtCore/QDateTime>

#include <atomic>

#ifdef Q_OS_LINUX
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

namespace {
/// By what the wall clock of this process is wrong.
std::atomic<qint64> g_step = 0;
} // namespace

#ifdef Q_OS_LINUX
// The program's own functions stand before those of the C library, for Qt too.
extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept
{
    const long failed = syscall(SYS_clock_gettime, clock, time);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += g_step.load();
    return int(failed);
}

extern "C" int gettimeofday(timeval *time, void *) noexcept
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    *time = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
#endif

/// Field reports about somebody who sets the clock: nothing that is decided rests on the wall clock.
class TestRowsWallClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { g_step = 0; }
    void f42_leaseStays_data() { addSteps(); }
    void f42_leaseStays();
    void f42_leaseEndsAtItsBound_data() { addSteps(); }
    void f42_leaseEndsAtItsBound();
    void f41_budgetIsKept_data() { addSteps(); }
    void f41_budgetIsKept();

private:
    static void addSteps();
};

void TestRowsWallClock::addSteps()
{
    QTest::addColumn<std::chrono::seconds>("step");
    QTest::newRow("a day ahead") << std::chrono::seconds(24h);
    QTest::newRow("a day back") << std::chrono::seconds(-24h);
    QTest::newRow("an hour ahead") << std::chrono::seconds(1h);
    QTest::newRow("an hour back") << std::chrono::seconds(-1h);
    QTest::newRow("to the beginning of time") << -std::chrono::seconds(QDateTime::currentSecsSinceEpoch());
}

/// That the clock of this process can be set at all.
void TestRowsWallClock::initTestCase()
{
#ifndef Q_OS_LINUX
    QSKIP("the clock is set by a trick of Linux's");
#endif
    const qint64 before = QDateTime::currentSecsSinceEpoch();
    g_step = 1000;
    QVERIFY(QDateTime::currentSecsSinceEpoch() >= before + 1000);
    g_step = 0;
}

void TestRowsWallClock::f42_leaseStays()
{
    QFETCH(std::chrono::seconds, step);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    const int before = candidate.count(u"renewed"_s);
    g_step = step.count();
    const Instant stepped = bootNow();
    QVERIFY(candidate.waitFor(u"renewed"_s, before + 5));
    QVERIFY(bootNow() - stepped > 3 * RenewInterval); // No flood of renewals either.
    QVERIFY(lease.isHeld());
    QVERIFY(lease.remaining() <= 9s);
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.errors.isEmpty());
}

void TestRowsWallClock::f42_leaseEndsAtItsBound()
{
    QFETCH(std::chrono::seconds, step);
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    agent.blackhole();
    const Instant deadline = deadlineOf(candidate.provider.lease());
    g_step = step.count();
    QVERIFY(candidate.waitFor(u"lost local_deadline_exceeded"_s));
    const Instant lost = candidate.last(u"lost"_s)->at;
    QVERIFY(lost > deadline - 1ms); // A renewal may have been answered before the silence.
    QVERIFY(lost < deadline + RenewInterval + Late);
    agent.heal();
}

void TestRowsWallClock::f41_budgetIsKept()
{
    QFETCH(std::chrono::seconds, step);
    Agent agent;
    agent.setHolder(Stranger, "somebody else");
    LeaseProvider provider(longLease(agent));
    const Instant begun = bootNow();
    QFuture<AcquireResult> future = provider.acquire(300ms);
    g_step = step.count();
    QVERIFY(blockUntil([&] { return future.isFinished(); }));
    QCOMPARE(future.result().outcome, AcquireOutcome::TimedOut);
    QVERIFY(bootNow() - begun >= 300ms);
    QVERIFY(bootNow() - begun < 300ms + Late);
    for (const auto &seen : agent.seen(Kind::Watch))
        QCOMPARE(seen.request.query.queryItemValue(u"wait"_s), u"1000ms"_s);
}

QTEST_GUILESS_MAIN(TestRowsWallClock)
#include "tst_rows_wallclock.moc"
