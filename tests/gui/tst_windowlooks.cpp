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

#include <QtTest/QtTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;
using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Testing;

namespace {

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

/// Every page, trouble and dialog, as a picture and measured.
class tst_windowlooks : public QObject
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
};

void tst_windowlooks::everyPageIsWhole_data()
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

void tst_windowlooks::everyPageIsWhole()
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

void tst_windowlooks::smallestWindowHoldsTogether()
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

void tst_windowlooks::everyTroubleIsWhole_data()
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

void tst_windowlooks::everyTroubleIsWhole()
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

void tst_windowlooks::firstRunIsWhole_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("first-run-light") << ThemeChoice::Light;
    QTest::newRow("first-run-dark") << ThemeChoice::Dark;
}

void tst_windowlooks::firstRunIsWhole()
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

void tst_windowlooks::everyDialogIsWhole_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("light") << ThemeChoice::Light;
    QTest::newRow("dark") << ThemeChoice::Dark;
}

void tst_windowlooks::everyDialogIsWhole()
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

void tst_windowlooks::manyKeysNeedTheNameTyped()
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

QTEST_MAIN(tst_windowlooks)
#include "tst_windowlooks.moc"
