// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about taking the lock while others hold it, lose it or send late packets.
class TestRowsLock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f72_noLockWithoutItsGuard();
    void f72_lockInFlight();
    void f72_lockDelayIsWaitedFor_data();
    void f72_lockDelayIsWaitedFor();
    void f72_noLockDelayByConsul_data();
    void f72_noLockDelayByConsul();
    void f75_ghostLockIsReleased();
};

/// Every lock is guarded by the state of the key as it was last read, and none is sent while that shows a
/// holder; four terms, with a rival between.
void TestRowsLock::f72_noLockWithoutItsGuard()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    for (int term = 2; term <= 4; ++term) {
        agent.setHolder(Stranger, batonValue(Stranger, 0ms));
        QVERIFY(candidate.waitFor(u"lost lock_key_taken"_s, term - 1));
        QVERIFY(candidate.waitFor(u"waiting held"_s, term - 1));
        const int locks = agent.count(Kind::Txn);
        QCOMPARE(locks, term - 1);
        agent.releaseKey();
        QVERIFY(candidate.waitFor(u"acquired"_s, term));
    }
    const QList<ScriptedAgent::Seen> locks = agent.seen(Kind::Txn);
    QVERIFY(locks.first().request.body.startsWith(R"([{"KV":{"Verb":"check-not-exists")"));
    for (const auto &lock : locks.mid(1))
        QVERIFY(lock.request.body.startsWith(R"([{"KV":{"Verb":"check-index")"));
    for (const auto &seen : agent.seen())
        QVERIFY(!seen.request.query.hasQueryItem(u"acquire"_s));
}

/// The lock is on its way when a rival takes the key and its session ends: the guard refuses it although the
/// key is free again, and nothing is won before the lock-delay is over.
void TestRowsLock::f72_lockInFlight()
{
    ScriptedAgent agent(Key); // In this thread, so that the interceptor may change the key.
    int locks = 0;
    agent.intercept([&](const Request &request, const Responder &) {
        if (ScriptedAgent::kindOf(request) == Kind::Txn && ++locks == 1) {
            agent.setHolder(Stranger, "rival");
            agent.killSession(Stranger);
            // Consul lets a lock pass that is under way when the session ends; only the guard stops it.
        } else if (ScriptedAgent::kindOf(request) == Kind::Txn && locks == 2) {
            agent.setLockDelay(true);
        }
        return false;
    });
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(candidate.waitFor(u"waiting lock_delay"_s));
    QCOMPARE(candidate.terms(), QStringList());
    QCOMPARE(agent.key()->session, QString());
    agent.setLockDelay(false);
    QVERIFY(candidate.waitFor(u"acquired"_s));
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
}

/// The holder's session ends. A holder of Baton's told its lock-delay, which is waited for without asking;
/// where a stranger held the lock, Consul is asked at most twice a second.
void TestRowsLock::f72_lockDelayIsWaitedFor_data()
{
    QTest::addColumn<bool>("stranger");
    QTest::newRow("Baton") << false;
    QTest::newRow("stranger") << true;
}

void TestRowsLock::f72_lockDelayIsWaitedFor()
{
    QFETCH(bool, stranger);
    constexpr auto LockDelay = 1s;
    Agent agent;
    agent.setHolder(Stranger, stranger ? QByteArray("mine") : batonValue(Stranger, LockDelay));
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(candidate.waitFor(u"waiting held"_s));
    agent.setLockDelay(true);
    const Instant ended = bootNow();
    agent.killSession(Stranger);
    QVERIFY(candidate.waitFor(u"waiting lock_delay"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > ended + LockDelay - 50ms, Patience);
    const int asked = agent.count(Kind::Txn);
    QVERIFY2(stranger ? asked >= 2 && asked <= 3 : asked == 0, qPrintable(QString::number(asked)));
    QCOMPARE(candidate.terms(), QStringList());
    agent.setLockDelay(false);
    QVERIFY(candidate.waitFor(u"acquired"_s));
    QVERIFY(candidate.last(u"acquired"_s)->at - ended >= LockDelay - 50ms);
}

/// Consul forgets the lock-delay of a key that was deleted or released in the holder's name; a waiter that
/// saw the holder waits for it all the same. After an orderly release it does not.
void TestRowsLock::f72_noLockDelayByConsul_data()
{
    QTest::addColumn<QString>("deed");
    QTest::addColumn<bool>("waits");
    QTest::newRow("deleted") << u"delete"_s << true;
    QTest::newRow("released by an operator, value kept") << u"release value"_s << true;
    QTest::newRow("released by an operator, other value") << u"release other"_s << true;
    QTest::newRow("released in order") << u"release"_s << false;
}

void TestRowsLock::f72_noLockDelayByConsul()
{
    QFETCH(QString, deed);
    QFETCH(bool, waits);
    constexpr auto LockDelay = 500ms;
    Agent agent;
    const QByteArray value = batonValue(Stranger, LockDelay);
    agent.setHolder(Stranger, value);
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(candidate.waitFor(u"waiting held"_s));
    const Instant ended = bootNow();
    if (deed == "delete"_L1)
        agent.deleteKey();
    else
        agent.releaseKey(deed.endsWith("value"_L1) ? value : QByteArray(waits ? "free" : ""));
    QVERIFY(candidate.waitFor(u"acquired"_s));
    const auto took = candidate.last(u"acquired"_s)->at - ended;
    QVERIFY2(waits ? took >= LockDelay : took < LockDelay, qPrintable(QString::number(took / 1ms)));
}

/// A lock of a term that was given up in order comes back from the dead: it is released at once.
void TestRowsLock::f75_ghostLockIsReleased()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const QString ghost = candidate.provider.lease().session();
    agent.delay(Kind::Create, 100ms); // The next campaign finds the ghost there.
    candidate.provider.lease().release();
    QVERIFY(candidate.waitFor(u"lost released"_s));
    QTRY_COMPARE_WITH_TIMEOUT(agent.count(Kind::Destroy), 1, Patience);
    QCOMPARE(agent.count(Kind::Release), 1);
    agent.setHolder(ghost, "late packet");
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QCOMPARE(agent.count(Kind::Release), 2);
    QVERIFY(agent.seen(Kind::Release).last().request.target.contains("release=" + ghost.toLatin1()));
    QVERIFY(agent.key()->session != ghost);
}

QTEST_GUILESS_MAIN(TestRowsLock)
#include "tst_rows_lock.moc"
