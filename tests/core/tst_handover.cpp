// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Giving up in order: the application ends its work first, then the lock goes to the next, then the session
/// ends.
class HandoverTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_h = std::make_unique<Harness>(); }
    void lock_is_kept_until_the_work_has_ended();
    void release_goes_first_then_the_session();
    void application_that_does_not_end();
    void late_hand_over_changes_nothing();
    void other_terms_hand_over_nothing();
    void deadline_passes_meanwhile();
    void session_ends_meanwhile();
    void refused_release_is_read_back_data();
    void refused_release_is_read_back();
    void release_is_tried_for_a_limited_time();
    void release_without_the_right();
    void f75_ghost_of_an_orderly_end_is_released();
    void ghost_of_a_loss_is_never_released();

private:
    void lead()
    {
        m_h->toLeading();
        m_h->news();
    }
    void serveRenewals()
    {
        m_h->serve([](Kind kind, const Wire::Request &) {
            return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
        });
    }
    /// The next campaign of the same candidate reads the key.
    void readAs(const Wire::Reply &shown)
    {
        m_h->toReading();
        m_h->news();
        m_h->answer(Kind::Key, shown);
    }
    Harness &h() { return *m_h; }
    std::unique_ptr<Harness> m_h;
};

void HandoverTest::lock_is_kept_until_the_work_has_ended()
{
    lead();
    h().input(Release{});
    QCOMPARE(h().news(), QStringList({u"lost:released"_s, u"cancel:watch:100"_s, u"=Yielding"_s}));
    serveRenewals();
    h().advance(4900ms);
    QCOMPARE(h().state(), State::Yielding);
    QCOMPARE(h().news(), QStringList({u"renew:S1"_s, u"renew:S1"_s})); // Renewed, and nothing else.
}

void HandoverTest::release_goes_first_then_the_session()
{
    lead();
    h().input(Stop{});
    h().input(HandedOver{h().term()});
    h().news();
    QCOMPARE(h().timesOf(Kind::Release).back(), h().now());
    h().answer(Kind::Release, released(true));
    QCOMPARE(h().news(), QStringList{u"destroy:S1"_s});
    h().answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h().news(), QStringList({u"stopped"_s, u"=Idle"_s}));

    // Nothing that a next campaign needs is sent before the release.
    h().toLeading(200);
    h().input(Release{});
    h().news();
    h().input(HandedOver{h().term()});
    QCOMPARE(h().news(), QStringList({u"release:S2"_s, u"=Opening"_s, u"create"_s}));
}

void HandoverTest::application_that_does_not_end()
{
    lead();
    h().input(Release{});
    serveRenewals();
    h().news();
    h().advance(5s);
    const QStringList news = h().news();
    QVERIFY(news.contains(u"destroy:S1"_s)); // Its work may go on: the lock-delay covers it.
    QVERIFY(!news.contains(u"release:S1"_s));
    QCOMPARE(h().timesOf(Kind::Destroy).back(), h().now());
}

void HandoverTest::late_hand_over_changes_nothing()
{
    lead();
    h().input(Release{});
    serveRenewals();
    h().advance(5s);
    h().news();
    h().input(HandedOver{h().term()});
    QCOMPARE(h().news(), QStringList());
    h().advance(30s);
    QCOMPARE(h().sent(Kind::Release), 0);
}

void HandoverTest::other_terms_hand_over_nothing()
{
    lead();
    h().input(HandedOver{h().term()}); // Not given up yet.
    QCOMPARE(h().state(), State::Leading);
    h().input(Release{});
    h().input(HandedOver{h().term() - 1});
    h().input(HandedOver{h().term() + 1});
    QCOMPARE(h().state(), State::Yielding);
}

void HandoverTest::deadline_passes_meanwhile()
{
    Settings settings = balanced();
    settings.stopTimeout = 60s;
    m_h = std::make_unique<Harness>(settings);
    lead();
    h().input(Release{});
    h().advance(8s - 1ns);
    QCOMPARE(h().state(), State::Yielding);
    h().advance(1ns);
    QCOMPARE(h().sent(Kind::Destroy), 1);
    QCOMPARE(h().sent(Kind::Release), 0);
    QCOMPARE(h().all<Lost>().size(), 1);
}

