// SPDX-License-Identifier: MIT
#include <Baton/LeaderInfo>
#include <Baton/LeaseError>

#include <QtCore/QMetaEnum>
#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace Baton;

class TestLeaseError : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void typesAreKnownByName();
    void nothingWentWrong();
    void message_data();
    void message();
    void everyCodeAndStepHasATextAndATag();
    void nobodyLeads();
};

void TestLeaseError::typesAreKnownByName()
{
    QVERIFY(QMetaType::fromName("Baton::LeaseError").isValid());
    QVERIFY(QMetaType::fromName("Baton::LeaderInfo").isValid());
}

void TestLeaseError::nothingWentWrong()
{
    QVERIFY(LeaseError().isOk());
    QVERIFY(!LeaseError{ErrorCode::Busy}.isOk());
}

void TestLeaseError::message_data()
{
    const QString session =
        u"session \"<node of the agent>\" { policy = \"write\" } or session_prefix \"\" { "
        "policy = \"write\" }"_s;
    const QString key = u"key \"service/a/leader\" { policy = \"write\" }"_s;
    const QString ruled = u"Permission denied"_s;
    const QString name = u"service/a/leader"_s;
    QTest::addColumn<LeaseError>("error");
    QTest::addColumn<QString>("message");
    QTest::newRow("cause alone") << LeaseError{ErrorCode::Busy, Step::Configure}
                                 << u"Starting the campaign: the provider is campaigning already"_s;
    QTest::newRow("with status and detail")
        << LeaseError{ErrorCode::ServerError, Step::RenewSession, 500, u"No cluster leader"_s}
        << u"Renewing the session: Consul is in trouble (HTTP 500, No cluster leader)"_s;
    QTest::newRow("detail alone")
        << LeaseError{ErrorCode::Unreachable, Step::Watch, 0, u"Connection refused"_s}
        << u"Watching the lock key: no connection to the Consul agent (Connection refused)"_s;
    QTest::newRow("f27 create denied")
        << LeaseError{ErrorCode::Denied, Step::CreateSession, 403, ruled, name}
        << u"Creating the session: the ACL token lacks %1 (HTTP 403, Permission denied)"_s.arg(session);
    QTest::newRow("f27 transaction denied")
        << LeaseError{ErrorCode::Denied, Step::Lock, 409, ruled, name}
        << u"Taking the lock: the ACL token lacks %1 (HTTP 409, Permission denied)"_s.arg(key);
    QTest::newRow("f27 renewal denied")
        << LeaseError{ErrorCode::Denied, Step::RenewSession, 403, ruled, name}
        << u"Renewing the session: the ACL token lacks %1 (HTTP 403, Permission denied)"_s.arg(session);
    QTest::newRow("f27 watch denied")
        << LeaseError{ErrorCode::Denied, Step::Watch, 403, ruled, name}
        << u"Watching the lock key: the ACL token lacks %1 (HTTP 403, Permission denied)"_s.arg(key);
    QTest::newRow("f27 destroy denied")
        << LeaseError{ErrorCode::Denied, Step::DestroySession, 403, ruled, name}
        << u"Ending the session: the ACL token lacks %1 (HTTP 403, Permission denied)"_s.arg(session);
    QTest::newRow("key not known")
        << LeaseError{ErrorCode::Denied, Step::ReadKey}
        << u"Reading the lock key: the ACL token lacks key \"<lock key>\" { policy = "
           "\"write\" }"_s;
    QTest::newRow("f28 token not known")
        << LeaseError{ErrorCode::Denied, Step::RenewSession, 403, u"ACL not found"_s, name}
        << u"Renewing the session: Consul does not know the ACL token (HTTP 403, ACL not found)"_s;
    QTest::newRow("detail with a place marker")
        << LeaseError{ErrorCode::Rejected, Step::Lock, 400, u"%1 %2"_s}
        << u"Taking the lock: Consul refuses the request (HTTP 400, %1 %2)"_s;
}

void TestLeaseError::message()
{
    QFETCH(LeaseError, error);
    QFETCH(QString, message);
    QCOMPARE(error.message(), message);
    QVERIFY(!error.message().contains(u'\n'));
    QString printed;
    QDebug(&printed) << error;
    QVERIFY2(printed.contains(message) && printed.contains(tag(error.code)), qPrintable(printed));
}

void TestLeaseError::everyCodeAndStepHasATextAndATag()
{
    QSet<QString> seen;
    const auto codes = QMetaEnum::fromType<ErrorCode>();
    const auto steps = QMetaEnum::fromType<Step>();
    for (int code = 0; code < codes.keyCount(); ++code) {
        QVERIFY(!tag(ErrorCode(codes.value(code))).isEmpty());
        for (int step = 0; step < steps.keyCount(); ++step) {
            QVERIFY(!tag(Step(steps.value(step))).isEmpty());
            seen.insert(LeaseError{ErrorCode(codes.value(code)), Step(steps.value(step))}.message());
        }
    }
    QCOMPARE(seen.size(), qsizetype(codes.keyCount()) * steps.keyCount());
}

void TestLeaseError::nobodyLeads()
{
    LeaderInfo info;
    info.key = u"service/a/leader"_s;
    QVERIFY(info.isNull());
    info.session = u"7f0b2f1e-0000-0000-0000-000000000000"_s;
    QVERIFY(!info.isNull());
}

QTEST_APPLESS_MAIN(TestLeaseError)
#include "tst_leaseerror.moc"
