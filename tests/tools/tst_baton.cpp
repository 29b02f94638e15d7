// SPDX-License-Identifier: MIT
#include "campaignprocess.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace Baton::Testing;
using namespace Qt::StringLiterals;

// The program where no Consul is needed: its words, its exit codes, and a Consul that cannot be reached.
class TestBaton : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data();
    void words();
    void badOptions_data();
    void badOptions();
    void helpOfCampaign();
    void manPageKnowsEveryOption_data();
    void manPageKnowsEveryOption();
    void lsWithoutConsul();
    void wrongOptionsOfObservers_data();
    void wrongOptionsOfObservers();
    void tokenFileMissing();
    void unreachable();
    void standardOutputClosedFromTheStart();
    void standardInput_data();
    void standardInput();
    void backgroundJobEndsBySigint();
    void hangUp_data();
    void hangUp();

private:
    static QString unusedAddress();
};

// Where nobody listens: a port that was free a moment ago.
QString TestBaton::unusedAddress()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return u"127.0.0.1:%1"_s.arg(server.serverPort());
}

void TestBaton::words_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("errorOutput");
    QTest::newRow("none") << QStringList() << 64 << QByteArray() << QByteArray("baton: no command given");
    QTest::newRow("unknown") << QStringList{u"rnu"_s} << 64 << QByteArray()
                             << QByteArray("baton: unknown command 'rnu'");
    QTest::newRow("option first") << QStringList{u"--service"_s, u"x"_s, u"campaign"_s} << 64 << QByteArray()
                                  << QByteArray("baton: unknown command '--service'");
    QTest::newRow("help") << QStringList{u"--help"_s} << 0 << QByteArray("Usage: baton COMMAND")
                          << QByteArray();
    QTest::newRow("version") << QStringList{u"--version"_s} << 0 << QByteArray("baton " BATON_VERSION "\n")
                             << QByteArray();
}

void TestBaton::words()
{
    QFETCH(QStringList, words);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, errorOutput);
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM), words);
    QVERIFY(baton.waitForFinished());
    QCOMPARE(baton.exitCode(), exitCode);
    QVERIFY(baton.readAllStandardOutput().startsWith(output));
    const QByteArray errors = baton.readAllStandardError();
    QVERIFY(errors.startsWith(errorOutput));
    QCOMPARE(errors.isEmpty(), errorOutput.isEmpty());
}

// That every wrong option is found is the business of tst_commandline.
void TestBaton::badOptions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("none") << QStringList() << QByteArray("--service:");
    QTest::newRow("ttl") << QStringList{u"--service"_s, u"x"_s, u"--ttl"_s, u"10"_s} << QByteArray("--ttl:");
    QTest::newRow("fast") << QStringList{u"--service"_s, u"x"_s, u"--profile"_s, u"fast"_s}
                          << QByteArray("--profile: fast is not available yet");
    QTest::newRow("line feed") << QStringList{u"--service"_s, u"x"_s, u"--margin"_s, u"1\n2"_s}
                               << QByteArray("--margin: '1?2'");
    QTest::newRow("unknown") << QStringList{u"--bogus"_s} << QByteArray("--bogus:");
}

void TestBaton::badOptions()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, named);
    CampaignProcess baton(options);
    baton.setVariable(u"LC_ALL"_s, u"C"_s); // Where Qt by itself would have something to say.
    QVERIFY(baton.start());
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 64);
    QVERIFY2(baton.errorOutput().startsWith("baton campaign: " + named), baton.errorOutput());
    QCOMPARE(baton.errorOutput().count('\n'), 1);
    QVERIFY(baton.lines().isEmpty());
}

void TestBaton::helpOfCampaign()
{
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM), {u"campaign"_s, u"--help"_s});
    QVERIFY(baton.waitForFinished());
    QCOMPARE(baton.exitCode(), 0);
    const QByteArray help = baton.readAllStandardOutput();
    for (const char *word : {"--service",      "--key",
                             "--address",      "--profile",
                             "--ttl",          "--lock-delay",
                             "--margin",       "--renew-interval",
                             "--token-file",   "--instance",
                             "--datacenter",   "--token-floor",
                             "--stop-timeout", "--allow-short-ttl",
                             "--quit-on-eof",  "release",
                             "resume",         "write KEY VALUE",
                             "status",         "quit"})
        QVERIFY2(help.contains(word), word);
    QVERIFY(baton.readAllStandardError().isEmpty());
}

