// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about fencing tokens: exact, and greater for each later term whatever becomes of the key.
/// That they rise is checked by the Candidate.
class TestRowsTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f16_keyDeletedAndLost();
    void f16_restoredInPlace();
    void f16_rebuiltBelowTheFloor();
    void f16_rebuiltUnderTheProcess();
    void f19_tokens_data();
    void f19_tokens();
    void f19_guards_data();
    void f19_guards();
};

void TestRowsTokens::f16_keyDeletedAndLost()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    agent.killSession(candidate.provider.lease().session());
    QVERIFY(candidate.waitFor(u"acquired"_s, 3));
    // As a session of behaviour "delete" leaves it.
    agent.killSession(candidate.provider.lease().session());
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"acquired"_s, 4));
    agent.putValue("x"); // Resets LockIndex, which is therefore no token.
    candidate.provider.lease().release();
    QVERIFY(candidate.waitFor(u"acquired"_s, 5));
}

/// After a snapshot was restored the indexes go on from its age: the lock is taken anew with other values
/// until the token has passed the one known.
void TestRowsTokens::f16_restoredInPlace()
{
    Agent agent;
    agent.setIndex(1000);
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const quint64 before = *candidate.provider.token();
    agent.setIndex(before - 60);
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"lost lock_key_deleted"_s));
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QCOMPARE(candidate.provider.token(), agent.key()->modifyIndex);
    QCOMPARE(candidate.provider.token(), before + 1);
    const int climbs = agent.count(Kind::Txn) - 2;
    QVERIFY2(climbs > 50 && climbs < 60, qPrintable(QString::number(climbs)));
    QVERIFY(candidate.errors.isEmpty());
}

void TestRowsTokens::f16_rebuiltBelowTheFloor()
{
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.tokenFloor = 80;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.provider.token(), 81U);
    QCOMPARE(agent.key()->session, candidate.provider.lease().session());
}

/// Another provider of the process knows what the first one has seen.
void TestRowsTokens::f16_rebuiltUnderTheProcess()
{
    Agent agent;
    agent.setIndex(500);
    quint64 before = 0;
    {
        Candidate first(longLease(agent));
        QVERIFY(first.lead());
        before = *first.provider.token();
    }
    agent.deleteKey();
    agent.setIndex(450);
    Candidate second(longLease(agent));
    QVERIFY(second.lead());
    QCOMPARE(second.provider.token(), before + 1);
}

void TestRowsTokens::f19_tokens_data()
{
    QTest::addColumn<quint64>("token");
    QTest::newRow("2^53 + 1") << quint64(9007199254740993);
    QTest::newRow("2^63 - 1") << quint64(9223372036854775807);
    QTest::newRow("2^63 + 1") << quint64(9223372036854775809U);
    QTest::newRow("2^64 - 1") << quint64(18446744073709551615U);
}

void TestRowsTokens::f19_tokens()
{
    QFETCH(quint64, token);
    Agent agent;
    agent.setIndex(token - 2); // The session and the lock are the next two writes.
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.terms(), QStringList{u"acquired %1"_s.arg(token)});
    QCOMPARE(candidate.provider.token(), token);
    QCOMPARE(candidate.provider.property("token").toULongLong(), token);
    QCOMPARE(candidate.provider.lease().token(), token);
    QTRY_COMPARE_WITH_TIMEOUT(candidate.provider.leader().index, token, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(agent.count(Kind::Watch) > 0, Patience);
    QCOMPARE(agent.seen(Kind::Watch).first().request.query.queryItemValue(u"index"_s),
             QString::number(token));
}

void TestRowsTokens::f19_guards_data()
{
    QTest::addColumn<quint64>("index");
    QTest::newRow("2^53 + 1") << quint64(9007199254740993);
    QTest::newRow("2^63 - 9") << quint64(9223372036854775799);
}

/// The lock is guarded by the very index that was read.
void TestRowsTokens::f19_guards()
{
    QFETCH(quint64, index);
    Agent agent;
    agent.setIndex(index - 1);
    agent.putValue("free");
    QCOMPARE(agent.key()->modifyIndex, index);
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const QByteArray guard =
        R"("Verb":"check-index","Key":"service/test/leader","Index":)" + QByteArray::number(index) + '}';
    QCOMPARE(agent.count(Kind::Txn), 1);
    QVERIFY2(agent.seen(Kind::Txn).first().request.body.contains(guard),
             agent.seen(Kind::Txn).first().request.body);
}

QTEST_GUILESS_MAIN(TestRowsTokens)
#include "tst_rows_tokens.moc"
