// SPDX-License-Identifier: MIT
#include <Baton/LeaseOptions>

#include <QtTest/QTest>

using namespace std::chrono_literals;
using namespace Baton;

using Milliseconds = std::chrono::milliseconds;

class TestPrediction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void profiles_data();
    void profiles();
    void f11_crashOfConservative();
    void crashFollowsTheTimings();
    void ownChecksMayBeFaster();
    void longTimingsOutlastConsulsElection();
    void bandIsInOrder_data();
    void bandIsInOrder();
};

void TestPrediction::profiles_data()
{
    using enum Profile;
    using enum FailureKind;
    using enum FailoverOrigin;
    QTest::addColumn<Profile>("profile");
    QTest::addColumn<FailureKind>("failure");
    QTest::addColumn<FailoverOrigin>("origin");
    QTest::addColumn<Milliseconds>("earliest");
    QTest::addColumn<Milliseconds>("expected");
    QTest::addColumn<Milliseconds>("latest");
    const auto row = [](Profile profile, FailureKind failure, FailoverOrigin origin, Milliseconds earliest,
                        Milliseconds expected, Milliseconds latest) {
        QTest::addRow("%s %s", tag(profile).data(), tag(failure).data())
            << profile << failure << origin << earliest << expected << latest;
    };
    row(Conservative, HandOver, ReleaseSent, 0ms, 5ms, 50ms);
    row(Conservative, ProcessCrash, LastRenewal, 25s, 35s, 36s);
    row(Conservative, ProcessFrozen, LastRenewal, 25s, 35s, 36s);
    row(Conservative, AgentLost, LastRenewal, 19s, 21s, 36s);
    row(Conservative, MachineLost, LastRenewal, 19s, 21s, 36s);
    row(Conservative, NetworkCut, LastRenewal, 19s, 21s, 36s);
    // 18.9 s + 3.333 s + 3.333 s + 1.2 s until Consul answers, then the lock-delay and the second of slack.
    row(Conservative, ConsulLeaderLost, LastRenewal, 23s, 30s, 42'766ms);

    row(Balanced, HandOver, ReleaseSent, 0ms, 5ms, 50ms);
    row(Balanced, ProcessCrash, LastRenewal, 19s, 29s, 30s);
    row(Balanced, ProcessFrozen, LastRenewal, 19s, 29s, 30s);
    row(Balanced, AgentLost, LastRenewal, 19s, 29s, 30s);
    row(Balanced, MachineLost, LastRenewal, 19s, 29s, 30s);
    row(Balanced, NetworkCut, LastRenewal, 19s, 29s, 30s);
    // 18.9 s + 2.25 s + 2.25 s + 1.2 s, then as above.
    row(Balanced, ConsulLeaderLost, LastRenewal, 17s, 24s, 34'600ms);

    row(Fast, HandOver, ReleaseSent, 0ms, 5ms, 50ms);
    row(Fast, ProcessCrash, LastHeartbeat, 900ms, 900ms, 1400ms);
    row(Fast, ProcessFrozen, LastHeartbeat, 900ms, 900ms, 1400ms);
    row(Fast, MachineLost, LastRenewal, 10'500ms, 20'500ms, 21'500ms);
}

void TestPrediction::profiles()
{
    QFETCH(Profile, profile);
    QFETCH(FailureKind, failure);
    QFETCH(FailoverOrigin, origin);
    QFETCH(Milliseconds, earliest);
    QFETCH(Milliseconds, expected);
    QFETCH(Milliseconds, latest);
    LeaseOptions options;
    options.profile = profile;
    const FailoverPrediction prediction = options.predictedFailover(failure);
    QCOMPARE(prediction.origin, origin);
    QVERIFY(prediction.leadershipMoves);
    QCOMPARE(prediction.earliest.count(), earliest.count());
    QCOMPARE(prediction.expected.count(), expected.count());
    QCOMPARE(prediction.latest.count(), latest.count());
}

/// SIGKILL of the leader, TTL 10 s, lock-delay 15 s: 25 to 36 s is as predicted, not an alarm.
void TestPrediction::f11_crashOfConservative()
{
    LeaseOptions options;
    options.ttl = 10s;
    options.lockDelay = 15s;
    const FailoverPrediction prediction = options.predictedFailover(FailureKind::ProcessCrash);
    QCOMPARE(prediction.earliest.count(), 25'000);
    QCOMPARE(prediction.latest.count(), 36'000);
}

void TestPrediction::crashFollowsTheTimings()
{
    LeaseOptions options;
    options.ttl = 15s;
    options.lockDelay = 0ms;
    const FailoverPrediction prediction = options.predictedFailover(FailureKind::ProcessCrash);
    QCOMPARE(prediction.earliest.count(), 15'000);
    QCOMPARE(prediction.expected.count(), 30'000);
    QCOMPARE(prediction.latest.count(), 31'000);
}

void TestPrediction::ownChecksMayBeFaster()
{
    LeaseOptions options;
    options.sessionChecks = QStringList{QStringLiteral("my-check")};
    QCOMPARE(options.predictedFailover(FailureKind::ProcessCrash).earliest.count(), 9'000);
    QCOMPARE(options.predictedFailover(FailureKind::ProcessCrash).expected.count(), 29'000);
    // Without the agent nobody reports the check.
    QCOMPARE(options.predictedFailover(FailureKind::AgentLost).earliest.count(), 19'000);
}

void TestPrediction::longTimingsOutlastConsulsElection()
{
    LeaseOptions options;
    options.ttl = 30s;
    options.lockDelay = 30s;
    FailoverPrediction prediction = options.predictedFailover(FailureKind::ConsulLeaderLost);
    QVERIFY(!prediction.leadershipMoves);
    QCOMPARE(prediction.latest.count(), 0);

    options.lockDelay = 20s; // A window of 18 s is shorter than the longest election.
    prediction = options.predictedFailover(FailureKind::ConsulLeaderLost);
    QVERIFY(prediction.leadershipMoves);
    QCOMPARE(prediction.expected.count(), 38'000);

    options.lockDelay = 22s; // 19.8 s outlast the election, but not one that begins just before a renewal.
    prediction = options.predictedFailover(FailureKind::ConsulLeaderLost);
    QVERIFY(prediction.leadershipMoves);
    QCOMPARE(prediction.expected.count(), 41'800);
}

void TestPrediction::bandIsInOrder_data()
{
    QTest::addColumn<Milliseconds>("ttl");
    QTest::addColumn<Milliseconds>("lockDelay");
    QTest::newRow("shortest") << Milliseconds{10s} << Milliseconds{0s};
    QTest::newRow("lock-delay of a second") << Milliseconds{10s} << Milliseconds{1s};
    QTest::newRow("lock-delay longer than the TTL") << Milliseconds{10s} << Milliseconds{60s};
    QTest::newRow("longest") << Milliseconds{24h} << Milliseconds{60s};
}

void TestPrediction::bandIsInOrder()
{
    QFETCH(Milliseconds, ttl);
    QFETCH(Milliseconds, lockDelay);
    for (const Profile profile : {Profile::Conservative, Profile::Balanced, Profile::Fast}) {
        LeaseOptions options;
        options.profile = profile;
        options.ttl = ttl;
        options.lockDelay = lockDelay;
        for (int kind = int(FailureKind::HandOver); kind <= int(FailureKind::ConsulLeaderLost); ++kind) {
            const FailoverPrediction prediction = options.predictedFailover(FailureKind(kind));
            QVERIFY2(prediction.earliest <= prediction.expected, tag(FailureKind(kind)).data());
            QVERIFY2(prediction.expected <= prediction.latest, tag(FailureKind(kind)).data());
        }
    }
}

QTEST_APPLESS_MAIN(TestPrediction)
#include "tst_prediction.moc"
