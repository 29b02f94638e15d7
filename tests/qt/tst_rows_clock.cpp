// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include "qt/term.h"

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about clocks: validity is computed at each call, and counts from the send.
class TestRowsClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f42_slowAnswersCountFromTheirSend();
    void f42_twoTtls();
    void f43_isHeldFirst();
    void f43_seenVoidIsVoidForGood();
    void f43_noEventLoop();
};

/// An answer that takes long moves the deadline by less: it counts from before the renewal was sent.
void TestRowsClock::f42_slowAnswersCountFromTheirSend()
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
void TestRowsClock::f42_twoTtls()
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
        const bool silenced = request.path.endsWith(session) && ScriptedAgent::kindOf(request) == Kind::Renew;
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

void TestRowsClock::f43_isHeldFirst()
{
    // The clock has jumped by an hour: no timer has fired, and the question comes first.
    const Shell::Term frozen(1, 7, Key, Stranger, bootNow() - 1h, {});
    QVERIFY(!frozen.isHeld());
    QCOMPARE(frozen.remaining(), 0ns);

    const Shell::Term running(1, 7, Key, Stranger, bootNow() + 10ms, {});
    QVERIFY(blockUntil([&] { return !running.isHeld(); }));
    QVERIFY(!running.isHeld());
}

void TestRowsClock::f43_seenVoidIsVoidForGood()
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
void TestRowsClock::f43_noEventLoop()
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
    agent.heal();
}

QTEST_GUILESS_MAIN(TestRowsClock)
#include "tst_rows_clock.moc"
