// SPDX-License-Identifier: MIT
#include "looks.h"
#include "windowfixture.h"

#include "commandline.h"
#include "models/tablefilter.h"
#include "views/confirmdialog.h"
#include "views/connectiondialog.h"
#include "views/helpdialog.h"
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
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;
using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Testing;

namespace {

const QString Pictures = u"pictures"_s;

/// Whoever changes a page looks at these.
void takePicture(QWidget &window, const QString &name)
{
    QDir().mkpath(Pictures);
    QApplication::processEvents(); // What has changed is laid out first.
    QVERIFY(window.grab().save(u"%1/%2.png"_s.arg(Pictures, name)));
}

ObserveError trouble(ObserveTrouble kind, int status, const QString &detail, const QString &rule = {})
{
    ObserveError error;
    error.trouble = kind;
    error.part = ObservedPart::Sessions;
    error.status = status;
    error.detail = detail;
    error.missingRule = rule;
    return error;
}

ConfirmDialog::Question question(const QString &typed)
{
    return {u"Destroy session"_s,
            u"3f1c02aa-0c4f-4b6e-9d2a-000000000001"_s,
            {u"The session worker-1 of node node-7 ends."_s,
             u"Freed: service/invoice-worker/leader, locked for another 9 s."_s,
             u"worker-1 stops leading."_s},
            u"Destroy session"_s,
            typed};
}

} // namespace

class tst_window : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyPageIsWhole_data();
    void everyPageIsWhole();
    void smallestWindowHoldsTogether();
    void everyTroubleIsWhole_data();
    void everyTroubleIsWhole();
    void firstRunIsWhole_data();
    void firstRunIsWhole();
    void everyDialogIsWhole_data();
    void everyDialogIsWhole();
    void manyKeysNeedTheNameTyped();
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

void tst_window::everyPageIsWhole_data()
{
    QTest::addColumn<PageId>("page");
    QTest::addColumn<ThemeChoice>("theme");
    QTest::addColumn<QSize>("size");
    const QList<std::pair<const char *, PageId>> pages{
        {"overview", PageId::Overview}, {"sessions", PageId::Sessions}, {"journal", PageId::Journal}};
    for (const auto &[name, page] : pages) {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
                QTest::addRow("%s-%s-%dx%d", name, theme == ThemeChoice::Light ? "light" : "dark",
                              size.width(), size.height())
                    << page << theme << size;
            }
        }
    }
}

void tst_window::everyPageIsWhole()
{
    QFETCH(const PageId, page);
    QFETCH(const ThemeChoice, theme);
    QFETCH(const QSize, size);
    WindowFixture fixture(theme, size);
    fixture.feed(Scene::small());
    fixture.window.showPage(page);
    fixture.window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
    QCOMPARE(fixture.window.size(), size);
    fixture.window.page()->table().setCurrentIndex(fixture.window.page()->filter().index(0, 0));
    QTRY_VERIFY(fixture.window.page()->details());
    QApplication::processEvents();
    takePicture(fixture.window, QLatin1StringView(QTest::currentDataTag()));
    const QStringList flaws = flawsOf(fixture.window);
    QVERIFY2(flaws.isEmpty(), qPrintable(flaws.join(u'\n')));
}

void tst_window::smallestWindowHoldsTogether()
{
    WindowFixture fixture(ThemeChoice::Light, LeastWindowSize);
    fixture.feed(Scene::small());
    fixture.window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
    for (const PageId page : {PageId::Overview, PageId::Sessions, PageId::Journal}) {
        fixture.window.showPage(page);
        QApplication::processEvents();
        takePicture(fixture.window, u"smallest-%1"_s.arg(int(page)));
        // Tables scroll and names of Consul are cut, but no control may be.
        QStringList flaws = flawsOf(fixture.window);
        flaws.removeIf(
            [](const QString &flaw) { return !flaw.contains(u"Button"_s) && !flaw.contains(u"sticks"_s); });
        QVERIFY2(flaws.isEmpty(), qPrintable(flaws.join(u'\n')));
    }
}

void tst_window::everyTroubleIsWhole_data()
{
    QTest::addColumn<ConnectionState>("state");
    QTest::addColumn<ObserveError>("error");
    using enum ObserveTrouble;
    const auto row = [](const char *name, ConnectionState state, const ObserveError &error) {
        QTest::newRow(name) << state << error;
    };
    row("refused", ConnectionState::Connecting, trouble(Unreachable, 0, u"Connection refused"_s));
    row("silent", ConnectionState::Connecting, trouble(TimedOut, 0, {}));
    row("denied", ConnectionState::Refused,
        trouble(Denied, 403, u"Permission denied"_s, u"session_prefix \"\" { policy = \"read\" }"_s));
    row("no leader", ConnectionState::Connecting, trouble(NoLeader, 500, u"No cluster leader"_s));
    row("not a Consul", ConnectionState::Refused, trouble(NotConsul, 200, u"text/html"_s));
    row("connecting", ConnectionState::Connecting, {});
}

