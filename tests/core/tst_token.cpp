// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Tokens rise: above those of this process, above what it saw in others' hands, above the floor it was
/// given.
class TokenTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void must_be_greater_data();
    void must_be_greater();
    void f16_rises_over_terms();
    void f16_climbs_over_the_floor();
    void climb_keeps_the_session_alive();
    void climb_is_bounded_data();
    void climb_is_bounded();
    void climb_of_an_index_that_stands_still();
    void regressed_token_is_reported_once();
    void deadline_passes_during_a_climb();
    void lock_is_lost_during_a_climb();
    void answer_is_lost_during_a_climb();
    void climb_runs_up_no_debt();
};

namespace {

Settings withFloor(quint64 floor)
{
    Settings settings = balanced();
    settings.tokenFloor = floor;
    return settings;
}

/// A rebuilt store: each lock moves the index by one from \a index on; the rest works.
Agent rebuilt(quint64 &index)
{
    return [&index](Kind kind, const Wire::Request &request) -> std::optional<Wire::Reply> {
        switch (kind) {
        case Kind::Create:
            return created(u"S1"_s);
        case Kind::Renew:
            return renewed();
        case Kind::Key:
            return std::holds_alternative<Wire::ReadKey>(request) ? std::optional(absent(index))
                                                                  : std::nullopt;
        case Kind::Lock:
            return won(++index);
        case Kind::Release:
            return released(true);
        case Kind::Destroy:
            return sessionDestroyed();
        default:
            return std::nullopt;
        }
    };
}

} // namespace

void TokenTest::must_be_greater_data()
{
    QTest::addColumn<quint64>("token");
    QTest::addColumn<bool>("announced");
    QTest::newRow("below the floor") << quint64(199) << false;
    QTest::newRow("the floor itself") << quint64(200) << false;
    QTest::newRow("above the floor") << quint64(201) << true;
}

void TokenTest::must_be_greater()
{
    QFETCH(const quint64, token);
    QFETCH(const bool, announced);
    Harness h(withFloor(200));
    h.toLocking();
    h.answer(Kind::Lock, won(token));
    QCOMPARE(h.all<Acquired>().size(), announced ? 1 : 0);
    QCOMPARE(h.state(), announced ? State::Leading : State::Locking);
}

void TokenTest::f16_rises_over_terms()
{
    Harness h;
    h.toLeading(100);
    // Deleted and won again; the index that a rival's term had counts as well.
    h.answer(Kind::Key, absent(110));
    h.toReading();
    h.answer(Kind::Key, held(u"R1"_s, 120, rivalValue(u"R1"_s)));
    h.answer(Kind::Key, freeKey(121));
    h.answer(Kind::Lock, won(121));
    QCOMPARE(h.all<Acquired>().size(), 1);
    h.answer(Kind::Lock, won(122));
    QCOMPARE(h.all<Acquired>().back().token, quint64(122));
}

void TokenTest::f16_climbs_over_the_floor()
{
    Harness h(withFloor(311));
    h.toLocking();
    QSet<QByteArray> values;
    for (quint64 index = 115; index <= 311; ++index) {
        const auto lock = std::get<Wire::LockKey>(h.pending(Kind::Lock)->message);
        values += lock.value;
        QCOMPARE(std::holds_alternative<Wire::IfOurs>(lock.guard), index > 115);
        h.answer(Kind::Lock, won(index));
        QVERIFY(h.all<Acquired>().empty());
    }
    QCOMPARE(values.size(), 197); // A new value each time, or the index would not move.
    h.answer(Kind::Lock, won(312));
    QCOMPARE(h.all<Acquired>().front().token, quint64(312));
    QCOMPARE(h.all<Acquired>().front().session, u"S1"_s);
}

void TokenTest::climb_keeps_the_session_alive()
{
    Harness h(withFloor(311));
    h.toLocking();
    h.serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    for (quint64 index = 300; index <= 312; ++index) {
        h.advance(1s);
        h.answer(Kind::Lock, won(index));
    }
    QCOMPARE(h.state(), State::Leading);
    QCOMPARE(h.machine().missedTerms(), quint64(0));
}

