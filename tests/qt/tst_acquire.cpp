// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <QtCore/QThread>
#include <QtTest/QSignalSpy>

using namespace RowsFixture;
using namespace std::chrono_literals;

/// acquire(), tryAcquire() and the leases they give; F40.
class TestAcquire : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void winsWithoutAnEventLoop();
    void lastCopyGivesUp();
    void oneTermOnly();
    void tryContended_data();
    void tryContended();
    void tryFails();
    void timesOut();
    void f40_cancelled_data();
    void f40_cancelled();
    void f40_cancelledAfterTheWin();
    void busy();
    void invalidOptionsFail();
    void plainFormInTheContextsThread();
    void plainFormWithoutContext();
    void onLostAndStopToken();
};

namespace {
bool answered(const QFuture<AcquireResult> &future)
{
    return blockUntil([&] { return future.isFinished(); });
}
} // namespace

void TestAcquire::winsWithoutAnEventLoop()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    QFuture<AcquireResult> future = provider.acquire();
    QVERIFY(answered(future)); // No event loop was turned.
    const AcquireResult result = future.result();
    QCOMPARE(result.outcome, AcquireOutcome::Won);
    QVERIFY(result.lease.isHeld());
    QCOMPARE(result.lease.token(), agent.key()->modifyIndex);
    QCOMPARE(agent.key()->session, result.lease.session());
}

void TestAcquire::lastCopyGivesUp()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    Lease copy;
    {
        const AcquireResult result = provider.acquire().result();
        QVERIFY(result.isWon());
        copy = result.lease;
    }
    QVERIFY(copy.isHeld());
    QVERIFY(!agent.key()->session.isEmpty());
    copy = {};
    QTRY_VERIFY_WITH_TIMEOUT(agent.key()->session.isEmpty(), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList{}, Patience);
    QCOMPARE(agent.count(Kind::Release), 1);
}

void TestAcquire::oneTermOnly()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    const QSignalSpy stopped(&provider, &LeaseProvider::stopped);
    const QSignalSpy acquired(&provider, &LeaseProvider::leadershipAcquired);
    const AcquireResult result = provider.acquire().result();
    QVERIFY(result.isWon());
    QTRY_COMPARE_WITH_TIMEOUT(acquired.size(), 1, Patience);
    agent.deleteKey();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, Patience);
    QCOMPARE(result.lease.lostReason(), LostReason::LockKeyDeleted);
    QCOMPARE(acquired.size(), 1);
    QCOMPARE(provider.state(), ProviderState::Idle);
}

void TestAcquire::tryContended_data()
{
    QTest::addColumn<bool>("lockDelay");
    QTest::newRow("held by another") << false;
    QTest::newRow("lock-delay") << true;
}

void TestAcquire::tryContended()
{
    QFETCH(bool, lockDelay);
    Agent agent;
    if (lockDelay)
        agent.setLockDelay(true);
    else
        agent.setHolder(Stranger, "somebody else");
    LeaseProvider provider(longLease(agent));
    QCOMPARE(provider.tryAcquire().result().outcome, AcquireOutcome::Contended);
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList{}, Patience);
    QCOMPARE(agent.count(Kind::Txn), lockDelay ? 1 : 0); // A key that shows another session is never locked.
    agent.setLockDelay(false);
    agent.releaseKey();
    QCOMPARE(provider.acquire().result().outcome, AcquireOutcome::Won);
}

void TestAcquire::tryFails()
{
    Agent agent;
    agent.goDown();
    LeaseProvider provider(longLease(agent));
    for (int i = 0; i < 2; ++i) { // The same error again is told again.
        const AcquireResult result = provider.tryAcquire().result();
        QCOMPARE(result.outcome, AcquireOutcome::Failed);
        QCOMPARE(result.error.code, ErrorCode::Unreachable);
    }
}

void TestAcquire::timesOut()
{
    Agent agent;
    agent.setHolder(Stranger, "somebody else");
    LeaseProvider provider(longLease(agent));
    const QSignalSpy stopped(&provider, &LeaseProvider::stopped);
    const Instant before = bootNow();
    QCOMPARE(provider.acquire(150ms).result().outcome, AcquireOutcome::TimedOut);
    QVERIFY(bootNow() - before >= 150ms);
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, Patience);
    QCOMPARE(provider.acquire(0ms).result().outcome, AcquireOutcome::TimedOut);
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 2, Patience);
    QCOMPARE(agent.sessions(), QStringList{});
}

void TestAcquire::f40_cancelled_data()
{
    QTest::addColumn<int>("afterRequests");
    QTest::newRow("at once") << 0;
    QTest::newRow("while the session is made") << 1;
    QTest::newRow("in the middle of a poll") << 4;
}

