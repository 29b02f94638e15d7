// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about a leader whose agent is in trouble: which answers to a renewal or a watch end a term,
/// and which end nothing.
class TestRowsRenewal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f03_threeFailedRenewals_data();
    void f03_threeFailedRenewals();
    void f07_sessionGone();
    void f07_whatProvesNothing_data();
    void f07_whatProvesNothing();
    void f26_halfOfTheConnections();
    void f54_deadConnectionIsReplaced();
};

void TestRowsRenewal::f03_threeFailedRenewals_data()
{
    addAnswersThatProveNothing();
}

void TestRowsRenewal::f03_threeFailedRenewals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, type);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    const QStringList before = candidate.terms();
    // Three of the report's own; of its siblings one each will do.
    agent.answer(Kind::Renew, status, body, type, body.startsWith("rpc error: rpc error") ? 3 : 1);
    QVERIFY(candidate.waitFor(u"error"_s));
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 2));

    QCOMPARE(candidate.terms(), before);
    QVERIFY(lease.isHeld());
    QVERIFY(candidate.provider.lease() == lease);
    QCOMPARE(candidate.errors.size(), 1); // One report, taken back.
    QCOMPARE(candidate.errors.first().step, Step::RenewSession);
    QCOMPARE(candidate.errors.first().status, status);
    QCOMPARE(candidate.count(u"cleared"_s), 1);
    QCOMPARE(agent.count(Kind::Create), 1);
    QCOMPARE(agent.count(Kind::Txn), 1);
}

void TestRowsRenewal::f07_sessionGone()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const QString session = candidate.provider.lease().session();
    const QString text = u"Session id '%1' not found"_s.arg(session);
    agent.answer(Kind::Renew, 404, text.toUtf8(), Text, 1);
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost session_expired"_s);
    QCOMPARE(candidate.provider.lostEvidence(), text);
    const Instant answered = agent.seen(Kind::Renew).last().at;
    QVERIFY(candidate.last(u"lost"_s)->at - answered < Late);

    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    int renewals = 0;
    for (const auto &seen : agent.seen(Kind::Renew))
        renewals += seen.at > answered && seen.request.path.endsWith(session);
    QCOMPARE(renewals, 0);
    QVERIFY(!agent.sessions().contains(session)); // Destroyed all the same, should the answer have lied.
}

void TestRowsRenewal::f07_whatProvesNothing_data()
{
    QTest::addColumn<QByteArray>("body"); // %1: our session.
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("page of a proxy") << Html << QByteArray("text/html");
    QTest::newRow("Consul's words in a page")
        << QByteArray("Session id '%1' not found") << QByteArray("text/html");
    QTest::newRow("Consul's words inside a text")
        << QByteArray("upstream said: Session id '%1' not found") << Text;
    QTest::newRow("another session") << QByteArray(
        "Session id '5eae4e5e-0000-4000-8000-000000000001' not found")
                                     << Text;
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("404 of Go's mux") << QByteArray("404 page not found\n") << Text;
    QTest::newRow("JSON") << QByteArray("[]") << QByteArray("application/json");
}

void TestRowsRenewal::f07_whatProvesNothing()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, type);
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const QString session = candidate.provider.lease().session();
    agent.answer(Kind::Renew, 404, body.replace("%1", session.toLatin1()), type, 2);
    QVERIFY(candidate.waitFor(u"cleared not_consul"_s));
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.provider.isLeading());
    QCOMPARE(candidate.provider.lease().session(), session);
}

/// Every second connection is accepted and ended at its first request.
void TestRowsRenewal::f26_halfOfTheConnections()
{
    Agent agent;
    std::atomic<int> ended = 0;
    agent.intercept([&](const Request &request, const Responder &responder) {
        if (request.connection % 2 == 0)
            return false;
        ++ended;
        responder.reset();
        return true;
    });
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 10));
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY2(ended <= 12, qPrintable(u"%1 connections were ended"_s.arg(ended))); // No storm.
}

/// A connection that has died in silence costs one renewal; the next one goes over a new connection.
void TestRowsRenewal::f54_deadConnectionIsReplaced()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    std::atomic<quint64> dead = 0;
    agent.intercept([&](const Request &request, const Responder &) {
        if (ScriptedAgent::kindOf(request) == Kind::Renew && dead == 0)
            dead = request.connection;
        return request.connection == dead;
    });
    QTRY_VERIFY_WITH_TIMEOUT(dead != 0, Patience);
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 3));
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(agent.seen(Kind::Renew).last().request.connection != dead);
    for (const auto &seen : agent.seen()) {
        QVERIFY(seen.request.header("Upgrade").isNull());
        QVERIFY(seen.request.keepAlive);
    }
}

QTEST_GUILESS_MAIN(TestRowsRenewal)
#include "tst_rows_renewal.moc"
