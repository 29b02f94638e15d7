// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

struct Ending
{
    const char *name;
    void (*act)(Harness &);
    LostReason reason;
    const char *evidence; ///< Part of it.
};

void seeFree(Harness &h)
{
    h.answer(Kind::Key, freeKey(130));
}

const std::vector<Ending> involuntary{
    {"renewal: the session is gone",
     [](Harness &h) {
         h.advance(2250ms);
         h.answer(Kind::Renew, sessionGone());
     },
     LostReason::SessionExpired, "Session id not found"},
    {"key: another holds it", [](Harness &h) { h.answer(Kind::Key, held(u"R2"_s, 130, "v")); },
     LostReason::LockKeyTaken, "session R2 holds the key at index 130"},
    {"key: absent", [](Harness &h) { h.answer(Kind::Key, absent(130)); }, LostReason::LockKeyDeleted,
     "absent at index 130"},
    {"key: free, the session lives",
     [](Harness &h) {
         seeFree(h);
         h.answer(Kind::Inspect, sessionShown());
     },
     LostReason::LockKeyReleased, "session S1 lives"},
    {"key: free, the session is gone",
     [](Harness &h) {
         seeFree(h);
         h.answer(Kind::Inspect, sessionGone());
     },
     LostReason::SessionExpired, "Session id not found"},
    {"key: free, nobody tells of the session",
     [](Harness &h) {
         seeFree(h);
         h.advance(1s);
     },
     LostReason::SessionExpired, "session S1 was not shown"},
    {"key: free, a renewal tells of the session",
     [](Harness &h) {
         h.advance(2250ms);
         seeFree(h);
         h.answer(Kind::Renew, sessionGone());
     },
     LostReason::SessionExpired, "Session id not found"},
    {"silence", [](Harness &h) { h.advance(8s); }, LostReason::LocalDeadlineExceeded, "for 8000 ms"},
    {"the shell's own reason", [](Harness &h) { h.input(Abandon{LostReason::ApplicationStalled}); },
     LostReason::ApplicationStalled, ""},
};

const std::vector<Ending> orderly{
    {"release", [](Harness &h) { h.input(Release{}); }, LostReason::Released, ""},
    {"release, cancelled", [](Harness &h) { h.input(Release{LostReason::Cancelled}); }, LostReason::Cancelled,
     ""},
    {"stop", [](Harness &h) { h.input(Stop{}); }, LostReason::Released, ""},
};

void addRows(const std::vector<Ending> &endings)
{
    for (const Ending &ending : endings)
        QTest::addRow("%s", ending.name) << &ending;
}

/// The lease is void from the first of these on.
size_t positionOfTheEnd(const Harness &h)
{
    const auto &done = h.done();
    const auto end = std::find_if(done.begin(), done.end(), [](const Harness::Done &d) {
        return std::holds_alternative<StoodDown>(d.output) || std::holds_alternative<Lost>(d.output);
    });
    return size_t(end - done.begin());
}

} // namespace

Q_DECLARE_METATYPE(const Ending *)

/// How a term ends: with which reason and evidence, and in which order with what follows from it.
class LossTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reason_and_evidence_data();
    void reason_and_evidence();
    void told_before_requests_that_follow_data() { reason_and_evidence_data(); }
    void told_before_requests_that_follow();
    void involuntary_loss_never_releases_data() { addRowsOf(involuntary); }
    void involuntary_loss_never_releases();
    void destroyed_until_the_session_has_ended();
    void stood_down_before_the_reason_is_known();
    void later_commands_change_no_reason();
    void campaigns_again_only_where_wanted_data();
    void campaigns_again_only_where_wanted();

private:
    static void addRowsOf(const std::vector<Ending> &endings)
    {
        QTest::addColumn<const Ending *>("ending");
        addRows(endings);
    }
};

void LossTest::reason_and_evidence_data()
{
    addRowsOf(involuntary);
    addRows(orderly);
}

