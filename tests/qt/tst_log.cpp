// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include "qt/courier.h"
#include "qt/log.h"

#include <QtCore/QMutex>
#include <QtCore/QThread>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;
using Baton::Shell::Courier;
using Baton::Shell::Log;

/// The logging categories: silent unless switched on, written by the courier, bounded, and without a secret.
class TestLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void silentByDefault();
    void tellsTermsAndTroubles();
    void tellsRequests();
    void f28_f29_tokenInNoText();
    void fewInASecond();
    void fewWhileTheHandlerSleeps();
};

namespace {

struct Line
{
    QString category;
    QString text;
    QString thread;
};

QMutex g_mutex;
QList<Line> g_lines;
QMutex g_asleep; ///< Held while the handler is to sleep.
QtMessageHandler g_before = nullptr;

void collect(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    const auto category = QString::fromLatin1(context.category);
    if (!category.startsWith("baton."_L1)) {
        g_before(type, context, text);
        return;
    }
    const QMutexLocker awake(&g_asleep);
    const QMutexLocker lock(&g_mutex);
    g_lines.append({category, text, QThread::currentThread()->objectName()});
}

QList<Line> lines()
{
    const QMutexLocker lock(&g_mutex);
    return g_lines;
}

int count(const QString &category, const QString &part)
{
    const QList<Line> all = lines();
    return int(std::ranges::count_if(
        all, [&](const Line &line) { return line.category == category && line.text.contains(part); }));
}

} // namespace

void TestLog::init()
{
    {
        const QMutexLocker lock(&g_mutex);
        g_lines.clear();
    }
    g_before = qInstallMessageHandler(collect);
    QLoggingCategory::setFilterRules(u"baton.*=true"_s);
}

void TestLog::cleanup()
{
    qInstallMessageHandler(g_before);
    QLoggingCategory::setFilterRules({});
}

void TestLog::silentByDefault()
{
    QLoggingCategory::setFilterRules({});
    Agent agent;
    Candidate candidate(longLease(agent));
    agent.answer(Kind::Create, 500, "No cluster leader", Text, 1);
    QVERIFY(candidate.lead());
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QCOMPARE(lines().size(), 0);
}

void TestLog::tellsTermsAndTroubles()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    agent.answer(Kind::Create, 500, "No cluster leader", Text, 1);
    QVERIFY(candidate.lead());
    const quint64 token = *candidate.provider.token();
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"lost"_s));
    const QString category = u"baton.campaign"_s;
    QTRY_COMPARE_WITH_TIMEOUT(count(category, u"leading with token %1"_s.arg(token)), 1, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(count(category, u"lost, lock_key_deleted"_s), 1, Patience);
    QCOMPARE(count(category, u"No cluster leader"_s), 1);
    QCOMPARE(count(category, u"over: server_error"_s), 1);
    for (const Line &line : lines())
        QVERIFY2(line.category != category || line.text.contains(Key), qPrintable(line.text));
}

void TestLog::tellsRequests()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const QString category = u"baton.http"_s;
    QTRY_VERIFY_WITH_TIMEOUT(count(category, u"PUT /v1/txn"_s) == 1, Patience);
    QCOMPARE(count(category, u"PUT /v1/session/create"_s), 1);
    QVERIFY(count(category, u": 200 after "_s) >= 3);
    for (const Line &line : lines())
        QCOMPARE(line.thread, u"baton-courier"_s);
}

/// Also where the agent, or something before it, answers with what it was sent.
void TestLog::f28_f29_tokenInNoText()
{
    const QString secret = u"b1gs-s3cret"_s;
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.token = secret;
    Candidate candidate(options);
    agent.answer(Kind::Create, 403, "ACL not found: " + secret.toLatin1(), Text, 1);
    agent.answer(Kind::Renew, 500, "cannot forward X-Consul-Token: " + secret.toLatin1(), Text, 1);
    QVERIFY(candidate.lead());
    agent.answer(Kind::Watch, 502, "<html>X-Consul-Token: " + secret.toLatin1(), Text, 1);
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error"_s, 3));
    agent.answer(Kind::Renew, 404, "Session id '" + secret.toLatin1() + "' not found", Text);
    QVERIFY(candidate.waitFor(u"error not_consul"_s));
    for (const LeaseError &error : candidate.errors)
        QVERIFY2(!error.message().contains(secret), qPrintable(error.message()));
    QTRY_VERIFY_WITH_TIMEOUT(count(u"baton.campaign"_s, u"<token>"_s) >= 2, Patience);
    QVERIFY(!candidate.provider.lostEvidence().contains(secret));
    for (const Line &line : lines())
        QVERIFY2(!line.text.contains(secret), qPrintable(line.text));
    for (const auto &seen : agent.seen()) {
        QVERIFY(!seen.request.target.contains(secret.toLatin1()));
        QCOMPARE(seen.request.header("X-Consul-Token"), secret.toLatin1());
    }
}

void TestLog::fewInASecond()
{
    const auto courier = std::make_unique<Courier>();
    Log log(Shell::httpLog, *courier);
    const Instant begun = bootNow();
    for (int i = 0; i < 1000; ++i)
        log.write(QtDebugMsg, u"line %1"_s.arg(i));
    QTRY_VERIFY_WITH_TIMEOUT(lines().size() >= Log::Most, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > begun + 1s, Patience);
    log.write(QtDebugMsg, u"one more"_s);
    QTRY_COMPARE_WITH_TIMEOUT(count(u"baton.http"_s, u"one more"_s), 1, Patience);
    const qsizetype seconds = (bootNow() - begun) / 1s + 1; // On a busy machine the thousand took several.
    QVERIFY(lines().size() <= Log::Most * seconds + 1);
    QVERIFY(lines().last().text.contains("lines before this one were left out"_L1));
}

void TestLog::fewWhileTheHandlerSleeps()
{
    const auto courier = std::make_unique<Courier>();
    Log log(Shell::httpLog, *courier);
    {
        const QMutexLocker asleep(&g_asleep);
        for (int i = 0; i < 100; ++i)
            log.write(QtDebugMsg, u"line"_s);
        const Instant next = bootNow() + 1s; // Of the rate, the next second's lines could be written.
        QTRY_VERIFY_WITH_TIMEOUT(bootNow() > next, Patience);
        for (int i = 0; i < 100; ++i)
            log.write(QtDebugMsg, u"line"_s);
    }
    QTRY_COMPARE_WITH_TIMEOUT(lines().size(), Log::Most, Patience);
    const Instant next = bootNow() + 1s;
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > next, Patience);
    log.write(QtDebugMsg, u"one more"_s);
    QTRY_COMPARE_WITH_TIMEOUT(lines().size(), Log::Most + 1, Patience);
    QCOMPARE(lines().last().text, u"one more (180 lines before this one were left out)"_s);
}

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
