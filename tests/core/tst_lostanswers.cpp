// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A write whose answer was lost may have taken effect, now or later.
class LostAnswersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_h = std::make_unique<Harness>(); }
    void lock_worked_data();
    void lock_worked();
    void lock_did_not_work();
    void lock_works_late();
    void lock_went_to_another();
    void lock_is_given_back_at_a_stop();
    void hidden_result_is_given_back_data();
    void hidden_result_is_given_back();
    void poll_overtakes_the_answer_data();
    void poll_overtakes_the_answer();
    void f08_session_unknown_to_the_lock();
    void create_is_repeated_calmly();
    void replies_of_earlier_terms_are_counted();
    void nothing_but_the_confirmed_answer_wins_data();
    void nothing_but_the_confirmed_answer_wins();

private:
    Harness &h() { return *m_h; }
    Wire::LockKey lock() { return std::get<Wire::LockKey>(h().pending(Kind::Lock)->message); }
    /// The answer to a lock is lost, and the key is read.
    void loseLock(const Wire::Reply &reply = failure(Wire::FailureKind::Interrupted))
    {
        h().answer(Kind::Lock, reply);
        QCOMPARE(h().state(), State::Reading);
        h().advance(130ms);
        QVERIFY(h().isPending(Kind::Key));
    }
    std::unique_ptr<Harness> m_h;
};

void LostAnswersTest::lock_worked_data()
{
    QTest::addColumn<Wire::FailureKind>("kind");
    using enum Wire::FailureKind;
    QTest::newRow("timed out") << TimedOut;
    QTest::newRow("interrupted, or sent twice") << Interrupted;
    QTest::newRow("5xx: leadership lost while committing") << ServerError;
    QTest::newRow("an answer that is not Consul's") << NotConsul;
    QTest::newRow("unreachable") << Unreachable;
}

void LostAnswersTest::lock_worked()
{
    QFETCH(const Wire::FailureKind, kind);
    h().toLocking();
    const auto first = lock();
    loseLock(failure(kind));
    h().answer(Kind::Key, held(u"S1"_s, 100, first.value));
    // Asked for again with the same value it answers the same token; the check is that it is ours.
    QCOMPARE(lock(), (Wire::LockKey{first.key, first.session, first.value, Wire::IfOurs{}}));
    h().answer(Kind::Lock, won(100));
    QCOMPARE(h().all<Acquired>().front().token, quint64(100));
}

void LostAnswersTest::lock_did_not_work()
{
    h().toLocking();
    loseLock();
    h().answer(Kind::Key, absent(50));
    QVERIFY(std::holds_alternative<Wire::IfAbsent>(lock().guard));
    h().answer(Kind::Lock, won(100));
    QCOMPARE(h().state(), State::Leading);
}

/// It was still on its way when the key was read.
void LostAnswersTest::lock_works_late()
{
    h().toLocking();
    const auto first = lock();
    loseLock();
    h().answer(Kind::Key, absent(50));
    h().answer(Kind::Lock, refused(Wire::Refusal::StaleGuard));
    h().answer(Kind::Key, held(u"S1"_s, 100, first.value));
    QVERIFY(std::holds_alternative<Wire::IfOurs>(lock().guard));
    QCOMPARE(lock().value, first.value);
    h().answer(Kind::Lock, won(100));
    QCOMPARE(h().all<Acquired>().front().token, quint64(100));
}

void LostAnswersTest::lock_went_to_another()
{
    h().toLocking();
    loseLock();
    h().answer(Kind::Key, held(u"R1"_s, 100, rivalValue(u"R1"_s)));
    QCOMPARE(h().state(), State::Waiting);
    // While it only waits, nothing fails.
    QCOMPARE(h().all<TroubleSeen>().size(), 1);
    QCOMPARE(h().all<TroubleOver>().size(), 1);
    h().advance(20s);
    QCOMPARE(h().sent(Kind::Lock), 1);
}

void LostAnswersTest::lock_is_given_back_at_a_stop()
{
    h().toLocking();
    loseLock();
    h().news();
    h().input(Stop{});
    const QStringList news = h().news();
    QVERIFY(news.contains(u"release:S1"_s));
    QVERIFY(!news.contains(u"destroy:S1"_s)); // That would start the lock-delay.
}

