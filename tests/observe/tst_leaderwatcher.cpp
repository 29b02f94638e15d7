// SPDX-License-Identifier: MIT
#include "observefixture.h"
#include "reads.h"

#include <Baton/leaderwatcher.h>

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
const Testing::Headers Plain = {{"Content-Type", "text/plain; charset=utf-8"}};
} // namespace

/// Who leads one election, without being a candidate.
class TestLeaderWatcher : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void tellsEachLeader();
    void nobodyLeads();
    void f22_busyStoreWithoutTheKey();
    void f24_everySecondPollFails();
    void f30_readRefused();
    void f53_outage();
    void f55_destroyedInItsOwnSlot();
    void f55_destroyedInEveryState();
    void isConsistent();
    void optionsThatAreNotValid();

private:
    [[nodiscard]] LeaseOptions options() const
    {
        LeaseOptions result;
        result.serviceName = u"a"_s;
        result.address = m_cluster->address();
        result.watchWait = 1s;
        return result;
    }
    std::unique_ptr<FakeCluster> m_cluster;
};

void TestLeaderWatcher::init()
{
    m_cluster = std::make_unique<FakeCluster>();
}

void TestLeaderWatcher::tellsEachLeader()
{
    m_cluster->setKey(Key, S1, ObserveReads::lockValue(S1, u"one"_s));
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    QSignalSpy current(&watcher, &LeaderWatcher::currentChanged);
    watcher.start();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.leader().instance, u"one"_s, Patience);
    QVERIFY(watcher.isCurrent());
    QCOMPARE(current.size(), 1);
    m_cluster->setKey(Key, S2, "foreign");
    QTRY_COMPARE_WITH_TIMEOUT(watcher.leader().session, S2, Patience);
    QVERIFY(!watcher.leader().isBaton);
    m_cluster->setKey(Key, {}, {});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.leader().isNull(), Patience);
    QCOMPARE(leaders.size(), 3);
    watcher.stop();
    QVERIFY(!watcher.isCurrent());
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
    QCOMPARE(leaders.size(), 3); // Nothing has changed meanwhile.
}

void TestLeaderWatcher::nobodyLeads()
{
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    watcher.start();
    QTRY_COMPARE_WITH_TIMEOUT(leaders.size(), 1, Patience);
    QVERIFY(leaders.first().first().value<LeaderInfo>().isNull());
}

/// A poll for an absent key wakes at each write to the store.
void TestLeaderWatcher::f22_busyStoreWithoutTheKey()
{
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    QSignalSpy current(&watcher, &LeaderWatcher::currentChanged);
    watcher.start();
    QTRY_COMPARE_WITH_TIMEOUT(leaders.size(), 1, Patience);
    int writes = 0;
    QTimer writer;
    connect(&writer, &QTimer::timeout, this,
            [&] { m_cluster->setKey(u"other/%1"_s.arg(++writes), {}, "x"); });
    QElapsedTimer clock;
    clock.start();
    const int before = m_cluster->count("/v1/kv/");
    writer.start(5ms);
    QTRY_VERIFY_WITH_TIMEOUT(writes >= 200, Patience);
    writer.stop();
    const int asked = m_cluster->count("/v1/kv/") - before;
    QVERIFY2(asked <= clock.elapsed() / 100 + 2, qPrintable(QString::number(asked)));
    QCOMPARE(leaders.size(), 1);
    QCOMPARE(current.size(), 1);
}

