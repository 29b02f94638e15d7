// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about time: what ends a lease when nobody says so, and what does not.
class TestRowsDeadline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f01_blackHoleAfterGrant_data();
    void f01_blackHoleAfterGrant();
    void f02_noClusterLeader();
    void f44_errorLate_data();
    void f44_errorLate();
    void f44_lateSuccess();
};

namespace {

/// The agent's last renewal that was served before \a until.
Instant lastRenewal(const ScriptedAgent &agent, Instant until)
{
    Instant last{};
    for (const auto &seen : agent.seen(Kind::Renew)) {
        if (seen.at < until)
            last = seen.at;
    }
    return last;
}

} // namespace

void TestRowsDeadline::f01_blackHoleAfterGrant_data()
{
    QTest::addColumn<QString>("fault");
    QTest::newRow("nothing is answered") << u"all"_s;
    QTest::newRow("only the watch answers") << u"all but watch"_s;
    QTest::newRow("only renewals are not answered") << u"renew"_s;
    QTest::newRow("renewals drip") << u"drip"_s;
    QTest::newRow("connections are reset and refused") << u"down"_s;
    QTest::newRow("renewals are closed after reading") << u"close"_s;
}

void TestRowsDeadline::f01_blackHoleAfterGrant()
{
    QFETCH(QString, fault);
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s, 2));
    const Lease lease = candidate.provider.lease();

    const Instant faulty = bootNow();
    if (fault == "down"_L1) {
        agent.goDown();
    } else if (fault == "close"_L1) {
        agent.closeAfterReading(Kind::Renew);
    } else if (fault == "drip"_L1) {
        agent.intercept([](const Request &request, const Responder &responder) {
            if (ScriptedAgent::kindOf(request) != Kind::Renew)
                return false;
            responder.drip(Testing::httpAnswer(200, "[]"), 50ms);
            return true;
        });
    } else {
        agent.blackhole(Kind::Renew);
        if (fault != "renew"_L1)
            agent.blackhole();
    }
    if (fault == "all but watch"_L1) {
        agent.heal();
        for (const Kind kind : {Kind::Renew, Kind::Info, Kind::Read, Kind::Txn})
            agent.blackhole(kind);
        agent.putValue("the watch works");
        QVERIFY(candidate.waitFor(u"error foreign_write"_s));
    }

    QVERIFY(candidate.waitFor(u"lost"_s));
    const Instant lost = candidate.last(u"lost"_s)->at;
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost local_deadline_exceeded"_s);
    QVERIFY(!lease.isHeld());
    QCOMPARE(lease.lostReason(), LostReason::LocalDeadlineExceeded);
    // Renewals seen a moment before the fault were still answered; those of the fault were not.
    const Instant acknowledged = lastRenewal(agent, faulty);
    qInfo("lost %.1f ms after the last acknowledged renewal was seen, window %d ms",
          double((lost - acknowledged).count()) / 1e6, int(ShortWindow.count()));
    QVERIFY(lost - acknowledged > ShortWindow - 150ms); // One more may have been answered since.
    QVERIFY(lost - acknowledged < ShortWindow + Late);

    agent.heal();
    if (fault != "all"_L1 && fault != "down"_L1)
        return;
    // It recovers alone, with a greater token (the candidate checks that).
    if (fault == "down"_L1)
        agent.comeUp();
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
}

void TestRowsDeadline::f02_noClusterLeader()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    const Lease lease = candidate.provider.lease();
    agent.answerAll(500, "No cluster leader");
    const Instant faulty = bootNow();

    // It leads until the bound, which no answer moves any more...
    QVERIFY(candidate.waitFor(u"error server_error"_s));
    QVERIFY(candidate.provider.isLeading());
    const Instant deadline = deadlineOf(lease);
    QVERIFY(deadline - faulty < ShortWindow);
    QVERIFY(candidate.waitFor(u"at_risk"_s));
    QVERIFY(std::chrono::abs(deadlineOf(lease) - deadline) < 1ms);
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost local_deadline_exceeded"_s);
    // ... not a tick longer.
    const Instant lost = candidate.last(u"lost"_s)->at;
    QVERIFY(lost >= deadline - 1ms);
    QVERIFY(lost < deadline + Late);

    // Quiet afterwards: some tries of creating a session and of ending the old one, and one report.
    const int before = agent.count(Kind::Create) + agent.count(Kind::Destroy);
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > lost + 1s, Patience);
    const int after = agent.count(Kind::Create) + agent.count(Kind::Destroy);
    QVERIFY2(after - before <= 12, qPrintable(u"%1 requests in a second"_s.arg(after - before)));
    QCOMPARE(candidate.count(u"error"_s), 1);
    QCOMPARE(candidate.count(u"cleared"_s), 0);
    agent.heal();
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QTRY_COMPARE_WITH_TIMEOUT(candidate.count(u"cleared server_error"_s), 1, Patience);
}

void TestRowsDeadline::f44_errorLate_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("500") << 500;
    QTest::newRow("reset") << 0;
}

/// The renewal's answer is silence until shortly before its time-out: an error then adds nothing.
void TestRowsDeadline::f44_errorLate()
{
    QFETCH(int, status);
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    const Lease lease = candidate.provider.lease();
    agent.intercept([status](const Request &request, const Responder &responder) {
        if (ScriptedAgent::kindOf(request) != Kind::Renew)
            return false;
        responder.after(130ms, [responder, status] {
            status ? responder.reply(status, "rpc error: deadline", {{"Content-Type", "text/plain"}})
                   : responder.reset();
        });
        return true;
    });
    const Instant faulty = bootNow();
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost local_deadline_exceeded"_s);
    QVERIFY(candidate.last(u"lost"_s)->at - faulty < ShortWindow + Late); // Not 1.9 x the window.
    QVERIFY(!lease.isHeld());
}

/// A renewal that was sent in time and is acknowledged after the bound does not revive the term: the first
/// one is lost, and the second one's answer comes between the bound and its own time-out.
void TestRowsDeadline::f44_lateSuccess()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    QVERIFY(candidate.waitFor(u"renewed"_s));
    std::atomic<int> renewals = 0;
    const QString session = lease.session();
    agent.delay(Kind::Renew, 130ms);
    agent.intercept([&](const Request &request, const Responder &) {
        return request.path.endsWith(session) && ScriptedAgent::kindOf(request) == Kind::Renew
            && ++renewals == 1;
    });
    QVERIFY(candidate.waitFor(u"lost"_s));
    QVERIFY(renewals >= 2);
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost local_deadline_exceeded"_s);
    QVERIFY(!lease.isHeld());
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QVERIFY(!lease.isHeld());
    QVERIFY(candidate.provider.lease().session() != session);
}

QTEST_GUILESS_MAIN(TestRowsDeadline)
#include "tst_rows_deadline.moc"
