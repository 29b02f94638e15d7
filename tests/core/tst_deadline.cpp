// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// How long a lease is valid, and from when: always from the instant before the last acknowledged create or
/// renewal was sent.
class DeadlineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void window_data();
    void window();
    void counts_from_the_renewal_sent_not_answered();
    void acquire_adds_nothing();
    void larger_ttl_of_the_server_adds_nothing();
    void f44_late_success_revives_nothing_data();
    void f44_late_success_revives_nothing();
    void f42_answers_delayed();
    void f43_jump_of_an_hour();
    void f01_silence_ends_at_the_bound();
    void won_after_the_deadline_is_not_announced();
};

void DeadlineTest::window_data()
{
    QTest::addColumn<Milliseconds>("ttl");
    QTest::addColumn<Milliseconds>("margin");
    QTest::addColumn<Milliseconds>("lockDelay");
    QTest::addColumn<Milliseconds>("expected");
    QTest::newRow("ttl less margin rules") << 10'000ms << 2000ms << 15'000ms << 8000ms;
    QTest::newRow("balanced: ttl less margin by a hair") << 10'000ms << 2000ms << 9000ms << 8000ms;
    QTest::newRow("lock-delay rules") << 10'000ms << 2000ms << 8000ms << 7200ms;
    QTest::newRow("lock-delay of a second") << 10'000ms << 2000ms << 1000ms << 900ms;
    QTest::newRow("lock-delay of a millisecond, not rounded to nothing")
        << 10'000ms << 2000ms << 500ms << 450ms;
    QTest::newRow("no lock-delay: no bound by it") << 10'000ms << 2000ms << 0ms << 8000ms;
    QTest::newRow("no margin") << 10'000ms << 0ms << 60'000ms << 10'000ms;
}

void DeadlineTest::window()
{
    QFETCH(const Milliseconds, ttl);
    QFETCH(const Milliseconds, margin);
    QFETCH(const Milliseconds, lockDelay);
    QFETCH(const Milliseconds, expected);
    Settings settings = balanced();
    settings.ttl = ttl;
    settings.margin = margin;
    settings.lockDelay = lockDelay;
    Harness h(settings);
    h.toLeading();
    const Instant sent = h.now(); // Everything so far took no time.
    QCOMPARE(h.all<Acquired>().at(0).deadline - sent, Duration{expected});
    // Leading to the last nanosecond, and no longer.
    h.advance(Duration{expected} - 1ns);
    QCOMPARE(h.state(), State::Leading);
    h.advance(1ns);
    QCOMPARE(h.all<Lost>().size(), 1);
}

void DeadlineTest::counts_from_the_renewal_sent_not_answered()
{
    Harness h;
    h.toLeading();
    h.advance(2250ms);
    const Instant sent = h.now();
    h.advance(700ms);
    h.answer(Kind::Renew, renewed());
    const auto renewals = h.all<Renewed>();
    QCOMPARE(renewals.size(), 1);
    QCOMPARE(renewals.at(0).deadline, sent + 8s);
    QCOMPARE(renewals.at(0).roundTrip, Duration{700ms});
}

void DeadlineTest::acquire_adds_nothing()
{
    Harness h;
    h.toReading();
    const Instant sent = h.now(); // Of the renewal that verified the session.
    h.advance(1s);
    h.answer(Kind::Key, absent(50));
    h.advance(500ms);
    h.answer(Kind::Lock, won(100));
    QCOMPARE(h.all<Acquired>().at(0).deadline, sent + 8s);
}

void DeadlineTest::larger_ttl_of_the_server_adds_nothing()
{
    Settings larger = balanced();
    larger.ttl = 60s;
    Harness h;
    h.toVerifying();
    h.answer(Kind::Renew, renewed(larger));
    const Instant sent = h.now();
    h.answer(Kind::Key, absent(50));
    h.answer(Kind::Lock, won(100));
    QCOMPARE(h.all<Acquired>().at(0).deadline, sent + 8s);
}

void DeadlineTest::f44_late_success_revives_nothing_data()
{
    QTest::addColumn<Duration>("at");
    QTest::addColumn<bool>("leads");
    QTest::newRow("a nanosecond before the deadline") << Duration{8s} - 1ns << true;
    QTest::newRow("at the deadline") << Duration{8s} << false;
    QTest::newRow("a minute after it") << Duration{60s} << false;
}

void DeadlineTest::f44_late_success_revives_nothing()
{
    QFETCH(const Duration, at);
    QFETCH(const bool, leads);
    Settings settings = balanced();
    settings.requestTimeout = 2min;
    Harness h(settings);
    h.toLeading();
    h.advance(2250ms);
    // The process stood still: the answer is handled before any timer.
    h.sleep(at - 2250ms);
    h.answer(Kind::Renew, renewed());
    QCOMPARE(h.all<Lost>().empty(), leads);
    QCOMPARE(h.all<Renewed>().empty(), !leads);
    if (!leads)
        QCOMPARE(h.all<Lost>().at(0).reason, LostReason::LocalDeadlineExceeded);
}

void DeadlineTest::f42_answers_delayed()
{
    // One renewal at a time: with answers after less than half of the lease it goes on, but never for longer
    // than 8 s after a send.
    Settings settings = balanced();
    settings.requestTimeout = 20s;
    Harness h(settings);
    h.toLeading();
    for (int i = 0; i < 20; ++i) {
        h.advance(i == 0 ? 2250ms : 0ms);
        const Instant sent = h.now();
        h.advance(3900ms);
        QCOMPARE(h.state(), State::Leading);
        h.answer(Kind::Renew, renewed());
        QCOMPARE(h.all<Renewed>().back().deadline, sent + 8s);
    }
    // With an answer after 0.9 of the TTL it is over before.
    h.advance(9s);
    QCOMPARE(h.all<Lost>().size(), 1);
    QCOMPARE(h.all<Lost>().at(0).reason, LostReason::LocalDeadlineExceeded);
}

void DeadlineTest::f43_jump_of_an_hour()
{
    Harness h;
    h.toLeading();
    h.news();
    h.jump(1h);
    const QStringList news = h.news();
    QCOMPARE(news.at(0), u"lost:local_deadline_exceeded"_s);
    QVERIFY(news.contains(u"destroy:S1"_s));
    QVERIFY(!news.contains(u"at_risk"_s));
}

void DeadlineTest::f01_silence_ends_at_the_bound()
{
    Harness h;
    h.toLeading();
    h.advance(2250ms);
    const Instant sent = h.now();
    h.advance(100ms);
    h.answer(Kind::Renew, renewed());
    h.forget();
    h.advance(1min);
    QCOMPARE(h.all<Lost>().size(), 1);
    QCOMPARE(h.all<Lost>().at(0).reason, LostReason::LocalDeadlineExceeded);
    QVERIFY(h.all<Lost>().at(0).evidence.contains(u"8000 ms"_s));
    for (const auto &done : h.done()) {
        if (std::holds_alternative<Lost>(done.output))
            QCOMPARE(done.at, sent + 8s);
    }
}

void DeadlineTest::won_after_the_deadline_is_not_announced()
{
    Harness h;
    h.toLocking();
    h.advance(8s); // No renewal was acknowledged meanwhile.
    h.news();
    h.answer(Kind::Lock, won(100));
    QVERIFY(h.all<Acquired>().empty());
    QCOMPARE(h.machine().missedTerms(), quint64(1));
    // It holds the lock and gives it up in order.
    QVERIFY(h.news().contains(u"release:S1"_s));
}

QTEST_APPLESS_MAIN(DeadlineTest)
#include "tst_deadline.moc"
