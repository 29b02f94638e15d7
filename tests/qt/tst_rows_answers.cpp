// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <atomic>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about strange answers on the way to leadership: none is read as state, and each passes.
class TestRowsAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f08_invalidSession_data();
    void f08_invalidSession();
    void f09_serverErrors_data();
    void f09_serverErrors();
    void f25_notConsul_data();
    void f25_notConsul();
};

void TestRowsAnswers::f08_invalidSession_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("text"); // %1: the session.
    for (const int status : {500, 409}) {
        const auto row = [status](const char *said, const QByteArray &text) {
            QTest::addRow("%d %s", status, said) << status << text;
        };
        row("as 1.8 says it", R"(invalid session "%1")");
        row("in capitals", "Invalid session");
        row("through a client agent", R"(rpc error making call: invalid session "%1")");
        row("through two agents", R"(rpc error making call: rpc error making call: invalid session "%1")");
        row("short prefix", R"(rpc error: invalid session "%1")");
        row("from Raft", R"(raft apply failed: invalid session "")");
    }
    QTest::newRow("409 as a transaction says it")
        << 409 << QByteArray(R"({"Results":null,"Errors":[{"OpIndex":1,"What":"invalid session \"%1\""}]})");
}

void TestRowsAnswers::f08_invalidSession()
{
    QFETCH(int, status);
    QFETCH(QByteArray, text);
    Agent agent;
    std::atomic<bool> refused = false;
    agent.intercept([&refused, status, text](const Request &request, const Responder &responder) {
        if (ScriptedAgent::kindOf(request) != Kind::Txn || refused.exchange(true))
            return false;
        responder.reply(
            status, QByteArray(text).replace("%1", sessionIn(request).toLatin1()),
            {{"Content-Type", text.startsWith('{') ? QByteArrayLiteral("application/json") : Text}});
        return true;
    });
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QList<Kind> kinds;
    for (const auto &seen : agent.seen())
        kinds.append(seen.kind);
    QCOMPARE(kinds.at(kinds.indexOf(Kind::Txn) + 1), Kind::Create);
    QCOMPARE(agent.count(Kind::Create), 2);
    QCOMPARE(agent.count(Kind::Txn), 2);
    QVERIFY(candidate.errors.isEmpty());
}

void TestRowsAnswers::f09_serverErrors_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("text");
    const QByteArrayList texts = {
        "rpc error getting client: failed to get conn: dial tcp <nil>->10.0.0.9:8300: i/o timeout",
        "rpc error making call: EOF",
        "No known Consul servers",
        "No path to datacenter",
        "leadership lost while committing log",
        "",
        QByteArray(1'000'000, 'x'),
        "line\r\nbreaks\x01\x1b[31m and \xff\xfe",
    };
    for (const Kind kind : CampaignKinds) {
        for (const QByteArray &text : texts)
            QTest::addRow("%s: %s", name(kind), qPrintable(QString::fromLatin1(text.left(24)).simplified()))
                << kind << text;
    }
}

void TestRowsAnswers::f09_serverErrors()
{
    QFETCH(Kind, kind);
    QFETCH(QByteArray, text);
    Agent agent;
    agent.answer(kind, 500, text, Text, 1);
    Candidate candidate(longLease(agent));
    checkThatItLeads(agent, candidate);
    QCOMPARE(candidate.errors.first().code, ErrorCode::ServerError);
    QCOMPARE(candidate.errors.first().status, 500);
}

void TestRowsAnswers::f25_notConsul_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("type");
    for (const Kind kind : CampaignKinds) {
        for (const int status : {200, 404, 409, 502, 503, 504})
            QTest::addRow("%s: %d with a page", name(kind), status)
                << kind << status << QByteArray("text/html");
        QTest::addRow("%s: a page that says it is JSON", name(kind))
            << kind << 200 << QByteArray("application/json");
    }
}

void TestRowsAnswers::f25_notConsul()
{
    QFETCH(Kind, kind);
    QFETCH(int, status);
    QFETCH(QByteArray, type);
    Agent agent;
    agent.answer(kind, status, Html, type, 1);
    Candidate candidate(longLease(agent));
    checkThatItLeads(agent, candidate);
}

QTEST_GUILESS_MAIN(TestRowsAnswers)
#include "tst_rows_answers.moc"
