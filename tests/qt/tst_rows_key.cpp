// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about the lock key in other hands, under a leader and before a waiting candidate.
class TestRowsKey : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f15_foreignWrite_data();
    void f15_foreignWrite();
    void f15_foreignHand_data();
    void f15_foreignHand();
    void f15_reasonUnknownInTime();
    void f38_neverExpires_data();
    void f38_neverExpires();
};

void TestRowsKey::f15_foreignWrite_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("text") << QByteArray("x");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("another Baton's value") << batonValue(Stranger, 9s);
}

void TestRowsKey::f15_foreignWrite()
{
    QFETCH(QByteArray, value);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    agent.putValue(value);
    QVERIFY(candidate.waitFor(u"error foreign_write"_s));
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 2));
    QVERIFY(lease.isHeld());
    QCOMPARE(candidate.terms().size(), 1);
    QCOMPARE(candidate.provider.token(), lease.token()); // The key's index has moved, the token has not.
    QVERIFY(agent.key()->modifyIndex > lease.token());

    // A leader whose value was overwritten loses the lock like any other.
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"lost lock_key_deleted"_s));
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QTRY_COMPARE_WITH_TIMEOUT(candidate.count(u"cleared foreign_write"_s), 1, Patience);
}

void TestRowsKey::f15_foreignHand_data()
{
    QTest::addColumn<QString>("deed");
    QTest::addColumn<QString>("reason");
    QTest::newRow("deleted") << u"delete"_s << u"lost lock_key_deleted"_s;
    QTest::newRow("released by an operator") << u"release"_s << u"lost lock_key_released"_s;
    QTest::newRow("released, value kept") << u"release value"_s << u"lost lock_key_released"_s;
    QTest::newRow("taken") << u"take"_s << u"lost lock_key_taken"_s;
    QTest::newRow("session destroyed") << u"destroy"_s << u"lost session_expired"_s;
}

void TestRowsKey::f15_foreignHand()
{
    QFETCH(QString, deed);
    QFETCH(QString, reason);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    const Instant done = bootNow();
    if (deed == "delete"_L1) {
        agent.deleteKey();
    } else if (deed.startsWith("release"_L1)) {
        agent.releaseKey(deed.endsWith("value"_L1) ? agent.key()->value : QByteArray());
    } else if (deed == "take"_L1) {
        agent.setHolder(Stranger, "rival");
    } else if (deed == "destroy"_L1) {
        agent.killSession(lease.session());
    }
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, reason);
    QVERIFY(candidate.last(u"lost"_s)->at - done < Late);
    QVERIFY(!lease.isHeld());
    QVERIFY(!candidate.provider.lostEvidence().isEmpty());
}

/// Naming the reason must not keep the news of a loss back beyond the deadline: whether the session lives is
/// never answered here.
void TestRowsKey::f15_reasonUnknownInTime()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    const Lease lease = candidate.provider.lease();
    agent.blackhole(Kind::Info);
    const Instant deadline = deadlineOf(lease) + 2 * RenewInterval; // One more may be under way.
    agent.releaseKey();
    QTRY_VERIFY_WITH_TIMEOUT(!lease.isHeld(), Patience);
    QVERIFY(bootNow() < deadline);
    QVERIFY(candidate.waitFor(u"lost"_s));
    QVERIFY2(candidate.last(u"lost"_s)->at < deadline + 100ms, "the loss was told after its deadline");
}

void TestRowsKey::f38_neverExpires_data()
{
    QTest::addColumn<QByteArray>("ttl");
    QTest::addColumn<QString>("why");
    QTest::newRow("empty") << QByteArray() << u"waiting never_expires"_s;
    QTest::newRow("0s") << QByteArray("0s") << u"waiting never_expires"_s;
    QTest::newRow("0") << QByteArray("0") << u"waiting never_expires"_s;
    QTest::newRow("ten seconds") << QByteArray("10s") << u"waiting held"_s;
}

void TestRowsKey::f38_neverExpires()
{
    QFETCH(QByteArray, ttl);
    QFETCH(QString, why);
    Agent agent;
    agent.answerJson(Kind::Info, 200, sessionJson(Stranger, ttl, "0"));
    agent.setHolder(Stranger, "not a value of Baton's");
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QTRY_VERIFY_WITH_TIMEOUT(agent.count(Kind::Info) == 1, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(candidate.last(u"waiting"_s) && candidate.last(u"waiting"_s)->text == why,
                             Patience);
    // It waits all the same, and leads once the holder is gone; a stranger's lock-delay is Consul's business.
    agent.releaseKey();
    QVERIFY(candidate.waitFor(u"acquired"_s));
}

QTEST_GUILESS_MAIN(TestRowsKey)
#include "tst_rows_key.moc"
