// SPDX-License-Identifier: MIT
#include "looks.h"
#include "windowfixture.h"

#include "models/tablefilter.h"
#include "views/messagepage.h"
#include "views/page.h"
#include "views/tableview.h"
#include "views/verdictstrip.h"

#include <QtGui/QAction>
#include <QtNetwork/QTcpServer>
#include <QtTest/QtTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

using namespace Qt::StringLiterals;
using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Testing;

class tst_window : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void worstElectionIsChosenFirst();
    void oldDataAreMutedAndStandStill();
    void pausedDataStandStill();
    void keyboardReachesEverything();
    void filterIsTypedAndCleared();
    void backAndForward();
    void readOnlyKeepsActionsOff();
    void themeIsKept();
    void stateIsKept();
    void f63_textsOfStrangersAreShownAsTheyAre();
    void f55_windowGoesInEveryState();
    void paintsBeforeAnythingAnswers();
};

void tst_window::worstElectionIsChosenFirst()
{
    WindowFixture fixture;
    Feed &feed = fixture.feed(Scene::small());
    fixture.window.show();
    QCOMPARE(feed.selection().current(), u"service/stock-sync/leader"_s); // Orphaned.
    const auto *strip = fixture.window.findChild<VerdictStrip *>();
    QVERIFY(strip);
    QCOMPARE(strip->text().role, Role::Alarm);
    QVERIFY(fixture.window.windowTitle().startsWith(strip->text().headline));
    feed.selection().choose(u"service/billing/leader"_s);
    QTest::mouseClick(fixture.window.findChild<VerdictStrip *>(), Qt::LeftButton);
    QCOMPARE(feed.selection().current(), u"service/stock-sync/leader"_s);
}

void tst_window::oldDataAreMutedAndStandStill()
{
    std::chrono::nanoseconds now = Scene::Now;
    WindowFixture fixture;
    Feed &feed = fixture.feed(Scene::small(), [&now] { return now; });
    fixture.window.show();
    ConnectionReport report = Scene::live();
    report.state = ConnectionState::Stale;
    report.error = trouble(ObserveTrouble::TimedOut, 0, {});
    now += std::chrono::minutes(1);
    feed.show(report);
    QVERIFY(feed.isStale());
    QCOMPARE(feed.clock().now(), *report.dataFrom);
    const QModelIndex delay = feed.elections().index(
        feed.elections().rowOf(u"service/invoice-worker/leader"_s), ElectionModel::State);
    const QString before = delay.data().toString();
    now += std::chrono::seconds(1);
    QCOMPARE(delay.data().toString(), before);
    takePicture(fixture.window, u"stale-light"_s);
    // The last data stay, and in their state's colour nothing is drawn any more.
    const auto *strip = fixture.window.findChild<VerdictStrip *>();
    QCOMPARE(strip->text().role, Role::Vacant);
    feed.show(Scene::live());
    QVERIFY(!feed.isStale());
    QCOMPARE(feed.clock().now(), now);
}

void tst_window::pausedDataStandStill()
{
    std::chrono::nanoseconds now = Scene::Now;
    WindowFixture fixture;
    Scene scene = Scene::small();
    Feed &feed = fixture.feed(scene, [&now] { return now; });
    fixture.window.show();
    fixture.window.actions().pause->trigger();
    QVERIFY(feed.isPaused());
    const auto *strip = fixture.window.findChild<VerdictStrip *>();
    QVERIFY(strip->text().note.startsWith(u"Paused since"_s));
    const quint64 shown = feed.snapshot().number;
    scene.change(1);
    feed.show(scene.snapshot(), scene.delta());
    QCOMPARE(feed.snapshot().number, shown);
    fixture.window.actions().pause->trigger();
    QCOMPARE(feed.snapshot().number, shown + 1);
}

