// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Nothing that comes from outside drives the candidate faster than is good for it, for Consul and for a log.
class PaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f21_index_that_says_nothing_data();
    void f21_index_that_says_nothing();
    void f22_busy_store_data();
    void f22_busy_store();
    void f24_every_second_poll_fails();
    void f26_too_many_requests();
    void f37_unhealthy_node();
    void f27_denied_reads_are_tried_calmly_data();
    void f27_denied_reads_are_tried_calmly();
    void holders_that_alternate();
    void real_changes_are_followed_at_once();
    void lock_refused_again_and_again_data();
    void lock_refused_again_and_again();
    void lost_races_are_not_counted();
    void own_lock_never_confirmed();
    void leads_and_loses_again_and_again();
    void sessions_that_die_at_once();
    void doubt_without_end();

private:
    int requests(const Harness &h) const { return int(h.all<Send>().size()); }
};

namespace {

using Reply = std::optional<Wire::Reply>;

/// Session and lock work, each key request is answered at once by \a key.
Harness::Agent agentWith(std::function<Reply()> key)
{
    return [key = std::move(key)](Kind kind, const Wire::Request &) -> Reply {
        switch (kind) {
        case Kind::Create:
            return created(u"S1"_s);
        case Kind::Renew:
            return renewed();
        case Kind::Key:
            return key();
        case Kind::Destroy:
            return sessionDestroyed();
        default:
            return std::nullopt;
        }
    };
}

} // namespace

void PaceTest::f21_index_that_says_nothing_data()
{
    QTest::addColumn<bool>("leads");
    QTest::newRow("waiting") << false;
    QTest::newRow("leading") << true;
}

/// Zero, missing and nonsense are all no index to the machine.
void PaceTest::f21_index_that_says_nothing()
{
    QFETCH(const bool, leads);
    Harness h;
    leads ? h.toLeading() : h.toWaiting();
    Wire::KeyRead shown =
        std::get<Wire::KeyRead>(leads ? held(u"S1"_s, 100, "v") : held(u"R1"_s, 50, rivalValue(u"R1"_s)));
    shown.index.reset();
    h.forget();
    h.serve(agentWith([&]() -> Reply { return shown; }));
    h.advance(10s);
    QVERIFY(h.sent(Kind::Key) <= 8 + 40);
    QVERIFY(h.sent(Kind::Key) >= 30); // It goes on looking.
    for (const Send &send : h.all<Send>()) {
        if (const auto *watch = std::get_if<Wire::WatchKey>(&send.message))
            QVERIFY(watch->after >= 1);
    }
}

void PaceTest::f22_busy_store_data()
{
    QTest::addColumn<bool>("denied");
    QTest::newRow("key absent, in lock-delay of its own") << false;
    QTest::newRow("key absent, no right to lock") << true;
}

void PaceTest::f22_busy_store()
{
    QFETCH(const bool, denied);
    Harness h;
    denied ? h.toLocking() : h.toWaiting();
    h.answer(denied ? Kind::Lock : Kind::Key, denied ? failure(Wire::FailureKind::Denied) : absent(60));
    h.forget();
    quint64 index = 60;
    h.serve([&, others = agentWith([&]() -> Reply { return absent(++index); })](
                Kind kind, const Wire::Request &request) -> Reply {
        return kind == Kind::Lock ? failure(Wire::FailureKind::Denied) : others(kind, request);
    });
    h.advance(8s);
    QVERIFY(h.sent(Kind::Key) <= 8 + 4 * 8);
    QVERIFY(h.sent(Kind::Lock) <= 5 + 2 * 8);
    QVERIFY(h.all<LeaderSeen>().empty()); // No flicker.
}