void TestLeaderWatcher::f24_everySecondPollFails()
{
    m_cluster->setKey(Key, S1, ObserveReads::lockValue(S1, u"one"_s));
    int polls = 0;
    m_cluster->intercept = [&polls](const FakeCluster::Request &request,
                                    const FakeCluster::Responder &responder) {
        if (!request.query.hasQueryItem(u"index"_s) || ++polls % 2 == 0)
            return false;
        responder.reply(500, "rpc error making call: i/o deadline reached", Plain);
        return true;
    };
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    QSignalSpy current(&watcher, &LeaderWatcher::currentChanged);
    QSignalSpy errors(&watcher, &LeaderWatcher::errorOccurred);
    watcher.start();
    for (int i = 0; i < 10; ++i) {
        const int before = polls;
        m_cluster->setKey(u"other"_s, {}, "x");
        QTRY_VERIFY_WITH_TIMEOUT(polls > before + 1, Patience);
    }
    QCOMPARE(leaders.size(), 1);
    QCOMPARE(current.size(), 1);
    QVERIFY(errors.size() <= 2);
}

void TestLeaderWatcher::f30_readRefused()
{
    m_cluster->intercept = [](const FakeCluster::Request &, const FakeCluster::Responder &responder) {
        responder.reply(403, "Permission denied", Plain);
        return true;
    };
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    QSignalSpy errors(&watcher, &LeaderWatcher::errorOccurred);
    QSignalSpy cleared(&watcher, &LeaderWatcher::errorCleared);
    watcher.start();
    QTRY_COMPARE_WITH_TIMEOUT(errors.size(), 1, Patience);
    QCOMPARE(errors.first().first().value<LeaseError>().code, ErrorCode::Denied);
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster->count("/v1/kv/") >= 3, Patience);
    QVERIFY(leaders.isEmpty());
    QVERIFY(!watcher.isCurrent());
    QCOMPARE(errors.size(), 1);
    m_cluster->intercept = {};
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(cleared.size(), 1, Patience);
}

void TestLeaderWatcher::f53_outage()
{
    m_cluster->setKey(Key, S1, ObserveReads::lockValue(S1, u"one"_s));
    LeaderWatcher watcher(options());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
    m_cluster->goDown();
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.isCurrent(), Patience);
    QCOMPARE(watcher.leader().instance, u"one"_s); // As of then; nobody said that it has gone.
    m_cluster->setKey(Key, S2, ObserveReads::lockValue(S2, u"two"_s));
    m_cluster->comeUp();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.leader().instance, u"two"_s, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
    QCOMPARE(leaders.size(), 2);
}

void TestLeaderWatcher::f55_destroyedInItsOwnSlot()
{
    for (int round = 0; round < 20; ++round) {
        auto *watcher = new LeaderWatcher(options());
        const QPointer<LeaderWatcher> alive(watcher);
        if (round % 2)
            connect(watcher, &LeaderWatcher::leaderChanged, watcher, [watcher] { delete watcher; });
        else
            connect(watcher, &LeaderWatcher::currentChanged, watcher, [watcher] { delete watcher; });
        watcher->start();
        QTRY_VERIFY_WITH_TIMEOUT(!alive, Patience);
    }
}

void TestLeaderWatcher::f55_destroyedInEveryState()
{
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        responder.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n[{");
        return request.connection % 2 == 0;
    };
    for (int round = 0; round < 300; ++round) {
        LeaderWatcher watcher(options());
        watcher.start();
        QCoreApplication::processEvents(QEventLoop::AllEvents, round % 4);
    }
    m_cluster->intercept = {};
    LeaderWatcher watcher(options());
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
}

void TestLeaderWatcher::isConsistent()
{
    LeaderWatcher watcher(options());
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster->count("/v1/kv/") >= 2, Patience);
    QCOMPARE(m_cluster->count("/v1/kv/"), m_cluster->count("/v1/kv/service/a/leader?consistent"));
}

void TestLeaderWatcher::optionsThatAreNotValid()
{
    LeaseOptions bad = options();
    bad.serviceName.clear();
    LeaderWatcher watcher(bad);
    QSignalSpy errors(&watcher, &LeaderWatcher::errorOccurred);
    watcher.start();
    QCOMPARE(errors.size(), 1);
    QCOMPARE(errors.first().first().value<LeaseError>().code, ErrorCode::InvalidOptions);
}

QTEST_GUILESS_MAIN(TestLeaderWatcher)
#include "tst_leaderwatcher.moc"
