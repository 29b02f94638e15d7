// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Why a candidate waits and until when: what Consul says of a lock-delay, what a stranger's session says,
/// what right is missing.
class WaitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_h = std::make_unique<Harness>();
        m_h->serve([](Kind kind, const Wire::Request &) {
            return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
        });
    }
    void computed_end_then_quick_retries();
    void blind_at_most_twice_a_second();
    void blind_end_is_not_told();
    void stranger_is_asked_about_once();
    void never_expires();
    void what_is_known_of_one_holder_is_not_said_of_the_next();
    void longer_than_consul_applies();
    void f27_denied_is_tried_calmly();

private:
    Harness &h() { return *m_h; }
    void delayed() { h().answer(Kind::Lock, refused(Wire::Refusal::LockDelay)); }
    std::unique_ptr<Harness> m_h;
};

void WaitsTest::computed_end_then_quick_retries()
{
    // Consul began to count a moment after this candidate did, so that its delay outlives the computed end.
    h().toWaiting();
    h().answer(Kind::Key, freeKey(60, rivalValue(u"R1"_s)));
    h().advance(9s);
    std::vector<Duration> waits;
    for (int i = 0; i < 4; ++i) {
        const Instant before = h().now();
        delayed();
        while (!h().isPending(Kind::Lock))
            h().advance(*h().machine().nextTimeout() - h().now());
        waits.push_back(h().now() - before);
    }
    const Milliseconds expected[] = {10ms, 20ms, 40ms, 80ms};
    for (size_t i = 0; i < waits.size(); ++i) {
        QVERIFY(waits.at(i) >= Duration{expected[i]} * 8 / 10);
        QVERIFY(waits.at(i) <= Duration{expected[i]} * 12 / 10);
    }
    // For a server that was restarted and counts the delay anew, twice a second is enough.
    h().forget();
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Lock)
            return refused(Wire::Refusal::LockDelay);
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(15s);
    QVERIFY(h().sent(Kind::Lock) <= 34);
    QVERIFY(h().sent(Kind::Lock) >= 25);
}

void WaitsTest::blind_at_most_twice_a_second()
{
    h().toReading();
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Lock)
            return refused(Wire::Refusal::LockDelay);
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().answer(Kind::Key, freeKey(60, rivalValue(u"R1"_s))); // Free at first sight.
    h().advance(15s);
    const auto tries = h().timesOf(Kind::Lock);
    QCOMPARE(tries.size(), 31);
    for (size_t i = 1; i < tries.size(); ++i)
        QVERIFY(tries.at(i) - tries.at(i - 1) >= 500ms);
}

/// Watch answers in between (another key of an empty store was written) bring no news about the wait.
void WaitsTest::blind_end_is_not_told()
{
    h().toReading();
    h().answer(Kind::Key, absent(60));
    delayed();
    for (quint64 index = 61; index < 70; ++index) {
        if (!h().isPending(Kind::Key))
            h().advance(250ms);
        if (h().isPending(Kind::Lock))
            delayed();
        else if (h().isPending(Kind::Key))
            h().answer(Kind::Key, absent(index));
    }
    const auto waits = h().all<Waits>();
    QCOMPARE(waits.size(), 1);
    QVERIFY(!waits.front().until);
}

void WaitsTest::stranger_is_asked_about_once()
{
    h().toReading();
    h().answer(Kind::Key, held(u"X1"_s, 50, "not Baton's"));
    QCOMPARE(std::get<Wire::InspectSession>(h().pending(Kind::Inspect)->message).session, u"X1"_s);
    h().answer(Kind::Inspect, sessionShown(10s, 4s));
    h().answer(Kind::Key, held(u"X1"_s, 55, "still not"));
    QCOMPARE(h().sent(Kind::Inspect), 1);
    // Its session says how long the delay is; that Consul imposes one, only Consul can tell.
    h().answer(Kind::Key, freeKey(60, "not Baton's"));
    delayed();
    QCOMPARE(h().all<Waits>().back().until, h().now() + 4s);
}

void WaitsTest::never_expires()
{
    h().toReading();
    h().answer(Kind::Key, held(u"X1"_s, 50, {}));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::Held);
    h().answer(Kind::Inspect, sessionShown(std::nullopt));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::NeverExpires);
    QCOMPARE(h().all<Waits>().back().holder, u"X1"_s);
    // The same session takes the key again later.
    h().answer(Kind::Key, freeKey(60));
    h().answer(Kind::Lock, refused(Wire::Refusal::Held));
    h().answer(Kind::Key, held(u"X1"_s, 61, {}));
    h().answer(Kind::Inspect, sessionShown(std::nullopt));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::NeverExpires);
}

void WaitsTest::what_is_known_of_one_holder_is_not_said_of_the_next()
{
    h().toReading();
    h().answer(Kind::Key, held(u"X1"_s, 50, {}));
    const quint64 inspection = h().pending(Kind::Inspect)->request;
    h().answer(Kind::Key, held(u"R2"_s, 55, rivalValue(u"R2"_s)));
    h().answerRequest(inspection, sessionShown(std::nullopt, 60s));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::Held);
    QCOMPARE(h().machine().lateReplies(), quint64(1));
}

void WaitsTest::longer_than_consul_applies()
{
    h().toReading();
    h().answer(Kind::Key, held(u"X1"_s, 50, {}));
    h().answer(Kind::Inspect, sessionShown(10s, 1h));
    h().answer(Kind::Key, freeKey(60));
    delayed();
    QVERIFY(h().all<Waits>().back().until.value_or(h().now()) <= h().now() + 60s);
}

void WaitsTest::f27_denied_is_tried_calmly()
{
    h().toLocking();
    h().news();
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Lock)
            return failure(Wire::FailureKind::Denied);
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    QVERIFY(h().news().contains(u"trouble:lock:denied"_s));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::Denied);
    h().advance(1min);
    QCOMPARE(h().news().count(u"trouble:lock:denied"_s), 0);
    QVERIFY(h().sent(Kind::Lock) <= 20);
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Lock ? std::optional(won(100)) : std::nullopt;
    });
    h().advance(6s);
    QCOMPARE(h().all<Acquired>().size(), 1);
    QVERIFY(h().news().contains(u"mended:denied"_s));
}

QTEST_APPLESS_MAIN(WaitsTest)
#include "tst_waits.moc"