void LostAnswersTest::hidden_result_is_given_back_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("mayHold");
    QTest::newRow("the right to lock is missing") << 409 << false;
    QTest::newRow("only the right to read is missing: the lock is taken, its result hidden") << 200 << true;
}

void LostAnswersTest::hidden_result_is_given_back()
{
    QFETCH(const int, status);
    QFETCH(const bool, mayHold);
    h().toLocking();
    h().answer(Kind::Lock, Wire::Failure{Wire::FailureKind::Denied, status, u"Permission denied"_s});
    QCOMPARE(h().all<Waits>().back().why, WaitReason::Denied);
    h().input(Stop{});
    QCOMPARE(h().isPending(Kind::Release), mayHold);
    QCOMPARE(h().isPending(Kind::Destroy), !mayHold);
}

void LostAnswersTest::poll_overtakes_the_answer_data()
{
    QTest::addColumn<Wire::Reply>("shown");
    QTest::addColumn<Wire::Reply>("answer");
    QTest::newRow("held, lock-delay")
        << held(u"R2"_s, 60, rivalValue(u"R2"_s)) << refused(Wire::Refusal::LockDelay);
    QTest::newRow("held, denied") << held(u"R2"_s, 60, rivalValue(u"R2"_s))
                                  << failure(Wire::FailureKind::Denied);
    QTest::newRow("ours, lock-delay") << held(u"S1"_s, 60, "v") << refused(Wire::Refusal::LockDelay);
    QTest::newRow("ours, denied") << held(u"S1"_s, 60, "v") << failure(Wire::FailureKind::Denied);
}

/// A lock is never sent while the last read shows another session.
void LostAnswersTest::poll_overtakes_the_answer()
{
    QFETCH(const Wire::Reply, shown);
    QFETCH(const Wire::Reply, answer);
    h().toWaiting();
    h().serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h().answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
    h().advance(9s);
    QCOMPARE(h().state(), State::Locking);
    h().answer(Kind::Key, shown);
    h().answer(Kind::Lock, answer);
    h().advance(20s);
    QCOMPARE(h().sent(Kind::Lock), 1);
    QCOMPARE(h().state(), State::Reading);
}

void LostAnswersTest::f08_session_unknown_to_the_lock()
{
    h().toLocking();
    h().news();
    h().answer(Kind::Lock, sessionGone());
    QCOMPARE(h().news(), QStringList({u"create"_s, u"=Opening"_s}));
    h().toLeading();
    QCOMPARE(h().all<Acquired>().front().session, u"S2"_s);
}

void LostAnswersTest::create_is_repeated_calmly()
{
    h().input(Start{});
    h().serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::TimedOut); });
    h().advance(1min);
    QVERIFY(h().sent(Kind::Create) <= 63);
    QVERIFY(h().sent(Kind::Create) >= 45);
    QCOMPARE(h().all<TroubleSeen>().size(), 1);
}

void LostAnswersTest::replies_of_earlier_terms_are_counted()
{
    h().toLeading();
    h().advance(2250ms);
    const quint64 renewal = h().pending(Kind::Renew)->request;
    const quint64 poll = h().pending(Kind::Key)->request;
    h().input(Abandon{LostReason::ApplicationStalled});
    h().toLeading(200);
    h().news();
    h().answerRequest(renewal, sessionGone());
    h().answerRequest(poll, held(u"R2"_s, 300, "v"));
    h().answerRequest(renewal, sessionGone()); // Twice.
    QCOMPARE(h().news(), QStringList());
    QCOMPARE(h().machine().lateReplies(), quint64(3));
}

void LostAnswersTest::nothing_but_the_confirmed_answer_wins_data()
{
    QTest::addColumn<Wire::Reply>("answer");
    QTest::newRow("a read that shows us") << held(u"S1"_s, 100, "v");
    QTest::newRow("a release's true") << released(true);
    QTest::newRow("a session") << created(u"S1"_s);
    QTest::newRow("a renewal") << renewed();
    QTest::newRow("a written value") << Wire::Reply(Wire::Written{100});
}

void LostAnswersTest::nothing_but_the_confirmed_answer_wins()
{
    QFETCH(const Wire::Reply, answer);
    h().toLocking();
    h().answer(Kind::Lock, answer);
    h().advance(10s);
    QVERIFY(h().all<Acquired>().empty());
}

QTEST_APPLESS_MAIN(LostAnswersTest)
#include "tst_lostanswers.moc"
