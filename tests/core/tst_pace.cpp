// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What is seen of the key drives the candidate no faster than is good for it, for Consul and for a log.
class PaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f21_index_that_says_nothing_data();
    void f21_index_that_says_nothing();
    void f22_busy_store_data();
    void f22_busy_store();
    void f24_every_second_poll_fails();
    void f27_denied_reads_are_tried_calmly_data();
    void f27_denied_reads_are_tried_calmly();
    void holders_that_alternate();
    void real_changes_are_followed_at_once();
    void doubt_without_end();

private:
    int requests(const Harness &h) const { return int(h.all<Send>().size()); }
};

namespace {

using Reply = std::optional<Wire::Reply>;

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
    QVERIFY(h.sent(Kind::Lock) >= (denied ? 2 : 0)); // It goes on trying.
    QVERIFY(h.sent(Kind::Lock) <= (denied ? 5 : 5 + 2 * 8));
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

QTEST_APPLESS_MAIN(PaceTest)
#include "tst_pace.moc"