void tst_window::everyTroubleIsWhole()
{
    QFETCH(const ConnectionState, state);
    QFETCH(const ObserveError, error);
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        WindowFixture fixture(theme, {900, 600});
        Feed &feed =
            fixture.window.openFeed(u"prod-eu"_s, [] { return std::chrono::nanoseconds(Scene::Now); });
        feed.show(Scene::failed(state, error));
        fixture.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
        auto *message = fixture.window.findChild<MessagePage *>();
        QVERIFY(message && message->isVisible());
        QVERIFY(!message->message().title.isEmpty());
        if (!error.isOk()) {
            QVERIFY(!message->message().cause.isEmpty());
            QVERIFY(!message->message().advice.isEmpty());
        }
        if (!error.missingRule.isEmpty())
            QVERIFY((message->message().cause + message->message().advice).contains(u"session"_s));
        QApplication::processEvents();
        QVERIFY(!message->isUnfolded());
        if (!message->message().detail.isEmpty()) {
            QTest::mouseClick(message->findChild<QPushButton *>(u"fold"_s), Qt::LeftButton);
            QVERIFY(message->isUnfolded());
            QApplication::processEvents();
        }
        takePicture(fixture.window,
                    u"trouble-%1-%2"_s.arg(QLatin1StringView(QTest::currentDataTag()),
                                           theme == ThemeChoice::Light ? u"light"_s : u"dark"_s));
        const QStringList flaws = flawsOf(fixture.window);
        QVERIFY2(flaws.isEmpty(), qPrintable(flaws.join(u'\n')));
    }
}

void tst_window::firstRunIsWhole_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("first-run-light") << ThemeChoice::Light;
    QTest::newRow("first-run-dark") << ThemeChoice::Dark;
}

void tst_window::firstRunIsWhole()
{
    QFETCH(const ThemeChoice, theme);
    WindowFixture fixture(theme, {900, 600});
    fixture.window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
    QVERIFY(!fixture.window.feed());
    takePicture(fixture.window, QLatin1StringView(QTest::currentDataTag()));
    const QStringList flaws = flawsOf(fixture.window);
    QVERIFY2(flaws.isEmpty(), qPrintable(flaws.join(u'\n')));
}

void tst_window::everyDialogIsWhole_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("light") << ThemeChoice::Light;
    QTest::newRow("dark") << ThemeChoice::Dark;
}

void tst_window::everyDialogIsWhole()
{
    QFETCH(const ThemeChoice, theme);
    WindowFixture fixture(theme);
    fixture.feed(Scene::small());
    fixture.profiles.save(ConnectionProfile::make(u"prod-eu"_s, u"http://consul.prod-eu:8500"_s));
    fixture.profiles.save(ConnectionProfile::make(u"local"_s, {}));
    HelpDialog help(fixture.window.actions());
    ConnectionDialog connections(fixture.profiles);
    ConfirmDialog confirm(question({}));
    const QList<std::pair<QString, QDialog *>> dialogs{
        {u"help"_s, &help}, {u"connections"_s, &connections}, {u"confirm"_s, &confirm}};
    for (const auto &[name, dialog] : dialogs) {
        dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        takePicture(*dialog, u"dialog-%1-%2"_s.arg(name, QLatin1StringView(QTest::currentDataTag())));
        const QStringList flaws = flawsOf(*dialog);
        QVERIFY2(flaws.isEmpty(), qPrintable(name + u'\n' + flaws.join(u'\n')));
    }
}

void tst_window::manyKeysNeedTheNameTyped()
{
    ConfirmDialog dialog(question(u"worker-1"_s));
    dialog.show();
    QPushButton *deed = nullptr;
    for (QPushButton *button : dialog.findChildren<QPushButton *>()) {
        if (button->text() == u"Destroy session"_s)
            deed = button;
        else
            QVERIFY(button->isDefault()); // What does nothing.
    }
    QVERIFY(deed && !deed->isEnabled());
    auto *edit = dialog.findChild<QLineEdit *>();
    QVERIFY(edit);
    QTest::keyClicks(edit, u"worker-"_s);
    QVERIFY(!deed->isEnabled());
    QTest::keyClicks(edit, u"1"_s);
    QVERIFY(deed->isEnabled());
}

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
