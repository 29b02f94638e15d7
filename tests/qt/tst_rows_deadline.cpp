// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include "qt/term.h"

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
    void f42_slowAnswersCountFromTheirSend();
    void f42_twoTtls();
    void f43_isHeldFirst();
    void f43_seenVoidIsVoidForGood();
    void f43_noEventLoop();
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
            if (!isRenewal(request))
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

    // It recovers alone, with a greater token (the candidate checks that).
    if (fault == "down"_L1)
        agent.comeUp();
    agent.heal();
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

/// An answer that takes long moves the deadline by less: it counts from before the renewal was sent.
void TestRowsDeadline::f42_slowAnswersCountFromTheirSend()
{
    constexpr auto Slowness = 900ms; // 0.9 x TTL.
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.ttl = 1s;
    options.margin = 100ms;
    options.lockDelay = 60s;
    options.requestTimeout = 150ms; // What outlasts the window is refused when configured.
    QCOMPARE(options.timings().window, Slowness);
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    agent.delay(Kind::Renew, 120ms);
    const int before = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, before + 3));
    const Instant heard = candidate.last(u"renewed"_s)->at;
    QVERIFY(deadlineOf(candidate.provider.lease()) <= heard - 120ms + Slowness);

    // Answers slower than the time-out acknowledge nothing at all.
    agent.delay(Kind::Renew, Slowness);
    QVERIFY(candidate.waitFor(u"lost"_s));
    QCOMPARE(candidate.last(u"lost"_s)->text, u"lost local_deadline_exceeded"_s);
}

/// A candidate with a longer TTL succeeds one with a shorter, at the earliest instant that Consul's promise
/// allows (TTL after the last renewal): the old lease is void by then.
void TestRowsDeadline::f42_twoTtls()
{
    Agent agent;
    Candidate first(shortLease(agent));
    QVERIFY(first.lead());
    const Lease old = first.provider.lease();
    LeaseOptions longer = longLease(agent);
    longer.ttl = 60s;
    Candidate second(longer);
    second.provider.start();
    QVERIFY(second.waitFor(u"waiting held"_s));
    bool overlapped = false;
    QObject::connect(&second.provider, &LeaseProvider::leadershipAcquired, &second.provider,
                     [&] { overlapped = old.isHeld(); });

    // The first neither ends its session nor comes back.
    agent.blackhole(Kind::Create);
    agent.blackhole(Kind::Destroy);
    const QString session = old.session();
    std::atomic<bool> silent = false;
    agent.intercept([&](const Request &request, const Responder &) {
        const bool silenced = request.path.endsWith(session) && isRenewal(request);
        silent = silent || silenced;
        return silenced;
    });
    QTRY_VERIFY_WITH_TIMEOUT(silent, Patience);
    const Instant sent = deadlineOf(old) - ShortWindow;
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > sent + 500ms, Patience);
    agent.killSession(session);
    QVERIFY(second.waitFor(u"acquired"_s));
    QVERIFY(!overlapped);
    QCOMPARE(first.terms().size(), 2);
    agent.heal();
}

void TestRowsDeadline::f43_isHeldFirst()
{
    // The clock has jumped by an hour: no timer has fired, and the question comes first.
    const Shell::Term frozen(1, 7, Key, Stranger, bootNow() - 1h, {});
    QVERIFY(!frozen.isHeld());
    QCOMPARE(frozen.remaining(), 0ns);

    const Shell::Term running(1, 7, Key, Stranger, bootNow() + 10ms, {});
    QVERIFY(blockUntil([&] { return !running.isHeld(); }));
    QVERIFY(!running.isHeld());
}

void TestRowsDeadline::f43_seenVoidIsVoidForGood()
{
    Shell::Term term(1, 7, Key, Stranger, bootNow() + 1h, {});
    QVERIFY(term.isHeld());
    QVERIFY(term.extend(bootNow() + 5ms));
    QVERIFY(blockUntil([&] { return !term.isHeld(); }));
    QVERIFY(!term.extend(bootNow() + 1h));
    QVERIFY(!term.isHeld());
    QCOMPARE(term.remaining(), 0ns);

    Shell::Term stoodDown(1, 7, Key, Stranger, bootNow() + 1h, {});
    stoodDown.standDown();
    QVERIFY(!stoodDown.extend(bootNow() + 1h));
    QVERIFY(!stoodDown.isHeld());
}

/// The thread of the provider turns no event loop: nothing is signalled, and yet the answer is right.
void TestRowsDeadline::f43_noEventLoop()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    agent.blackhole();
    const Instant latest = bootNow() + ShortWindow;
    QVERIFY(blockUntil([&] { return bootNow() > latest; }));
    QVERIFY(!candidate.provider.isLeading());
    QVERIFY(!lease.isHeld());
    QCOMPARE(candidate.provider.token(), std::nullopt);
    QCOMPARE(candidate.provider.property("token"), QVariant());
    QCOMPARE(candidate.count(u"lost"_s), 0);
    QVERIFY(candidate.waitFor(u"lost local_deadline_exceeded"_s));
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
        if (!isRenewal(request))
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

/// A renewal that was sent in time and is acknowledged after the bound does not revive the term: the first one
/// is lost, and the second one's answer comes between the bound and its own time-out.
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
        return request.path.endsWith(session) && isRenewal(request) && ++renewals == 1;
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
