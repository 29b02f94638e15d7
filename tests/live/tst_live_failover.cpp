// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <memory>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// How leadership moves, and how it does not, on a real Consul: orders of events, with the figures printed.
class TestLiveFailover : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void standDownThenSessionEndThenNext();
    void f14_stopHandsOver();
    void f06_agentDownAndUpThreeTimes();
    void f16_rebuiltClusterClimbs();
    void f72_neverInsideTheLockDelay();
    void f73_clientAgentLeaves();

private:
    static bool knowsSession(const ConsulAgent &agent, const QString &session);
};

bool TestLiveFailover::knowsSession(const ConsulAgent &agent, const QString &session)
{
    const auto answer = agent.request("GET", "/v1/session/info/" + session.toUtf8());
    return answer.status != 200 || QJsonDocument::fromJson(answer.body).array().size() == 1;
}

void TestLiveFailover::standDownThenSessionEndThenNext()
{
    ConsulAgent server(ConsulAgent::Kind::Server);
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    ConsulAgent first(ConsulAgent::Kind::Client);
    ConsulAgent second(ConsulAgent::Kind::Client);
    first.join(server);
    second.join(server);
    QVERIFY2(first.start() && second.start(), qPrintable(first.errorString() + second.errorString()));
    Candidate leader(balancedOptions(first, u"ordering"_s));
    leader.start();
    WAIT_FOR(leader.leads());
    leader.stopWhenLost();
    Candidate heir(balancedOptions(second, u"ordering"_s));
    Candidate other(balancedOptions(server, u"ordering"_s));
    heir.start();
    other.start();
    WAIT_FOR(heir.isWaiting() && other.isWaiting());

    QVERIFY(first.freeze());
    std::optional<BootTime> sessionGone;
    QElapsedTimer sinceAsked;
    sinceAsked.start();
    QVERIFY(waitUntil(
        [&] {
            if (!sessionGone && sinceAsked.hasExpired(100)) {
                sinceAsked.start();
                if (!knowsSession(server, leader.term().session))
                    sessionGone = bootTime();
            }
            return heir.leads() || other.leads();
        },
        60s));
    const TermRecord &next = leaderOf({&heir, &other})->term();
    const TermRecord &old = leader.term();
    first.thaw();

    QCOMPARE(old.reason, LostReason::LocalDeadlineExceeded);
    QVERIFY(old.lostAt && sessionGone);
    QVERIFY2(*old.lostAt < *sessionGone, "stand-down before the end of the session");
    QVERIFY2(*sessionGone < next.acquiredAt, "end of the session before the next leader");
    QVERIFY(next.token > old.token);
    const BootTime renewed = old.deadline - leader.provider().options().timings().window;
    qInfo("from the last renewal: stand-down %.1f s, session gone %.1f s, next leader %.1f s",
          inMs(*old.lostAt - renewed) / 1000, inMs(*sessionGone - renewed) / 1000,
          inMs(next.acquiredAt - renewed) / 1000);
}

void TestLiveFailover::f14_stopHandsOver()
{
    ConsulAgent agent;
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    Candidate former(balancedOptions(agent, u"hand-over"_s));
    Candidate heir(balancedOptions(agent, u"hand-over"_s));
    former.start();
    WAIT_FOR(former.leads());
    heir.start();
    WAIT_FOR(heir.isWaiting());
    const QString session = former.term().session;

    former.stop();
    WAIT_FOR(heir.leads());
    QCOMPARE(former.term().reason, LostReason::Released);
    QVERIFY(*former.term().lostAt <= heir.term().acquiredAt);
    qInfo("next leader %.1f ms after the release", inMs(heir.term().acquiredAt - *former.term().lostAt));
    WAIT_FOR(!knowsSession(agent, session));
    QCOMPARE(former.broken() + heir.broken(), QString());
}

void TestLiveFailover::f06_agentDownAndUpThreeTimes()
{
    ConsulAgent server(ConsulAgent::Kind::Server);
    server.setConfig(shortSessions());
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    Candidate candidate(quickOptions(server, u"down-and-up"_s));
    candidate.start();
    WAIT_FOR(candidate.leads());
    for (int round = 1; round <= 3; ++round) {
        server.stop();
        WAIT_FOR(candidate.lostTerms() == round); // Longer than the TTL: the lease has ended by then.
        QVERIFY(!candidate.provider().isLeading());
        QCOMPARE(candidate.term().reason, LostReason::LocalDeadlineExceeded);
        QVERIFY2(server.start(), qPrintable(server.errorString()));
        WAIT_FOR(candidate.leads());
        QCOMPARE(candidate.terms().size(), round + 1);
    }
    QCOMPARE(candidate.broken(), QString()); // Tokens rise, one lost for each acquired, properties agree.
}

