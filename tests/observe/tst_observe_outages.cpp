// SPDX-License-Identifier: MIT
#include "observefixture.h"

#include <Baton/clusterobserver.h>

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What becomes of an observer whose Consul goes, comes back, or is something else.
class TestObserveOutages : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void f53_agentGoesAndComesBack();
    void f53_agentFreezes();
    void f64_oneNoticeAnOutage();
    void indexIsReset_data();
    void indexIsReset();
    void notAConsul();
    void noLeader();

private:
    [[nodiscard]] static bool isPoll(const FakeCluster::Request &request)
    {
        return request.query.hasQueryItem(u"index"_s);
    }
    std::unique_ptr<FakeCluster> m_cluster;
};

void TestObserveOutages::init()
{
    m_cluster = std::make_unique<FakeCluster>();
    m_cluster->setSession(S1, u"first"_s);
    m_cluster->setKey(Key, S1, "x");
}

void TestObserveOutages::f53_agentGoesAndComesBack()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    const auto before = observer.connection().dataFrom;
    m_cluster->goDown();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Stale, Patience);
    QVERIFY(observer.connection().error.trouble == ObserveTrouble::Unreachable
            || observer.connection().error.trouble == ObserveTrouble::Interrupted);
    QCOMPARE(observer.snapshot().election(Key)->state, ElectionState::Led); // As of then.
    QVERIFY(observer.connection().dataFrom >= before);
    m_cluster->setSession(S2, u"second"_s);
    m_cluster->setKey(Key, S2, "y");
    m_cluster->comeUp();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().election(Key)->leader.session, S2, Patience);
}

void TestObserveOutages::f53_agentFreezes()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    m_cluster->intercept = [](const FakeCluster::Request &, const FakeCluster::Responder &) { return true; };
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Stale, Patience);
    QCOMPARE(observer.connection().error.trouble, ObserveTrouble::TimedOut);
    m_cluster->intercept = {};
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, 2 * Patience);
}

void TestObserveOutages::f64_oneNoticeAnOutage()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    QSignalSpy reports(&observer, &ClusterObserver::connectionChanged);
    constexpr int Outages = 3;
    for (int i = 0; i < Outages; ++i) {
        m_cluster->goDown();
        QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Stale, Patience);
        m_cluster->comeUp();
        QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    }
    int stale = 0;
    bool was = false;
    for (const auto &arguments : reports) {
        const bool is = arguments.first().value<ConnectionReport>().state == ConnectionState::Stale;
        stale += is && !was;
        was = is;
    }
    QCOMPARE(stale, Outages);
}

void TestObserveOutages::indexIsReset_data()
{
    QTest::addColumn<QByteArray>("index");
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("zero") << QByteArray("0");
    QTest::newRow("nonsense") << QByteArray("abc");
    QTest::newRow("lower") << QByteArray("3");
}

void TestObserveOutages::indexIsReset()
{
    QFETCH(QByteArray, index);
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    bool again = false;
    bool broken = false;
    m_cluster->intercept = [&](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.path != "/v1/session/list"_L1)
            return false;
        if (broken) {
            again = again || !isPoll(request);
            return false;
        }
        broken = true;
        Testing::Headers headers = {{"Content-Type", "application/json"}};
        if (!index.isEmpty())
            headers.append({"X-Consul-Index", index});
        responder.reply(200, "[]", headers);
        return true;
    };
    m_cluster->setIndex(50);
    QTRY_VERIFY_WITH_TIMEOUT(again, Patience); // From the beginning, without an index.
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().session(S1), Patience);
    QCOMPARE(observer.state(), ConnectionState::Live);
}

void TestObserveOutages::notAConsul()
{
    m_cluster->intercept = [](const FakeCluster::Request &, const FakeCluster::Responder &responder) {
        responder.reply(200, "<html>log in</html>", {{"Content-Type", "text/html"}});
        return true;
    };
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Refused, Patience);
    QCOMPARE(observer.connection().error.trouble, ObserveTrouble::NotConsul);
}

void TestObserveOutages::noLeader()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.path == "/v1/status/leader"_L1)
            responder.reply(200, "\"\"", {{"Content-Type", "application/json"}});
        else
            responder.reply(500, "No cluster leader", {{"Content-Type", "text/plain; charset=utf-8"}});
        return true;
    };
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Stale, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(observer.connection().error.trouble, ObserveTrouble::NoLeader, Patience);
}

QTEST_GUILESS_MAIN(TestObserveOutages)
#include "tst_observe_outages.moc"
