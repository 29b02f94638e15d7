// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <Baton/FencedKv>

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about settings that Consul refuses, changes or stumbles over. What is refused when
/// configured is in tst_leaseoptions.
class TestRowsConfiguration : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f10_serversMinimum_data();
    void f10_serversMinimum();
    void f12_lockDelayAsked_data();
    void f12_lockDelayAsked();
    void f12_readBack_data();
    void f12_readBack();
    void f31_refusedBeforeSending_data();
    void f31_refusedBeforeSending();
    void f32_keysSurvive_data();
    void f32_keysSurvive();
    void f32_scopeSurvives();
    void f37_nodeUnhealthy_data();
    void f37_nodeUnhealthy();
};

namespace {

/// A retry that somebody has to mend something for begins at half a second.
constexpr auto SlowRetry = 400ms;

} // namespace

void TestRowsConfiguration::f10_serversMinimum_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("one server") << QByteArray(
        "Invalid Session TTL '500000000', must be between [10s=24h0m0s]");
    QTest::newRow("through a client agent") << QByteArray(
        "rpc error making call: Invalid Session TTL '500000000', must be between [10s=24h0m0s]");
    QTest::newRow("not a duration") << QByteArray(
        R"(Session TTL 'abc' invalid: time: invalid duration "abc")");
}

void TestRowsConfiguration::f10_serversMinimum()
{
    QFETCH(QByteArray, text);
    Agent agent;
    agent.answer(Kind::Create, 500, text, Text, 1);
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.errors.size(), 1);
    QCOMPARE(candidate.errors.first().code, ErrorCode::Rejected);
    QVERIFY(candidate.errors.first().message().contains(QString::fromUtf8(text)));
    QVERIFY(agent.seen(Kind::Create)[1].at - agent.seen(Kind::Create)[0].at > SlowRetry);
}

void TestRowsConfiguration::f12_lockDelayAsked_data()
{
    using Value = std::optional<std::chrono::milliseconds>;
    QTest::addColumn<Value>("lockDelay");
    QTest::addColumn<QByteArray>("asked");
    QTest::newRow("unset") << Value() << QByteArray("9s");
    QTest::newRow("zero") << Value(0ms) << QByteArray("0s");
    QTest::newRow("two seconds") << Value(2000ms) << QByteArray("2s");
    QTest::newRow("not whole") << Value(2500ms) << QByteArray("2500ms");
    QTest::newRow("longest") << Value(60s) << QByteArray("60s");
}

void TestRowsConfiguration::f12_lockDelayAsked()
{
    QFETCH(std::optional<std::chrono::milliseconds>, lockDelay);
    QFETCH(QByteArray, asked);
    Agent agent;
    LeaseOptions options;
    options.serviceName = u"test"_s;
    options.address = agent.url().toString();
    options.lockDelay = lockDelay;
    Candidate candidate(options);
    QVERIFY(candidate.lead()); // The agent lists what it was asked for, so this was read back.
    const QByteArray body = agent.seen(Kind::Create).first().request.body;
    const QByteArray lockDelayMember = R"("LockDelay":")" + asked + '"';
    const QByteArray ttlMember = R"("TTL":"10s")";
    QVERIFY2(body.contains(lockDelayMember), body);
    QVERIFY2(body.contains(ttlMember), body);
    QVERIFY(candidate.errors.isEmpty());
}

void TestRowsConfiguration::f12_readBack_data()
{
    QTest::addColumn<QByteArray>("ttl");
    QTest::addColumn<QByteArray>("lockDelay");
    QTest::addColumn<QByteArray>("nodeChecks");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *odd, const char *ttl, const char *lockDelay, const char *checks,
                        const QString &error) {
        QTest::newRow(odd) << QByteArray(ttl) << QByteArray(lockDelay) << QByteArray(checks) << error;
    };
    const QString unfit = u"error session_unfit create_session"_s;
    row("shorter lock-delay", "10s", "9999000000", "[]", unfit);
    row("no lock-delay", "10s", "0", "[]", unfit);
    row("shorter TTL", "9999ms", "10000000000", "[]", unfit);
    row("no TTL", "", "10000000000", "[]", unfit);
    row("larger TTL of a loaded server", "20s", "10000000000", "[]", QString());
    row("longer lock-delay", "10s", "15000000000", "[]", QString());
    row("a node check that was not asked for", "10s", "10000000000", R"(["serfHealth"])",
        u"error node_check_forced inspect_session"_s);
}

/// What Consul stored is read back before anything is locked. Less safety than asked for is not accepted.
void TestRowsConfiguration::f12_readBack()
{
    QFETCH(QByteArray, ttl);
    QFETCH(QByteArray, lockDelay);
    QFETCH(QByteArray, nodeChecks);
    QFETCH(QString, error);
    Agent agent;
    std::atomic<bool> shown = false;
    agent.intercept([&, ttl, lockDelay, nodeChecks](const Request &request, const Responder &responder) {
        if (ScriptedAgent::kindOf(request) != Kind::Renew || shown.exchange(true))
            return false;
        responder.reply(200, sessionJson(request.path.section(u'/', -1), ttl, lockDelay, nodeChecks),
                        {{"Content-Type", "application/json"}});
        return true;
    });
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.errors.size(), error.isEmpty() ? 0 : 1);
    QCOMPARE(candidate.count(error), error.isEmpty() ? candidate.events.size() : 1);
    const bool unfit = error.contains("unfit"_L1);
    QCOMPARE(agent.count(Kind::Create), unfit ? 2 : 1);
    if (!unfit)
        return;
    QTRY_COMPARE_WITH_TIMEOUT(agent.sessions().size(), 1, Patience); // The other one was destroyed.
    QVERIFY(agent.seen(Kind::Create)[1].at - agent.seen(Kind::Create)[0].at > SlowRetry);
    QCOMPARE(candidate.count(u"cleared session_unfit"_s), 1);
}

