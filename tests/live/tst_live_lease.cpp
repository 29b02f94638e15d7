// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"

#include <QTest>

#include <thread>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
// The lease is void at the deadline to the tick; its signal may be late where the machine is busy.
constexpr BootTime signalLate = 3s;
} // namespace

// What ends a lease, or does not, on a real agent.
class TestLiveLease : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void f01_frozenAgent();
    void f44_deadlineCountsFromTheSend();
    void f43_voidWhileTheLoopIsBlocked();
    void sessionDestroyedByHand();
    void f15_keyDeletedByHand();
    void f15_keyReleasedByHand_data();
    void f15_keyReleasedByHand();
    void f15_keyWrittenByHand();

private:
    // The leader stays idle once it has lost, so that the rival is the next.
    static void oneLeadsOneWaits(Candidate &leader, Candidate &rival);

    ConsulAgent m_agent;
};

void TestLiveLease::initTestCase()
{
    m_agent.setConfig(shortSessions());
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestLiveLease::oneLeadsOneWaits(Candidate &leader, Candidate &rival)
{
    leader.stopWhenLost();
    leader.start();
    WAIT_FOR(leader.leads());
    rival.start();
    WAIT_FOR(rival.isWaiting());
}

void TestLiveLease::f01_frozenAgent()
{
    const LeaseOptions options = quickOptions(m_agent, u"frozen"_s);
    Candidate candidate(options);
    candidate.start();
    WAIT_FOR(candidate.leads() && candidate.term().renewalSentAt);
    const BootTime window = options.timings().window;

    QVERIFY2(m_agent.freeze(), qPrintable(m_agent.errorString()));
    WAIT_FOR(!candidate.leads());
    m_agent.thaw();

    const TermRecord term = candidate.term();
    QCOMPARE(term.reason, LostReason::LocalDeadlineExceeded);
    const BootTime late = *term.lostAt - (*term.renewalSentAt + window);
    qInfo("lost %+.1f ms from the deadline, %.1f ms after the last acknowledged renewal was sent", inMs(late),
          inMs(*term.lostAt - *term.renewalSentAt));
    QVERIFY(*term.lostAt >= term.deadline);
    QVERIFY(late > -100ms && late < signalLate);
    QCOMPARE(candidate.broken(), QString());
}

// An answer that was long under way extends the lease by what is left of it, not by a whole window.
void TestLiveLease::f44_deadlineCountsFromTheSend()
{
    LeaseOptions options = quickOptions(m_agent, u"slow-answer"_s);
    options.ttl = 11s;
    options.margin = 3s;
    options.lockDelay = 9s;
    options.renewInterval = 2s;
    options.requestTimeout = 4s;
    const BootTime window = options.timings().window;
    QCOMPARE(window, 8s);
    Candidate candidate(options);
    candidate.start();
    WAIT_FOR(candidate.leads() && candidate.term().renewalSentAt);

    constexpr std::chrono::milliseconds underWay = 1500ms;
    bool frozenAgain = false;
    connect(&candidate.provider(), &LeaseProvider::renewed, &candidate,
            [&](auto, std::chrono::microseconds roundTrip) {
                if (roundTrip >= underWay)
                    frozenAgain = m_agent.freeze();
            });
    QVERIFY2(m_agent.freeze(), qPrintable(m_agent.errorString()));
    WAIT_FOR(candidate.term().lease.remaining() < window - *options.renewInterval - underWay);
    m_agent.thaw();
    WAIT_FOR(frozenAgain);
    WAIT_FOR(!candidate.leads());
    m_agent.thaw();

    const TermRecord term = candidate.term();
    const BootTime late = *term.lostAt - (*term.renewalSentAt + window);
    qInfo("answer %.0f ms after its request; lost %+.1f ms from send + window", inMs(term.roundTrip),
          inMs(late));
    QCOMPARE(term.reason, LostReason::LocalDeadlineExceeded);
    QVERIFY(late > -100ms);
    QVERIFY2(late < term.roundTrip - 100ms, "counted from the answer");
}

void TestLiveLease::f43_voidWhileTheLoopIsBlocked()
{
    const LeaseOptions options = quickOptions(m_agent, u"blocked"_s);
    Candidate candidate(options);
    candidate.start();
    WAIT_FOR(candidate.leads() && candidate.term().renewalSentAt);
    const Lease lease = candidate.term().lease;

    QVERIFY2(m_agent.freeze(), qPrintable(m_agent.errorString()));
    BootTime lastHeld{};
    BootTime deadline{};
    BootTime firstVoid{};
    // A thread without an event loop asks, and this one turns its own no more until that has its answer.
    std::thread asking([&] {
        for (BootTime asked = bootTime(); lease.isHeld(); asked = bootTime()) {
            lastHeld = asked;
            deadline = std::max(deadline, asked + lease.remaining());
        }
        firstVoid = bootTime();
    });
    asking.join();
    QVERIFY(candidate.leads()); // No signal has come through.
    QVERIFY(!candidate.provider().isLeading());
    QVERIFY(!candidate.provider().token());
    QCOMPARE(lease.remaining(), 0ns);

    const BootTime latest = *candidate.term().renewalSentAt + options.timings().renewInterval
        + options.timings().requestTimeout + options.timings().window;
    qInfo("held %.3f ms before the deadline, void %.3f ms after it", inMs(deadline - lastHeld),
          inMs(firstVoid - deadline));
    QVERIFY(lastHeld < latest);
    QVERIFY(firstVoid >= deadline);
    m_agent.thaw();
    WAIT_FOR(!candidate.leads());
    QCOMPARE(candidate.term().reason, LostReason::LocalDeadlineExceeded);
}

void TestLiveLease::sessionDestroyedByHand()
{
    const LeaseOptions options = quickOptions(m_agent, u"destroyed"_s);
    Candidate leader(options);
    Candidate rival(options);
    oneLeadsOneWaits(leader, rival);
    if (QTest::currentTestFailed())
        return;

    const BootTime destroyed = bootTime();
    QVERIFY(m_agent.destroySession(leader.term().session));
    WAIT_FOR(!leader.leads());
    WAIT_FOR(rival.leads());
    const BootTime lost = *leader.term().lostAt - destroyed;
    const BootTime next = rival.term().acquiredAt - destroyed;
    qInfo("lost %.1f ms after the session was destroyed, the next led after %.1f ms", inMs(lost), inMs(next));
    QCOMPARE(leader.term().reason, LostReason::SessionExpired);
    QVERIFY(lost < signalLate);
    QVERIFY(next >= *options.lockDelay);
    QVERIFY(rival.term().token > leader.term().token);
    QCOMPARE(leader.broken() + rival.broken(), QString());
}

// Consul imposes no delay here; a rival of Baton's does so itself.
void TestLiveLease::f15_keyDeletedByHand()
{
    const LeaseOptions options = quickOptions(m_agent, u"deleted"_s);
    Candidate leader(options);
    Candidate rival(options);
    oneLeadsOneWaits(leader, rival);
    if (QTest::currentTestFailed())
        return;

    const BootTime deleted = bootTime();
    QVERIFY(m_agent.deleteKey(options.lockKey()));
    WAIT_FOR(!leader.leads());
    WAIT_FOR(rival.leads());
    const BootTime lost = *leader.term().lostAt - deleted;
    const BootTime next = rival.term().acquiredAt - deleted;
    qInfo("lost %.1f ms after the key was deleted, the next led after %.1f ms", inMs(lost), inMs(next));
    QCOMPARE(leader.term().reason, LostReason::LockKeyDeleted);
    QVERIFY(lost < signalLate);
    QVERIFY(next >= *options.lockDelay);
    QVERIFY(rival.term().token > leader.term().token);
}

void TestLiveLease::f15_keyReleasedByHand_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("with a value") << QByteArray("released by an operator");
    // Looks like Baton's own release to those who wait.
    QTest::newRow("without a value") << QByteArray();
}

