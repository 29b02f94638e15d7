// SPDX-License-Identifier: MIT
#include "observefixture.h"

#include <Baton/clusterobserver.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The field reports that concern an observer, each by its name, against a scripted Consul.
class TestObserveRows : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void firstSnapshotAndChanges();
    void f17_holderGone();
    void f24_everySecondPollFails();
    void f30_nothingMayBeRead();
    void f30_unknownToken();
    void f38_ttlSpellings_data();
    void f38_ttlSpellings();
    void f55_destroyedInEveryState_data();
    void f55_destroyedInEveryState();
    void f55_destroyedInItsOwnSlot();
    void f63_foreignTexts_data();
    void f63_foreignTexts();
    void f64_busyStore();
    void f64_intervals_data();
    void f64_intervals();
    void connectionsAreFew();
    void stopAndStartAgain();
    void badOptions();

private:
    [[nodiscard]] static bool isPoll(const FakeCluster::Request &request)
    {
        return request.query.hasQueryItem(u"index"_s);
    }
    std::unique_ptr<FakeCluster> m_cluster;
};

void TestObserveRows::init()
{
    m_cluster = std::make_unique<FakeCluster>();
    m_cluster->setSession(S1, u"first"_s);
    m_cluster->setKey(Key, S1, "x");
}

void TestObserveRows::firstSnapshotAndChanges()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    QCOMPARE(observer.snapshot().number, quint64(0));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(updates.size(), 1, Patience);
    QCOMPARE(observer.snapshot().election(Key)->state, ElectionState::Led);
    QCOMPARE(observer.snapshot().session(S1)->keys, QStringList{Key});
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    QVERIFY(observer.connection().knownLeader);
    QVERIFY(observer.connection().dataFrom);

    m_cluster->setSession(S2, u"second"_s);
    m_cluster->setKey(Key, S2, "y");
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().election(Key)->leader.session, S2, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().session(S2), Patience);
    QStringList elected;
    for (const auto &arguments : updates) {
        for (const ObservedChange &change : arguments.at(1).value<ClusterDelta>().changes) {
            if (change.kind == ChangeKind::LeaderElected)
                elected += change.session;
        }
    }
    QCOMPARE(elected, QStringList{S2});
}

void TestObserveRows::f17_holderGone()
{
    m_cluster->setKey(Key, S2, "y"); // A session that is nowhere.
    m_cluster->setAcls(true);
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().election(Key), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().election(Key)->state, ElectionState::HolderHidden,
                              Patience);

    m_cluster->setAcls(false);
    ClusterObserver sure(optionsFor(*m_cluster));
    sure.start();
    QTRY_VERIFY_WITH_TIMEOUT(sure.snapshot().election(Key), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(sure.snapshot().election(Key)->state, ElectionState::Orphaned, Patience);
    QVERIFY(m_cluster->count("/v1/session/info/") <= 4); // Asked for calmly.
}

void TestObserveRows::f24_everySecondPollFails()
{
    int polls = 0;
    QMap<QString, int> pollsOf; // Every second one of each kind fails.
    m_cluster->intercept = [&polls, &pollsOf](const FakeCluster::Request &request,
                                              const FakeCluster::Responder &responder) {
        polls += isPoll(request);
        if (!isPoll(request) || ++pollsOf[request.path] % 2 == 0)
            return false;
        responder.reply(500, "rpc error making call: i/o deadline reached",
                        {{"Content-Type", "text/plain; charset=utf-8"}});
        return true;
    };
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy reports(&observer, &ClusterObserver::connectionChanged);
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(observer.connection().degraded, Patience);
    for (int i = 0; i < 6; ++i) {
        const int before = polls;
        m_cluster->setSession(S2, QString::number(i));
        QTRY_VERIFY_WITH_TIMEOUT(polls > before + 1, Patience);
    }
    QCOMPARE(observer.state(), ConnectionState::Live);
    QCOMPARE(observer.snapshot().election(Key)->state, ElectionState::Led);
    QVERIFY(observer.snapshot().election(Key)->history.isEmpty());
    QVERIFY2(reports.size() <= 6, qPrintable(QString::number(reports.size())));
}

