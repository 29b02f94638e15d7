// SPDX-License-Identifier: MIT
#include "testing/scriptedagent.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtTest/QTest>

using Baton::Testing::ScriptedAgent;
using Kind = ScriptedAgent::Kind;

/*!
 * F67: a provider on the stack, on the heap, leaked, child of the application, static x leading, waiting, in
 * the middle of a request x main returns, exit(3), destroyed in its own slot. Each ends within its bound and
 * in order: a lease is told lost, the lock released, the session destroyed.
 */
class TestLifetimes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void f67_everyPlaceMomentAndEnd_data();
    void f67_everyPlaceMomentAndEnd();
    void f14_deadAgentDoesNotKeepTheProcess();

private:
    struct Ended
    {
        bool inTime = false;
        int code = -1;
        QProcess::ExitStatus status = QProcess::CrashExit;
        QByteArray output;
        qint64 ms = 0; ///< From "reached" to the end.
    };
    static Ended run(const ScriptedAgent &agent, const QStringList &words);
};

namespace {
const QString Stranger = QStringLiteral("5eae4e5e-0000-4000-8000-000000000001");
/// The library promises one second; a busy machine, or one with sanitizers, gets more.
constexpr int BoundMs = 15'000;
} // namespace

TestLifetimes::Ended TestLifetimes::run(const ScriptedAgent &agent, const QStringList &words)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(LIFETIMES_PROBE), QStringList{agent.url().toString()} + words);
    Ended ended;
    QElapsedTimer sinceReached;
    while (!ended.output.contains("reached\n") && process.waitForReadyRead(BoundMs))
        ended.output += process.readAll();
    sinceReached.start();
    ended.inTime = process.state() == QProcess::NotRunning || process.waitForFinished(BoundMs);
    ended.ms = sinceReached.elapsed();
    ended.output += process.readAll();
    ended.code = process.exitCode();
    ended.status = process.exitStatus();
    if (!ended.inTime)
        process.kill();
    process.waitForFinished();
    return ended;
}

void TestLifetimes::f67_everyPlaceMomentAndEnd_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("moment");
    QTest::addColumn<QString>("end");
    for (const char *place : {"stack", "heap", "leaked", "child", "static"}) {
        for (const char *moment : {"leading", "waiting", "opening"}) {
            for (const char *end : {"return", "exit", "own slot"}) {
                const bool canDeleteItself = qstrcmp(place, "heap") == 0 || qstrcmp(place, "leaked") == 0
                    || qstrcmp(place, "child") == 0;
                if (qstrcmp(end, "own slot") == 0 && !canDeleteItself)
                    continue;
                QTest::addRow("%s, %s, %s", place, moment, end)
                    << QString::fromLatin1(place) << QString::fromLatin1(moment) << QString::fromLatin1(end);
            }
        }
    }
}

void TestLifetimes::f67_everyPlaceMomentAndEnd()
{
    QFETCH(QString, place);
    QFETCH(QString, moment);
    QFETCH(QString, end);
    ScriptedAgent agent(QStringLiteral("service/test/leader"), ScriptedAgent::Place::OwnThread);
    if (moment == QLatin1StringView("waiting"))
        agent.setHolder(Stranger, "somebody else");
    if (moment == QLatin1StringView("opening"))
        agent.blackhole(Kind::Create);

    const Ended ended = run(agent, {place, moment, end});

    QVERIFY2(ended.output.contains("reached\n"), ended.output);
    QVERIFY2(ended.inTime, ended.output);
    QCOMPARE(ended.status, QProcess::NormalExit);
    QVERIFY2(ended.code == (end == QLatin1StringView("exit") ? 3 : 0),
             QByteArray::number(ended.code) + ": " + ended.output);
    QVERIFY2(!ended.output.contains("QThread") && !ended.output.contains("QObject"), ended.output);
    QCOMPARE(agent.sessions(), QStringList{});
    if (moment != QLatin1StringView("leading"))
        return;
    QVERIFY2(ended.output.contains("lost released"), ended.output);
    QVERIFY(agent.key()->session.isEmpty());
    QCOMPARE(agent.count(Kind::Release), 1);
    const auto seen = agent.seen();
    const auto at = [&](Kind kind) {
        return std::find_if(seen.begin(), seen.end(), [&](const auto &s) { return s.kind == kind; })
            - seen.begin();
    };
    QVERIFY2(at(Kind::Release) < at(Kind::Destroy), "released, then destroyed");
}

void TestLifetimes::f14_deadAgentDoesNotKeepTheProcess()
{
    ScriptedAgent agent(QStringLiteral("service/test/leader"), ScriptedAgent::Place::OwnThread);
    agent.blackhole(Kind::Release);
    agent.blackhole(Kind::Destroy);

    const Ended ended =
        run(agent, {QStringLiteral("stack"), QStringLiteral("leading"), QStringLiteral("return")});

    QVERIFY2(ended.inTime && ended.output.contains("lost released"), ended.output);
    QCOMPARE(ended.code, 0);
    qInfo("ended %lld ms after quit() with an agent that answers no more (bound: 1000 ms)", ended.ms);
}

QTEST_GUILESS_MAIN(TestLifetimes)
#include "tst_lifetimes.moc"
