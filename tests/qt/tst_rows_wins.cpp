// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <algorithm>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about answers that look like a win, or that Qt would follow: only the confirmed answer of
/// the agent itself is one.
class TestRowsWins : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f31_f58_redirects_data();
    void f31_f58_redirects();
    void f40_noConfirmedWin_data();
    void f40_noConfirmedWin();
    void f69_cutAnswers_data();
    void f69_cutAnswers();
};

void TestRowsWins::f31_f58_redirects_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("status");
    for (const Kind kind :
         {Kind::Create, Kind::Renew, Kind::Read, Kind::Watch, Kind::Txn, Kind::Release, Kind::Destroy}) {
        for (const int status : {301, 302, 307})
            QTest::addRow("%d to %s", status, name(kind)) << kind << status;
    }
}

/// The other host is a Consul that would say yes to everything.
void TestRowsWins::f31_f58_redirects()
{
    QFETCH(Kind, kind);
    QFETCH(int, status);
    Agent agent;
    Agent other;
    std::atomic<int> redirected = 0;
    agent.intercept(
        [&, to = other.url().toEncoded(), kind, status](const Request &request, const Responder &responder) {
            const bool hit = ScriptedAgent::kindOf(request) == kind;
            if (!hit || redirected++ > 0)
                return false;
            responder.reply(status, {}, {{"Location", to + request.target}});
            return true;
        });
    LeaseOptions options = longLease(agent);
    options.token = u"s3cret"_s;
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error foreign_write"_s));
    QTRY_VERIFY_WITH_TIMEOUT(redirected > 0 || kind == Kind::Release || kind == Kind::Destroy, Patience);
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QVERIFY(redirected > 0);
    QCOMPARE(other.seen().size(), 0);
    // What must not be sent twice ends with another code where Qt would have repeated it, not other words.
    const bool rewinds = status >= 307 && (kind == Kind::Create || kind == Kind::Txn);
    const QString code = rewinds ? u"error interrupted"_s : u"error not_consul"_s;
    QCOMPARE(candidate.count(code), 1);
    const auto told = std::ranges::find(candidate.errors, status, &LeaseError::status);
    QVERIFY(told != candidate.errors.cend() && told->detail.contains("redirect"_L1));
    QCOMPARE(agent.key()->session, QString());
    QCOMPARE(agent.sessions(), QStringList());
}

void TestRowsWins::f40_noConfirmedWin_data()
{
    QTest::addColumn<QByteArray>("body"); // %1: our session, %2: another, %3: the value in base64.
    const auto row = [](const char *odd, const QByteArray &body) { QTest::newRow(odd) << body; };
    const QByteArray entry =
        R"({"KV":{"LockIndex":1,"Key":"service/test/leader","Flags":0,"Value":%v,"Session":"%1",)"
        R"("CreateIndex":12,"ModifyIndex":12}})";
    const QByteArray locked = QByteArray(entry).replace("%v", "null");
    const QByteArray got = QByteArray(entry).replace("%v", R"("%3")");
    const auto results = [](const QByteArrayList &all) {
        return R"({"Results":[)" + all.join(',') + R"(],"Errors":null})";
    };
    for (const char *body : {"null", "1", "\"true\"", "True", "", "true", "false", "[]", "{}"})
        row(*body ? body : "empty", body);
    row("no results", results({}));
    row("errors and nothing else", R"({"Results":null,"Errors":null})");
    row("one result of two", results({locked}));
    row("three results of two", results({locked, locked, got}));
    row("another session got it",
        results({QByteArray(locked).replace("%1", "%2"), QByteArray(got).replace("%1", "%2")}));
    row("another value", results({locked, QByteArray(got).replace("%3", "b3RoZXI=")}));
    row("another key", results({QByteArray(locked).replace("test", "Test"), got}));
    row("no session", results({QByteArray(locked).replace(R"("Session":"%1",)", ""), got}));
    row("two tokens", results({locked, QByteArray(got).replace(R"(dex":12}})", R"(dex":13}})")}));
    for (const char *index : {"-1", "\"12\"", "0", "null", "12.0", "1e1", "18446744073709551616"})
        QTest::addRow("token %s", index) << results(
            {QByteArray(locked).replace(R"(ModifyIndex":12)", R"(ModifyIndex":)" + QByteArray(index)),
             QByteArray(got).replace(R"(ModifyIndex":12)", R"(ModifyIndex":)" + QByteArray(index))});
}

/// What follows is a look at the key, which is free, and a second try.
void TestRowsWins::f40_noConfirmedWin()
{
    QFETCH(QByteArray, body);
    Agent agent;
    std::atomic<int> locks = 0;
    agent.intercept([&locks, body](const Request &request, const Responder &responder) {
        if (ScriptedAgent::kindOf(request) != Kind::Txn || locks++ > 0)
            return false;
        const QByteArray value = request.body.split('"').value(request.body.split('"').indexOf("Value") + 2);
        responder.reply(200,
                        QByteArray(body)
                            .replace("%1", sessionIn(request).toLatin1())
                            .replace("%2", Stranger.toLatin1())
                            .replace("%3", value),
                        {{"Content-Type", "application/json"}});
        return true;
    });
    Candidate candidate(longLease(agent));
    checkThatItLeads(agent, candidate);
    QCOMPARE(locks, 2);
    QList<Kind> kinds;
    for (const auto &seen : agent.seen())
        kinds.append(seen.kind);
    const QList<Kind> after = kinds.mid(kinds.indexOf(Kind::Txn));
    QVERIFY(after.contains(Kind::Read) || after.contains(Kind::Watch));
}

void TestRowsWins::f69_cutAnswers_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("cut");
    for (const Kind kind : CampaignKinds) {
        for (const QString &cut : {u"in the middle"_s, u"before the last byte"_s, u"after the headers"_s})
            QTest::addRow("%s cut %s", name(kind), qPrintable(cut)) << kind << cut;
    }
}

/// What the agent did is done, its answer is cut off: it is learnt by looking, not by guessing.
void TestRowsWins::f69_cutAnswers()
{
    QFETCH(Kind, kind);
    QFETCH(QString, cut);
    Agent agent;
    std::atomic<bool> done = false;
    agent.intercept([&done, kind, cut](const Request &request, const Responder &responder) {
        const bool hit = ScriptedAgent::kindOf(request) == kind;
        if (!hit || done.exchange(true))
            return false;
        const QByteArray whole = Testing::httpAnswer(
            200, R"([{"ID":"5eae4e5e-0000-4000-8000-000000000001","Results":[{"KV":{}}]}])",
            {{"Content-Type", "application/json"}});
        const qsizetype head = whole.indexOf("\r\n\r\n") + 4;
        responder.send(whole.left(cut.startsWith("in"_L1)          ? (head + whole.size()) / 2
                                      : cut.startsWith("after"_L1) ? head
                                                                   : whole.size() - 1));
        responder.close();
        return true;
    });
    Candidate candidate(longLease(agent));
    checkThatItLeads(agent, candidate);
    QCOMPARE(candidate.errors.first().code, ErrorCode::Interrupted);
}

QTEST_GUILESS_MAIN(TestRowsWins)
#include "tst_rows_wins.moc"