void TestObserveRows::f30_nothingMayBeRead()
{
    m_cluster->setAcls(true);
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.path == "/v1/session/list"_L1) {
            if (isPoll(request))
                return true; // Parked for good.
            responder.reply(200, "[]", {{"Content-Type", "application/json"}, {"X-Consul-Index", "10"}});
        } else if (request.query.hasQueryItem(u"recurse"_s)) {
            if (isPoll(request))
                return true;
            responder.reply(404, {}, {{"X-Consul-Index", "10"}});
        } else if (request.path.startsWith("/v1/kv/"_L1)) {
            responder.reply(403, "Permission denied", {{"Content-Type", "text/plain; charset=utf-8"}});
        } else {
            return false;
        }
        return true;
    };
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().prefixes.value(0).visibility, Visibility::Nothing,
                              Patience);
    QVERIFY(observer.snapshot().elections.isEmpty());
    QCOMPARE(observer.snapshot().sessionsVisible, Visibility::Some);
}

void TestObserveRows::f30_unknownToken()
{
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.path == "/v1/status/leader"_L1)
            return false;
        responder.reply(403, "ACL not found", {{"Content-Type", "text/plain; charset=utf-8"}});
        return true;
    };
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Refused, Patience);
    QCOMPARE(observer.connection().error.trouble, ObserveTrouble::Denied);
    QVERIFY(observer.connection().error.message().contains("does not know the ACL token"_L1));
    QVERIFY(updates.isEmpty());
    m_cluster->intercept = {};
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
}

void TestObserveRows::f38_ttlSpellings_data()
{
    QTest::addColumn<QString>("ttl");
    QTest::newRow("empty") << QString();
    QTest::newRow("0s") << u"0s"_s;
}

void TestObserveRows::f38_ttlSpellings()
{
    QFETCH(QString, ttl);
    m_cluster->setSession(S1, u"eternal"_s, ttl);
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().election(Key), Patience);
    QCOMPARE(observer.snapshot().election(Key)->state, ElectionState::NeverExpires);
}

void TestObserveRows::f55_destroyedInEveryState_data()
{
    QTest::addColumn<int>("answer");
    QTest::newRow("connecting") << 0;
    QTest::newRow("silent") << 1;
    QTest::newRow("in the middle of the body") << 2;
    QTest::newRow("answered") << 3;
}

void TestObserveRows::f55_destroyedInEveryState()
{
    QFETCH(int, answer);
    int asked = 0;
    m_cluster->intercept = [&](const FakeCluster::Request &, const FakeCluster::Responder &responder) {
        ++asked;
        if (answer == 2)
            responder.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n[{");
        return answer != 3;
    };
    constexpr int Rounds = 250;
    for (int round = 0; round < Rounds; ++round) {
        asked = 0;
        ClusterObserver observer(optionsFor(*m_cluster));
        observer.start();
        // QTRY_ looks twenty times a second only, which is too slow for so many rounds.
        const QDeadlineTimer deadline(Patience);
        while (answer != 0 && asked == 0 && !deadline.hasExpired())
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        QVERIFY(answer == 0 || asked > 0);
    }
    m_cluster->intercept = {};
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
}

void TestObserveRows::f55_destroyedInItsOwnSlot()
{
    for (int round = 0; round < 20; ++round) {
        auto *observer = new ClusterObserver(optionsFor(*m_cluster));
        const QPointer<ClusterObserver> alive(observer);
        if (round % 2)
            connect(observer, &ClusterObserver::updated, observer, [observer] { delete observer; });
        else
            connect(observer, &ClusterObserver::connectionChanged, observer, [observer] { delete observer; });
        observer->start();
        QTRY_VERIFY_WITH_TIMEOUT(!alive, Patience);
    }
}

void TestObserveRows::f63_foreignTexts_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("an image") << u"<img src=http://127.0.0.1:9/x>"_s;
    QTest::newRow("bold") << u"<b>x</b>"_s;
    QTest::newRow("right to left") << u"a\u202eb"_s;
    QTest::newRow("newline") << u"a\nb"_s;
    QTest::newRow("NUL") << u"a"_s + QChar(0) + u'b';
    QTest::newRow("10,000 characters") << QString(10'000, u'x');
}

void TestObserveRows::f63_foreignTexts()
{
    QFETCH(QString, text);
    m_cluster->setSession(S1, text);
    m_cluster->setKey(Key, S1, text.toUtf8());
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().election(Key), Patience);
    const ElectionPtr election = observer.snapshot().election(Key);
    QCOMPARE(election->session->name, text); // Literally; cutting and quoting is for who shows it.
    QCOMPARE(election->foreignValue, text.toUtf8().left(ElectionRecord::MaxForeignValue));
}

void TestObserveRows::f64_busyStore()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    const int listed = m_cluster->count("/v1/session/list");
    const qsizetype told = updates.size();
    QElapsedTimer clock;
    clock.start();
    QTimer writer;
    int writes = 0;
    connect(&writer, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 10; ++i)
            m_cluster->setSession(S2, QString::number(++writes));
    });
    writer.start(1ms);
    QTRY_VERIFY_WITH_TIMEOUT(writes >= 1000, Patience);
    writer.stop();
    const auto most = int(clock.elapsed() / ObserverOptions::LeastFloor.count()) + 2;
    const int asked = m_cluster->count("/v1/session/list") - listed;
    QVERIFY2(asked <= most, qPrintable(u"%1 lists, %2 allowed"_s.arg(asked).arg(most)));
    QVERIFY(updates.size() - told <= most);
    // What was written last is seen, and nothing of the election has moved.
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().session(S2)->name, QString::number(writes), Patience);
    QVERIFY(observer.snapshot().election(Key)->history.isEmpty());
}

