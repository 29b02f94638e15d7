// SPDX-License-Identifier: MIT
#include "commandline.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpServer>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace Baton::Monitor;

namespace {

struct Ended
{
    int code = -1;
    QString out;
    QString err;
};

Ended run(const QStringList &words, const QString &home)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, home);
    environment.insert(u"XDG_RUNTIME_DIR"_s, home);
    environment.remove(u"QT_QPA_PLATFORM"_s); // A picture needs no display, and nobody to say so.
    environment.remove(u"DISPLAY"_s);
    environment.remove(u"WAYLAND_DISPLAY"_s);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BATON_MONITOR), words);
    Ended ended;
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return ended;
    ended.code = process.exitCode();
    ended.out = QString::fromUtf8(process.readAllStandardOutput());
    ended.err = QString::fromUtf8(process.readAllStandardError());
    return ended;
}

} // namespace

/// The program as a process: what it says, and its exit codes.
class tst_monitor : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void helpNamesEveryOption();
    void version();
    void wrongOptionsAreNamed_data();
    void wrongOptionsAreNamed();
    void nothingAnswers();
    void somethingElseAnswersNothing();

private:
    QTemporaryDir m_home;
};

void tst_monitor::helpNamesEveryOption()
{
    const Ended ended = run({u"--help"_s}, m_home.path());
    QCOMPARE(ended.code, 0);
    QVERIFY(ended.out.startsWith(u"Usage: baton-monitor"_s));
    for (const QString &option :
         {u"--address"_s, u"--datacenter"_s, u"--token-file"_s, u"--prefix"_s, u"--page"_s, u"--theme"_s,
          u"--size"_s, u"--grab"_s, u"--wait"_s, u"--watch"_s, u"--version"_s})
        QVERIFY2(ended.out.contains(option), qPrintable(option));
    for (const QString &line : ended.out.split(u'\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

void tst_monitor::version()
{
    const Ended ended = run({u"--version"_s}, m_home.path());
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out, u"baton-monitor %1\n"_s.arg(QLatin1StringView(BATON_VERSION)));
}

void tst_monitor::wrongOptionsAreNamed_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const QStringList &words, const QString &named) {
        QTest::newRow(name) << words << named;
    };
    row("unknown option", {u"--nope"_s}, u"nope"_s);
    row("stray word", {u"nope"_s}, u"nope"_s);
    row("unknown page", {u"--page"_s, u"cellar"_s}, u"--page"_s);
    row("failovers do not exist yet", {u"--grab"_s, u"x.png"_s, u"--page"_s, u"failovers"_s},
        u"does not exist yet"_s);
    row("fencing does not exist yet", {u"--grab"_s, u"x.png"_s, u"--page"_s, u"fencing"_s},
        u"does not exist yet"_s);
    row("whatif does not exist yet", {u"--grab"_s, u"x.png"_s, u"--page"_s, u"whatif"_s},
        u"does not exist yet"_s);
    row("lab does not exist yet", {u"--grab"_s, u"x.png"_s, u"--page"_s, u"lab"_s}, u"does not exist yet"_s);
    row("unknown theme", {u"--theme"_s, u"pink"_s}, u"--theme"_s);
    row("size without a height", {u"--size"_s, u"1280"_s}, u"--size"_s);
    row("size of nothing", {u"--size"_s, u"0x0"_s}, u"--size"_s);
    row("size of a stamp", {u"--size"_s, u"400x300"_s}, u"--size"_s);
    row("size of a wall", {u"--size"_s, u"99999x800"_s}, u"--size"_s);
    row("no file", {u"--grab"_s, u""_s}, u"--grab"_s);
    row("no seconds", {u"--wait"_s, u"soon"_s}, u"--wait"_s);
    row("no time", {u"--wait"_s, u"0"_s}, u"--wait"_s);
    row("negative time", {u"--watch=-1"_s}, u"--watch"_s);
    row("no address", {u"--address="_s}, u"--address"_s);
    row("prefix without an address", {u"--prefix"_s, u"a/"_s}, u"--prefix"_s);
    row("address of another kind", {u"--grab"_s, u"x.png"_s, u"--address"_s, u"ftp://host"_s},
        u"--address"_s);
}

void tst_monitor::wrongOptionsAreNamed()
{
    QFETCH(const QStringList, words);
    QFETCH(const QString, named);
    const Ended ended = run(words, m_home.path());
    QCOMPARE(ended.code, ExitUsage);
    QVERIFY(ended.out.isEmpty());
    const QStringList lines = ended.err.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines.first().contains(named), qPrintable(lines.first()));
    QVERIFY(lines.first().startsWith(u"baton-monitor: "_s));
}

void tst_monitor::nothingAnswers()
{
    QTcpServer server; // Its port is free again once it is closed.
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const quint16 port = server.serverPort();
    server.close();
    const QString file = m_home.filePath(u"none.png"_s);
    const Ended ended = run(
        {u"--grab"_s, file, u"--wait"_s, u"1"_s, u"--address"_s, u"127.0.0.1:%1"_s.arg(port)}, m_home.path());
    QCOMPARE(ended.code, ExitUnavailable);
    QVERIFY2(ended.err.contains(u"--grab"_s), qPrintable(ended.err));
    QVERIFY(!QFile::exists(file));
}

void tst_monitor::somethingElseAnswersNothing()
{
    QTcpServer silent; // Takes the connection, and that is all.
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    const Ended ended = run({u"--grab"_s, m_home.filePath(u"none.png"_s), u"--wait"_s, u"2"_s, u"--address"_s,
                             u"127.0.0.1:%1"_s.arg(silent.serverPort())},
                            m_home.path());
    QCOMPARE(ended.code, ExitUnavailable);
}

QTEST_GUILESS_MAIN(tst_monitor)
#include "tst_monitor.moc"
