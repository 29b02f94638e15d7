// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The lock-delay that a candidate imposes on itself where Consul imposes none.
class DelaysTest : public QObject
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
    void holder_lost_other_than_in_order_data();
    void holder_lost_other_than_in_order();
    void released_in_order_is_followed_at_once();
    void foreign_write_hides_no_delay();
    void older_state_tells_nothing_of_a_release();
    void own_loss_needs_no_delay_data();
    void own_loss_needs_no_delay();
    void delay_is_the_holders_own();
    void changes_while_it_waits_shorten_nothing();
    void next_holder_ends_the_delay();
    void deletion_between_two_campaigns();
    void f72_lock_is_bound_to_the_free_key();

private:
    Harness &h() { return *m_h; }
    void delayed() { h().answer(Kind::Lock, refused(Wire::Refusal::LockDelay)); }
    std::unique_ptr<Harness> m_h;
};

void DelaysTest::holder_lost_other_than_in_order_data()
{
    QTest::addColumn<Wire::Reply>("shown");
    QTest::newRow("deleted") << absent(60);
    QTest::newRow("released with its value, or expired") << freeKey(60, rivalValue(u"R1"_s));
    QTest::newRow("released in its name with another value") << freeKey(60, "by hand");
}

void DelaysTest::holder_lost_other_than_in_order()
{
    QFETCH(const Wire::Reply, shown);
    h().toWaiting();
    h().advance(1s);
    h().news();
    h().answer(Kind::Key, shown);
    QCOMPARE(h().all<Waits>().back().why, WaitReason::LockDelay);
    QCOMPARE(h().all<Waits>().back().until, h().now() + 9s);
    h().advance(9s - 1ns);
    QCOMPARE(h().sent(Kind::Lock), 0);
    h().advance(1ns);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

void DelaysTest::released_in_order_is_followed_at_once()
{
    h().toWaiting();
    h().answer(Kind::Key, freeKey(60));
    QCOMPARE(h().sent(Kind::Lock), 1);
    QCOMPARE(h().all<Waits>().size(), 1);
}

/// The holder leads on under a value that is not its own; who saw its own knows what to wait for.
void DelaysTest::foreign_write_hides_no_delay()
{
    h().toWaiting();
    h().answer(Kind::Key, held(u"R1"_s, 55, "by hand"));
    QCOMPARE(h().sent(Kind::Inspect), 0);
    h().answer(Kind::Key, absent(60));
    h().advance(9s - 1ns);
    QCOMPARE(h().sent(Kind::Lock), 0);
    h().advance(1ns);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

/// A snapshot from before the holder's time was restored under it.
void DelaysTest::older_state_tells_nothing_of_a_release()
{
    h().toWaiting();
    h().answer(Kind::Key, freeKey(49));
    QCOMPARE(h().sent(Kind::Lock), 0);
    QCOMPARE(h().all<Waits>().back().why, WaitReason::LockDelay);
}

void DelaysTest::own_loss_needs_no_delay_data()
{
    QTest::addColumn<Wire::Reply>("shown");
    QTest::newRow("deleted") << absent(130);
    QTest::newRow("released by hand") << freeKey(130, rivalValue(u"S1"_s));
}

/// The one whose lease it was knows best that it is void.
void DelaysTest::own_loss_needs_no_delay()
{
    QFETCH(const Wire::Reply, shown);
    h().toLeading();
    h().answer(Kind::Key, shown);
    if (h().state() == State::Diagnosing)
        h().answer(Kind::Inspect, sessionShown());
    h().toVerifying(); // And on to the read, since renewals are served.
    h().forget();
    h().answer(Kind::Key, shown);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

void DelaysTest::delay_is_the_holders_own()
{
    h().toReading();
    h().answer(Kind::Key, held(u"R1"_s, 50, rivalValue(u"R1"_s, 30s)));
    h().answer(Kind::Key, absent(60));
    h().advance(30s - 1ns);
    QCOMPARE(h().sent(Kind::Lock), 0);
    h().advance(1ns);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

void DelaysTest::changes_while_it_waits_shorten_nothing()
{
    h().toWaiting();
    h().answer(Kind::Key, absent(60));
    h().advance(3s);
    h().answer(Kind::Key, freeKey(61, {})); // Written anew, without a session.
    h().advance(3s);
    h().answer(Kind::Key, absent(62));
    h().advance(3s - 1ns);
    QCOMPARE(h().sent(Kind::Lock), 0);
    h().advance(1ns);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

void DelaysTest::next_holder_ends_the_delay()
{
    h().toWaiting();
    h().answer(Kind::Key, absent(60));
    h().answer(Kind::Key, held(u"R2"_s, 61, rivalValue(u"R2"_s)));
    QCOMPARE(h().all<Waits>().back().why, WaitReason::Held);
    h().advance(20s);
    QCOMPARE(h().sent(Kind::Lock), 0); // The retry at the end of the delay is off.
    h().answer(Kind::Key, freeKey(62));
    QCOMPARE(h().sent(Kind::Lock), 1);
}

/// It makes a new session while the key is deleted: it remembers whom it saw.
void DelaysTest::deletion_between_two_campaigns()
{
    h().serve([](Kind, const Wire::Request &) { return std::nullopt; });
    h().toWaiting();
    h().advance(2250ms);
    h().answer(Kind::Renew, sessionGone());
    h().toReading();
    h().answer(Kind::Key, absent(60));
    QCOMPARE(h().state(), State::Waiting);
    QCOMPARE(h().all<Waits>().back().why, WaitReason::LockDelay);
}

void DelaysTest::f72_lock_is_bound_to_the_free_key()
{
    h().toWaiting();
    h().answer(Kind::Key, freeKey(60, rivalValue(u"R1"_s)));
    h().advance(9s);
    const auto lock = std::get<Wire::LockKey>(h().pending(Kind::Lock)->message);
    QCOMPARE(std::get<Wire::IfIndex>(lock.guard).index, quint64(60));
    // In lock-delay the key changes: the next try is bound to what it is then.
    delayed();
    h().answer(Kind::Key, absent(70));
    h().advance(1s);
    const auto next = std::get<Wire::LockKey>(h().pending(Kind::Lock)->message);
    QVERIFY(std::holds_alternative<Wire::IfAbsent>(next.guard));
}

QTEST_APPLESS_MAIN(DelaysTest)
#include "tst_delays.moc"