void TestBaton::manPageKnowsEveryOption_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("least");
    QTest::newRow("campaign") << u"campaign"_s << 11;
    QTest::newRow("ls") << u"ls"_s << 8;
    QTest::newRow("watch") << u"watch"_s << 9;
}

void TestBaton::lsWithoutConsul()
{
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM),
                {u"ls"_s, u"--address"_s, unusedAddress(), u"--timeout"_s, u"500ms"_s});
    QVERIFY(baton.waitForFinished());
    QCOMPARE(baton.exitCode(), 69);
    QVERIFY(baton.readAllStandardOutput().isEmpty());
    const QByteArray errors = baton.readAllStandardError();
    QVERIFY2(errors.startsWith("baton ls: ") && errors.contains("no connection"), errors);
    QCOMPARE(errors.count('\n'), 1);
}

void TestBaton::wrongOptionsOfObservers_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("ls, unknown") << QStringList{u"ls"_s, u"--nope"_s}
                                 << QByteArray("baton ls: --nope: there is no such option\n");
    QTest::newRow("ls, timeout") << QStringList{u"ls"_s, u"--timeout"_s, u"5"_s}
                                 << QByteArray(
                                        "baton ls: --timeout: '5' is not a duration such as 500ms, 10s or "
                                        "1m30s\n");
    QTest::newRow("watch, both") << QStringList{u"watch"_s, u"--service"_s, u"x"_s, u"--prefix"_s, u"y/"_s}
                                 << QByteArray(
                                        "baton watch: --service: cannot be given together with --prefix\n");
    QTest::newRow("watch, prefix within another")
        << QStringList{u"watch"_s, u"--prefix"_s, u"a/"_s, u"--prefix"_s, u"a/b"_s}
        << QByteArray("baton watch: --prefix: \"a/b\" lies within \"a/\"\n");
    QTest::newRow("watch, address") << QStringList{u"watch"_s, u"--address"_s, u"https://x"_s}
                                    << QByteArray("baton watch: --address: ");
}

void TestBaton::wrongOptionsOfObservers()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, error);
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM), words);
    QVERIFY(baton.waitForFinished());
    QCOMPARE(baton.exitCode(), 64);
    const QByteArray errors = baton.readAllStandardError();
    QVERIFY2(errors.startsWith(error), errors);
    QCOMPARE(errors.count('\n'), 1);
}

void TestBaton::manPageKnowsEveryOption()
{
    QFETCH(QString, command);
    QFETCH(int, least);
    QFile file(QStringLiteral(BATON_MAN_PAGE));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll().replace("\\-", "-");
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM), {command, u"--help"_s});
    QVERIFY(baton.waitForFinished());
    const QString help = QString::fromUtf8(baton.readAllStandardOutput());
    static const QRegularExpression option(u"^ +(?:-h, )?(--[a-z-]+)"_s, QRegularExpression::MultilineOption);
    int options = 0;
    for (const auto &match : option.globalMatch(help)) {
        // The profile that it belongs to is not available yet.
        if (match.captured(1) == "--heartbeat"_L1)
            continue;
        QVERIFY2(page.contains(match.captured(1).toLatin1()), qPrintable(match.captured(1)));
        ++options;
    }
    QVERIFY(options >= least);
}

void TestBaton::tokenFileMissing()
{
    QTemporaryDir dir;
    CampaignProcess baton({u"--service"_s, u"x"_s, u"--token-file"_s, dir.filePath(u"none"_s)});
    QVERIFY(baton.start());
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 66);
    QVERIFY2(baton.errorOutput().startsWith("baton campaign: --token-file: "), baton.errorOutput());
    QCOMPARE(baton.errorOutput().count('\n'), 1);
    QCOMPARE(baton.events(), (QStringList{u"started"_s, u"error"_s, u"stopped"_s}));
    QCOMPARE(baton.broken(), QString());
}

