// SPDX-License-Identifier: MIT
#include "consulagent.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QScopeGuard>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto childVariable = "BATON_LIVE_CHILD";

// A zombie that nobody has reaped yet runs no more.
bool isRunning(qint64 processId)
{
    QFile stat(u"/proc/%1/stat"_s.arg(processId));
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = stat.readAll();
    return line.mid(line.lastIndexOf(')') + 2, 1) != "Z";
}

// The other process of the test that is killed: it starts an agent, says so and waits for its end.
int runChild()
{
    ConsulAgent agent;
    if (!agent.start()) {
        std::fputs(qPrintable(agent.errorString()), stderr);
        return 1;
    }
    std::printf("%lld\n", static_cast<long long>(agent.processId()));
    std::fflush(stdout);
    return QCoreApplication::exec();
}

} // namespace

class TestConsulAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sessionsAndKeys();
    void frozenAgentAnswersNobody();
    void serverKeepsDataAndPorts_data();
    void serverKeepsDataAndPorts();
    void devAgentForgets();
    void oneServerTwoClients();
    void failureToStartShowsTheLog();
    void nothingIsLeftBehind();
    void nothingIsLeftBehindByAKilledTest();
};

void TestConsulAgent::sessionsAndKeys()
{
    ConsulAgent agent;
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    QVERIFY(!agent.key(u"a b/leader"_s));

    const auto session = agent.createSession({{u"TTL"_s, u"10s"_s}, {u"LockDelay"_s, u"0s"_s}});
    QVERIFY(session);
    QVERIFY(agent.putKey(u"a b/leader"_s, "me", "acquire=" + session->toLatin1()));
    const auto held = agent.key(u"a b/leader"_s);
    QVERIFY(held);
    QCOMPARE(held->value, "me");
    QCOMPARE(held->session, *session);
    QCOMPARE(held->lockIndex, 1u);
    QVERIFY(held->modifyIndex > 0);

    QVERIFY(agent.destroySession(*session));
    const auto released = agent.key(u"a b/leader"_s);
    QVERIFY(released);
    QVERIFY(released->session.isEmpty());
    QVERIFY(released->modifyIndex > held->modifyIndex);
    QVERIFY(!agent.putKey(u"a b/leader"_s, "me", "acquire=" + session->toLatin1()));

    QVERIFY(agent.deleteKey(u"a b/leader"_s));
    QVERIFY(!agent.key(u"a b/leader"_s));
    QCOMPARE(agent.request("GET", "/v1/kv/a%20b/leader").status, 404);
}

