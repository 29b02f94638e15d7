// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Reply = std::optional<Wire::Reply>;

/// What the candidate tells of what fails: each kind once, with its step, until it is over.
class TroublesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_h = std::make_unique<Harness>();
        m_well = healthyAgent();
    }
    void f27_denied_names_the_step_data();
    void f27_denied_names_the_step();
    void outage_of_an_hour_is_one_report();
    void outage_over_is_told_without_waiting_for_a_poll();
    void unfit_session_is_told_once();
    void forced_node_check_is_told_once();
    void foreign_write_is_over_with_the_term();
    void failing_end_of_a_session_is_over_with_it_data();
    void failing_end_of_a_session_is_over_with_it();
    void right_that_lacks_is_not_told_term_by_term();
    void nothing_fails_when_stopped();
    void new_outage_is_news();

private:
    Harness &h() { return *m_h; }
    int told(ErrorCode code)
    {
        const auto seen = h().all<TroubleSeen>();
        return int(std::count_if(seen.begin(), seen.end(),
                                 [&](const TroubleSeen &s) { return s.trouble.code == code; }));
    }
    int over(ErrorCode code)
    {
        const auto seen = h().all<TroubleOver>();
        return int(
            std::count_if(seen.begin(), seen.end(), [&](const TroubleOver &s) { return s.code == code; }));
    }
    Agent allBut(Kind failing, Wire::FailureKind why)
    {
        return [failing, why, others = m_well](Kind kind, const Wire::Request &request) {
            return kind == failing ? Reply(failure(why)) : others(kind, request);
        };
    }
    std::unique_ptr<Harness> m_h;
    Agent m_well; ///< As long as nothing is the matter.
};

void TroublesTest::f27_denied_names_the_step_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Step>("step");
    QTest::newRow("create") << Kind::Create << Step::CreateSession;
    QTest::newRow("renew") << Kind::Renew << Step::RenewSession;
    QTest::newRow("read") << Kind::Key << Step::ReadKey;
    QTest::newRow("lock") << Kind::Lock << Step::Lock;
    QTest::newRow("release") << Kind::Release << Step::Release;
    QTest::newRow("destroy") << Kind::Destroy << Step::DestroySession;
}

void TroublesTest::f27_denied_names_the_step()
{
    QFETCH(const Kind, kind);
    QFETCH(const Step, step);
    h().serve(allBut(kind, Wire::FailureKind::Denied));
    h().input(Start{});
    h().input(Release{});
    h().input(HandedOver{h().term()});
    h().advance(20s);
    QCOMPARE(h().all<TroubleSeen>().size(), 1);
    QCOMPARE(h().all<TroubleSeen>().front().trouble.code, ErrorCode::Denied);
    QCOMPARE(h().all<TroubleSeen>().front().trouble.step, step);
    // Allowed again: it recovers by itself.
    h().serve(m_well);
    h().advance(10s);
    QCOMPARE(h().state(), State::Leading);
    if (kind != Kind::Release) // That is shown by the next hand-over.
        QCOMPARE(over(ErrorCode::Denied), 1);
}

void TroublesTest::outage_of_an_hour_is_one_report()
{
    h().toLeading();
    h().serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::Unreachable); });
    h().advance(1h);
    QCOMPARE(h().all<TroubleSeen>().size(), 1);
    QCOMPARE(h().all<TroubleOver>().size(), 0);
    h().serve(m_well);
    h().advance(2s);
    QCOMPARE(over(ErrorCode::Unreachable), 1);
}

/// The poll that failed is repeated by one that may stay open for a minute.
void TroublesTest::outage_over_is_told_without_waiting_for_a_poll()
{
    h().toLeading();
    h().answer(Kind::Key, failure(Wire::FailureKind::Unreachable));
    h().serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::Unreachable); });
    h().advance(12s);
    h().serve(m_well);
    h().advance(2s);
    QCOMPARE(h().state(), State::Leading);
    QVERIFY(h().isPending(Kind::Key));
    QCOMPARE(over(ErrorCode::Unreachable), 1);
}