/// What cannot be reached is not tried: each try is a write.
void TokenTest::climb_is_bounded_data()
{
    QTest::addColumn<quint64>("floor");
    QTest::addColumn<int>("locks");
    QTest::addColumn<bool>("announced");
    QTest::newRow("just within reach") << quint64(101 + 9'999) << 10'001 << true;
    QTest::newRow("just out of reach") << quint64(101 + 10'000) << 1 << false;
    QTest::newRow("hopelessly far") << quint64(1'000'000) << 1 << false;
    QTest::newRow("as far as can be") << ~quint64(0) << 1 << false;
}

void TokenTest::climb_is_bounded()
{
    QFETCH(const quint64, floor);
    QFETCH(const int, locks);
    QFETCH(const bool, announced);
    quint64 index = 100;
    Harness h(withFloor(floor));
    h.serve(rebuilt(index));
    h.input(Start{});
    QCOMPARE(h.sent(Kind::Lock), locks);
    if (announced) {
        QCOMPARE(h.all<Acquired>().front().token, floor + 1);
        return;
    }
    QVERIFY(h.all<Acquired>().empty());
    QCOMPARE(h.sent(Kind::Release), 1); // Others may do better.
    QCOMPARE(h.all<TroubleSeen>().size(), 1);
    QCOMPARE(h.all<TroubleSeen>().front().trouble.code, ErrorCode::TokenRegressed);
    QVERIFY(h.all<TroubleSeen>().front().trouble.detail.contains(QString::number(floor)));
    // And slow after that.
    h.advance(30s - 1ns);
    QCOMPARE(h.sent(Kind::Create), 1);
    h.advance(1ns);
    QCOMPARE(h.sent(Kind::Create), 2);
}

void TokenTest::climb_of_an_index_that_stands_still()
{
    Harness h(withFloor(200));
    quint64 index = 100;
    h.serve([&, others = rebuilt(index)](Kind kind, const Wire::Request &request) {
        return kind == Kind::Lock ? std::optional(won(150)) : others(kind, request);
    });
    h.input(Start{});
    QCOMPARE(h.sent(Kind::Lock), 10'000 - 50 + 1);
    QVERIFY(h.all<Acquired>().empty());
    QCOMPARE(h.all<TroubleSeen>().front().trouble.code, ErrorCode::TokenRegressed);
}

void TokenTest::regressed_token_is_reported_once()
{
    quint64 index = 100;
    Harness h(withFloor(25'000));
    h.serve(rebuilt(index));
    h.input(Start{});
    h.advance(50s);
    QCOMPARE(h.all<TroubleSeen>().size(), 1);
    QVERIFY(h.all<TroubleOver>().empty());
    index = 20'000; // Others have written much meanwhile.
    h.advance(20s);
    QCOMPARE(h.all<Acquired>().size(), 1);
    QCOMPARE(h.all<Acquired>().front().token, quint64(25'001));
    QCOMPARE(h.all<TroubleOver>().size(), 1);
}

void TokenTest::deadline_passes_during_a_climb()
{
    Harness h(withFloor(200));
    h.toLocking();
    h.answer(Kind::Lock, won(150));
    h.sleep(8s);
    h.answer(Kind::Lock, won(250));
    QVERIFY(h.all<Acquired>().empty());
    QCOMPARE(h.machine().missedTerms(), quint64(1));
    QVERIFY(h.isPending(Kind::Release));
}

void TokenTest::lock_is_lost_during_a_climb()
{
    Harness h(withFloor(200));
    h.toLocking();
    h.answer(Kind::Lock, won(150));
    h.answer(Kind::Lock, refused(Wire::Refusal::StaleGuard)); // It is not ours any more.
    QCOMPARE(h.state(), State::Reading);
    h.answer(Kind::Key, held(u"R1"_s, 151, rivalValue(u"R1"_s)));
    QCOMPARE(h.state(), State::Waiting);
    QVERIFY(h.all<Acquired>().empty());
}

void TokenTest::answer_is_lost_during_a_climb()
{
    Harness h(withFloor(200));
    h.toLocking();
    h.answer(Kind::Lock, won(199));
    const auto climb = std::get<Wire::LockKey>(h.pending(Kind::Lock)->message);
    h.answer(Kind::Lock, failure(Wire::FailureKind::Interrupted));
    h.advance(200ms);
    h.answer(Kind::Key, held(u"S1"_s, 201, climb.value));
    QCOMPARE(std::get<Wire::LockKey>(h.pending(Kind::Lock)->message), climb); // The same once more.
    h.answer(Kind::Lock, won(201));
    QCOMPARE(h.all<Acquired>().front().token, quint64(201));
}

/// A long climb is meant; it must not keep the next, ordinary lock waiting.
void TokenTest::climb_runs_up_no_debt()
{
    Harness h(withFloor(2000));
    h.toLocking();
    for (quint64 index = 100; index < 1000; ++index)
        h.answer(Kind::Lock, won(index));
    h.answer(Kind::Lock, sessionGone());
    h.advance(1s);
    h.toReading();
    h.answer(Kind::Key, absent(3000));
    QCOMPARE(h.state(), State::Locking);
    h.answer(Kind::Lock, won(3001));
    QCOMPARE(h.all<Acquired>().size(), 1);
}

QTEST_APPLESS_MAIN(TokenTest)
#include "tst_token.moc"
