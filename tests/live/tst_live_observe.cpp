// SPDX-License-Identifier: MIT
#include "campaigncandidate.h"
#include "consulagent.h"

#include <Baton/clusterobserver.h>
#include <Baton/leaderwatcher.h>
#include <Baton/sessionadmin.h>

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <csignal>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr int Patience = 60'000;
}

/// Observers of a real Consul with candidates of Baton, a `consul lock` holder and plain sessions.
class TestLiveObserve : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyStateIsRight();
    void terms();
    void keysThatAreTakenAway();
    void watcher();
    void agentGoesAndComesBack();
    void rightsAreMissing();

private:
    [[nodiscard]] QString address() const { return m_agent.address(); }
    QString makeSession(const QByteArray &json)
    {
        const auto id = m_agent.createSession(QJsonDocument::fromJson(json).object());
        return id.value_or(QString());
    }
    void lock(const QString &service, const QString &session, const QByteArray &value = "plain")
    {
        QVERIFY(m_agent.putKey(u"service/%1/leader"_s.arg(service), value, "acquire=" + session.toLatin1()));
    }
    /// The agent's own program has `lock`, too.
    [[nodiscard]] QString consul() const
    {
        return QFile::symLinkTarget(u"/proc/%1/exe"_s.arg(m_agent.processId()));
    }
    [[nodiscard]] LeaseOptions candidate(const QString &service) const
    {
        LeaseOptions options;
        options.serviceName = service;
        options.address = address();
        return options;
    }
    [[nodiscard]] ObserverOptions options() const
    {
        ObserverOptions result;
        result.address = address();
        result.wait = 2s;
        return result;
    }
    [[nodiscard]] static ElectionPtr find(const ClusterObserver &observer, const QString &service)
    {
        static const ElectionPtr nothing = std::make_shared<ElectionRecord>();
        const ElectionPtr election = observer.snapshot().election(u"service/%1/leader"_s.arg(service));
        return election ? election : nothing;
    }

    ConsulAgent m_agent;
};

void TestLiveObserve::initTestCase()
{
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestLiveObserve::everyStateIsRight()
{
    ClusterObserver observer(options());
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    QCOMPARE(observer.snapshot().sessionsVisible, Visibility::Everything);

    CampaignCandidate leader(candidate(u"invoice"_s));
    QVERIFY(leader.start());
    const QString eternal = makeSession(R"({"Name":"eternal"})");
    lock(u"cron"_s, eternal);
    const QString plain = makeSession(R"({"Name":"plain","TTL":"60s","LockDelay":"30s","NodeChecks":[]})");
    lock(u"plain"_s, plain);
    const QString brief = makeSession(R"({"Name":"brief","TTL":"60s","LockDelay":"5s","NodeChecks":[]})");
    lock(u"brief"_s, brief);
    QProcess consulLock;
    consulLock.start(
        consul(),
        {u"lock"_s, u"-http-addr="_s + address(), u"-name=holder"_s, u"service/tool"_s, u"sleep 300"_s});

    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"invoice"_s)->state, ElectionState::Led, Patience);
    const ElectionPtr invoice = find(observer, u"invoice"_s);
    QVERIFY(invoice->leader.isBaton);
    QCOMPARE(invoice->leader.instance, leader.name());
    QTRY_VERIFY_WITH_TIMEOUT(leader.term(), Patience);
    QCOMPARE(*invoice->token, leader.term()->token());
    QTRY_VERIFY_WITH_TIMEOUT(find(observer, u"invoice"_s)->session, Patience);
    QCOMPARE(find(observer, u"invoice"_s)->session->lockDelay, 9s);

    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"cron"_s)->state, ElectionState::NeverExpires, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"plain"_s)->state, ElectionState::Led, Patience);
    // `consul lock` holds <prefix>/.lock.
    const auto tool = [&observer] { return observer.snapshot().election(u"service/tool/.lock"); };
    QTRY_VERIFY_WITH_TIMEOUT(tool() && tool()->session, Patience);
    QCOMPARE(tool()->state, ElectionState::Led);
    QVERIFY(!tool()->leader.isBaton);

    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"brief"_s)->state, ElectionState::Led, Patience);
    QVERIFY(m_agent.destroySession(brief));
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"brief"_s)->state, ElectionState::LockDelay, Patience);
    QCOMPARE(find(observer, u"brief"_s)->lockDelay->length, 5s);
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"brief"_s)->state, ElectionState::Vacant, Patience);

    leader.signal(SIGTERM);
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"invoice"_s)->state, ElectionState::Vacant, Patience);
    QCOMPARE(find(observer, u"invoice"_s)->previous->end, TermEnd::Released);
    QCOMPARE(find(observer, u"invoice"_s)->previous->leader, leader.name());
    consulLock.terminate();
    QVERIFY(consulLock.waitForFinished(Patience));
}

void TestLiveObserve::terms()
{
    ClusterObserver observer(options());
    QSignalSpy updates(&observer, &ClusterObserver::updated);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    CampaignCandidate one(candidate(u"terms"_s));
    QVERIFY(one.start());
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"terms"_s)->leader.instance, one.name(), Patience);
    CampaignCandidate two(candidate(u"terms"_s));
    QVERIFY(two.start());
    QTRY_VERIFY_WITH_TIMEOUT(two.isWaiting(), Patience);
    one.kill();
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"terms"_s)->state, ElectionState::LockDelay, Patience);
    QCOMPARE(find(observer, u"terms"_s)->previous->end, TermEnd::SessionEnded);
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"terms"_s)->leader.instance, two.name(), Patience);
    const ElectionPtr election = find(observer, u"terms"_s);
    QCOMPARE(election->history.size(), 1);
    QVERIFY(*election->token > election->history.first().token);
    QVERIFY(!election->tokenFell);
}