void tst_window::keyboardReachesEverything()
{
    WindowFixture fixture;
    fixture.feed(Scene::small());
    Window &window = fixture.window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(window.pageId(), PageId::Sessions);
    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(window.pageId(), PageId::Journal);
    QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(window.pageId(), PageId::Overview);
    QCOMPARE(QApplication::focusWidget(), &window.page()->table());
    // Tab visits every control that can be used, and comes back.
    QSet<QWidget *> visited;
    for (int i = 0; i < 100 && !visited.contains(QApplication::focusWidget()); ++i) {
        visited += QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        const bool reachable = widget->isVisible() && widget->isEnabled() && !widget->focusProxy()
            && (widget->focusPolicy() & Qt::TabFocus) && !widget->isWindow();
        if (reachable)
            QVERIFY2(visited.contains(widget),
                     qPrintable(QLatin1StringView(widget->metaObject()->className()) + u' '
                                + widget->objectName()));
    }
    // F6 goes round the areas.
    window.page()->table().setFocus();
    QSet<QWidget *> areas;
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(&window, Qt::Key_F6);
        areas += QApplication::focusWidget();
    }
    QCOMPARE(areas.size(), 5);
    // Rows: down, pin, and the holder's session.
    window.page()->table().setFocus();
    const QString first = window.page()->table().currentKey();
    QTest::keyClick(&window.page()->table(), Qt::Key_Down);
    QVERIFY(window.page()->table().currentKey() != first);
    QTest::keyClick(&window.page()->table(), Qt::Key_Space);
    QCOMPARE(window.feed()->selection().pinned(), QSet<QString>{window.page()->table().currentKey()});
    window.feed()->selection().choose(u"service/billing/leader"_s);
    QTest::keyClick(&window.page()->table(), Qt::Key_Return);
    QCOMPARE(window.pageId(), PageId::Sessions);
    QVERIFY(!window.feed()->selection().session().isEmpty());
}

void tst_window::filterIsTypedAndCleared()
{
    WindowFixture fixture;
    fixture.feed(Scene::small());
    Window &window = fixture.window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.page()->table().setFocus();
    QTest::keyClick(&window.page()->table(), Qt::Key_Slash);
    auto *edit = qobject_cast<QLineEdit *>(QApplication::focusWidget());
    QVERIFY(edit);
    QTest::keyClicks(edit, u"payroll"_s);
    QCOMPARE(window.page()->filter().rowCount(), 2);
    QTest::keyClicks(edit, u" nothing"_s);
    QCOMPARE(window.page()->filter().rowCount(), 0);
    takePicture(window, u"nothing-matches-light"_s);
    window.actions().clearFilter->trigger();
    QCOMPARE(window.page()->filter().rowCount(), 12);
    QVERIFY(edit->text().isEmpty());
}

void tst_window::backAndForward()
{
    WindowFixture fixture;
    Feed &feed = fixture.feed(Scene::small());
    Window &window = fixture.window;
    window.show();
    feed.selection().choose(u"service/billing/leader"_s);
    window.showPage(PageId::Sessions);
    window.actions().back->trigger();
    QCOMPARE(window.pageId(), PageId::Overview);
    QCOMPARE(feed.selection().current(), u"service/billing/leader"_s);
    window.actions().back->trigger();
    QCOMPARE(feed.selection().current(), u"service/stock-sync/leader"_s);
    QVERIFY(!window.actions().back->isEnabled());
    window.actions().forward->trigger();
    window.actions().forward->trigger();
    QCOMPARE(window.pageId(), PageId::Sessions);
}

void tst_window::readOnlyKeepsActionsOff()
{
    WindowFixture fixture;
    Feed &feed = fixture.feed(Scene::small());
    Window &window = fixture.window;
    window.show();
    feed.selection().choose(u"service/billing/leader"_s);
    QVERIFY(!window.actions().releaseLock->isEnabled());
    window.actions().readOnly->trigger();
    QVERIFY(window.actions().releaseLock->isEnabled());
    ConnectionReport report = Scene::live();
    report.state = ConnectionState::Stale;
    feed.show(report);
    QVERIFY(!window.actions().releaseLock->isEnabled());
    feed.show(Scene::live());
    fixture.feed(Scene::small()); // Another connection is read-only again.
    QVERIFY(window.actions().readOnly->isChecked());
}