void TestRowsConfiguration::f31_refusedBeforeSending_data()
{
    QTest::addColumn<QString>("key");
    for (const QString &key :
         {u"a//b"_s, u"/a"_s, u"a/"_s, u"."_s, u".."_s, u"../x"_s, u"a/./b"_s, u"a\n"_s, QString()})
        QTest::addRow("key '%s'", qPrintable(QString(key).replace(u'\n', u'~'))) << key;
}

void TestRowsConfiguration::f31_refusedBeforeSending()
{
    QFETCH(QString, key);
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.serviceName.clear();
    options.key = key;
    Candidate candidate(options);
    candidate.provider.start();
    QCOMPARE(candidate.count(u"error invalid_options configure"_s), 1);
    QCOMPARE(candidate.provider.state(), ProviderState::Idle);
    QCOMPARE(agent.seen().size(), 0);
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));

    // The same for a key to be written under the lock.
    Candidate leader(longLease(agent));
    QVERIFY(leader.lead());
    const int before = agent.count(Kind::Txn);
    QFuture<WriteResult> written = FencedKv(leader.provider.lease()).write(key, "x");
    written.waitForFinished();
    QCOMPARE(written.result().outcome, WriteOutcome::Refused);
    QCOMPARE(written.result().error.code, ErrorCode::Rejected);
    QCOMPARE(agent.count(Kind::Txn), before);
}

void TestRowsConfiguration::f32_keysSurvive_data()
{
    QTest::addColumn<QString>("key");
    for (const QString &key : {u"a b"_s, u"a#b?c"_s, u"50%"_s, u"a%2Fb"_s, u"a+b"_s, u"ç"_s, u"😀/x&y=z"_s,
                               u"a;b:c@d"_s, u"quote\"back\\slash"_s})
        QTest::addRow("%s", qPrintable(key)) << key;
}

/// The whole way with an odd key: locked, watched, written, released.
void TestRowsConfiguration::f32_keysSurvive()
{
    QFETCH(QString, key);
    Agent agent(key);
    LeaseOptions options = longLease(agent);
    options.serviceName.clear();
    options.key = key;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    const QString session = candidate.provider.lease().session();
    QCOMPARE(agent.key()->session, session);
    agent.putValue("seen by the watch");
    QVERIFY(candidate.waitFor(u"error foreign_write"_s));
    QFuture<WriteResult> written = FencedKv(candidate.provider.lease()).write(u"data/"_s + key, "x");
    written.waitForFinished();
    QCOMPARE(written.result().outcome, WriteOutcome::Written);
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QCOMPARE(agent.key()->session, QString());
    QCOMPARE(agent.count(Kind::Other), 0);
}

void TestRowsConfiguration::f32_scopeSurvives()
{
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.datacenter = u"a+b c"_s;
    options.nameSpace = u"n&s"_s;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    QVERIFY(candidate.waitFor(u"renewed"_s));
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    for (const auto &seen : agent.seen()) {
        QCOMPARE(seen.request.target.count("dc=a%2Bb%20c"), 1);
        QCOMPARE(seen.request.target.count("ns=n%26s"), 1);
        QVERIFY(!seen.request.target.contains("partition"));
    }
}

void TestRowsConfiguration::f37_nodeUnhealthy_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("not registered yet") << QByteArray("Missing check 'serfHealth' registration");
    QTest::newRow("critical") << QByteArray("Check 'serfHealth' is in critical state");
    QTest::newRow("node not registered") << QByteArray("Missing node registration");
    QTest::newRow("through a client agent")
        << QByteArray("rpc error making call: Check 'serfHealth' is in critical state");
}

void TestRowsConfiguration::f37_nodeUnhealthy()
{
    QFETCH(QByteArray, text);
    Agent agent;
    agent.answer(Kind::Create, 500, text, Text, 1);
    LeaseOptions options = longLease(agent);
    options.profile = Profile::Conservative;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.errors.size(), 1);
    QCOMPARE(candidate.errors.first().code, ErrorCode::NodeUnhealthy);
    const QString message = candidate.errors.first().message();
    QVERIFY2(message.contains("node"_L1) && message.contains(QString::fromUtf8(text)), qPrintable(message));
    QCOMPARE(candidate.count(u"cleared node_unhealthy"_s), 1);
    QVERIFY(agent.seen(Kind::Create)[1].at - agent.seen(Kind::Create)[0].at > SlowRetry);
    const QByteArray nodeCheck = R"("NodeChecks":["serfHealth"])";
    QVERIFY(agent.seen(Kind::Create)[0].request.body.contains(nodeCheck));
}

QTEST_GUILESS_MAIN(TestRowsConfiguration)
#include "tst_rows_configuration.moc"
