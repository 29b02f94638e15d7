// SPDX-License-Identifier: MIT
#include "models/selection.h"
#include "models/timewindow.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <limits>

using namespace Baton::Monitor;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What all pages share: clock, selection, time window.
class tst_Shared : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void clockFreezes();
    void selectionHoldsIdentities();
    void pins();
    void windowFollowsNow();
    void windowShowsARange();
    void spansAreClamped_data();
    void spansAreClamped();
    void zoomKeepsTheAnchor();
    void zoomIgnoresNonsense();
    void panStopsAndBeginsFollowing();
    void undoAndRedo();
    void aGestureIsOneStep();
    void undoIsBounded();

private:
    Nanoseconds m_now{};
    Clock m_clock{[this] { return m_now; }};
};

void tst_Shared::init()
{
    m_now = 1h;
    m_clock.thaw();
}

void tst_Shared::clockFreezes()
{
    m_clock.freeze(50min);
    QCOMPARE(m_clock.now(), Nanoseconds(50min));
    QCOMPARE(m_clock.running(), Nanoseconds(1h));
    m_clock.thaw();
    QCOMPARE(m_clock.now(), Nanoseconds(1h));
    QCOMPARE(m_clock.instant(m_clock.date(1'234ms)), Nanoseconds(1'234ms));
    QVERIFY(Clock().now() > 0ns);
}

void tst_Shared::selectionHoldsIdentities()
{
    Selection selection;
    QSignalSpy changed(&selection, &Selection::electionsChanged);
    QSignalSpy sessionChanged(&selection, &Selection::sessionChanged);
    QVERIFY(selection.current().isEmpty());
    selection.setElections({u"a"_s, u"b"_s, u"a"_s});
    QCOMPARE(selection.elections(), (QStringList{u"b"_s, u"a"_s}));
    QCOMPARE(selection.current(), u"a"_s);
    selection.setElections({u"b"_s, u"a"_s});
    QCOMPARE(changed.size(), 1);
    selection.choose(u"c"_s);
    QVERIFY(selection.contains(u"c"_s) && !selection.contains(u"a"_s));
    selection.clear();
    selection.clear();
    QCOMPARE(changed.size(), 3);
    selection.setSession(u"s"_s);
    selection.setSession(u"s"_s);
    QCOMPARE(sessionChanged.size(), 1);
}

void tst_Shared::pins()
{
    Selection selection;
    QSignalSpy changed(&selection, &Selection::pinnedChanged);
    selection.togglePinned(u"a"_s);
    QCOMPARE(selection.pinned(), QSet<QString>{u"a"_s});
    selection.togglePinned(u"a"_s);
    QVERIFY(selection.pinned().isEmpty());
    QCOMPARE(changed.size(), 2);
}

void tst_Shared::windowFollowsNow()
{
    TimeWindow window(m_clock);
    QSignalSpy changed(&window, &TimeWindow::changed);
    QCOMPARE(window.range(), (TimeRange{50min, 1h}));
    m_now += 5s;
    QCOMPARE(window.range(), (TimeRange{50min + 5s, 1h + 5s}));
    QCOMPARE(changed.size(), 0);
    // While the data stand still, so does now.
    m_clock.freeze(1h);
    QCOMPARE(window.range().to, Nanoseconds(1h));
}

void tst_Shared::windowShowsARange()
{
    TimeWindow window(m_clock);
    window.setRange({20min, 10min});
    QVERIFY(!window.isFollowing());
    QCOMPARE(window.range(), (TimeRange{10min, 20min}));
    QVERIFY(window.range().contains(15min) && !window.range().contains(21min));
    m_now += 1h;
    QCOMPARE(window.range(), (TimeRange{10min, 20min}));
    window.setFollowing(true);
    QCOMPARE(window.range(), (TimeRange{2h - 10min, 2h}));
}

void tst_Shared::spansAreClamped_data()
{
    QTest::addColumn<qint64>("fromNs");
    QTest::addColumn<qint64>("toNs");
    QTest::newRow("a click") << qint64(5'000'000'000) << qint64(5'000'000'000);
    QTest::newRow("years") << qint64(-3'000'000'000'000'000'000) << qint64(3'600'000'000'000);
}

void tst_Shared::spansAreClamped()
{
    QFETCH(qint64, fromNs);
    QFETCH(qint64, toNs);
    TimeWindow window(m_clock);
    window.setRange({Nanoseconds(fromNs), Nanoseconds(toNs)});
    QVERIFY(window.range().span() >= TimeWindow::LeastSpan);
    QVERIFY(window.range().span() <= TimeWindow::MostSpan);
}

void tst_Shared::zoomKeepsTheAnchor()
{
    TimeWindow window(m_clock);
    window.zoom(0.5, 55min);
    QCOMPARE(window.range(), (TimeRange{55min, 1h}));
    QVERIFY(window.isFollowing());
    window.setRange({10min, 20min});
    window.zoom(0.5, 12min);
    QCOMPARE(window.range(), (TimeRange{11min, 16min}));
    for (int i = 0; i < 100; ++i)
        window.zoom(0.5, 12min);
    QCOMPARE(window.range().span(), Nanoseconds(TimeWindow::LeastSpan));
    QVERIFY(window.range().contains(12min));
    for (int i = 0; i < 200; ++i)
        window.zoom(2, 12min);
    QCOMPARE(window.range().span(), Nanoseconds(TimeWindow::MostSpan));
}

void tst_Shared::zoomIgnoresNonsense()
{
    TimeWindow window(m_clock);
    QSignalSpy changed(&window, &TimeWindow::changed);
    for (const double factor :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        window.zoom(factor, 55min);
    window.zoom(1, 55min);
    window.pan(0ns);
    QCOMPARE(changed.size(), 0);
    window.zoom(1e300, 55min);
    QCOMPARE(window.range().span(), Nanoseconds(TimeWindow::MostSpan));
}

void tst_Shared::panStopsAndBeginsFollowing()
{
    TimeWindow window(m_clock);
    window.pan(-5min);
    QVERIFY(!window.isFollowing());
    QCOMPARE(window.range(), (TimeRange{45min, 55min}));
    window.pan(2min);
    QVERIFY(!window.isFollowing());
    window.pan(1h);
    QVERIFY(window.isFollowing());
    QCOMPARE(window.range(), (TimeRange{50min, 1h}));
}

void tst_Shared::undoAndRedo()
{
    TimeWindow window(m_clock);
    QVERIFY(!window.canUndo());
    window.undo();
    window.redo();
    window.setRange({10min, 20min});
    window.setRange({12min, 13min});
    QVERIFY(window.canUndo());
    window.undo();
    QCOMPARE(window.range(), (TimeRange{10min, 20min}));
    window.redo();
    QCOMPARE(window.range(), (TimeRange{12min, 13min}));
    window.undo();
    window.undo();
    QVERIFY(window.isFollowing() && !window.canUndo() && window.canRedo());
    m_now += 1min;
    QCOMPARE(window.range(), (TimeRange{51min, 61min}));
    window.setRange({1min, 2min});
    QVERIFY(!window.canRedo());
}

void tst_Shared::aGestureIsOneStep()
{
    TimeWindow window(m_clock);
    window.setRange({10min, 20min});
    for (int i = 0; i < 10; ++i) {
        window.zoom(0.9, 12min);
        m_now += 100ms;
    }
    m_now += 1s;
    window.pan(-1min);
    window.undo();
    QVERIFY(window.range().span() < Nanoseconds(10min));
    window.undo();
    QCOMPARE(window.range(), (TimeRange{10min, 20min}));
}

void tst_Shared::undoIsBounded()
{
    TimeWindow window(m_clock);
    for (int i = 1; i <= 1'000; ++i)
        window.setRange({std::chrono::seconds(i), std::chrono::seconds(i + 60)});
    int steps = 0;
    for (; window.canUndo(); ++steps)
        window.undo();
    QCOMPARE(steps, TimeWindow::MaxUndo);
}

QTEST_GUILESS_MAIN(tst_Shared)
#include "tst_shared.moc"
