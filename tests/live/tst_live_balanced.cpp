// SPDX-License-Identifier: MIT
#include "campaigncandidate.h"
#include "candidate.h"
#include "consulagent.h"

#include <QTest>
#include <QTimer>

#include <memory>
#include <vector>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// Above what is predicted; for a machine that is busy.
constexpr BootTime late = 5s;

// Looks all the time whether a session is there, through an agent that is well.
struct SessionObserver
{
    SessionObserver(const ConsulAgent &agent, const QString &session)
    {
        QObject::connect(&timer, &QTimer::timeout, [this, &agent, session] {
            const BootTime asked = bootTime();
            const HttpAnswer answer =
                agent.request("GET", "/v1/session/info/" + session.toLatin1() + "?consistent");
            if (!answer.isOk())
                return;
            if (answer.body.contains(session.toLatin1())) {
                lastSeen = asked;
            } else {
                gone = bootTime();
                timer.stop();
            }
        });
        timer.start(20ms);
    }

    QTimer timer;
    BootTime lastSeen{};
    std::optional<BootTime> gone;
};

// An election whose leader's process comes to an end, or to a stand.
struct Crash
{
    LeaseOptions options;
    bool stopped = false;
    std::unique_ptr<CampaignCandidate> leader{};
    std::unique_ptr<Candidate> rival{};
    BootTime at{};
    BootTime lastRenewal{};
};

BootTime lastRenewalOf(const CampaignCandidate &process)
{
    const auto renewed = process.events(u"renewed"_s);
    return renewed.isEmpty() ? BootTime()
                             : renewed.last().at
            - std::chrono::microseconds(renewed.last().fields.value(u"round_trip_us"_s).toInteger());
}

} // namespace

// The timings that users get, on a server and two client agents. Sessions of 10 s end after 20 s, so
// everything that has to wait for that happens at once: initTestCase() starts it, the functions judge it.
class TestLiveBalanced : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void standsDownBeforeItsSessionEndsBeforeTheNextLeads();
    void f11_processGone_data();
    void f11_processGone();

private:
    ConsulAgent m_server{ConsulAgent::Kind::Server};
    ConsulAgent m_first{ConsulAgent::Kind::Client};
    ConsulAgent m_second{ConsulAgent::Kind::Client};
    std::vector<Crash> m_crashes;
    std::unique_ptr<Candidate> m_old;
    std::vector<std::unique_ptr<Candidate>> m_rivals;
    std::unique_ptr<SessionObserver> m_session;
};

void TestLiveBalanced::initTestCase()
{
    QVERIFY2(m_server.start(), qPrintable(m_server.errorString()));
    for (ConsulAgent *client : {&m_first, &m_second}) {
        client->join(m_server);
        QVERIFY2(client->start(), qPrintable(client->errorString()));
    }

    m_old = std::make_unique<Candidate>(balancedOptions(m_first, u"ordering"_s));
    m_old->start();
    const LeaseOptions balanced = balancedOptions(m_second, u"crash"_s);
    LeaseOptions conservative = balancedOptions(m_second, u"crash-conservative"_s);
    conservative.profile = Profile::Conservative;
    m_crashes.push_back({balanced});
    m_crashes.push_back({conservative});
    m_crashes.push_back({balancedOptions(m_second, u"stopped"_s), true});
    for (Crash &crash : m_crashes) {
        crash.leader = std::make_unique<CampaignCandidate>(crash.options);
        crash.leader->start();
    }
    WAIT_FOR(m_old->leads());
    for (const ConsulAgent *agent : {&m_server, &m_second, &m_second})
        m_rivals.push_back(std::make_unique<Candidate>(balancedOptions(*agent, u"ordering"_s)));
    for (const auto &rival : m_rivals) {
        rival->start();
        WAIT_FOR(rival->isWaiting());
    }
    for (Crash &crash : m_crashes) {
        WAIT_FOR(crash.leader->term());
        LeaseOptions options = crash.options;
        options.address = m_server.address();
        crash.rival = std::make_unique<Candidate>(options);
        crash.rival->start();
        WAIT_FOR(crash.rival->isWaiting());
        WAIT_FOR(!crash.leader->events(u"renewed"_s).isEmpty());
    }

    m_session = std::make_unique<SessionObserver>(m_server, m_old->term().session);
    WAIT_FOR(m_old->term().renewalSentAt);
    QVERIFY(m_first.freeze());
    for (Crash &crash : m_crashes) {
        crash.at = bootTime();
        if (crash.stopped)
            QVERIFY(crash.leader->freeze());
        else
            crash.leader->kill();
        crash.lastRenewal = lastRenewalOf(*crash.leader);
    }
}

