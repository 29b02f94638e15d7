// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <Baton/FencedKv>

#include <QtCore/QThread>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about busy applications: whatever thread or callback of theirs sleeps, renewals leave on
/// time, and no late news starts a dead leader. Here the tests sleep on purpose.
class TestRowsBusy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f52_manyWatchedKeys();
    void f60_sleepingThread();
    void f66_sleepers_data();
    void f66_sleepers();
    void f68_wonAndLostUnseen();
    void f68_lostAndWonUnseen();
    void f68_wonLostAndWonUnseen();
};

namespace {

/// Ten renewals.
constexpr auto Sleep = 10 * RenewInterval;
/// The promise is 50 ms on an idle machine; the figures are printed.
constexpr std::chrono::milliseconds Allowed{250};

/// The renewals of \a session that the agent saw from \a from on: how many, and the latest one's lateness.
void checkPunctuality(const Agent &agent, const QString &session, Instant from, int least)
{
    std::optional<Instant> before;
    Core::Duration worst{};
    int renewals = 0;
    for (const auto &seen : agent.seen(Kind::Renew)) {
        if (seen.at < from || !seen.request.path.endsWith(session))
            continue;
        worst = std::max(worst, seen.at - before.value_or(seen.at - RenewInterval) - RenewInterval);
        before = seen.at;
        ++renewals;
    }
    qInfo("%d renewals, the latest %.1f ms after its time", renewals, double(worst.count()) / 1e6);
    QVERIFY2(renewals >= least, qPrintable(u"%1 renewals"_s.arg(renewals)));
    QVERIFY(worst < Allowed);
}

std::atomic<int> g_messages = 0;
std::atomic<bool> g_messageOnEngine = false;

void sleepyHandler(QtMsgType, const QMessageLogContext &, const QString &)
{
    ++g_messages;
    if (QThread::currentThread()->objectName() == "baton-engine"_L1)
        g_messageOnEngine = true;
    std::this_thread::sleep_for(Sleep);
}

} // namespace

/// Ten more elections of the same process on the same agent, each with its own long poll.
void TestRowsBusy::f52_manyWatchedKeys()
{
    Agent agent;
    std::vector<std::unique_ptr<LeaseProvider>> others;
    for (int i = 0; i < 10; ++i) {
        LeaseOptions options = longLease(agent);
        options.serviceName = u"other%1"_s.arg(i);
        others.push_back(std::make_unique<LeaseProvider>(options));
        others.back()->start();
    }
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::all_of(others, [](const auto &other) { return other->isLeading(); }), Patience);
    const Instant from = bootNow();
    const int before = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, before + 10));
    checkPunctuality(agent, candidate.provider.lease().session(), from, 8);
    QCOMPARE(candidate.terms().size(), 1);
}

void TestRowsBusy::f60_sleepingThread()
{
    Agent agent;
    LeaseOptions options = shortLease(agent);
    options.ttl = 700ms;
    options.lockDelay = 1s;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    const Instant from = bootNow();
    std::this_thread::sleep_for(3 * 700ms);
    QVERIFY(lease.isHeld());
    QVERIFY(candidate.provider.isLeading());
    checkPunctuality(agent, lease.session(), from, 20);
    QVERIFY(candidate.waitFor(u"renewed"_s, 2));
    QCOMPARE(candidate.terms().size(), 1);
}

void TestRowsBusy::f66_sleepers_data()
{
    QTest::addColumn<QString>("sleeper");
    for (const QString &sleeper : {u"thread of the provider"_s, u"continuation"_s, u"stop callback"_s,
                                   u"message handler"_s, u"slot"_s, u"all at once"_s})
        QTest::addRow("%s", qPrintable(sleeper)) << sleeper;
}