void TestLiveFailover::f16_rebuiltClusterClimbs()
{
    ConsulAgent
        agent; // Forgets everything when it stops: started again, it is a cluster rebuilt from nothing.
    agent.setConfig(shortSessions());
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    for (int i = 0; i < 300; ++i)
        QVERIFY(agent.putKey(u"filler"_s, QByteArray::number(i)));
    Candidate candidate(quickOptions(agent, u"rebuilt"_s));
    candidate.start();
    WAIT_FOR(candidate.leads());
    const quint64 before = candidate.term().token;
    QVERIFY2(agent.restart(), qPrintable(agent.errorString()));
    WAIT_FOR(candidate.lostTerms() == 1);
    WAIT_FOR(candidate.leads());
    QVERIFY(candidate.term().token > before);
    const auto key = agent.key(u"service/rebuilt/leader"_s);
    QVERIFY(key && key->modifyIndex == candidate.term().token);
    qInfo("token %llu, then %llu on a cluster whose indexes started anew", before, candidate.term().token);
    QCOMPARE(candidate.broken(), QString());
}

void TestLiveFailover::f72_neverInsideTheLockDelay()
{
    constexpr int Keys = 12;
    constexpr int Rounds = 5;
    ConsulAgent agent;
    agent.setConfig(shortSessions());
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    // Two candidates a key: whoever leads has its session destroyed, while the other's lock is ready to go.
    std::vector<std::unique_ptr<Candidate>> candidates;
    for (int i = 0; i < 2 * Keys; ++i) {
        candidates.push_back(std::make_unique<Candidate>(quickOptions(agent, u"race-%1"_s.arg(i / 2))));
        candidates.back()->start();
    }
    const auto pair = [&](int key) {
        return QList<Candidate *>{candidates[size_t(2 * key)].get(), candidates[size_t(2 * key + 1)].get()};
    };
    const auto lockDelay = candidates.front()->provider().options().timings().lockDelay;
    BootTime nearest = BootTime::max();
    for (int round = 0; round < Rounds; ++round) {
        for (int key = 0; key < Keys; ++key)
            WAIT_FOR(leaderOf(pair(key)));
        // All keys at once, so that the lock-delays run side by side.
        std::vector<BootTime> destroyed;
        for (int key = 0; key < Keys; ++key) {
            const Candidate *former = leaderOf(pair(key));
            QVERIFY(former);
            destroyed.push_back(bootTime());
            QVERIFY(agent.destroySession(former->term().session));
        }
        for (int key = 0; key < Keys; ++key) {
            const BootTime since = destroyed[size_t(key)];
            WAIT_FOR(leaderOf(pair(key)) && leaderOf(pair(key))->term().acquiredAt > since);
            nearest = std::min(nearest, leaderOf(pair(key))->term().acquiredAt - since);
        }
    }
    qInfo("%d rounds, lock-delay %.0f ms: the next leader came %.1f ms after the destroy at the earliest",
          Keys * Rounds, inMs(lockDelay), inMs(nearest));
    QVERIFY(nearest >= lockDelay);
    for (const auto &candidate : candidates)
        QCOMPARE(candidate->broken(), QString());
}

void TestLiveFailover::f73_clientAgentLeaves()
{
    ConsulAgent server(ConsulAgent::Kind::Server);
    server.setConfig(shortSessions());
    QVERIFY2(server.start(), qPrintable(server.errorString()));
    ConsulAgent client(ConsulAgent::Kind::Client);
    client.join(server);
    QVERIFY2(client.start(), qPrintable(client.errorString()));
    Candidate leader(quickOptions(client, u"leaving"_s));
    leader.start();
    WAIT_FOR(leader.leads());
    Candidate rival(quickOptions(server, u"leaving"_s));
    rival.start();
    WAIT_FOR(rival.isWaiting());

    client.terminate(); // Its default: it leaves the cluster, which ends its sessions.
    WAIT_FOR(rival.leads());
    QVERIFY2(leader.term().lostAt, "the leader knows");
    QVERIFY(*leader.term().lostAt < rival.term().acquiredAt);
    qInfo("lost (%s) %.0f ms before the rival led", tag(*leader.term().reason).data(),
          inMs(rival.term().acquiredAt - *leader.term().lostAt));
    QCOMPARE(leader.broken() + rival.broken(), QString());
}

QTEST_GUILESS_MAIN(TestLiveFailover)
#include "tst_live_failover.moc"
