// SPDX-License-Identifier: MIT
#include "situations.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(const Situation *)

/// Stopped at any moment: it says so once, within its bound, and leaves no session and no lock behind.
class StopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leaves_nothing_behind_data() { addSituations(); }
    void leaves_nothing_behind();
    void leaves_nothing_behind_when_answers_are_late_data() { addSituations(); }
    void leaves_nothing_behind_when_answers_are_late();
    void dead_agent_does_not_hold_it_up_data() { addSituations(); }
    void dead_agent_does_not_hold_it_up();
    void started_again_while_closing_data();
    void started_again_while_closing();
    void started_and_stopped_while_closing();
    void start_adopts_a_create_under_way();
    void stop_after_stop();

private:
    static void addSituations()
    {
        QTest::addColumn<const Situation *>("situation");
        for (const Situation &situation : situations())
            QTest::addRow("%s", situation.name) << &situation;
    }
};

namespace {

void stop(Harness &h)
{
    h.input(Stop{});
    if (h.state() == State::Yielding)
        h.input(HandedOver{h.term()});
}

/// Of every session made the end was asked for, after a release where it may hold the lock.
void expectNothingLeft(Harness &h, bool mayHold)
{
    for (const QString &session : h.madeSessions()) {
        bool released = false;
        bool destroyed = false;
        for (const Send &send : h.all<Send>()) {
            if (const auto *release = std::get_if<Wire::ReleaseKey>(&send.message))
                released = released || release->session == session;
            if (const auto *destroy = std::get_if<Wire::DestroySession>(&send.message))
                destroyed = destroyed || destroy->session == session;
        }
        QVERIFY2(destroyed, qPrintable(session));
        QVERIFY2(released || !mayHold || session != u"S1"_s, qPrintable(session));
    }
    for (const Kind kind : {Kind::Create, Kind::Renew, Kind::Key, Kind::Lock, Kind::Inspect, Kind::Release,
                            Kind::ReadBack, Kind::Destroy})
        QVERIFY2(!h.isPending(kind), qPrintable(QString::number(int(kind))));
    QVERIFY(!h.machine().nextTimeout());
    QCOMPARE(h.state(), State::Idle);
}

} // namespace

void StopTest::leaves_nothing_behind()
{
    QFETCH(const Situation *, situation);
    Harness h(situationSettings());
    situation->bringAbout(h);
    const bool locking = h.isPending(Kind::Lock);
    const bool leads = h.state() == State::Leading || h.state() == State::Yielding;
    const size_t stopped = h.all<Stopped>().size();
    stop(h);
    h.serve(healthyAgent());
    h.advance(1min);
    QCOMPARE(h.all<Stopped>().size(), stopped + 1);
    QCOMPARE(h.all<Lost>().size(), h.all<Acquired>().size());
    expectNothingLeft(h, locking || leads);
}

/// The time for stopping is over before any answer comes.
void StopTest::leaves_nothing_behind_when_answers_are_late()
{
    QFETCH(const Situation *, situation);
    Settings settings = situationSettings();
    settings.stopTimeout = 100ms;
    settings.requestTimeout = 20s;
    Harness h(settings);
    situation->bringAbout(h);
    const size_t stopped = h.all<Stopped>().size();
    stop(h);
    h.advance(2s);
    QCOMPARE(h.state(), State::Idle);
    QCOMPARE(h.all<Stopped>().size(), stopped + 1);
    h.serve(healthyAgent());
    h.advance(1min);
    QCOMPARE(h.all<Stopped>().size(), stopped + 1);
    expectNothingLeft(h, false);
}

void StopTest::dead_agent_does_not_hold_it_up()
{
    QFETCH(const Situation *, situation);
    Harness h(situationSettings());
    situation->bringAbout(h);
    const size_t stopped = h.all<Stopped>().size();
    stop(h);
    h.serve([](Kind, const Wire::Request &) { return failure(Wire::FailureKind::Unreachable); });
    // Diagnosing takes a second, closing the time for stopping.
    h.advance(6s);
    QCOMPARE(h.all<Stopped>().size(), stopped + 1);
    QCOMPARE(h.state(), State::Idle);
    // Quiet for good when the sessions have ended by themselves.
    h.advance(1min);
    QVERIFY(!h.machine().nextTimeout());
}

void StopTest::started_again_while_closing_data()
{
    QTest::addColumn<bool>("again");
    QTest::newRow("for good") << true;
    QTest::newRow("for one term") << false;
}

void StopTest::started_again_while_closing()
{
    QFETCH(const bool, again);
    Harness h;
    h.toLeading();
    h.input(Stop{});
    h.input(HandedOver{h.term()});
    h.input(Start{again});
    QCOMPARE(h.state(), State::Closing); // The lock is given up all the same.
    h.answer(Kind::Release, released(true));
    h.answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h.state(), State::Opening);
    QVERIFY(h.all<Stopped>().empty()); // It has not stopped.
    h.input(Stop{});
    h.advance(5s);
    QCOMPARE(h.all<Stopped>().size(), 1);
    QCOMPARE(h.state(), State::Idle);
}

void StopTest::started_and_stopped_while_closing()
{
    Harness h;
    h.toWaiting();
    h.input(Stop{});
    h.input(Start{false});
    h.input(Stop{});
    h.answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h.state(), State::Idle);
    QCOMPARE(h.all<Stopped>().size(), 1);
}

void StopTest::start_adopts_a_create_under_way()
{
    Harness h;
    h.input(Start{});
    h.input(Stop{});
    h.advance(5s);
    QCOMPARE(h.state(), State::Idle);
    h.input(Start{});
    QCOMPARE(h.sent(Kind::Create), 1);
    h.toReading();
    QCOMPARE(h.state(), State::Reading);
}

void StopTest::stop_after_stop()
{
    Harness h;
    h.toLeading();
    h.input(Stop{});
    h.input(Stop{});
    QCOMPARE(h.all<Lost>().size(), 1);
    h.input(HandedOver{h.term()});
    h.input(Stop{});
    h.answer(Kind::Release, released(true));
    h.input(Stop{});
    h.answer(Kind::Destroy, sessionDestroyed());
    QCOMPARE(h.all<Stopped>().size(), 1);
}

QTEST_APPLESS_MAIN(StopTest)
#include "tst_stop.moc"
