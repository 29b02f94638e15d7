// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"
#include "process.h"

#include <QProcess>
#include <QTest>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Row F67 on a real Consul: wherever a process of a leader says "released", the lock is free when it is gone.
class TestLiveLifetimes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void f67_lockIsFreeAfterwards_data();
    void f67_lockIsFreeAfterwards();

private:
    ConsulAgent m_agent;
};

void TestLiveLifetimes::initTestCase()
{
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestLiveLifetimes::f67_lockIsFreeAfterwards_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("end");
    for (const QString &place : {u"stack"_s, u"heap"_s, u"leaked"_s, u"child"_s, u"static"_s}) {
        for (const QString &end : {u"return"_s, u"exit"_s, u"own slot"_s}) {
            const bool canDeleteItself = place != "stack"_L1 && place != "static"_L1;
            if (end != "own slot"_L1 || canDeleteItself)
                QTest::addRow("%s, %s", qPrintable(place), qPrintable(end)) << place << end;
        }
    }
}

void TestLiveLifetimes::f67_lockIsFreeAfterwards()
{
    QFETCH(QString, place);
    QFETCH(QString, end);
    QProcess process;
    process.setChildProcessModifier(endWithParent());
    process.start(QStringLiteral(LIFETIMES_PROBE), {m_agent.address(), place, u"leading"_s, end});
    QVERIFY(process.waitForFinished());
    const QByteArray output = process.readAllStandardOutput();
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QVERIFY2(output.contains("acquired") && output.contains("lost released"), output);

    const auto key = m_agent.key(u"service/test/leader"_s);
    QVERIFY2(key && key->session.isEmpty(), output);
    QVERIFY(!m_agent.request("GET", "/v1/session/list?consistent").body.contains("service/test/leader"));
    // Free at once: no lock-delay runs.
    Candidate next(balancedOptions(m_agent, u"test"_s));
    const BootTime begun = bootTime();
    next.start();
    WAIT_FOR(next.leads());
    QVERIFY(next.term().acquiredAt - begun < 5s); // The lock-delay is 9 s.
    QVERIFY(next.term().token > key->modifyIndex);
}

QTEST_GUILESS_MAIN(TestLiveLifetimes)

#include "tst_live_lifetimes.moc"
