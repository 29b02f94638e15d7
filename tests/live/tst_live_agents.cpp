// SPDX-License-Identifier: MIT
#include "agentproxy.h"
#include "candidate.h"
#include "consulagent.h"

#include <QTest>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Fate = AgentProxy::Fate;

// Row F73: the leader's client agent goes, in one way or another, and takes the leader's session with it or
// not.
class TestLiveAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void f73_lostBeforeTheRivalLeads_data();
    void f73_lostBeforeTheRivalLeads();

private:
    ConsulAgent m_server{ConsulAgent::Kind::Server};
};

void TestLiveAgents::initTestCase()
{
    m_server.setConfig(shortSessions());
    QVERIFY2(m_server.start(), qPrintable(m_server.errorString()));
}

void TestLiveAgents::f73_lostBeforeTheRivalLeads_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("watchWorks");
    QTest::newRow("agent leaves") << u"leaves"_s << true;
    QTest::newRow("agent leaves, watch black-holed") << u"leaves"_s << false;
    QTest::newRow("agent killed") << u"killed"_s << true;
    // Last, since the server takes up no new node for half a minute after that.
    QTest::newRow("agent restarted under another node name") << u"renamed"_s << true;
}

void TestLiveAgents::f73_lostBeforeTheRivalLeads()
{
    QFETCH(QString, what);
    QFETCH(bool, watchWorks);
    ConsulAgent client(ConsulAgent::Kind::Client);
    client.join(m_server);
    QVERIFY2(client.start(), qPrintable(client.errorString()));
    AgentProxy proxy(client);
    if (!watchWorks) {
        proxy.judge(
            [](const QByteArray &line) { return AgentProxy::isWatch(line) ? Fate::Swallow : Fate::Pass; });
    }
    const LeaseOptions options = quickOptions(m_server, u"agents/"_s + client.nodeName());
    LeaseOptions through = options;
    through.address = proxy.address();
    Candidate leader(through);
    Candidate rival(options);
    leader.stopWhenLost();
    leader.start();
    WAIT_FOR(leader.leads());
    rival.start();
    WAIT_FOR(rival.isWaiting());
    WAIT_FOR(leader.term().renewalSentAt);

    const BootTime begun = bootTime();
    if (what == u"leaves") {
        client.terminate();
    } else {
        client.kill();
        if (what == u"renamed") {
            client.setNodeName(client.nodeName() + u"-renamed"_s);
            QVERIFY2(client.relaunch(), qPrintable(client.errorString()));
        }
    }
    WAIT_FOR(rival.leads());
    WAIT_FOR(!leader.leads());
    const TermRecord old = leader.term();
    const TermRecord next = rival.term();
    qInfo("%s after %.0f ms (%s), the next led after %.0f ms", tag(*old.reason).data(),
          inMs(*old.lostAt - begun), qPrintable(old.evidence), inMs(next.acquiredAt - begun));
    QVERIFY2(*old.lostAt < next.acquiredAt, "two led at once");
    QVERIFY(next.token > old.token);
    QCOMPARE(leader.broken() + rival.broken(), QString());
}

QTEST_GUILESS_MAIN(TestLiveAgents)

#include "tst_live_agents.moc"