void PaceTest::f24_every_second_poll_fails()
{
    Harness h;
    h.toLeading();
    h.forget();
    bool fails = false;
    h.serve(agentWith([&]() -> Reply {
        fails = !fails;
        return fails ? failure() : held(u"S1"_s, 100, "v");
    }));
    h.advance(1min);
    QVERIFY(h.all<Lost>().empty());
    QVERIFY(h.sent(Kind::Key) <= 260);
    // Told, but not at every turn.
    QVERIFY(!h.all<TroubleSeen>().empty());
    QVERIFY(h.all<TroubleSeen>().size() <= 7);
}

void PaceTest::f26_too_many_requests()
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

void PaceTest::f37_unhealthy_node()
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

void PaceTest::f27_denied_reads_are_tried_calmly_data()
{
    QTest::addColumn<bool>("waits");
    QTest::newRow("reading") << false;
    QTest::newRow("watching") << true;
}

void PaceTest::f27_denied_reads_are_tried_calmly()
{
    QFETCH(const bool, waits);
    Harness h;
    waits ? h.toWaiting() : h.toReading();
    h.forget();
    h.serve(agentWith([]() -> Reply { return failure(Wire::FailureKind::Denied); }));
    h.advance(1min);
    QVERIFY(h.sent(Kind::Key) <= 18);
    QCOMPARE(h.all<TroubleSeen>().size(), 1);
    QCOMPARE(h.all<TroubleSeen>().front().trouble.step, waits ? Step::Watch : Step::ReadKey);
}

/// Two strangers fight over the key, or something plays a trick.
void PaceTest::holders_that_alternate()
{
    Harness h;
    h.toWaiting();
    h.forget();
    quint64 index = 100;
    h.serve(agentWith([&]() -> Reply {
        ++index;
        const QString holder = index % 2 ? u"X1"_s : u"X2"_s;
        return held(holder, index, {});
    }));
    h.advance(10s);
    QVERIFY2(requests(h) <= 1200, qPrintable(QString::number(requests(h))));
    h.forget();
    h.advance(10s);
    QVERIFY2(requests(h) <= 900, qPrintable(QString::number(requests(h))));
}

/// Twenty hand-overs between others within a second: a waiter sees each of them without a pause.
void PaceTest::real_changes_are_followed_at_once()
{
    Harness h;
    h.toWaiting();
    quint64 index = 50;
    for (int i = 0; i < 20; ++i) {
        h.advance(50ms);
        QVERIFY(h.isPending(Kind::Key));
        const QString rival = u"R%1"_s.arg(i + 2);
        h.answer(Kind::Key, held(rival, ++index, rivalValue(rival)));
    }
}

void PaceTest::lock_refused_again_and_again_data()
{
    QTest::addColumn<Wire::Reply>("answer");
    QTest::newRow("held") << refused(Wire::Refusal::Held);
    QTest::newRow("stale") << refused(Wire::Refusal::StaleGuard);
    QTest::newRow("lost") << failure(Wire::FailureKind::Interrupted);
    QTest::newRow("lock-delay") << refused(Wire::Refusal::LockDelay);
}

void PaceTest::lock_refused_again_and_again()
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
void PaceTest::lost_races_are_not_counted()
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

void PaceTest::own_lock_never_confirmed()
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

void PaceTest::leads_and_loses_again_and_again()
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

void PaceTest::sessions_that_die_at_once()
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

/// Every poll shows old news, every second read shows that we lead.
void PaceTest::doubt_without_end()
{
    Harness h;
    h.toLeading(100);
    h.forget();
    h.serve([others = agentWith([] { return Reply(); })](Kind kind, const Wire::Request &request) -> Reply {
        if (kind != Kind::Key)
            return others(kind, request);
        return std::holds_alternative<Wire::ReadKey>(request) ? held(u"S1"_s, 100, "v") : absent(40);
    });
    h.advance(10s);
    QVERIFY(h.all<Lost>().empty());
    QVERIFY2(h.sent(Kind::Key) <= 2 * (8 + 40), qPrintable(QString::number(h.sent(Kind::Key))));
}

Q_DECLARE_METATYPE(Baton::Wire::Reply)
QTEST_APPLESS_MAIN(PaceTest)
#include "tst_pace.moc"