void TestConsulAgent::frozenAgentAnswersNobody()
{
    ConsulAgent agent;
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    QVERIFY2(agent.freeze(), qPrintable(agent.errorString()));
    QElapsedTimer clock;
    clock.start();
    const HttpAnswer silence = agent.request("GET", "/v1/status/leader", {}, 300ms);
    QCOMPARE(silence.status, 0);
    QVERIFY(!silence.error.isEmpty());
    QVERIFY2(clock.elapsed() >= 295 && clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
    agent.thaw();
    QCOMPARE(agent.request("GET", "/v1/status/leader").status, 200);
}

void TestConsulAgent::serverKeepsDataAndPorts_data()
{
    QTest::addColumn<bool>("killed");
    QTest::newRow("stopped in order") << false;
    QTest::newRow("killed") << true;
}

void TestConsulAgent::serverKeepsDataAndPorts()
{
    QFETCH(bool, killed);
    ConsulAgent server(ConsulAgent::Kind::Server);
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    const QString address = server.address();
    QVERIFY(server.putKey(u"kept"_s, "value"));
    const auto before = server.key(u"kept"_s);
    QVERIFY(before);

    if (killed)
        server.kill();
    else
        server.stop();
    QCOMPARE(server.processId(), 0);
    QCOMPARE(server.request("GET", "/v1/status/leader").status, 0);

    QVERIFY2(server.start(), qPrintable(server.errorString()));
    QCOMPARE(server.address(), address);
    const auto after = server.key(u"kept"_s);
    QVERIFY(after);
    QCOMPARE(after->value, "value");
    QCOMPARE(after->modifyIndex, before->modifyIndex);
}

void TestConsulAgent::devAgentForgets()
{
    ConsulAgent agent;
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    QVERIFY(agent.putKey(u"forgotten"_s, "value"));
    QVERIFY2(agent.restart(), qPrintable(agent.errorString()));
    QVERIFY(!agent.key(u"forgotten"_s));
}

void TestConsulAgent::oneServerTwoClients()
{
    ConsulAgent server(ConsulAgent::Kind::Server);
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    ConsulAgent first(ConsulAgent::Kind::Client);
    ConsulAgent second(ConsulAgent::Kind::Client);
    for (ConsulAgent *client : {&first, &second}) {
        client->join(server);
        QVERIFY2(client->start(), qPrintable(client->errorString()));
    }

    const auto session = first.createSession({{u"TTL"_s, u"10s"_s}});
    QVERIFY(session);
    const HttpAnswer seen = second.request("GET", "/v1/session/info/" + session->toLatin1() + "?consistent");
    const QJsonObject info = QJsonDocument::fromJson(seen.body).array().at(0).toObject();
    QCOMPARE(info.value(u"Node"_s).toString(), first.nodeName());
    QVERIFY(first.putKey(u"shared"_s, "x", "acquire=" + session->toLatin1()));
    QCOMPARE(second.key(u"shared"_s).value_or(StoredKey()).session, *session);

    // A client that is told to end leaves the cluster, and takes the sessions of its node with it.
    first.terminate();
    QTRY_VERIFY_WITH_TIMEOUT(second.key(u"shared"_s).value_or(StoredKey()).session.isEmpty(), 15000);
    first.stop();
    QVERIFY2(first.start(), qPrintable(first.errorString()));
    QVERIFY(first.key(u"shared"_s));
}

void TestConsulAgent::failureToStartShowsTheLog()
{
    ConsulAgent agent;
    agent.setConfig({{u"no_such_setting"_s, 1}});
    QVERIFY(!agent.start());
    QVERIFY2(agent.errorString().contains(u"no_such_setting"_s), qPrintable(agent.errorString()));
    QCOMPARE(agent.processId(), 0);
}

void TestConsulAgent::nothingIsLeftBehind()
{
    QTemporaryDir temporary;
    qputenv("TMPDIR", QFile::encodeName(temporary.path()));
    qint64 processId = 0;
    {
        ConsulAgent agent(ConsulAgent::Kind::Server);
        QVERIFY2(agent.start(), qPrintable(agent.errorString()));
        processId = agent.processId();
        QVERIFY(isRunning(processId));
        QVERIFY(!QDir(temporary.path()).isEmpty());
        QVERIFY(agent.freeze());
    }
    qunsetenv("TMPDIR");
    QVERIFY(!isRunning(processId));
    QVERIFY(QDir(temporary.path()).isEmpty());
}

void TestConsulAgent::nothingIsLeftBehindByAKilledTest()
{
    // The data of a process that is killed outright stays, so it goes into a folder that this test removes.
    QTemporaryDir temporary;
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1StringView(childVariable), u"1"_s);
    environment.insert(u"TMPDIR"_s, temporary.path());
    child.setProcessEnvironment(environment);
    child.start(QCoreApplication::applicationFilePath(), QStringList());
    QVERIFY(child.waitForStarted());
    QTRY_VERIFY2_WITH_TIMEOUT(child.canReadLine() || child.state() == QProcess::NotRunning,
                              child.readAllStandardError().constData(), 60000);
    const qint64 agentId = child.readLine().trimmed().toLongLong();
    QVERIFY2(agentId > 0, child.readAllStandardError().constData());
    QVERIFY(isRunning(agentId));
    const auto evenIfThisTestFails = qScopeGuard([agentId] {
        if (isRunning(agentId))
            ::kill(pid_t(agentId), SIGKILL);
    });

    child.kill();
    QVERIFY(child.waitForFinished());
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(agentId), 5000);
}

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet(childVariable))
        return runChild();
    TestConsulAgent test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_consulagent.moc"
