// SPDX-License-Identifier: MIT
#include "agentproxy.h"
#include "candidate.h"
#include "consulagent.h"

#include <QTest>

#include <memory>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Fate = AgentProxy::Fate;

// Row F65: Consul does what it is asked, and the connection is closed instead of an answer.
class TestLiveCutAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void f65_release();
    void f65_create();
    void f65_lock();
    void f65_destroy();

private:
    // Cuts the answer to the first `times` requests that `concerns` is true of.
    void cut(bool (*concerns)(const QByteArray &line), int times);
    [[nodiscard]] qsizetype sessions() const;

    ConsulAgent m_agent;
    std::unique_ptr<AgentProxy> m_proxy;
    std::unique_ptr<Candidate> m_candidate;
    LeaseOptions m_options;
    int m_cut = 0;
};

void TestLiveCutAnswers::initTestCase()
{
    m_agent.setConfig(shortSessions());
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestLiveCutAnswers::init()
{
    m_proxy = std::make_unique<AgentProxy>(m_agent);
    m_options = quickOptions(m_agent, QLatin1StringView(QTest::currentTestFunction()));
    LeaseOptions through = m_options;
    through.address = m_proxy->address();
    m_candidate = std::make_unique<Candidate>(through);
    m_cut = 0;
}

// The proxy needs this thread's event loop, so the candidate gives up before it is destroyed.
void TestLiveCutAnswers::cleanup()
{
    m_candidate->stop();
    WAIT_FOR(m_candidate->provider().state() == ProviderState::Idle);
    QCOMPARE(m_candidate->broken(), QString());
    m_candidate.reset();
    m_proxy.reset();
}

void TestLiveCutAnswers::cut(bool (*concerns)(const QByteArray &), int times)
{
    m_proxy->judge([this, concerns, times](const QByteArray &line) {
        if (!concerns(line) || m_cut == times)
            return Fate::Pass;
        ++m_cut;
        return Fate::CutAnswer;
    });
}

qsizetype TestLiveCutAnswers::sessions() const
{
    return m_agent.request("GET", "/v1/session/list?consistent").body.count(m_options.lockKey().toUtf8());
}

void TestLiveCutAnswers::f65_release()
{
    Candidate rival(m_options);
    m_candidate->start();
    WAIT_FOR(m_candidate->leads());
    rival.start();
    WAIT_FOR(rival.isWaiting());

    // Also what the network layer sends again by itself: the second release is answered `false`.
    cut(&AgentProxy::isRelease, 3);
    m_candidate->stop();
    WAIT_FOR(rival.leads());
    WAIT_FOR(m_candidate->provider().state() == ProviderState::Idle);
    QVERIFY(m_cut > 0);
    qInfo("released %lld times, %d answers cut; the next led %.1f ms after the lease was given up",
          static_cast<long long>(m_proxy->count("PUT /v1/kv/")), m_cut,
          inMs(rival.term().acquiredAt - *m_candidate->term().lostAt));
    // Without the release the rival would have to wait for the lock-delay.
    QVERIFY(rival.term().acquiredAt - *m_candidate->term().lostAt < *m_options.lockDelay);
    QCOMPARE(sessions(), 1);
    // A connection that was cut is told of; that the release failed is not.
    for (const LeaseError &error : m_candidate->errors())
        QVERIFY2(error.code == ErrorCode::Interrupted, qPrintable(error.message()));
}

void TestLiveCutAnswers::f65_create()
{
    cut(&AgentProxy::isCreate, 1);
    m_candidate->start();
    WAIT_FOR(m_candidate->leads());
    QCOMPARE(m_cut, 1);
    QCOMPARE(m_proxy->count("PUT /v1/session/create"), 2);
    // Nobody knows the id of the first, which was made all the same. It is not renewed, so it ends by its
    // TTL.
    QVERIFY(sessions() <= 2);
    WAIT_FOR(sessions() == 1);
    QVERIFY(m_candidate->leads());
    QCOMPARE(m_candidate->terms().size(), 1);
}

void TestLiveCutAnswers::f65_lock()
{
    const BootTime begun = bootTime();
    cut(&AgentProxy::isTransaction, 1);
    m_candidate->start();
    WAIT_FOR(m_candidate->leads());
    QCOMPARE(m_cut, 1);
    qInfo("led %.1f ms after start(), with %lld transactions", inMs(m_candidate->term().acquiredAt - begun),
          static_cast<long long>(m_proxy->count("PUT /v1/txn")));
    const StoredKey key = m_agent.key(m_options.lockKey()).value_or(StoredKey());
    QCOMPARE(key.session, m_candidate->term().session);
    QCOMPARE(key.modifyIndex, m_candidate->term().token);
    QCOMPARE(key.lockIndex, 1u); // Won once.
    QCOMPARE(sessions(), 1);
}

void TestLiveCutAnswers::f65_destroy()
{
    m_candidate->start();
    WAIT_FOR(m_candidate->leads());
    cut([](const QByteArray &line) { return line.startsWith("PUT /v1/session/destroy/"); }, 2);
    m_candidate->stop();
    WAIT_FOR(m_candidate->provider().state() == ProviderState::Idle);
    QCOMPARE(m_cut, 2);
    QCOMPARE(sessions(), 0);
}

QTEST_GUILESS_MAIN(TestLiveCutAnswers)

#include "tst_live_cutanswers.moc"