void TestAcquire::f40_cancelled()
{
    QFETCH(int, afterRequests);
    Agent agent;
    agent.setHolder(Stranger, "somebody else");
    LeaseProvider provider(longLease(agent));
    const QSignalSpy stopped(&provider, &LeaseProvider::stopped);
    QFuture<AcquireResult> future = provider.acquire();
    QVERIFY(blockUntil([&] { return agent.seen().size() >= afterRequests; }));
    const Instant before = bootNow();
    future.cancel();
    QVERIFY(blockUntil([&] { return future.isFinished(); }));
    QVERIFY(future.isCanceled());
    qInfo("cancelled within %.1f ms", double((bootNow() - before).count()) / 1e6);
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, Patience);
    QCOMPARE(provider.state(), ProviderState::Idle);
    QCOMPARE(agent.sessions(), QStringList{});
    QCOMPARE(agent.key()->session, Stranger);
}

void TestAcquire::f40_cancelledAfterTheWin()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    const QSignalSpy stopped(&provider, &LeaseProvider::stopped);
    {
        QFuture<AcquireResult> future = provider.acquire();
        QVERIFY(blockUntil([&] { return agent.count(Kind::Txn) == 1; }));
        future.cancel();
    }
    QVERIFY(blockUntil([&] { return agent.key()->session.isEmpty() && agent.sessions().isEmpty(); }));
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, Patience);
}

void TestAcquire::busy()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    {
        const AcquireResult held = provider.acquire().result();
        QVERIFY(held.isWon());
        const AcquireResult second = provider.acquire().result();
        QCOMPARE(second.outcome, AcquireOutcome::Failed);
        QCOMPARE(second.error.code, ErrorCode::Busy);
        QSignalSpy errors(&provider, &LeaseProvider::errorOccurred);
        provider.start();
        QTRY_COMPARE_WITH_TIMEOUT(errors.size(), 1, Patience);
        QCOMPARE(errors.first().first().value<LeaseError>().code, ErrorCode::Busy);
        QVERIFY(held.lease.isHeld());
    }
    // Dropped just now: at once free for the next.
    QVERIFY(provider.acquire().result().isWon());

    LeaseProvider campaigning(longLease(agent));
    campaigning.start();
    QCOMPARE(campaigning.tryAcquire().result().error.code, ErrorCode::Busy);
}

void TestAcquire::invalidOptionsFail()
{
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.margin = -1ms;
    LeaseProvider provider(options);
    const AcquireResult result = provider.acquire().result();
    QCOMPARE(result.outcome, AcquireOutcome::Failed);
    QCOMPARE(result.error.code, ErrorCode::InvalidOptions);
    QVERIFY(result.error.message().contains(QLatin1StringView("margin")));
    QCOMPARE(agent.seen().size(), 0);
}

void TestAcquire::plainFormInTheContextsThread()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    QThread thread;
    thread.start();
    auto *context = new QObject;
    context->moveToThread(&thread);
    std::atomic<QThread *> ranIn = nullptr;
    std::atomic<bool> won = false;
    provider.acquire(context, [&](const AcquireResult &result) {
        won = result.isWon();
        ranIn = QThread::currentThread();
    });
    QTRY_COMPARE_WITH_TIMEOUT(ranIn.load(), &thread, Patience);
    QVERIFY(won);
    context->deleteLater();
    thread.quit();
    thread.wait();
    // The callback took no copy of the lease, so the term is given up.
    QTRY_VERIFY_WITH_TIMEOUT(agent.key()->session.isEmpty(), Patience);
}

void TestAcquire::plainFormWithoutContext()
{
    Agent agent;
    agent.setHolder(Stranger, "somebody else");
    LeaseProvider provider(longLease(agent));
    bool called = false;
    {
        QObject context;
        provider.acquire(&context, [&](const AcquireResult &) { called = true; });
        QTRY_COMPARE_WITH_TIMEOUT(provider.state(), ProviderState::Waiting, Patience);
    }
    QTRY_COMPARE_WITH_TIMEOUT(provider.state(), ProviderState::Idle, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions(), QStringList{}, Patience);
    QVERIFY(!called);
}

void TestAcquire::onLostAndStopToken()
{
    Agent agent;
    LeaseProvider provider(longLease(agent));
    const AcquireResult result = provider.acquire().result();
    QVERIFY(result.isWon());
    QList<LostReason> told;
    result.lease.onLost(this, [&](LostReason reason) { told.append(reason); });
    auto gone = std::make_unique<QObject>();
    result.lease.onLost(gone.get(), [&](LostReason) { QFAIL("its context had gone"); });
    gone.reset();
    const std::stop_token stop = result.lease.stopToken();
    QVERIFY(!stop.stop_requested());
    agent.setHolder(Stranger, "somebody else");
    QTRY_COMPARE_WITH_TIMEOUT(told, QList{LostReason::LockKeyTaken}, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(stop.stop_requested(), Patience);
    result.lease.onLost(this,
                        [&](LostReason reason) { told.append(reason); }); // Over already: told all the same.
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, Patience);
}

QTEST_GUILESS_MAIN(TestAcquire)
#include "tst_acquire.moc"