void tst_window::themeIsKept()
{
    WindowFixture fixture;
    fixture.window.actions().themeDark->trigger();
    QCOMPARE(shadeOf(QApplication::palette()), Shade::Dark);
    QCOMPARE(ThemeChoice(fixture.settings.value(u"window/theme"_s).toInt()), ThemeChoice::Dark);
}

void tst_window::stateIsKept()
{
    WindowFixture fixture;
    fixture.feed(Scene::small());
    fixture.window.show();
    fixture.window.showPage(PageId::Sessions);
    fixture.window.page()->table().setColumnHidden(SessionModel::Node, true);
    fixture.window.close();
    Window again({fixture.profiles, fixture.theme, fixture.settings});
    Feed &feed = again.openFeed(u"prod-eu"_s, [] { return std::chrono::nanoseconds(Scene::Now); });
    const Scene scene = Scene::small();
    feed.show(Scene::live());
    feed.show(scene.snapshot(), scene.delta());
    again.show();
    QCOMPARE(again.pageId(), PageId::Sessions);
    QVERIFY(again.page()->table().isColumnHidden(SessionModel::Node));
}

void tst_window::f63_textsOfStrangersAreShownAsTheyAre()
{
    WindowFixture fixture;
    Scene scene = Scene::small();
    SessionRecord evil = *scene.snapshot().sessions.constFirst();
    evil.id = u"00000000-0000-0000-0000-000000000001"_s;
    evil.name = u"<img src=http://127.0.0.1:9/x><b>\u202Eabc\n"_s + QChar(0) + QString(10'000, u'x');
    scene.addSession(evil);
    ElectionRecord election = *scene.snapshot().elections.constFirst();
    election.key = u"service/<b>x</b>/leader"_s;
    election.name = u"<b>x</b>\n\u202E"_s;
    scene.addElection(election);
    scene.commit();
    Feed &feed = fixture.feed(scene);
    fixture.window.show();
    feed.selection().choose(election.key);
    feed.selection().setSession(evil.id);
    for (const PageId page : {PageId::Overview, PageId::Sessions}) {
        fixture.window.showPage(page);
        QApplication::processEvents();
        for (const QLabel *label : fixture.window.findChildren<QLabel *>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        const QModelIndex index = fixture.window.page()->table().currentIndex();
        QVERIFY(index.isValid());
        for (int column = 0; column < index.model()->columnCount(); ++column) {
            const QString text = index.siblingAtColumn(column).data().toString();
            QVERIFY(!text.contains(u'\n') && !text.contains(QChar(0x202E)) && text.size() < 300);
        }
    }
    takePicture(fixture.window, u"strangers-light"_s);
}

void tst_window::f55_windowGoesInEveryState()
{
    QTcpServer silent; // Takes the connection, and that is all.
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    const ConnectionProfile profile =
        ConnectionProfile::make(u"silent"_s, u"127.0.0.1:%1"_s.arg(silent.serverPort()));
    constexpr int Rounds = 20;
    for (int round = 0; round < Rounds; ++round) {
        WindowFixture fixture;
        fixture.window.open(profile);
        fixture.window.show();
        // It goes a little later each time: before the first paint, while it connects, while it waits.
        for (int turn = 0; turn < round; ++turn)
            QApplication::processEvents();
        if (round % 2)
            fixture.window.open(profile); // The one before goes in the midst of it.
    }
}

void tst_window::paintsBeforeAnythingAnswers()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    StallProbe probe;
    WindowFixture fixture;
    fixture.window.open(ConnectionProfile::make(u"silent"_s, u"127.0.0.1:%1"_s.arg(silent.serverPort())));
    fixture.window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
    QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), 10'000);
    // All of it together, in time of the processor.
    QVERIFY2(probe.longest() < std::chrono::milliseconds(500),
             qPrintable(QString::number(probe.longest().count())));
    QCOMPARE(fixture.window.findChild<MessagePage *>()->isVisible(), true);
}

QTEST_MAIN(tst_window)
#include "tst_window.moc"
