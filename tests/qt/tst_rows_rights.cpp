// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about missing rights: each step says what it lacks, and goes on as soon as it may.
class TestRowsRights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f27_deniedOnTheWay_data();
    void f27_deniedOnTheWay();
    void f27_deniedWhileLeading_data();
    void f27_deniedWhileLeading();
    void f27_deniedAfterLoss_data();
    void f27_deniedAfterLoss();
};

namespace {

const QByteArray TxnDenied =
    R"({"Results":null,"Errors":[{"OpIndex":0,"What":"Permission denied"},{"OpIndex":1,"What":"Permission denied"}]})";
const QString KeyRule = u"key \"service/test/leader\" { policy = \"write\" }"_s;
const QString SessionRule = u"session \"<node of the agent>\" { policy = \"write\" }"_s;

void checkReport(const Candidate &candidate, Step step, const QString &rule)
{
    const auto denied = std::ranges::find(candidate.errors, ErrorCode::Denied, &LeaseError::code);
    QVERIFY(denied != candidate.errors.cend());
    QCOMPARE(denied->step, step);
    QVERIFY2(denied->message().contains(rule), qPrintable(denied->message()));
    QVERIFY2(!denied->message().contains("s3cret"_L1), qPrintable(denied->message()));
    QCOMPARE(candidate.count(u"error denied"_s), 1);
}

LeaseOptions withToken(const Agent &agent)
{
    LeaseOptions options = longLease(agent);
    options.token = u"s3cret"_s;
    return options;
}

} // namespace

void TestRowsRights::f27_deniedOnTheWay_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Step>("step");
    QTest::addColumn<QString>("rule");
    const QByteArray said = "Permission denied";
    QTest::newRow("create") << Kind::Create << 403 << said << Step::CreateSession << SessionRule;
    QTest::newRow("create, as 1.12 says it")
        << Kind::Create << 403
        << QByteArray("Permission denied: token with AccessorID '00000000-0000-0000-0000-000000000002' lacks "
                      "permission 'session:write' on \"n1\"")
        << Step::CreateSession << SessionRule;
    QTest::newRow("create, through a client agent")
        << Kind::Create << 500 << QByteArray("rpc error making call: Permission denied")
        << Step::CreateSession << SessionRule;
    QTest::newRow("renew") << Kind::Renew << 403 << said << Step::RenewSession << SessionRule;
    QTest::newRow("read") << Kind::Read << 403 << said << Step::ReadKey << KeyRule;
    QTest::newRow("transaction") << Kind::Txn << 403 << said << Step::Lock << KeyRule;
    QTest::newRow("operations of the transaction") << Kind::Txn << 409 << TxnDenied << Step::Lock << KeyRule;
    QTest::newRow("unknown token") << Kind::Create << 403 << QByteArray("ACL not found")
                                   << Step::CreateSession << u"does not know the ACL token"_s;
}

void TestRowsRights::f27_deniedOnTheWay()
{
    QFETCH(Kind, kind);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(Step, step);
    QFETCH(QString, rule);
    Agent agent;
    agent.answer(kind, status, body, body.startsWith('{') ? QByteArrayLiteral("application/json") : Text, 1);
    Candidate candidate(withToken(agent));
    QVERIFY(candidate.lead());
    checkReport(candidate, step, rule);
    QCOMPARE(candidate.count(u"cleared denied"_s), 1);
    if (kind == Kind::Txn)
        QCOMPARE(candidate.count(u"waiting denied"_s), 1);
}

void TestRowsRights::f27_deniedWhileLeading_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Step>("step");
    QTest::addColumn<QString>("rule");
    QTest::newRow("renew") << Kind::Renew << Step::RenewSession << SessionRule;
    QTest::newRow("watch") << Kind::Watch << Step::Watch << KeyRule;
}

void TestRowsRights::f27_deniedWhileLeading()
{
    QFETCH(Kind, kind);
    QFETCH(Step, step);
    QFETCH(QString, rule);
    Agent agent;
    Candidate candidate(withToken(agent));
    QVERIFY(candidate.lead());
    agent.answer(kind, 403, "Permission denied", Text, 2);
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error denied"_s));
    checkReport(candidate, step, rule);
    agent.putValue("and again");
    QVERIFY(candidate.waitFor(u"cleared denied"_s));
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.provider.isLeading());
}

void TestRowsRights::f27_deniedAfterLoss_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Step>("step");
    QTest::addColumn<QString>("rule");
    QTest::newRow("destroy") << Kind::Destroy << Step::DestroySession << SessionRule;
    QTest::newRow("release") << Kind::Release << Step::Release << KeyRule;
}

/// Giving up without the right to: said, and the other way out is taken.
void TestRowsRights::f27_deniedAfterLoss()
{
    QFETCH(Kind, kind);
    QFETCH(Step, step);
    QFETCH(QString, rule);
    Agent agent;
    Candidate candidate(withToken(agent));
    QVERIFY(candidate.lead());
    const QString session = candidate.provider.lease().session();
    agent.answer(kind, 403, "Permission denied", Text, 1);
    candidate.provider.lease().release();
    QVERIFY(candidate.waitFor(u"error denied"_s));
    checkReport(candidate, step, rule);
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    QTRY_VERIFY_WITH_TIMEOUT(!agent.sessions().contains(session), Patience);
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QCOMPARE(candidate.count(u"cleared denied"_s), 1);
}

QTEST_GUILESS_MAIN(TestRowsRights)
#include "tst_rows_rights.moc"
