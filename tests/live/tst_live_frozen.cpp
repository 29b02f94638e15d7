// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"
#include "process.h"

#include <Baton/FencedKv>

#include <QCoreApplication>
#include <QProcess>
#include <QTest>
#include <QTimer>

#include <cstdio>
#include <thread>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto addressVariable = "BATON_LIVE_CHILD_ADDRESS";
constexpr std::chrono::milliseconds workEvery = 1ms;
const QString workKey = u"work/done-by"_s;

void say(const char *word, long long figure)
{
    std::printf("%s %lld\n", word, figure);
    std::fflush(stdout);
}

// What a careful application does: it asks right before each act. `t` is read before the question, so an act
// with a `t` from after the process stood still was started on an answer given after that.
void work(const Lease &lease)
{
    BootTime lastActAt{};
    for (BootTime t = bootTime(); lease.isHeld(); t = bootTime()) {
        lastActAt = t;
        std::this_thread::sleep_for(workEvery);
    }
    say("last-act", lastActAt.count());
}

// The process that is stopped: it leads, works on a thread of its own and writes under the fence all the
// time.
int runChild()
{
    LeaseOptions options = LeaseOptions::fromEnvironment();
    options.address = qEnvironmentVariable(addressVariable);
    options.serviceName = u"frozen-process"_s;
    options.ttl = 2s;
    options.lockDelay = 2s;
    options.margin = 400ms;
    options.allowShortTtl = true;
    LeaseProvider provider(options);
    Lease lease;
    QTimer writing;
    int toSay = 2; // The refused write and the end of the campaign.
    const auto quitWhenSaid = [&toSay] {
        if (--toSay == 0)
            QCoreApplication::quit();
    };
    QObject::connect(&writing, &QTimer::timeout, qApp, [&] {
        FencedKv(lease).write(workKey, "the first leader").then(qApp, [&](const WriteResult &result) {
            if (result.outcome != WriteOutcome::Refused || !writing.isActive())
                return;
            writing.stop();
            say(tag(result.outcome).data(), bootTime().count());
            quitWhenSaid();
        });
    });
    std::thread worker;
    QObject::connect(&provider, &LeaseProvider::leadershipAcquired, qApp, [&](quint64 token) {
        lease = provider.lease();
        worker = std::thread(work, lease);
        writing.start(workEvery);
        say("acquired", qint64(token));
    });
    QObject::connect(&provider, &LeaseProvider::leadershipLost, &provider, [&](LostReason reason) {
        say(tag(reason).data(), bootTime().count());
        provider.stop();
    });
    QObject::connect(&provider, &LeaseProvider::stopped, qApp, [&] {
        worker.join();
        quitWhenSaid();
    });
    provider.start();
    return QCoreApplication::exec();
}

} // namespace

// A leader whose whole process stands still past its deadline, while another takes over.
class TestLiveFrozen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f43_f48_processStoppedPastItsDeadline();
};

void TestLiveFrozen::f43_f48_processStoppedPastItsDeadline()
{
    ConsulAgent agent;
    agent.setConfig(shortSessions());
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));

    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1StringView(addressVariable), agent.address());
    child.setProcessEnvironment(environment);
    child.setChildProcessModifier(endWithParent());
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QMap<QByteArray, QList<qint64>> said;
    connect(&child, &QProcess::readyRead, &child, [&] {
        while (child.canReadLine()) {
            const QList<QByteArray> words = child.readLine().trimmed().split(' ');
            said[words.first()].append(words.last().toLongLong());
        }
    });
    child.start(QCoreApplication::applicationFilePath(), QStringList());
    WAIT_FOR(said.contains("acquired"));
    WAIT_FOR(agent.key(workKey));

    Candidate rival(quickOptions(agent, u"frozen-process"_s));
    rival.start();
    WAIT_FOR(rival.isWaiting());
    QVERIFY(freezeProcess(child.processId()));
    const BootTime stopped = bootTime();
    WAIT_FOR(rival.leads());
    qInfo("a rival leads %.0f ms after the leader was stopped", inMs(rival.term().acquiredAt - stopped));
    QVERIFY(rival.term().token > quint64(said["acquired"].first()));
    const auto written = FencedKv(rival.term().lease).write(workKey, "the second leader");
    WAIT_FOR(written.isFinished());
    QCOMPARE(written.result().outcome, WriteOutcome::Written);

    const BootTime continued = bootTime();
    thawProcess(child.processId());
    WAIT_FOR(child.state() == QProcess::NotRunning);
    QCOMPARE(child.exitStatus(), QProcess::NormalExit);
    QCOMPARE(said["last-act"].size(), 1);
    const BootTime lastAct{said["last-act"].first()};
    qInfo("last act started %.1f ms before the process was found stopped; after it went on: lost signalled "
          "in %.1f ms,"
          " write refused in %.1f ms",
          inMs(stopped - lastAct),
          inMs(BootTime(said.value("local_deadline_exceeded", {0}).first()) - continued),
          inMs(BootTime(said.value("refused", {0}).first()) - continued));
    QVERIFY2(lastAct <= stopped, "work was started after the process went on");
    QCOMPARE(said["acquired"].size(), 1);
    QCOMPARE(said["local_deadline_exceeded"].size(), 1);
    QCOMPARE(said["refused"].size(), 1);
    QCOMPARE(agent.key(workKey).value_or(StoredKey()).value, "the second leader");
    QVERIFY(rival.leads());
    QCOMPARE(rival.broken(), QString());
}

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet(addressVariable))
        return runChild();
    TestLiveFrozen test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_live_frozen.moc"