void TroublesTest::unfit_session_is_told_once()
{
    Settings shorter = balanced();
    shorter.lockDelay = 1s;
    h().serve([&](Kind kind, const Wire::Request &request) {
        return kind == Kind::Renew ? Reply(renewed(shorter)) : m_well(kind, request);
    });
    h().input(Start{});
    h().advance(2min);
    QCOMPARE(told(ErrorCode::SessionUnfit), 1);
    QCOMPARE(over(ErrorCode::SessionUnfit), 0);
    QVERIFY(
        h().all<TroubleSeen>().front().trouble.detail.contains(u"1000 ms instead of 10000 ms and 9000"_s));
    QVERIFY(h().sent(Kind::Create) >= 20);
    QVERIFY(h().sent(Kind::Create) <= 35);
    QCOMPARE(h().sent(Kind::Destroy), h().sent(Kind::Create));
    h().serve(m_well);
    h().advance(10s);
    QCOMPARE(over(ErrorCode::SessionUnfit), 1);
}

void TroublesTest::forced_node_check_is_told_once()
{
    Settings forced = balanced();
    forced.nodeChecks = QStringList{u"serfHealth"_s};
    h().serve([&](Kind kind, const Wire::Request &request) {
        return kind == Kind::Renew ? Reply(renewed(forced)) : m_well(kind, request);
    });
    h().input(Start{});
    QCOMPARE(h().state(), State::Leading); // It is told, and works.
    for (int i = 0; i < 5; ++i) {
        h().advance(20s);
        h().input(Abandon{LostReason::ApplicationStalled});
    }
    QCOMPARE(told(ErrorCode::NodeCheckForced), 1);
    QCOMPARE(h().all<TroubleSeen>().front().trouble.detail, u"serfHealth"_s);
    h().serve(m_well);
    h().advance(10s);
    QCOMPARE(over(ErrorCode::NodeCheckForced), 1);
}

void TroublesTest::foreign_write_is_over_with_the_term()
{
    h().toLeading(100);
    h().answer(Kind::Key, held(u"S1"_s, 120, "x"));
    QCOMPARE(told(ErrorCode::ForeignWrite), 1);
    h().serve(m_well);
    h().input(Release{});
    h().input(HandedOver{h().term()});
    QCOMPARE(h().state(), State::Leading);
    QCOMPARE(over(ErrorCode::ForeignWrite), 1);
}

void TroublesTest::failing_end_of_a_session_is_over_with_it_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::newRow("release and read-back fail, destroy works") << Kind::Release;
    QTest::newRow("destroy fails until the session has ended by itself") << Kind::Destroy;
}

void TroublesTest::failing_end_of_a_session_is_over_with_it()
{
    QFETCH(const Kind, kind);
    h().toLeading();
    h().input(Release{});
    h().input(HandedOver{h().term()});
    h().serve([this, kind](Kind asked, const Wire::Request &request) {
        const bool fails = asked == kind || asked == Kind::ReadBack;
        return fails ? Reply(failure(Wire::FailureKind::TimedOut)) : m_well(asked, request);
    });
    h().advance(4s);
    QCOMPARE(told(ErrorCode::TimedOut), 1);
    QCOMPARE(over(ErrorCode::TimedOut), 0);
    h().advance(1min);
    QCOMPARE(h().state(), State::Leading);
    QCOMPARE(told(ErrorCode::TimedOut), 1);
    QCOMPARE(over(ErrorCode::TimedOut), 1);
}

void TroublesTest::right_that_lacks_is_not_told_term_by_term()
{
    h().serve(allBut(Kind::Release, Wire::FailureKind::Denied));
    h().input(Start{});
    for (int i = 0; i < 4; ++i) {
        h().input(Release{});
        h().input(HandedOver{h().term()});
        h().advance(20s);
    }
    QCOMPARE(h().sent(Kind::Release), 4);
    QCOMPARE(told(ErrorCode::Denied), 1);
}

void TroublesTest::nothing_fails_when_stopped()
{
    h().serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::Denied); });
    h().input(Start{});
    h().news();
    h().input(Stop{});
    QCOMPARE(h().news(), QStringList({u"=Closing"_s, u"mended:denied"_s, u"stopped"_s, u"=Idle"_s}));
}

/// What the last outage left behind must not hide the next.
void TroublesTest::new_outage_is_news()
{
    const auto outage = [](Kind, const Wire::Request &) { return failure(Wire::FailureKind::Interrupted); };
    h().serve(m_well);
    h().input(Start{});
    for (int i = 1; i <= 3; ++i) {
        h().serve(outage);
        h().advance(20s);
        QCOMPARE(told(ErrorCode::Interrupted), i);
        h().serve(m_well);
        h().advance(1min);
        QCOMPARE(over(ErrorCode::Interrupted), i);
    }
}

QTEST_APPLESS_MAIN(TroublesTest)
#include "tst_troubles.moc"