void TestRowsBusy::f66_sleepers()
{
    QFETCH(QString, sleeper);
    const auto is = [&](const QString &one) { return sleeper == one || sleeper == "all at once"_L1; };
    g_messages = 0;
    g_messageOnEngine = false;
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    std::atomic<int> asleep = 0;
    const auto sleep = [&asleep] {
        ++asleep;
        std::this_thread::sleep_for(Sleep);
    };
    int expected = 0;

#if defined(__cpp_lib_jthread)
    // The term that ends wakes the callback; the next term is renewed while that sleeps.
    std::optional<std::stop_callback<std::function<void()>>> callback;
    if (is(u"stop callback"_s)) {
        ++expected;
        callback.emplace(candidate.provider.lease().stopToken(), sleep);
        candidate.provider.lease().release();
        QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    }
#endif
    const Lease lease = candidate.provider.lease();
    const Instant from = bootNow();
    const QtMessageHandler before =
        is(u"message handler"_s) ? qInstallMessageHandler(sleepyHandler) : nullptr;
    QFuture<void> continuation;
    if (is(u"continuation"_s) || is(u"message handler"_s)) {
        ++expected;
        continuation = FencedKv(lease).write(u"data/x"_s, "x").then([&](const WriteResult &) {
            qWarning("on a thread of Baton's");
            sleep();
        });
    }
    if (is(u"slot"_s)) {
        ++expected;
        QObject::connect(&candidate.provider, &LeaseProvider::renewed, &candidate.provider, sleep,
                         Qt::SingleShotConnection);
    }
    if (is(u"thread of the provider"_s)) {
        ++expected;
        sleep();
    }
    QTRY_COMPARE_WITH_TIMEOUT(asleep, expected, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > from + Sleep, Patience);
    continuation.waitForFinished();
    if (before)
        qInstallMessageHandler(before);
    checkPunctuality(agent, lease.session(), from, 7);
    QVERIFY(lease.isHeld());
    QCOMPARE(candidate.count(u"acquired"_s), is(u"stop callback"_s) ? 2 : 1);
    QVERIFY(!g_messageOnEngine);
    QCOMPARE(g_messages > 0, is(u"message handler"_s));
}

/// The term is won and lost while the provider's thread turns no event loop: it is not announced at all.
void TestRowsBusy::f68_wonAndLostUnseen()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    candidate.provider.start();
    QVERIFY(blockUntil([&] { return agent.key() && !agent.key()->session.isEmpty(); }));
    agent.blackhole();
    const Instant latest = bootNow() + ShortWindow;
    QVERIFY(blockUntil([&] { return bootNow() > latest; }));
    QVERIFY(!candidate.provider.isLeading());
    QTRY_VERIFY_WITH_TIMEOUT(candidate.provider.state() == ProviderState::Opening, Patience);
    QCOMPARE(candidate.terms(), QStringList());
    QVERIFY(candidate.count(u"state leading"_s) == 0);
    QVERIFY(candidate.provider.lease().isNull());
    agent.heal();
    QVERIFY(candidate.waitFor(u"acquired"_s));
    QCOMPARE(candidate.terms().size(), 1);
}

/// Losing the term, winning the next one: both are told, in order, when there is time for it.
void TestRowsBusy::f68_lostAndWonUnseen()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease first = candidate.provider.lease();
    agent.killSession(first.session());
    QVERIFY(blockUntil([&] {
        const QString session = agent.key()->session;
        return !session.isEmpty() && session != first.session();
    }));
    QVERIFY(!first.isHeld());
    QVERIFY(!candidate.provider.isLeading()); // The second term is held, but not announced yet.
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QCOMPARE(candidate.terms().size(), 3);
    QCOMPARE(candidate.terms()[1], u"lost session_expired"_s);
    QVERIFY(candidate.provider.isLeading());
}

void TestRowsBusy::f68_wonLostAndWonUnseen()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(blockUntil([&] { return agent.key() && !agent.key()->session.isEmpty(); }));
    const QString first = agent.key()->session;
    QVERIFY(blockUntil([&] { return agent.count(Kind::Watch) > 0; })); // It leads.
    agent.killSession(first);
    QVERIFY(blockUntil([&] {
        const QString session = agent.key()->session;
        return !session.isEmpty() && session != first;
    }));
    QCOMPARE(candidate.events.size(), 0);
    QVERIFY(candidate.waitFor(u"acquired"_s));
    QVERIFY(candidate.waitFor(u"renewed"_s, 2));
    QCOMPARE(candidate.terms(), QStringList{u"acquired %1"_s.arg(agent.key()->modifyIndex)});
    QVERIFY(candidate.provider.isLeading());
}

QTEST_GUILESS_MAIN(TestRowsBusy)
#include "tst_rows_busy.moc"