void TestLiveLease::f15_keyReleasedByHand()
{
    QFETCH(QByteArray, value);
    const LeaseOptions options = quickOptions(m_agent, u"released-%1"_s.arg(value.size()));
    Candidate leader(options);
    Candidate rival(options);
    oneLeadsOneWaits(leader, rival);
    if (QTest::currentTestFailed())
        return;

    const BootTime released = bootTime();
    QVERIFY(m_agent.putKey(options.lockKey(), value, "release=" + leader.term().session.toLatin1()));
    WAIT_FOR(!leader.leads());
    WAIT_FOR(rival.leads());
    const TermRecord old = leader.term();
    const BootTime next = rival.term().acquiredAt - released;
    qInfo("lost %.1f ms after the release, the next led after %.1f ms", inMs(*old.lostAt - released),
          inMs(next));
    QVERIFY(*old.lostAt - released < signalLate);
    QVERIFY(rival.term().token > old.token);
    if (value.isEmpty()) {
        QVERIFY(old.reason == LostReason::LockKeyReleased || old.reason == LostReason::LockKeyTaken);
    } else {
        QCOMPARE(old.reason, LostReason::LockKeyReleased);
        QVERIFY(next >= *options.lockDelay);
    }
}

void TestLiveLease::f15_keyWrittenByHand()
{
    const LeaseOptions options = quickOptions(m_agent, u"written"_s);
    Candidate leader(options);
    Candidate rival(options);
    oneLeadsOneWaits(leader, rival);
    if (QTest::currentTestFailed())
        return;

    QVERIFY(m_agent.putKey(options.lockKey(), "somebody was here"));
    WAIT_FOR(leader.sawError(ErrorCode::ForeignWrite));
    const BootTime written = bootTime();
    WAIT_FOR(leader.term().renewalSentAt.value_or(0ns) > written);
    QVERIFY(leader.leads());

    leader.stop();
    WAIT_FOR(rival.leads());
    QCOMPARE(leader.term().reason, LostReason::Released);
    qInfo("after a foreign write a release still hands over in %.1f ms",
          inMs(rival.term().acquiredAt - *leader.term().lostAt));
    QVERIFY(rival.term().token > leader.term().token);
    QCOMPARE(leader.broken() + rival.broken(), QString());
}

QTEST_GUILESS_MAIN(TestLiveLease)

#include "tst_live_lease.moc"