void TestLiveBalanced::standsDownBeforeItsSessionEndsBeforeTheNextLeads()
{
    WAIT_FOR(!m_old->leads());
    const TermRecord old = m_old->term();
    const BootTime sent = *old.renewalSentAt;
    const BootTime window = m_old->provider().options().timings().window;
    qInfo("stood down after %.1f ms, %+.1f ms from the deadline", inMs(*old.lostAt - sent),
          inMs(*old.lostAt - sent - window));
    QCOMPARE(old.reason, LostReason::LocalDeadlineExceeded);
    QVERIFY(*old.lostAt - sent > window - 100ms);

    const QList<Candidate *> rivals{m_rivals.at(0).get(), m_rivals.at(1).get(), m_rivals.at(2).get()};
    WAIT_FOR(m_session->gone);
    WAIT_FOR(leaderOf(rivals));
    const TermRecord next = leaderOf(rivals)->term();
    qInfo("its session ended between %.0f and %.0f ms, the next led after %.0f ms (since the last renewal "
          "was sent)",
          inMs(m_session->lastSeen - sent), inMs(*m_session->gone - sent), inMs(next.acquiredAt - sent));
    QVERIFY(*old.lostAt < m_session->lastSeen);
    QVERIFY(*m_session->gone <= next.acquiredAt);
    QVERIFY(next.token > old.token);

    // Once its agent lives again, the old leader waits like the others.
    m_first.thaw();
    WAIT_FOR(m_old->isWaiting());
    QCOMPARE(m_old->terms().size(), 1);
    qsizetype terms = 0;
    for (Candidate *rival : rivals) {
        terms += rival->terms().size();
        QCOMPARE(rival->broken(), QString());
    }
    QCOMPARE(terms, 1);
}

void TestLiveBalanced::f11_processGone_data()
{
    QTest::addColumn<int>("index");
    QTest::newRow("Balanced, SIGKILL") << 0;
    QTest::newRow("Conservative, SIGKILL") << 1;
    QTest::newRow("Balanced, SIGSTOP") << 2;
}

void TestLiveBalanced::f11_processGone()
{
    QFETCH(int, index);
    const Crash &crash = m_crashes.at(size_t(index));
    WAIT_FOR(crash.rival->leads());
    const TermRecord &next = crash.rival->term();
    const FailoverPrediction predicted = crash.options.predictedFailover(
        crash.stopped ? FailureKind::ProcessFrozen : FailureKind::ProcessCrash);
    QCOMPARE(predicted.origin, FailoverOrigin::LastRenewal);
    const BootTime measured = next.acquiredAt - crash.lastRenewal;
    qInfo("the next led after %.2f s, predicted %.1f to %.1f s, at the latest %.1f s (%.2f s after the end "
          "itself)",
          inMs(measured) / 1000, inMs(predicted.earliest) / 1000, inMs(predicted.expected) / 1000,
          inMs(predicted.latest) / 1000, inMs(next.acquiredAt - crash.at) / 1000);
    QVERIFY(measured >= predicted.earliest);
    QVERIFY(measured <= predicted.latest + late);
    QVERIFY(next.token > crash.leader->events(u"acquired"_s).first().token());
    if (!crash.stopped)
        return;
    crash.leader->thaw();
    WAIT_FOR(!crash.leader->term());
    const auto lost = crash.leader->events(u"lost"_s);
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.first().fields.value(u"reason"_s).toString(), u"local_deadline_exceeded"_s);
    WAIT_FOR(crash.leader->isWaiting());
    QVERIFY(crash.rival->leads());
}

QTEST_GUILESS_MAIN(TestLiveBalanced)

#include "tst_live_balanced.moc"
