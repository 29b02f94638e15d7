// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"

#include <QTest>

#include <algorithm>
#include <memory>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr BootTime signalLate = 3s;

qsizetype sessionsOf(const ConsulAgent &agent, const LeaseOptions &options)
{
    const HttpAnswer answer = agent.request("GET", "/v1/session/list?consistent");
    return answer.isOk() ? answer.body.count(options.lockKey().toUtf8()) : -1;
}
} // namespace

// One provider over many terms: handed over in order, ended, and without its agent for a while.
class TestLiveProvider : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void handOver();
    void f14_destroyed_data();
    void f14_destroyed();
    void f06_agentAwayForLongerThanTheTtl();
};

void TestLiveProvider::handOver()
{
    ConsulAgent agent;
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    const LeaseOptions options = balancedOptions(agent, u"hand-over"_s);
    Candidate first(options);
    Candidate second(options);
    first.start();
    WAIT_FOR(first.leads());
    second.start();
    WAIT_FOR(second.isWaiting());

    constexpr int rounds = 20;
    QList<double> took;
    for (int round = 0; round < rounds; ++round) {
        Candidate &leader = first.leads() ? first : second;
        Candidate &rival = first.leads() ? second : first;
        const BootTime asked = bootTime();
        leader.stop();
        WAIT_FOR(rival.leads());
        took.append(inMs(rival.term().acquiredAt - asked));
        QVERIFY(rival.term().acquiredAt - asked < signalLate);
        QCOMPARE(leader.term().reason, LostReason::Released);
        QVERIFY(*leader.term().lostAt < rival.term().acquiredAt);
        QVERIFY(rival.term().token > leader.term().token);
        // stop() has ended when the session is destroyed too: what is left is the new leader's.
        WAIT_FOR(leader.provider().state() == ProviderState::Idle);
        QCOMPARE(sessionsOf(agent, options), 1);
        leader.start();
        WAIT_FOR(leader.isWaiting());
    }
    std::sort(took.begin(), took.end());
    qInfo("from stop() to the next leader, %d rounds: median %.1f ms, longest %.1f ms", rounds,
          took.at(rounds / 2), took.last());
    QCOMPARE(first.broken() + second.broken(), QString());
}

void TestLiveProvider::f14_destroyed_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<bool>("leading");
    QTest::newRow("leading, healthy agent") << u"healthy"_s << true;
    QTest::newRow("leading, frozen agent") << u"frozen"_s << true;
    QTest::newRow("leading, dead agent") << u"dead"_s << true;
    QTest::newRow("waiting, healthy agent") << u"healthy"_s << false;
    QTest::newRow("waiting, frozen agent") << u"frozen"_s << false;
    QTest::newRow("waiting, dead agent") << u"dead"_s << false;
}

void TestLiveProvider::f14_destroyed()
{
    QFETCH(QString, agent);
    QFETCH(bool, leading);
    ConsulAgent consul;
    QVERIFY2(consul.start(), qPrintable(consul.errorString()));
    const LeaseOptions options = balancedOptions(consul, u"destroyed"_s);
    auto leader = std::make_unique<Candidate>(options);
    auto waiter = std::make_unique<Candidate>(options);
    leader->start();
    WAIT_FOR(leader->leads());
    waiter->start();
    WAIT_FOR(waiter->isWaiting());
    if (agent == u"frozen")
        QVERIFY(consul.freeze());
    else if (agent == u"dead")
        consul.kill();

    const Lease lease = leader->term().lease;
    const BootTime begun = bootTime();
    (leading ? leader : waiter).reset();
    const BootTime took = bootTime() - begun;
    qInfo("destroyed within %.1f ms", inMs(took));
    // One second is the bound; only what Consul can be told takes less.
    QVERIFY(took < 1s + signalLate);
    QCOMPARE(lease.isHeld(), !leading);
    if (agent != u"healthy")
        return;
    QCOMPARE(sessionsOf(consul, options), 1);
    if (leading) {
        WAIT_FOR(waiter->leads());
        qInfo("the next led %.1f ms after that began", inMs(waiter->term().acquiredAt - begun));
    }
}

void TestLiveProvider::f06_agentAwayForLongerThanTheTtl()
{
    ConsulAgent server(ConsulAgent::Kind::Server);
    server.setConfig(shortSessions());
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    const LeaseOptions options = quickOptions(server, u"agent-away"_s);
    Candidate candidate(options);
    candidate.start();
    WAIT_FOR(candidate.leads());

    const int outages = qEnvironmentVariable("BATON_OUTAGES", u"3"_s).toInt(); // 20 in the soak area.
    for (int outage = 1; outage <= outages; ++outage) {
        const Lease old = candidate.term().lease;
        const BootTime away = bootTime();
        server.kill();
        WAIT_FOR(candidate.lostTerms() == outage);
        QCOMPARE(candidate.term().reason, LostReason::LocalDeadlineExceeded);
        const BootTime left = candidate.provider().options().timings().ttl;
        WAIT_FOR(bootTime() - away > left);
        QVERIFY(!old.isHeld());
        QCOMPARE(candidate.terms().size(), outage);
        QVERIFY2(server.start(), qPrintable(server.errorString()));
        const BootTime back = bootTime();
        WAIT_FOR(candidate.leads());
        QCOMPARE(candidate.terms().size(), outage + 1);
        QVERIFY(candidate.term().token > old.token());
        QCOMPARE(candidate.provider().token(), candidate.term().token);
        qInfo("outage %d: lost %.0f ms after it began, led again %.0f ms after it ended", outage,
              inMs(*candidate.terms().at(outage - 1).lostAt - away),
              inMs(candidate.term().acquiredAt - back));
    }
    QCOMPARE(candidate.broken(), QString());
    QVERIFY(candidate.sawError(ErrorCode::Unreachable));
}

QTEST_GUILESS_MAIN(TestLiveProvider)

#include "tst_live_provider.moc"