void TestBaton::unreachable()
{
    // Takes every connection and closes it, so that the attempts can be counted.
    QTcpServer server;
    int attempts = 0;
    connect(&server, &QTcpServer::newConnection, &server, [&] {
        ++attempts;
        delete server.nextPendingConnection();
    });
    QVERIFY(server.listen(QHostAddress::LocalHost));
    CampaignProcess baton({u"--service"_s, u"x"_s});
    baton.setVariable(u"CONSUL_HTTP_ADDR"_s, u"127.0.0.1:%1"_s.arg(server.serverPort()));
    QVERIFY(baton.start());
    QTRY_VERIFY_WITH_TIMEOUT(attempts >= 5, 30'000);
    WAIT_FOR_EVENTS(baton, "error", 1);
    QCOMPARE(baton.events(), (QStringList{u"started"_s, u"error"_s}));

    // Now it is another kind.
    server.close();
    WAIT_FOR_EVENTS(baton, "error", 2);
    QCOMPARE(baton.last("error"_L1)["code"_L1].toString(), u"unreachable"_s);
    QCOMPARE(baton.last("error"_L1)["step"_L1].toString(), u"create_session"_s);
    baton.command("status");
    WAIT_FOR_EVENTS(baton, "status", 1);
    QCOMPARE(baton.last("status"_L1)["state"_L1].toString(), u"opening"_s);
    QCOMPARE(baton.last("status"_L1)["leading"_L1].toBool(true), false);

    baton.signal(SIGTERM);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.count("error"_L1), 2);
    QCOMPARE(baton.count("stopped"_L1), 1);
    QCOMPARE(baton.broken(), QString());
}

void TestBaton::standardOutputClosedFromTheStart()
{
    CampaignProcess baton({u"--service"_s, u"x"_s, u"--address"_s, unusedAddress()});
    baton.setInChild([] { ::close(STDOUT_FILENO); });
    QVERIFY(baton.start());
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 74);
}

void TestBaton::standardInput_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("quitOnEof");
    QTest::addColumn<QStringList>("events");
    QTest::newRow("quit in a file") << QByteArray("status\nquit\n") << false
                                    << QStringList{u"started"_s, u"status"_s, u"stopped"_s};
    QTest::newRow("quit without a line feed")
        << QByteArray("quit") << false << QStringList{u"started"_s, u"stopped"_s};
    QTest::newRow("nothing after quit counts")
        << QByteArray("quit\nresume\nstatus\n") << false << QStringList{u"started"_s, u"stopped"_s};
    QTest::newRow("empty, and its end is quit")
        << QByteArray() << true << QStringList{u"started"_s, u"stopped"_s};
    QTest::newRow("unknown, and the end is quit")
        << QByteArray("Quit\n \nwrite\nwrite \nwrite k\n") << true
        << QStringList{u"started"_s, u"error"_s, u"error"_s, u"error"_s, u"error"_s, u"stopped"_s};
}

void TestBaton::standardInput()
{
    QFETCH(QByteArray, content);
    QFETCH(bool, quitOnEof);
    QTemporaryDir dir;
    QFile file(dir.filePath(u"input"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    // An address that does not answer, so that only the commands cause events.
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    QStringList options{u"--service"_s, u"x"_s,         u"--stop-timeout"_s,
                        u"0s"_s,        u"--address"_s, u"127.0.0.1:%1"_s.arg(silent.serverPort())};
    if (quitOnEof)
        options += u"--quit-on-eof"_s;
    CampaignProcess baton(options);
    baton.setInput(file.fileName());
    QVERIFY(baton.start());
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QTEST(baton.events(), "events");
    QCOMPARE(baton.broken(), QString());
}

void TestBaton::backgroundJobEndsBySigint()
{
    CampaignProcess baton({u"--service"_s, u"x"_s, u"--address"_s, unusedAddress()});
    baton.setInChild([] { std::signal(SIGINT, SIG_IGN); });
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "error", 1);
    baton.signal(SIGINT);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.count("stopped"_L1), 1);
}

void TestBaton::hangUp_data()
{
    QTest::addColumn<bool>("nohup");
    QTest::newRow("ends it") << false;
    QTest::newRow("under nohup does not") << true;
}

void TestBaton::hangUp()
{
    QFETCH(bool, nohup);
    CampaignProcess baton({u"--service"_s, u"x"_s, u"--address"_s, unusedAddress()});
    if (nohup)
        baton.setInChild([] { std::signal(SIGHUP, SIG_IGN); });
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "error", 1);
    baton.signal(SIGHUP);
    if (nohup) {
        baton.command("status");
        WAIT_FOR_EVENTS(baton, "status", 1);
        baton.signal(SIGTERM); // The first that counts.
    }
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.count("stopped"_L1), 1);
    QCOMPARE(baton.broken(), QString());
}

QTEST_GUILESS_MAIN(TestBaton)
#include "tst_baton.moc"
