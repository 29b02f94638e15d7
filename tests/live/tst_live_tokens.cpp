// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"

#include <QTest>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Row F16: the token of each later term is greater, whatever happens to the key and to the store.
class TestLiveTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void f16_keyDeleted();
    void f16_sessionsThatDeleteTheirKey();
    void f16_snapshotRestored();
    void f16_clusterRebuilt();
    void f16_floorAboveTheStore();
    void f16_floorOutOfReach();

private:
    // So that the indexes of this agent are well above those of a new one.
    void writeOften(int times) const;

    ConsulAgent m_agent;
};

void TestLiveTokens::init()
{
    m_agent.setConfig(shortSessions());
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestLiveTokens::cleanup()
{
    m_agent.kill();
}

void TestLiveTokens::writeOften(int times) const
{
    for (int i = 0; i < times; ++i)
        QVERIFY(m_agent.putKey(u"noise"_s, QByteArray::number(i)));
}

void TestLiveTokens::f16_keyDeleted()
{
    const LeaseOptions options = quickOptions(m_agent, u"deleted"_s);
    Candidate candidate(options);
    candidate.start();
    for (int term = 1; term <= 5; ++term) {
        WAIT_FOR(candidate.terms().size() == term);
        QVERIFY(m_agent.deleteKey(options.lockKey()));
        WAIT_FOR(candidate.lostTerms() == term);
        QCOMPARE(candidate.terms().at(term - 1).reason, LostReason::LockKeyDeleted);
    }
    WAIT_FOR(candidate.leads());
    const StoredKey key = m_agent.key(options.lockKey()).value_or(StoredKey());
    QCOMPARE(key.modifyIndex, candidate.term().token);
    QCOMPARE(key.lockIndex, 1u); // Starts anew each time; ModifyIndex does not.
    QCOMPARE(candidate.broken(), QString());
}

void TestLiveTokens::f16_sessionsThatDeleteTheirKey()
{
    const LeaseOptions options = quickOptions(m_agent, u"behaviour-delete"_s);
    Candidate candidate(options);
    quint64 last = 0;
    for (int term = 1; term <= 5; ++term) {
        const auto session = m_agent.createSession(
            {{u"Behavior"_s, u"delete"_s}, {u"LockDelay"_s, u"0s"_s}, {u"TTL"_s, u"60s"_s}});
        QVERIFY(session);
        QVERIFY(m_agent.putKey(options.lockKey(), "a stranger", "acquire=" + session->toLatin1()));
        const quint64 strangers = m_agent.key(options.lockKey()).value_or(StoredKey()).modifyIndex;
        QVERIFY(strangers > last);
        candidate.start();
        WAIT_FOR(candidate.isWaiting());
        QVERIFY(m_agent.destroySession(*session));
        WAIT_FOR(candidate.terms().size() == term);
        last = candidate.term().token;
        QVERIFY(last > strangers);
        candidate.stop();
        WAIT_FOR(candidate.provider().state() == ProviderState::Idle);
        // Else the next stranger would find it as Baton leaves it: released, but there.
        QVERIFY(m_agent.deleteKey(options.lockKey()));
    }
    QCOMPARE(candidate.broken(), QString());
}

void TestLiveTokens::f16_snapshotRestored()
{
    const LeaseOptions options = quickOptions(m_agent, u"restored"_s);
    Candidate candidate(options);
    Candidate rival(options);
    candidate.start();
    WAIT_FOR(candidate.leads());
    rival.start();
    WAIT_FOR(rival.isWaiting());
    const HttpAnswer snapshot = m_agent.request("GET", "/v1/snapshot");
    QVERIFY(snapshot.isOk());
    const quint64 inSnapshot = candidate.term().token;

    // Both lead once more, so that the snapshot is two terms old.
    candidate.stop();
    WAIT_FOR(rival.leads());
    WAIT_FOR(candidate.provider().state() == ProviderState::Idle);
    candidate.start();
    WAIT_FOR(candidate.isWaiting());
    const quint64 highest = rival.term().token;
    QVERIFY(highest > inSnapshot);

    const BootTime restored = bootTime();
    QVERIFY(m_agent.request("PUT", "/v1/snapshot", snapshot.body).isOk());
    QCOMPARE(m_agent.key(options.lockKey()).value_or(StoredKey()).session, candidate.terms().first().session);
    WAIT_FOR(rival.lostTerms() == 1);
    qInfo("%s %.1f ms after the restore (%s)", tag(*rival.terms().first().reason).data(),
          inMs(*rival.terms().first().lostAt - restored), qPrintable(rival.terms().first().evidence));
    WAIT_FOR(leaderOf({&candidate, &rival}));
    const TermRecord next = leaderOf({&candidate, &rival})->term();
    qInfo("tokens %llu, %llu, then %llu, %.0f ms after the restore", inSnapshot, highest, next.token,
          inMs(next.acquiredAt - restored));
    QVERIFY(next.token > highest);
    QCOMPARE(candidate.broken() + rival.broken(), QString());
}

void TestLiveTokens::f16_clusterRebuilt()
{
    writeOften(400);
    Candidate candidate(quickOptions(m_agent, u"rebuilt"_s));
    candidate.start();
    WAIT_FOR(candidate.leads());
    const quint64 before = candidate.term().token;

    m_agent.kill(); // An agent of this kind forgets everything.
    WAIT_FOR(!candidate.leads());
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
    QVERIFY(m_agent.putKey(u"noise"_s, "x"));
    const quint64 fresh = m_agent.key(u"noise"_s).value_or(StoredKey()).modifyIndex;
    QVERIFY2(fresh > 0 && fresh < before, qPrintable(QString::number(fresh)));
    const BootTime back = bootTime();
    WAIT_FOR(candidate.leads());
    qInfo("token %llu before, indexes near %llu after, next token %llu, %.0f ms after the agent was back",
          before, fresh, candidate.term().token, inMs(candidate.term().acquiredAt - back));
    QVERIFY(candidate.term().token > before);
    QCOMPARE(candidate.broken(), QString());
}

void TestLiveTokens::f16_floorAboveTheStore()
{
    LeaseOptions options = quickOptions(m_agent, u"floor"_s);
    options.tokenFloor = 800;
    Candidate candidate(options);
    candidate.start();
    WAIT_FOR(candidate.leads());
    QVERIFY(candidate.term().token > options.tokenFloor);
    const StoredKey key = m_agent.key(options.lockKey()).value_or(StoredKey());
    QCOMPARE(key.modifyIndex, candidate.term().token);
    QCOMPARE(key.session, candidate.term().session);
}

void TestLiveTokens::f16_floorOutOfReach()
{
    LeaseOptions options = quickOptions(m_agent, u"out-of-reach"_s);
    options.tokenFloor = 1'000'000'000;
    Candidate candidate(options);
    const BootTime begun = bootTime();
    candidate.start();
    // Ten thousand writes, 11 s on an idle machine.
    QVERIFY(waitUntil([&] { return candidate.sawError(ErrorCode::TokenRegressed); }, 200s));
    const StoredKey key = m_agent.key(options.lockKey()).value_or(StoredKey());
    qInfo("given up after %.0f ms with the key at index %llu: %s", inMs(bootTime() - begun), key.modifyIndex,
          qPrintable(candidate.errors().last().message()));
    QVERIFY(candidate.terms().isEmpty());
    // Released, so that a candidate that knows less may lead; it waits until somebody has mended the store.
    WAIT_FOR(m_agent.key(options.lockKey()).value_or(StoredKey()).session.isEmpty());
    QVERIFY(candidate.provider().state() != ProviderState::Idle);
}

QTEST_GUILESS_MAIN(TestLiveTokens)

#include "tst_live_tokens.moc"
