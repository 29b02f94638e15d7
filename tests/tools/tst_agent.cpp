// SPDX-License-Identifier: MIT
#include <httprequest.h>
#include <process.h>

#include <agentcommand.h>

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace Baton::Testing;
using namespace Baton::Tools;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// `baton agent`: its words, its one line, and how it ends.
class TestAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void options();
    void badOptions_data();
    void badOptions();
    void help();
    void manPageKnowsEveryOption();
    void listensAndSaysWhere();
    void takesThePortItIsGiven();
    void addressThatCannotBeHad();
    void standardOutputClosed();
    void endsBySignal_data();
    void endsBySignal();

private:
    // Started, and its line read; what the line says it is, and its address.
    struct Line
    {
        QString what;
        QString host;
        quint16 port = 0;
    };
    [[nodiscard]] static std::optional<Line> start(QProcess &process, const QStringList &options);
};

namespace {
constexpr int Bound = 30'000; // Milliseconds, for what takes none.
}

std::optional<TestAgent::Line> TestAgent::start(QProcess &process, const QStringList &options)
{
    process.setChildProcessModifier(endWithParent());
    process.start(QStringLiteral(BATON_PROGRAM), QStringList{u"agent"_s} + options);
    if (!QTest::qWaitFor([&] { return process.canReadLine(); }, Bound))
        return std::nullopt;
    static const QRegularExpression pattern(u"^(simulated Consul, .*): http://([0-9.]+):([0-9]+)\n$"_s);
    const auto match = pattern.match(QString::fromUtf8(process.readLine()));
    if (!match.hasMatch())
        return std::nullopt;
    return Line{match.captured(1), match.captured(2), match.captured(3).toUShort()};
}

void TestAgent::options()
{
    const AgentCommand preset = parseAgent({});
    QCOMPARE(preset.error, QString());
    QCOMPARE(preset.bind, u"127.0.0.1"_s);
    QCOMPARE(preset.port, 0);
    QCOMPARE(preset.node, u"embedded"_s);
    QCOMPARE(preset.datacenter, u"dc1"_s);
    QCOMPARE(preset.sessionTtlMin, 10s);

    const AgentCommand command =
        parseAgent({u"--port"_s, u"8500"_s, u"--bind"_s, u"::1"_s, u"--node"_s, u"n1"_s, u"--datacenter"_s,
                    u"lab"_s, u"--session-ttl-min"_s, u"500ms"_s});
    QCOMPARE(command.error, QString());
    QCOMPARE(command.port, 8500);
    QCOMPARE(command.bind, u"::1"_s);
    QCOMPARE(command.node, u"n1"_s);
    QCOMPARE(command.datacenter, u"lab"_s);
    QCOMPARE(command.sessionTtlMin, 500ms);
}

void TestAgent::badOptions_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("error");
    QTest::newRow("unknown") << QStringList{u"--bogus"_s} << u"--bogus: there is no such option"_s;
    QTest::newRow("a word") << QStringList{u"start"_s} << u"unexpected word 'start'"_s;
    QTest::newRow("no port") << QStringList{u"--port"_s, u"http"_s}
                             << u"--port: 'http' is not a whole number from 0 to 65535"_s;
    QTest::newRow("port too large") << QStringList{u"--port"_s, u"65536"_s}
                                    << u"--port: '65536' is not a whole number from 0 to 65535"_s;
    QTest::newRow("negative port") << QStringList{u"--port=-1"_s}
                                   << u"--port: '-1' is not a whole number from 0 to 65535"_s;
    QTest::newRow("a name to bind to")
        << QStringList{u"--bind"_s, u"localhost"_s} << u"--bind: 'localhost' is not an IP address"_s;
    QTest::newRow("empty node") << QStringList{u"--node"_s, QString()} << u"--node: the value is empty"_s;
    QTest::newRow("no unit") << QStringList{u"--session-ttl-min"_s, u"10"_s}
                             << u"--session-ttl-min: '10' is not a duration such as 500ms, 10s or 1m30s"_s;
    QTest::newRow("no TTL") << QStringList{u"--session-ttl-min"_s, u"0s"_s}
                            << u"--session-ttl-min: 0s is not from 1ms to 24h"_s;
    QTest::newRow("TTL too long") << QStringList{u"--session-ttl-min"_s, u"25h"_s}
                                  << u"--session-ttl-min: 25h is not from 1ms to 24h"_s;
    QTest::newRow("line feed") << QStringList{u"--bind"_s, u"1\n2"_s}
                               << u"--bind: '1?2' is not an IP address"_s;
}

void TestAgent::badOptions()
{
    QFETCH(QStringList, words);
    QFETCH(QString, error);
    QCOMPARE(parseAgent(words).error, error);

    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM), QStringList{u"agent"_s} + words);
    QVERIFY(baton.waitForFinished(Bound));
    QCOMPARE(baton.exitCode(), 64);
    QCOMPARE(baton.readAllStandardError(), "baton agent: " + error.toUtf8() + '\n');
    QVERIFY(baton.readAllStandardOutput().isEmpty());
}