void LossTest::reason_and_evidence()
{
    QFETCH(const Ending *, ending);
    Harness h;
    h.toLeading();
    const quint64 term = h.term();
    ending->act(h);
    h.advance(100s);
    const auto lost = h.all<Lost>();
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.front().term, term);
    QCOMPARE(lost.front().reason, ending->reason);
    const QString evidence = QString::fromLatin1(ending->evidence);
    QVERIFY2(lost.front().evidence.contains(evidence), qPrintable(lost.front().evidence));
    QCOMPARE(lost.front().evidence.isEmpty(), evidence.isEmpty());
}

void LossTest::told_before_requests_that_follow()
{
    QFETCH(const Ending *, ending);
    Harness h;
    h.toLeading();
    h.forget();
    ending->act(h);
    h.input(HandedOver{h.term()});
    const size_t end = positionOfTheEnd(h);
    QVERIFY(end < h.done().size());
    for (size_t i = 0; i < end; ++i) {
        const auto *send = std::get_if<Send>(&h.done().at(i).output);
        // Until then it goes on to renew and watch, no more.
        QVERIFY(!send || kindOf(*send) == Kind::Renew || kindOf(*send) == Kind::Key);
    }
}

void LossTest::involuntary_loss_never_releases()
{
    QFETCH(const Ending *, ending);
    Harness h;
    h.toLeading();
    h.forget();
    h.serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Destroy ? std::optional(failure()) : std::nullopt;
    });
    ending->act(h);
    QCOMPARE(h.timesOf(Kind::Destroy), h.timesOf<Lost>()); // At once.
    h.forget();
    h.advance(60s);
    QCOMPARE(h.sent(Kind::Release), 0);
    QCOMPARE(h.sent(Kind::Renew), 0);
    QVERIFY(h.sent(Kind::Destroy) > 20);
}

/// 2 x TTL + lock-delay after the last renewal nothing of the session is left, and nobody waits for it.
void LossTest::destroyed_until_the_session_has_ended()
{
    Harness h;
    h.toLeading();
    h.input(Abandon{LostReason::ApplicationStalled});
    const Instant lost = h.now();
    h.serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Destroy ? std::optional(failure()) : std::nullopt;
    });
    h.advance(10min);
    const auto tries = h.timesOf(Kind::Destroy);
    QVERIFY(tries.back() < lost + 29s);
    QVERIFY(tries.back() > lost + 27s);
    for (size_t i = 2; i < tries.size(); ++i)
        QVERIFY(tries.at(i) - tries.at(i - 1) >= 80ms);
}

void LossTest::stood_down_before_the_reason_is_known()
{
    Harness h;
    h.toLeading();
    h.news();
    seeFree(h);
    QCOMPARE(h.news(), QStringList({u"leader:none"_s, u"stood_down"_s, u"inspect:S1"_s, u"=Diagnosing"_s}));
    QCOMPARE(h.all<StoodDown>().front().term, h.term());
    h.advance(500ms);
    h.answer(Kind::Inspect, sessionShown());
    QCOMPARE(h.news().front(), u"lost:lock_key_released"_s);
}

void LossTest::later_commands_change_no_reason()
{
    Harness h;
    h.toLeading();
    seeFree(h);
    h.news();
    h.input(Release{});
    h.input(Abandon{LostReason::ApplicationStalled});
    h.input(HandedOver{h.term()});
    QCOMPARE(h.news(), QStringList());
    h.input(Stop{});
    h.answer(Kind::Inspect, sessionGone());
    QCOMPARE(h.all<Lost>().size(), 1);
    QCOMPARE(h.all<Lost>().front().reason, LostReason::SessionExpired);
    QCOMPARE(h.state(), State::Closing);
}

void LossTest::campaigns_again_only_where_wanted_data()
{
    QTest::addColumn<bool>("again");
    QTest::newRow("again") << true;
    QTest::newRow("once") << false;
}

void LossTest::campaigns_again_only_where_wanted()
{
    QFETCH(const bool, again);
    Harness h;
    h.input(Start{again});
    h.toLeading();
    h.answer(Kind::Key, absent(130));
    QCOMPARE(h.state(), again ? State::Opening : State::Closing);
    h.answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h.all<Stopped>().empty(), again);
    QCOMPARE(h.state(), again ? State::Opening : State::Idle);
}

QTEST_APPLESS_MAIN(LossTest)
#include "tst_loss.moc"
