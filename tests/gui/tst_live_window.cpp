// SPDX-License-Identifier: MIT
#include "consulagent.h"
#include "looks.h"
#include "windowfixture.h"

#include "models/tablefilter.h"
#include "views/confirmdialog.h"
#include "views/page.h"

#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtGui/QAction>
#include <QtGui/QImage>
#include <QtTest/QtTest>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;
using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Testing;

namespace {
/// How long a real agent and a busy machine may take.
constexpr int Patience = 60'000;
} // namespace

/// The window on a real Consul.
class tst_live_window : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyPageIsGrabbed_data();
    void everyPageIsGrabbed();
    void fileThatCannotBeWritten();
    void nothingIsDoneWithoutYes();
    void f53_liveAgainByItself();

private:
    int grab(const QStringList &words);

    ConsulAgent m_agent;
    QTemporaryDir m_home;
};

void tst_live_window::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
    // A session that never expires holds an election.
    const HttpAnswer made = m_agent.request("PUT", "/v1/session/create", R"({"Name":"cron"})");
    const QString id = QString::fromUtf8(made.body).section(u'"', 3, 3);
    QCOMPARE(id.size(), 36);
    QVERIFY(m_agent.request("PUT", "/v1/kv/service/cron/leader?acquire=" + id.toLatin1(), "x").isOk());
}

int tst_live_window::grab(const QStringList &words)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_home.path());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BATON_MONITOR),
                  QStringList{u"--address"_s, m_agent.address(), u"--grab"_s} + words);
    return process.waitForFinished(Patience) && process.exitStatus() == QProcess::NormalExit
        ? process.exitCode()
        : -1;
}

void tst_live_window::everyPageIsGrabbed_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("theme");
    for (const QString &page : {u"overview"_s, u"sessions"_s, u"journal"_s}) {
        for (const QString &theme : {u"light"_s, u"dark"_s})
            QTest::addRow("%s, %s", qPrintable(page), qPrintable(theme)) << page << theme;
    }
}

void tst_live_window::everyPageIsGrabbed()
{
    QFETCH(const QString, page);
    QFETCH(const QString, theme);
    const QString file = m_home.filePath(page + theme + u".png"_s);
    QCOMPARE(grab({file, u"--page"_s, page, u"--theme"_s, theme, u"--size"_s, u"1000x700"_s}), 0);
    const QImage image(file);
    QCOMPARE(image.size(), QSize(1000, 700));
    const Shade shade = theme == u"dark"_s ? Shade::Dark : Shade::Light;
    QCOMPARE(image.pixelColor(600, 400), themeColor(Role::Canvas, shade));
    QCOMPARE(image.pixelColor(10, 600), themeColor(Role::Panel, shade)); // The rail.
}

void tst_live_window::fileThatCannotBeWritten()
{
    QCOMPARE(grab({m_home.filePath(u"no/such/folder.png"_s)}), 73);
}

void tst_live_window::nothingIsDoneWithoutYes()
{
    WindowFixture fixture;
    Window &window = fixture.window;
    window.open(ConnectionProfile::make(u"live"_s, m_agent.address()));
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(window.page(), Patience);
    const QString key = u"service/cron/leader"_s;
    const auto isHeld = [&window, &key] {
        const ElectionPtr election = window.feed()->snapshot().election(key);
        return election && election->isHeld();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), Patience);
    window.feed()->selection().choose(key);
    QTRY_COMPARE_WITH_TIMEOUT(window.feed()->connection().state, ConnectionState::Live, Patience);
    QVERIFY(!window.actions().releaseLock->isEnabled());
    window.actions().readOnly->trigger();
    QVERIFY(window.actions().releaseLock->isEnabled());

    const auto answerWith = [&window](const QString &text) {
        QTimer::singleShot(0, &window, [&window, text] {
            auto *dialog = window.findChild<ConfirmDialog *>();
            QVERIFY(dialog);
            for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
                if (button->text() == text)
                    button->click();
            }
        });
        window.actions().releaseLock->trigger();
    };
    answerWith(u"Cancel"_s);
    const auto stored = m_agent.key(key);
    QVERIFY(stored && !stored->session.isEmpty());
    answerWith(u"Release lock"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), Patience);
    QVERIFY(m_agent.key(key)->session.isEmpty());
}

void tst_live_window::f53_liveAgainByItself()
{
    WindowFixture fixture;
    Window &window = fixture.window;
    window.open(ConnectionProfile::make(u"live"_s, m_agent.address()));
    window.show();
    const auto state = [&window] { return window.feed()->connection().state; };
    QTRY_COMPARE_WITH_TIMEOUT(state(), ConnectionState::Live, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(window.page(), Patience);
    QCOMPARE(window.page()->filter().rowCount(), 1);

    QVERIFY(m_agent.freeze());
    QTRY_VERIFY_WITH_TIMEOUT(window.feed()->isStale(), Patience);
    QVERIFY(window.feed()->clock().isFrozen());
    QVERIFY(window.page()); // The last data stay.
    takePicture(window, u"live-frozen"_s);
    m_agent.thaw();
    QTRY_VERIFY_WITH_TIMEOUT(!window.feed()->isStale(), Patience);
    QVERIFY(!window.feed()->clock().isFrozen());

    m_agent.kill();
    QTRY_VERIFY_WITH_TIMEOUT(window.feed()->isStale(), Patience);
    QVERIFY2(m_agent.restart(), qPrintable(m_agent.errorString()));
    QTRY_VERIFY_WITH_TIMEOUT(!window.feed()->isStale(), Patience);
    // A dev agent has forgotten everything, and the window says so instead of showing what was.
    QTRY_VERIFY_WITH_TIMEOUT(window.feed()->snapshot().sessions.isEmpty(), Patience);
}

QTEST_MAIN(tst_live_window)
#include "tst_live_window.moc"