void TestAgent::help()
{
    for (const QString &word : {u"--help"_s, u"-h"_s}) {
        const QString answer = parseAgent({word}).answer;
        QVERIFY(answer.startsWith("Usage: baton agent"_L1));
        QVERIFY(answer.contains("simulated Consul"_L1));
    }
    QCOMPARE(parseAgent({u"--version"_s}).answer, u"baton " BATON_VERSION "\n"_s);
}

void TestAgent::manPageKnowsEveryOption()
{
    QFile file(QStringLiteral(BATON_MAN_PAGE));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll().replace("\\-", "-"));
    QVERIFY(page.contains("baton agent"_L1));
    static const QRegularExpression option(u"^ +(?:-h, )?(--[a-z-]+)"_s, QRegularExpression::MultilineOption);
    int options = 0;
    const QString answer = parseAgent({u"--help"_s}).answer;
    for (const auto &match : option.globalMatch(answer)) {
        QVERIFY2(page.contains(match.captured(1)), qPrintable(match.captured(1)));
        ++options;
    }
    QCOMPARE(options, 7);
}

void TestAgent::listensAndSaysWhere()
{
    QProcess baton;
    const auto line =
        start(baton, {u"--node"_s, u"n7"_s, u"--datacenter"_s, u"lab"_s, u"--session-ttl-min"_s, u"1s"_s});
    QVERIFY(line.has_value());
    QCOMPARE(line->what, u"simulated Consul, node n7, datacenter lab"_s);
    QCOMPARE(line->host, u"127.0.0.1"_s);
    const HttpAnswer self = httpRequest(line->host, line->port, "GET", "/v1/agent/self", {}, 10s);
    QCOMPARE(QJsonDocument::fromJson(self.body)["Config"_L1]["NodeName"_L1].toString(), u"n7"_s);
    const auto create = [&](const QByteArray &ttl) {
        return httpRequest(line->host, line->port, "PUT", "/v1/session/create", R"({"TTL":")" + ttl + R"("})",
                           10s);
    };
    QCOMPARE(create("1s").status, 200);
    QCOMPARE(create("999ms").body, "Invalid Session TTL '999000000', must be between [1s=24h0m0s]");
    baton.terminate();
    QVERIFY(baton.waitForFinished(Bound));
    QCOMPARE(baton.exitCode(), 0);
    QVERIFY(baton.readAll().isEmpty());
    QVERIFY(baton.readAllStandardError().isEmpty());
}

void TestAgent::takesThePortItIsGiven()
{
    // On an address of our own, so that nobody takes the port in between.
    const QString host = u"127.77.%1.%2"_s.arg(::getpid() / 250 % 250).arg(::getpid() % 250 + 1);
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress(host)));
    const quint16 port = free.serverPort();
    free.close();
    QProcess baton;
    const auto line = start(baton, {u"--bind"_s, host, u"--port"_s, QString::number(port)});
    QVERIFY2(line.has_value(), baton.readAllStandardError());
    QCOMPARE(line->host, host);
    QCOMPARE(line->port, port);
    baton.kill();
    QVERIFY(baton.waitForFinished(Bound));
}

void TestAgent::addressThatCannotBeHad()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    QProcess baton;
    baton.start(QStringLiteral(BATON_PROGRAM),
                {u"agent"_s, u"--port"_s, QString::number(taken.serverPort())});
    QVERIFY(baton.waitForFinished(Bound));
    QCOMPARE(baton.exitCode(), 69);
    const QByteArray errors = baton.readAllStandardError();
    QVERIFY2(errors.startsWith("baton agent: cannot listen on 127.0.0.1 port "), errors);
    QCOMPARE(errors.count('\n'), 1);
}

void TestAgent::standardOutputClosed()
{
    QProcess baton;
    baton.setChildProcessModifier([] { ::close(STDOUT_FILENO); });
    baton.start(QStringLiteral(BATON_PROGRAM), {u"agent"_s});
    QVERIFY(baton.waitForFinished(Bound));
    QCOMPARE(baton.exitCode(), 74);
    QCOMPARE(baton.readAllStandardError(), "baton agent: standard output cannot be written\n");
}

void TestAgent::endsBySignal_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestAgent::endsBySignal()
{
    QFETCH(int, signal);
    QProcess baton;
    const auto line = start(baton, {});
    QVERIFY(line.has_value());
    // Also while somebody waits for an answer.
    QTcpSocket poll;
    poll.connectToHost(line->host, line->port);
    poll.write("GET /v1/kv/k?index=1000000&wait=60s HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(poll.bytesToWrite(), 0, Bound);
    QCOMPARE(httpRequest(line->host, line->port, "GET", "/v1/status/leader", {}, 10s).status, 200);
    ::kill(pid_t(baton.processId()), signal);
    QVERIFY(baton.waitForFinished(Bound));
    QCOMPARE(baton.exitStatus(), QProcess::NormalExit);
    QCOMPARE(baton.exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestAgent)
#include "tst_agent.moc"
