// SPDX-License-Identifier: MIT
#include "agentproxy.h"
#include "candidate.h"
#include "consulagent.h"

#include <Baton/FencedKv>

#include <QTest>

#include <memory>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Fate = AgentProxy::Fate;

// Writes that take effect only while the lock is the term's, on a real agent.
class TestLiveFencedKv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void written();
    void asManyAsConsulTakes();
    void tooMany();
    void large_data();
    void large();
    void refusedAfterTheTerm();
    void refusedByConsulWhileTheLeaseLooksValid();
    void f65_answerCut();

private:
    WriteResult write(const QList<FencedKv::Write> &writes);
    static QList<FencedKv::Write> numbered(int count);

    ConsulAgent m_agent;
    std::unique_ptr<AgentProxy> m_proxy;
    std::unique_ptr<Candidate> m_leader;
    LeaseOptions m_options;
};

void TestLiveFencedKv::initTestCase()
{
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

// Each function has a leader of its own, which reaches the agent through a proxy.
void TestLiveFencedKv::init()
{
    m_proxy = std::make_unique<AgentProxy>(m_agent);
    m_options = balancedOptions(m_agent, QLatin1StringView(QTest::currentTestFunction()));
    m_options.address = m_proxy->address();
    m_leader = std::make_unique<Candidate>(m_options);
    m_leader->start();
    WAIT_FOR(m_leader->leads());
}

// The proxy needs this thread's event loop, so the leader gives up before it is destroyed.
void TestLiveFencedKv::cleanup()
{
    m_leader->stop();
    WAIT_FOR(m_leader->provider().state() == ProviderState::Idle);
    m_leader.reset();
    m_proxy.reset();
}

WriteResult TestLiveFencedKv::write(const QList<FencedKv::Write> &writes)
{
    const auto future = FencedKv(m_leader->term().lease).write(writes);
    return waitUntil([&] { return future.isFinished(); }, 30s)
        ? future.result()
        : WriteResult{WriteOutcome::Unknown,
                      {ErrorCode::TimedOut, Step::Write, 0, u"the future is not finished"_s}};
}

QList<FencedKv::Write> TestLiveFencedKv::numbered(int count)
{
    QList<FencedKv::Write> writes;
    for (int i = 0; i < count; ++i)
        writes.append({u"many/%1-of-%2"_s.arg(i).arg(count), QByteArray::number(i)});
    return writes;
}

void TestLiveFencedKv::written()
{
    const QByteArray binary("\0\xff value\n", 9);
    const WriteResult result = write({{u"a/b c"_s, binary}, {u"empty"_s, {}}});
    QVERIFY2(result.error.isOk(), qPrintable(result.error.message()));
    QCOMPARE(result.outcome, WriteOutcome::Written);
    QCOMPARE(m_agent.key(u"a/b c"_s).value_or(StoredKey()).value, binary);
    QVERIFY(m_agent.key(u"empty"_s));
}

void TestLiveFencedKv::asManyAsConsulTakes()
{
    const auto writes = numbered(FencedKv::MaxWrites);
    const WriteResult result = write(writes);
    QVERIFY2(result.error.isOk(), qPrintable(result.error.message()));
    QCOMPARE(result.outcome, WriteOutcome::Written);
    for (const auto &one : writes)
        QCOMPARE(m_agent.key(one.key).value_or(StoredKey()).value, one.value);
}

void TestLiveFencedKv::tooMany()
{
    const auto writes = numbered(FencedKv::MaxWrites + 1);
    const WriteResult result = write(writes);
    QCOMPARE(result.outcome, WriteOutcome::Refused);
    QCOMPARE(result.error.code, ErrorCode::Rejected);
    QVERIFY(!m_agent.key(writes.first().key));
    QCOMPARE(write({}).outcome, WriteOutcome::Refused);
}

void TestLiveFencedKv::large_data()
{
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<WriteOutcome>("outcome");
    QTest::newRow("100 KiB") << QList<int>{100 << 10} << WriteOutcome::Written;
    QTest::newRow("nearly all that fits") << QList<int>{383 << 10} << WriteOutcome::Written;
    QTest::newRow("nearly all that fits, in two")
        << QList<int>{191 << 10, 191 << 10} << WriteOutcome::Written;
    QTest::newRow("fits but for the base64") << QList<int>{400 << 10} << WriteOutcome::Refused;
    QTest::newRow("each fits alone") << QList<int>{300 << 10, 300 << 10} << WriteOutcome::Refused;
}

void TestLiveFencedKv::large()
{
    QFETCH(QList<int>, sizes);
    QFETCH(WriteOutcome, outcome);
    QList<FencedKv::Write> writes;
    for (const int size : sizes)
        writes.append({u"large/%1/%2"_s.arg(QLatin1StringView(QTest::currentDataTag())).arg(writes.size()),
                       QByteArray(size, 'x')});
    const WriteResult result = write(writes);
    QVERIFY2(result.outcome == outcome, qPrintable(result.error.message()));
    QCOMPARE(result.error.code, outcome == WriteOutcome::Written ? ErrorCode::None : ErrorCode::Rejected);
    for (const auto &one : writes)
        QCOMPARE(m_agent.key(one.key).value_or(StoredKey()).value.size(),
                 outcome == WriteOutcome::Written ? one.value.size() : 0);
}

void TestLiveFencedKv::refusedAfterTheTerm()
{
    const Lease old = m_leader->term().lease;
    old.release();
    WAIT_FOR(m_leader->terms().size() == 2);
    const auto future = FencedKv(old).write(u"late"_s, "x");
    WAIT_FOR(future.isFinished());
    QCOMPARE(future.result(), (WriteResult{WriteOutcome::Refused, {}}));
    QVERIFY(!m_agent.key(u"late"_s));
    QCOMPARE(write({{u"late"_s, "y"}}).outcome, WriteOutcome::Written);
}

void TestLiveFencedKv::refusedByConsulWhileTheLeaseLooksValid()
{
    m_proxy->judge([](const QByteArray &line) {
        return AgentProxy::isWatch(line) || AgentProxy::isRenewal(line) ? Fate::Swallow : Fate::Pass;
    });
    m_proxy->resetConnections();
    QVERIFY(m_agent.destroySession(m_leader->term().session));
    const auto stillSeemsHeld = m_leader->term().lease.isHeld();
    const WriteResult result = write({{u"fenced"_s, "x"}});
    QVERIFY(stillSeemsHeld && m_leader->leads());
    QCOMPARE(result, (WriteResult{WriteOutcome::Refused, {}}));
    QVERIFY(!m_agent.key(u"fenced"_s));
}

void TestLiveFencedKv::f65_answerCut()
{
    m_proxy->judge([](const QByteArray &line) {
        return AgentProxy::isTransaction(line) ? Fate::CutAnswer : Fate::Pass;
    });
    const qsizetype before = m_proxy->count("PUT /v1/txn");
    const WriteResult result = write({{u"cut"_s, "x"}});
    QCOMPARE(result.outcome, WriteOutcome::Unknown);
    QVERIFY(!result.error.isOk());
    QCOMPARE(m_proxy->count("PUT /v1/txn") - before, 1);
    QCOMPARE(m_agent.key(u"cut"_s).value_or(StoredKey()).value, "x");
    QVERIFY(m_leader->leads());
}

QTEST_GUILESS_MAIN(TestLiveFencedKv)

#include "tst_live_fencedkv.moc"
