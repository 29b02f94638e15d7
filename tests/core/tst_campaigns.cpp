// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Whole campaigns as scripts: what comes in, then everything that goes out, in order.
class CampaignsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_h = std::make_unique<Harness>(); }
    void leads_hands_over_and_leads_again();
    void rival_crashes();
    void cut_off_and_back();
    void key_is_deleted_under_a_rival();
    void operator_destroys_the_session();
    void once_only();
    void hand_overs_in_a_row_are_not_held_up();

private:
    void expect(std::initializer_list<const char *> outputs)
    {
        QStringList expected;
        for (const char *output : outputs)
            expected += QString::fromLatin1(output);
        QCOMPARE(m_h->news().join(u' '), expected.join(u' '));
    }
    Harness &h() { return *m_h; }
    std::unique_ptr<Harness> m_h;
};

void CampaignsTest::leads_hands_over_and_leads_again()
{
    h().input(Start{});
    expect({"create", "=Opening"});
    h().answer(Kind::Create, created(u"S1"_s));
    expect({"opened:S1", "renew:S1", "=Verifying"});
    h().answer(Kind::Renew, renewed());
    expect({"read", "=Reading"});
    h().answer(Kind::Key, absent(7));
    expect({"leader:none", "lock:absent", "=Locking"});
    h().answer(Kind::Lock, won(8));
    expect({"acquired:8", "leader:S1", "=Leading", "watch:8"});
    h().advance(2250ms);
    expect({"renew:S1"});
    h().answer(Kind::Renew, renewed());
    expect({"renewed"});
    h().input(Release{});
    expect({"lost:released", "cancel:watch:8", "=Yielding"});
    h().advance(100ms);
    h().input(HandedOver{h().term()});
    expect({"release:S1", "=Opening", "create"});
    h().answer(Kind::Release, released(true));
    expect({"destroy:S1"});
    h().answer(Kind::Destroy, sessionDestroyed());
    h().answer(Kind::Create, created(u"S2"_s));
    h().answer(Kind::Renew, renewed());
    expect({"opened:S2", "renew:S2", "=Verifying", "read", "=Reading"});
    h().answer(Kind::Key, held(u"R1"_s, 10, rivalValue(u"R1"_s)));
    expect({"leader:R1", "waits:held", "=Waiting", "watch:10"});
    h().advance(1s);
    h().answer(Kind::Key, freeKey(11));
    expect({"leader:none", "lock:index:11", "=Locking"});
    h().answer(Kind::Lock, won(12));
    expect({"acquired:12", "leader:S2", "=Leading", "watch:12"});
    h().input(Stop{});
    h().input(HandedOver{h().term()});
    h().answer(Kind::Release, released(true));
    h().answer(Kind::Destroy, sessionDestroyed());
    expect({"lost:released", "cancel:watch:12", "=Yielding", "release:S2", "=Closing", "destroy:S2",
            "stopped", "=Idle"});
    QVERIFY(!h().machine().nextTimeout());
}

/// The lock-delay of Consul and the one that this candidate imposes on itself end together.
void CampaignsTest::rival_crashes()
{
    h().toWaiting();
    h().news();
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(1s);
    h().answer(Kind::Key, freeKey(60, rivalValue(u"R1"_s)));
    expect({"leader:none", "waits:lock_delay", "watch:60"});
    h().advance(9s);
    expect({"renew:S1", "renew:S1", "renew:S1", "renew:S1", "lock:index:60", "=Locking"});
    h().answer(Kind::Lock, refused(Wire::Refusal::LockDelay));
    expect({"waits:lock_delay", "=Waiting"});
    h().advance(12ms);
    expect({"lock:index:60", "=Locking"});
    h().answer(Kind::Lock, won(61));
    expect({"acquired:61", "leader:S1", "=Leading"}); // The poll is still open.
}