void TestLiveObserve::keysThatAreTakenAway()
{
    ClusterObserver observer(options());
    observer.start();
    const QString session = makeSession(R"({"Name":"a","TTL":"60s","LockDelay":"1s","NodeChecks":[]})");
    lock(u"taken"_s, session, "value");
    QTRY_VERIFY_WITH_TIMEOUT(find(observer, u"taken"_s)->session, Patience);
    SessionAdmin admin(options());
    std::optional<AdminResult> result;
    const auto keep = [&result](const AdminResult &came) { result = came; };

    // Somebody writes after it was shown: nothing is done.
    const ElectionRecord shown = *find(observer, u"taken"_s);
    QVERIFY(m_agent.putKey(u"service/taken/leader"_s, "other"));
    admin.releaseKey(shown, this, keep);
    QTRY_VERIFY_WITH_TIMEOUT(result, Patience);
    QCOMPARE(result->outcome, AdminOutcome::Changed);
    QVERIFY(m_agent.key(u"service/taken/leader"_s)->session == session);

    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"taken"_s)->foreignWrite, true, Patience);
    result.reset();
    admin.releaseKey(*find(observer, u"taken"_s), this, keep);
    QTRY_VERIFY_WITH_TIMEOUT(result, Patience);
    QCOMPARE(result->outcome, AdminOutcome::Done);
    const auto stored = m_agent.key(u"service/taken/leader"_s);
    QVERIFY(stored->session.isEmpty());
    QCOMPARE(stored->value, QByteArray("other")); // Not to be taken for the holder's own release.
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"taken"_s)->state, ElectionState::Vacant, Patience);

    lock(u"taken"_s, session);
    QTRY_VERIFY_WITH_TIMEOUT(find(observer, u"taken"_s)->isHeld(), Patience);
    QTRY_VERIFY_WITH_TIMEOUT(observer.snapshot().session(session)->keys.size() == 1, Patience);
    result.reset();
    admin.destroySession(*observer.snapshot().session(session), this, keep);
    QTRY_VERIFY_WITH_TIMEOUT(result, Patience);
    QCOMPARE(result->outcome, AdminOutcome::Done);
    QTRY_VERIFY_WITH_TIMEOUT(!observer.snapshot().session(session), Patience);
    QTRY_VERIFY_WITH_TIMEOUT(!find(observer, u"taken"_s)->isHeld(), Patience);
    QVERIFY(m_agent.deleteKey(u"service/taken/leader"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!find(observer, u"taken"_s)->exists, Patience);
}

void TestLiveObserve::watcher()
{
    LeaderWatcher watcher(candidate(u"watched"_s));
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isCurrent(), Patience);
    QVERIFY(watcher.leader().isNull());
    CampaignCandidate one(candidate(u"watched"_s));
    QVERIFY(one.start());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.leader().instance, one.name(), Patience);
    QCOMPARE(watcher.leader().index, one.term() ? one.term()->token() : watcher.leader().index);
    one.signal(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.leader().isNull(), Patience);
    QCOMPARE(leaders.size(), 3);
}

void TestLiveObserve::agentGoesAndComesBack()
{
    ClusterObserver observer(options());
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    QVERIFY(m_agent.restart()); // A dev agent forgets everything, its index too.
    QTRY_COMPARE_WITH_TIMEOUT(observer.state(), ConnectionState::Live, Patience);
    const QString session = makeSession(R"({"Name":"new","TTL":"60s","NodeChecks":[]})");
    lock(u"new"_s, session);
    QTRY_COMPARE_WITH_TIMEOUT(find(observer, u"new"_s)->state, ElectionState::Led, Patience);
}

void TestLiveObserve::rightsAreMissing()
{
    ConsulAgent guarded;
    QVERIFY2(guarded.start(), qPrintable(guarded.errorString()));
    guarded.stop();
    guarded.setConfig({{u"acl"_s, QJsonObject{{u"enabled"_s, true}, {u"default_policy"_s, u"deny"_s}}}});
    QVERIFY(guarded.relaunch());
    ObserverOptions there = options();
    there.address = guarded.address();
    ClusterObserver observer(there);
    observer.start();
    QTRY_COMPARE_WITH_TIMEOUT(observer.snapshot().prefixes.value(0).visibility, Visibility::Nothing,
                              Patience);
    QCOMPARE(observer.snapshot().sessionsVisible, Visibility::Some);
    QVERIFY(observer.snapshot().elections.isEmpty());

    LeaderWatcher watcher([&] {
        LeaseOptions hidden = candidate(u"hidden"_s);
        hidden.address = guarded.address();
        return hidden;
    }());
    QSignalSpy leaders(&watcher, &LeaderWatcher::leaderChanged);
    QSignalSpy errors(&watcher, &LeaderWatcher::errorOccurred);
    watcher.start();
    QTRY_VERIFY_WITH_TIMEOUT(!errors.isEmpty(), Patience);
    QCOMPARE(errors.first().first().value<LeaseError>().code, ErrorCode::Denied);
    QVERIFY(leaders.isEmpty());
}

QTEST_GUILESS_MAIN(TestLiveObserve)
#include "tst_live_observe.moc"
