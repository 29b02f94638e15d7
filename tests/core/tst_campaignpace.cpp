// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Sessions and locks are tried at a calm pace, whatever the answers are.
class CampaignPaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f26_too_many_requests();
    void f37_unhealthy_node();
    void lock_refused_again_and_again_data();
    void lock_refused_again_and_again();
    void lost_races_are_not_counted();
    void own_lock_never_confirmed();
    void leads_and_loses_again_and_again();
    void sessions_that_die_at_once();

private:
    int requests(const Harness &h) const { return int(h.all<Send>().size()); }
};

namespace {

using Reply = std::optional<Wire::Reply>;

} // namespace

void CampaignPaceTest::f26_too_many_requests()
{
    Harness h;
    h.toLeading();
    const Instant sent = h.now();
    h.forget();
    h.serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::RateLimited); });
    h.advance(30s);
    QCOMPARE(h.timesOf<Lost>(), std::vector{sent + 8s});
    QVERIFY(requests(h) <= 90);
    QCOMPARE(h.all<TroubleSeen>().size(), 1);
}

void CampaignPaceTest::f37_unhealthy_node()
{
    double tries = 0;
    for (quint64 seed = 1; seed <= 20; ++seed) {
        Settings settings = balanced();
        settings.seed = seed;
        Harness h(settings);
        h.input(Start{});
        h.serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::NodeUnhealthy); });
        h.advance(1min);
        QVERIFY(h.sent(Kind::Create) <= 18);
        tries += h.sent(Kind::Create);
        QCOMPARE(h.all<TroubleSeen>().size(), 1);
        QCOMPARE(h.all<TroubleSeen>().front().trouble.code, ErrorCode::NodeUnhealthy);
        h.serve(agentWith([]() -> Reply { return absent(50); }));
        h.advance(6s);
        QCOMPARE(h.state(), State::Locking);
        QCOMPARE(h.all<TroubleOver>().size(), 1);
    }
    QVERIFY2(tries / 20 < 16, qPrintable(QString::number(tries / 20)));
}

void CampaignPaceTest::lock_refused_again_and_again_data()
{
    QTest::addColumn<Wire::Reply>("answer");
    QTest::newRow("held") << refused(Wire::Refusal::Held);
    QTest::newRow("stale") << refused(Wire::Refusal::StaleGuard);
    QTest::newRow("lost") << failure(Wire::FailureKind::Interrupted);
    QTest::newRow("lock-delay") << refused(Wire::Refusal::LockDelay);
}

void CampaignPaceTest::lock_refused_again_and_again()
{
    QFETCH(const Wire::Reply, answer);
    Harness h;
    h.toReading();
    h.forget();
    h.serve([&, others = agentWith([]() -> Reply { return freeKey(60); })](
                Kind kind, const Wire::Request &request) -> Reply {
        return kind == Kind::Lock ? Reply(answer) : others(kind, request);
    });
    h.advance(10s);
    QVERIFY2(h.sent(Kind::Lock) <= 5 + 2 * 10, qPrintable(QString::number(h.sent(Kind::Lock))));
    QVERIFY(h.sent(Kind::Lock) >= 15); // It goes on trying.
}

/// Many candidates: this one loses race after race and is as quick as ever in the next.
void CampaignPaceTest::lost_races_are_not_counted()
{
    Harness h;
    h.toWaiting();
    quint64 index = 50;
    for (int i = 0; i < 15; ++i) {
        h.advance(300ms);
        h.answer(Kind::Key, freeKey(++index));
        QCOMPARE(h.state(), State::Locking);
        h.answer(Kind::Lock, refused(Wire::Refusal::Held));
        const QString rival = u"R%1"_s.arg(i + 2);
        h.answer(Kind::Key, held(rival, ++index, rivalValue(rival)));
        if (h.isPending(Kind::Renew))
            h.answer(Kind::Renew, renewed());
    }
}

void CampaignPaceTest::own_lock_never_confirmed()
{
    Harness h;
    h.toReading();
    h.forget();
    h.serve([others = agentWith([]() -> Reply { return held(u"S1"_s, 60, "v"); })](
                Kind kind, const Wire::Request &request) -> Reply {
        return kind == Kind::Lock ? failure() : others(kind, request);
    });
    h.advance(10s);
    QVERIFY2(h.sent(Kind::Lock) <= 5 + 2 * 10, qPrintable(QString::number(h.sent(Kind::Lock))));
}

void CampaignPaceTest::leads_and_loses_again_and_again()
{
    quint64 index = 100;
    bool leads = false;
    Harness h;
    h.serve([&](Kind kind, const Wire::Request &request) -> Reply {
        if (kind == Kind::Lock) {
            leads = true;
            return won(++index);
        }
        if (kind == Kind::Inspect)
            return sessionGone();
        return agentWith([&]() -> Reply {
            return std::exchange(leads, false) ? held(u"R%1"_s.arg(index), index + 1, "v") : absent(++index);
        })(kind, request);
    });
    h.input(Start{});
    h.advance(10s);
    QCOMPARE(h.all<Lost>().size(), h.all<Acquired>().size());
    QVERIFY(h.all<Acquired>().size() <= 13);
    QVERIFY(h.all<Acquired>().size() >= 5);
    QVERIFY2(requests(h) <= 150, qPrintable(QString::number(requests(h))));
}

void CampaignPaceTest::sessions_that_die_at_once()
{
    Harness h;
    h.serve([](Kind kind, const Wire::Request &) -> Reply {
        if (kind == Kind::Create)
            return created(u"S1"_s);
        return kind == Kind::Renew ? Reply(sessionGone()) : std::nullopt;
    });
    h.input(Start{});
    h.advance(10s);
    QVERIFY(h.sent(Kind::Create) <= 13);
}

QTEST_APPLESS_MAIN(CampaignPaceTest)
#include "tst_campaignpace.moc"
