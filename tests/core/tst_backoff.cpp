// SPDX-License-Identifier: MIT
#include <core/backoff.h>

#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace Baton::Core;
using namespace std::chrono_literals;

/// Waits before retries, the pace of loops, and the chance they need.
class BackoffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void doubles_up_to_most_within_jitter_data();
    void doubles_up_to_most_within_jitter();
    void jitter_spreads();
    void reset_begins_anew();
    void other_policy_keeps_what_has_grown();
    void f37_tries_in_a_minute();
    void same_seed_same_numbers();
    void hex_has_its_length();
    void pace_lets_a_burst_pass();
    void pace_forgets_idle_time();
    void pace_is_never_early();
};

void BackoffTest::doubles_up_to_most_within_jitter_data()
{
    QTest::addColumn<Duration>("first");
    QTest::addColumn<Duration>("most");
    QTest::addColumn<QList<int>>("expected"); // Milliseconds
    QTest::newRow("transient") << TransientRetry.first << TransientRetry.most
                               << QList<int>{100, 200, 400, 800, 1000, 1000};
    QTest::newRow("slow") << SlowRetry.first << SlowRetry.most
                          << QList<int>{500, 1000, 2000, 4000, 5000, 5000};
    QTest::newRow("first is most") << Duration{1s} << Duration{1s} << QList<int>{1000, 1000};
}

void BackoffTest::doubles_up_to_most_within_jitter()
{
    QFETCH(const Duration, first);
    QFETCH(const Duration, most);
    QFETCH(const QList<int>, expected);
    for (quint64 seed = 0; seed < 50; ++seed) {
        Random random(seed);
        Backoff backoff({first, most});
        for (const int wait : expected) {
            const Duration next = backoff.next(random);
            QVERIFY(next >= wait * 800us);
            QVERIFY(next <= wait * 1200us);
        }
    }
}

/// Candidates that failed together do not come back together.
void BackoffTest::jitter_spreads()
{
    Duration least = 1h;
    Duration greatest{};
    for (quint64 seed = 0; seed < 200; ++seed) {
        Random random(seed);
        Backoff backoff;
        const Duration next = backoff.next(random);
        least = std::min(least, next);
        greatest = std::max(greatest, next);
    }
    QVERIFY(least < 85ms);
    QVERIFY(greatest > 115ms);
}

void BackoffTest::reset_begins_anew()
{
    Random random(1);
    Backoff backoff;
    for (int i = 0; i < 10; ++i)
        (void)backoff.next(random);
    backoff.reset();
    QVERIFY(backoff.next(random) <= 120ms);
}

void BackoffTest::other_policy_keeps_what_has_grown()
{
    Random random(1);
    Backoff backoff(SlowRetry);
    for (int i = 0; i < 10; ++i)
        (void)backoff.next(random);
    backoff.use(TransientRetry);
    QVERIFY(backoff.next(random) <= 1200ms);
    backoff.use(SlowRetry);
    const Duration next = backoff.next(random);
    QVERIFY(next >= 1600ms); // Twice the second that it had come to.
    QVERIFY(next <= 2400ms);
}

void BackoffTest::f37_tries_in_a_minute()
{
    for (quint64 seed = 0; seed < 50; ++seed) {
        Random random(seed);
        Backoff backoff(SlowRetry);
        int tries = 1;
        for (Duration at = backoff.next(random); at < 60s; at += backoff.next(random))
            ++tries;
        QVERIFY2(tries >= 13 && tries <= 18, QByteArray::number(tries));
    }
}

void BackoffTest::same_seed_same_numbers()
{
    Random one(42);
    Random same(42);
    Random other(43);
    QSet<quint64> seen;
    for (int i = 0; i < 1000; ++i) {
        const quint64 number = one.next();
        QCOMPARE(same.next(), number);
        QVERIFY(other.next() != number);
        seen.insert(number);
    }
    QCOMPARE(seen.size(), 1000);
}

void BackoffTest::hex_has_its_length()
{
    Random random(0);
    for (int i = 0; i < 1000; ++i) // One number in sixteen begins with a zero.
        QCOMPARE(random.hex(2).size(), 32);
    QVERIFY(random.hex(2) != random.hex(2));
    QCOMPARE(random.hex(0), QByteArray());
}

void BackoffTest::pace_lets_a_burst_pass()
{
    Pace pace(5, 2);
    Instant now{1h};
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(pace.earliest(now), now);
        pace.take(now);
    }
    // From then on two a second.
    for (int i = 1; i <= 20; ++i) {
        const Instant next = pace.earliest(now);
        QCOMPARE(next - now, Duration{500ms});
        now = next;
        pace.take(now);
    }
}

void BackoffTest::pace_forgets_idle_time()
{
    Pace pace(3, 1);
    Instant now{1h};
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(pace.earliest(now), now);
            pace.take(now);
        }
        QVERIFY(pace.earliest(now) > now); // An hour of rest is worth one burst, not an hour of events.
        now += 1h;
    }
}

void BackoffTest::pace_is_never_early()
{
    Pace pace(3, 1);
    QCOMPARE(pace.earliest(Instant{5ns}), Instant{5ns}); // Also where the clock has only begun.
    pace.take(Instant{1h});
    QCOMPARE(pace.earliest(Instant{2h}), Instant{2h});
}

QTEST_APPLESS_MAIN(BackoffTest)
#include "tst_backoff.moc"
