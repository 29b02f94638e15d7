// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What a leader makes of what it sees of its key.
class WatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_h = std::make_unique<Harness>(); }
    void f04_watch_fails_then_shows_another();
    void f15_plain_put();
    void old_write_of_its_own_is_no_foreign_one();
    void older_index_needs_a_second_read_data();
    void older_index_needs_a_second_read();
    void second_read_is_believed_data();
    void second_read_is_believed();
    void failing_second_read_decides_nothing();
    void news_from_before_the_lock();
    void same_news_is_told_once();
    void poll_is_bounded_in_time();
    void index_goes_on_from_the_answer();
    void f19_greatest_indexes();

private:
    Harness &h() { return *m_h; }
    std::unique_ptr<Harness> m_h;
};

void WatchTest::f04_watch_fails_then_shows_another()
{
    h().toLeading();
    h().serve([](Kind kind, const Wire::Request &) -> std::optional<Wire::Reply> {
        if (kind == Kind::Key)
            return failure(Wire::FailureKind::Interrupted);
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(5s);
    QVERIFY(h().all<Lost>().empty());
    QVERIFY(h().sent(Kind::Key) >= 6);
    QVERIFY(h().sent(Kind::Key) <= 12);
    QCOMPARE(h().all<TroubleSeen>().size(), 1);
    h().serve([](Kind, const Wire::Request &) { return std::nullopt; });
    h().advance(2s);
    h().news();
    h().answer(Kind::Key, held(u"R2"_s, 130, rivalValue(u"R2"_s)));
    QVERIFY(h().news().contains(u"lost:lock_key_taken"_s));
}

void WatchTest::f15_plain_put()
{
    h().toLeading();
    h().news();
    h().answer(Kind::Key, held(u"S1"_s, 120, "x"));
    QCOMPARE(h().news(), QStringList({u"leader:S1"_s, u"trouble:lock:foreign_write"_s, u"watch:120"_s}));
    h().answer(Kind::Key, held(u"S1"_s, 125, "y"));
    QCOMPARE(h().news(), QStringList({u"leader:S1"_s, u"watch:125"_s})); // Warned once.
    QCOMPARE(h().state(), State::Leading);
    h().answer(Kind::Key, absent(130));
    QCOMPARE(h().all<Lost>().front().reason, LostReason::LockKeyDeleted);
}

/// The token had to be lifted, and a poll answered in between arrives late.
void WatchTest::old_write_of_its_own_is_no_foreign_one()
{
    h().toLeading(100);
    h().news();
    h().answer(Kind::Key, held(u"S1"_s, 99, "earlier"));
    QVERIFY(!h().news().contains(u"trouble:lock:foreign_write"_s));
    QCOMPARE(h().state(), State::Leading);
}

void WatchTest::older_index_needs_a_second_read_data()
{
    QTest::addColumn<Wire::Reply>("shown");
    QTest::newRow("another holds it, below the token") << held(u"R0"_s, 99, "v");
    QTest::newRow("another holds it, at the token") << held(u"R0"_s, 100, "v");
    QTest::newRow("free, below the token") << freeKey(99);
    QTest::newRow("absent, below the token") << absent(99);
    QTest::newRow("absent, no index") << absent(std::nullopt);
}

void WatchTest::older_index_needs_a_second_read()
{
    QFETCH(const Wire::Reply, shown);
    h().toLeading(100);
    h().news();
    h().answer(Kind::Key, shown);
    QCOMPARE(h().news(), QStringList({u"read"_s})); // Not even told as news.
    h().answer(Kind::Key, held(u"S1"_s, 100, "v"));
    QCOMPARE(h().state(), State::Leading);
    QVERIFY(h().all<Lost>().empty());
    // Doubt is for one read: the next answer is a watch's again.
    h().answer(Kind::Key, shown);
    QCOMPARE(h().state(), State::Leading);
    QVERIFY(h().pending(Kind::Key) && std::holds_alternative<Wire::ReadKey>(h().pending(Kind::Key)->message));
}

void WatchTest::second_read_is_believed_data()
{
    QTest::addColumn<Wire::Reply>("shown");
    QTest::addColumn<QString>("told");
    QTest::newRow("another holds it") << held(u"R0"_s, 40, "v") << u"lost:lock_key_taken"_s;
    QTest::newRow("free") << freeKey(40) << u"stood_down"_s;
    QTest::newRow("absent") << absent(40) << u"lost:lock_key_deleted"_s;
    QTest::newRow("absent, no index") << absent(std::nullopt) << u"lost:lock_key_deleted"_s;
}

void WatchTest::second_read_is_believed()
{
    QFETCH(const Wire::Reply, shown);
    QFETCH(const QString, told);
    h().toLeading(100);
    h().answer(Kind::Key, shown);
    h().news();
    h().answer(Kind::Key, shown);
    QVERIFY(h().news().contains(told));
}

void WatchTest::failing_second_read_decides_nothing()
{
    h().toLeading(100);
    h().answer(Kind::Key, absent(40));
    h().answer(Kind::Key, failure(Wire::FailureKind::NotConsul));
    QCOMPARE(h().state(), State::Leading);
    h().advance(200ms);
    h().answer(Kind::Key, absent(40)); // A watch's: doubted anew.
    QCOMPARE(h().state(), State::Leading);
    h().answer(Kind::Key, absent(40));
    QCOMPARE(h().all<Lost>().size(), 1);
}

/// The poll of a waiting candidate outlives its win.
void WatchTest::news_from_before_the_lock()
{
    h().toWaiting();
    h().answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(9s);
    QCOMPARE(h().state(), State::Locking);
    h().answer(Kind::Lock, won(100));
    h().answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
    QCOMPARE(h().state(), State::Leading);
    QVERIFY(h().all<Lost>().empty());
}

void WatchTest::same_news_is_told_once()
{
    h().toWaiting();
    h().answer(Kind::Key, held(u"R1"_s, 50, rivalValue(u"R1"_s)));
    QCOMPARE(h().all<LeaderSeen>().size(), 1);
    QCOMPARE(h().all<Waits>().size(), 1);
    // The poll may show our lock before the lock's own answer is there.
    h().answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().advance(9s);
    const QByteArray value = std::get<Wire::LockKey>(h().pending(Kind::Lock)->message).value;
    h().answer(Kind::Key, held(u"S1"_s, 100, value));
    h().answer(Kind::Lock, won(100));
    const auto seen = h().all<LeaderSeen>();
    QCOMPARE(std::count_if(seen.begin(), seen.end(), [](const LeaderSeen &s) { return s.ours; }), 1);
}

void WatchTest::poll_is_bounded_in_time()
{
    h().toLeading();
    const auto poll = h().pending(Kind::Key);
    QCOMPARE(std::get<Wire::WatchKey>(poll->message).wait, 50s);
    // The wait, the sixteenth that Consul adds, and time for the answer itself.
    QCOMPARE(poll->timeout, 50s + 3125ms + 2250ms);
}

void WatchTest::index_goes_on_from_the_answer()
{
    h().toWaiting();
    const auto after = [this] { return std::get<Wire::WatchKey>(h().pending(Kind::Key)->message).after; };
    QCOMPARE(after(), quint64(50));
    h().answer(Kind::Key, held(u"R1"_s, 60, rivalValue(u"R1"_s)));
    QCOMPARE(after(), quint64(60));
    h().answer(Kind::Key, held(u"R1"_s, 30, rivalValue(u"R1"_s))); // Restored: from the beginning.
    QCOMPARE(after(), quint64(1));
}

void WatchTest::f19_greatest_indexes()
{
    const quint64 greatest = std::numeric_limits<quint64>::max();
    h().toReading();
    h().answer(Kind::Key, absent(greatest - 2));
    h().answer(Kind::Lock, won(greatest - 1));
    QCOMPARE(h().all<Acquired>().front().token, greatest - 1);
    h().answer(Kind::Key, held(u"R2"_s, greatest, "v"));
    QCOMPARE(h().all<Lost>().front().reason, LostReason::LockKeyTaken);
    QVERIFY(h().all<Lost>().front().evidence.contains(u"18446744073709551615"_s));
}

QTEST_APPLESS_MAIN(WatchTest)
#include "tst_watch.moc"