void CampaignsTest::cut_off_and_back()
{
    h().toLeading(100);
    h().news();
    const auto outage = [](Kind, const Wire::Request &) { return failure(Wire::FailureKind::TimedOut); };
    h().serve(outage);
    expect({"trouble:watch:timed_out"});
    h().advance(2250ms);
    h().news();
    h().advance(6s);
    const auto lost = h().all<Lost>();
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.front().reason, LostReason::LocalDeadlineExceeded);
    QVERIFY(!h().news().contains(u"release:S1"_s));
    h().advance(3s);

    // Back: the old session may hold the lock still. It is destroyed, and waited for like any other.
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Create)
            return created(u"S2"_s);
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(2s);
    h().news();
    h().answer(Kind::Key, held(u"S1"_s, 100, rivalValue(u"S1"_s)));
    expect({"leader:S1", "waits:held", "=Waiting", "watch:100"});
    h().answer(Kind::Destroy, sessionDestroyed());
    h().news();
    // Its own lease is void for long: it tries at once. Consul knows better.
    h().answer(Kind::Key, freeKey(110, rivalValue(u"S1"_s)));
    expect({"leader:none", "lock:index:110", "=Locking"});
    h().answer(Kind::Lock, refused(Wire::Refusal::LockDelay));
    QCOMPARE(h().all<Waits>().back().until, h().now() + 9s);
    h().advance(9s);
    QCOMPARE(h().state(), State::Locking);
    h().answer(Kind::Lock, won(111));
    QCOMPARE(h().all<Acquired>().back().token, quint64(111));
}

void CampaignsTest::key_is_deleted_under_a_rival()
{
    h().toWaiting();
    h().news();
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().answer(Kind::Key, absent(60));
    expect({"leader:none", "waits:lock_delay", "watch:60"});
    h().advance(4s);
    h().news();
    // The rival was not aware of it and locked again.
    h().answer(Kind::Key, held(u"R1"_s, 61, rivalValue(u"R1"_s)));
    expect({"leader:R1", "waits:held", "watch:61"});
    h().advance(10s);
    h().news();
    h().answer(Kind::Key, freeKey(62));
    expect({"leader:none", "lock:index:62", "=Locking"});
}

void CampaignsTest::operator_destroys_the_session()
{
    h().toLeading(100);
    h().news();
    h().answer(Kind::Key, freeKey(110, rivalValue(u"S1"_s)));
    expect({"leader:none", "stood_down", "inspect:S1", "=Diagnosing"});
    h().answer(Kind::Inspect, sessionGone());
    expect({"lost:session_expired", "destroy:S1", "=Opening", "create"});
    h().answer(Kind::Destroy, sessionDestroyed());
    h().answer(Kind::Create, created(u"S2"_s));
    h().answer(Kind::Renew, renewed());
    expect({"opened:S2", "renew:S2", "=Verifying", "read", "=Reading"});
    h().answer(Kind::Key, freeKey(110, rivalValue(u"S1"_s)));
    expect({"lock:index:110", "=Locking"});
    h().answer(Kind::Lock, refused(Wire::Refusal::LockDelay));
    expect({"waits:lock_delay", "=Waiting", "watch:110"});
}

void CampaignsTest::once_only()
{
    h().input(Start{false});
    h().toLeading(100);
    h().news();
    h().answer(Kind::Key, held(u"R2"_s, 110, rivalValue(u"R2"_s)));
    expect({"leader:R2", "lost:lock_key_taken", "destroy:S1", "=Closing"});
    h().answer(Kind::Destroy, sessionDestroyed());
    expect({"stopped", "=Idle"});
    h().advance(1h);
    expect({});
}

void CampaignsTest::hand_overs_in_a_row_are_not_held_up()
{
    h().serve(healthyAgent());
    h().input(Start{});
    for (int i = 1; i <= 30; ++i) {
        QCOMPARE(h().state(), State::Leading);
        QCOMPARE(h().all<Acquired>().size(), i);
        h().input(Release{});
        h().input(HandedOver{h().term()});
    }
    QCOMPARE(h().elapsed(), 0ms);
}

QTEST_APPLESS_MAIN(CampaignsTest)
#include "tst_campaigns.moc"