void HandoverTest::session_ends_meanwhile()
{
    lead();
    h().advance(2250ms);
    h().input(Release{});
    h().answer(Kind::Renew, sessionGone());
    QCOMPARE(h().state(), State::Opening);
    QCOMPARE(h().all<Lost>().size(), 1);
    h().advance(30s);
    QCOMPARE(h().sent(Kind::Destroy) + h().sent(Kind::Release), 0);
}

void HandoverTest::refused_release_is_read_back_data()
{
    QTest::addColumn<Wire::Reply>("answer");
    QTest::newRow("false: the network may have sent it twice") << released(false);
    QTest::newRow("lost") << failure(Wire::FailureKind::Interrupted);
    QTest::newRow("5xx: may have taken effect") << failure(Wire::FailureKind::ServerError);
}

void HandoverTest::refused_release_is_read_back()
{
    QFETCH(const Wire::Reply, answer);
    lead();
    h().input(Stop{});
    h().input(HandedOver{h().term()});
    h().answer(Kind::Release, answer);
    h().advance(200ms);
    QVERIFY(h().isPending(Kind::ReadBack));
    h().answer(Kind::ReadBack, held(u"S1"_s, 100, "v")); // It did not work: once more.
    h().advance(300ms);
    QCOMPARE(h().sent(Kind::Release), 2);
    h().answer(Kind::Release, released(false));
    h().answer(Kind::ReadBack, held(u"R2"_s, 120, rivalValue(u"R2"_s))); // It did.
    QVERIFY(h().isPending(Kind::Destroy));
    h().answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h().state(), State::Idle);
}

void HandoverTest::release_is_tried_for_a_limited_time()
{
    lead();
    h().input(Release{});
    h().input(HandedOver{h().term()});
    const Instant began = h().now();
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Release || kind == Kind::ReadBack)
            return failure();
        return std::nullopt;
    });
    h().advance(10s);
    QCOMPARE(h().sent(Kind::Destroy), 1);
    QVERIFY(h().timesOf(Kind::Destroy).front() >= began + 5s);
    QVERIFY(h().timesOf(Kind::Destroy).front() <= began + 6200ms);
}

void HandoverTest::release_without_the_right()
{
    lead();
    h().input(Stop{});
    h().input(HandedOver{h().term()});
    h().news();
    h().answer(Kind::Release, failure(Wire::FailureKind::Denied));
    QCOMPARE(h().news(), QStringList{u"trouble:release:denied"_s});
    h().advance(700ms);
    QCOMPARE(h().news(), QStringList{u"destroy:S1"_s});
}

void HandoverTest::f75_ghost_of_an_orderly_end_is_released()
{
    lead();
    h().input(Release{});
    h().input(HandedOver{h().term()});
    h().answer(Kind::Release, released(true));
    // A lock of the first term that was long on its way takes effect while the session still lives.
    readAs(held(u"S1"_s, 110, rivalValue(u"S1"_s)));
    QVERIFY(h().isPending(Kind::Destroy)); // It is being ended anyway.
    h().answer(Kind::Destroy, sessionDestroyed());
    h().answer(Kind::Key, held(u"S1"_s, 111, rivalValue(u"S1"_s)));
    QVERIFY(h().news().contains(u"release:S1"_s));
    h().answer(Kind::Release, released(true));
    h().answer(Kind::Key, freeKey(112));
    QCOMPARE(h().state(), State::Locking);
}

void HandoverTest::ghost_of_a_loss_is_never_released()
{
    lead();
    h().input(Abandon{LostReason::ApplicationStalled});
    h().answer(Kind::Destroy, sessionDestroyed());
    readAs(held(u"S1"_s, 110, rivalValue(u"S1"_s)));
    const QStringList news = h().news();
    QVERIFY(news.contains(u"destroy:S1"_s));
    h().advance(30s);
    QCOMPARE(h().sent(Kind::Release), 0);
}

QTEST_APPLESS_MAIN(HandoverTest)
#include "tst_handover.moc"