void TestObserveRows::f64_intervals_data()
{
    QTest::addColumn<int>("milliseconds");
    QTest::newRow("0") << 0;
    QTest::newRow("-1") << -1;
    QTest::newRow("1 ms") << 1;
}

void TestObserveRows::f64_intervals()
{
    QFETCH(int, milliseconds);
    ObserverOptions options = optionsFor(*m_cluster);
    options.wait = std::chrono::milliseconds(milliseconds);
    QCOMPARE(options.validate().size(), 1);
    options.wait = 1s;
    options.floor = std::chrono::milliseconds(milliseconds);
    QVERIFY(options.validate().isEmpty()); // Raised to the least floor.
    // Answers without an index cannot be polled for, so only the floor keeps the pace.
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.path != "/v1/session/list"_L1)
            return false;
        responder.reply(200, "[]", {{"Content-Type", "application/json"}});
        return true;
    };
    ClusterObserver observer(options);
    QElapsedTimer clock;
    clock.start();
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster->count("/v1/session/list") >= 4, Patience);
    QVERIFY(clock.elapsed() >= 3 * ObserverOptions::LeastFloor.count() - 20);
}

void TestObserveRows::connectionsAreFew()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    for (int i = 0; i < 5; ++i) {
        m_cluster->setSession(S2, QString::number(i));
        QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().session(S2) ? observer.snapshot().session(S2)->name
                                                                  : QString(),
                                  QString::number(i), Patience);
        QVERIFY(observer.connection().connections <= 3);
        QVERIFY2(m_cluster->openConnections() <= 3,
                 qPrintable(QString::number(m_cluster->openConnections())));
    }
}

void TestObserveRows::stopAndStartAgain()
{
    ClusterObserver observer(optionsFor(*m_cluster));
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    observer.stop();
    QCOMPARE(observer.state(), ConnectionState::Idle);
    const qsizetype told = updates.size();
    m_cluster->setKey(u"service/b/leader"_s, S1, "z");
    observer.start();
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().election(u"service/b/leader"), Patience);
    QCOMPARE(updates.size(), told + 1);
    const auto delta = updates.last().at(1).value<ClusterDelta>();
    QCOMPARE(delta.electionsAdded, QStringList{u"service/b/leader"_s}); // Not everything anew.
}

void TestObserveRows::badOptions()
{
    ObserverOptions options = optionsFor(*m_cluster);
    options.prefixes = {u"service/"_s, u"service/x"_s};
    ClusterObserver observer(options);
    observer.start();
    QCOMPARE(observer.state(), ConnectionState::Refused);
    QCOMPARE(observer.connection().error.trouble, ObserveTrouble::InvalidOptions);
    QVERIFY(observer.connection().error.detail.startsWith("prefixes:"_L1));
}

QTEST_GUILESS_MAIN(TestObserveRows)
#include "tst_observe_rows.moc"
