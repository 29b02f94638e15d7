// SPDX-License-Identifier: MIT
#include "observefixture.h"

#include <Baton/sessionadmin.h>

#include <QtTest/QTest>

using namespace Baton;
using namespace Qt::StringLiterals;

/// What was shown is acted on, and nothing else. What a real Consul does then is the matter of
/// tst_live_observe.
class TestSessionAdmin : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void destroy_data();
    void destroy();
    void release_data();
    void release();
    void lostAnswerIsUnknown();
    void deniedNamesTheRight();

private:
    AdminResult destroyed(const SessionRecord &session);
    AdminResult released(const ElectionRecord &election);
    [[nodiscard]] static SessionRecord shownSession()
    {
        SessionRecord session;
        session.id = S1;
        session.createIndex = 7;
        session.keys = {Key};
        return session;
    }
    [[nodiscard]] ElectionRecord shownElection() const
    {
        ElectionRecord election;
        election.key = Key;
        election.leader.session = S1;
        election.modifyIndex = 12;
        return election;
    }

    std::unique_ptr<FakeCluster> m_cluster;
    std::unique_ptr<SessionAdmin> m_admin;
    int m_writes = 0;
};

void TestSessionAdmin::init()
{
    m_writes = 0;
    m_cluster = std::make_unique<FakeCluster>();
    m_cluster->setSession(S1, u"first"_s);
    m_cluster->setKey(Key, S1, "x"); // Index 12.
    m_cluster->intercept = [this](const FakeCluster::Request &request, const FakeCluster::Responder &) {
        m_writes += request.method == "PUT";
        return false;
    };
    ObserverOptions options;
    options.address = m_cluster->address();
    m_admin = std::make_unique<SessionAdmin>(options);
}

AdminResult TestSessionAdmin::destroyed(const SessionRecord &session)
{
    std::optional<AdminResult> result;
    m_admin->destroySession(session, this, [&result](const AdminResult &came) { result = came; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(result, Patience); }();
    return result.value_or(AdminResult());
}

AdminResult TestSessionAdmin::released(const ElectionRecord &election)
{
    std::optional<AdminResult> result;
    m_admin->releaseKey(election, this, [&result](const AdminResult &came) { result = came; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(result, Patience); }();
    return result.value_or(AdminResult());
}

void TestSessionAdmin::destroy_data()
{
    QTest::addColumn<QString>("meanwhile");
    QTest::addColumn<AdminOutcome>("outcome");
    QTest::newRow("as shown") << u"nothing"_s << AdminOutcome::Done;
    QTest::newRow("the session is gone") << u"gone"_s << AdminOutcome::Changed;
    QTest::newRow("another session of that id") << u"other"_s << AdminOutcome::Changed;
    QTest::newRow("the key is another's") << u"key"_s << AdminOutcome::Changed;
    QTest::newRow("the key is deleted") << u"deleted"_s << AdminOutcome::Changed;
}

void TestSessionAdmin::destroy()
{
    QFETCH(QString, meanwhile);
    SessionRecord shown = shownSession();
    if (meanwhile == "gone"_L1)
        m_cluster->removeSession(S1);
    else if (meanwhile == "other"_L1)
        shown.createIndex = 6;
    else if (meanwhile == "key"_L1)
        m_cluster->setKey(Key, S2, "y");
    else if (meanwhile == "deleted"_L1)
        m_cluster->removeKey(Key);
    const AdminResult result = destroyed(shown);
    QTEST(result.outcome, "outcome");
    QCOMPARE(m_writes, result.outcome == AdminOutcome::Done ? 1 : 0);
    QCOMPARE(result.detail.isEmpty(), result.outcome == AdminOutcome::Done);
}

void TestSessionAdmin::release_data()
{
    QTest::addColumn<QString>("meanwhile");
    QTest::newRow("another holder") << u"holder"_s;
    QTest::newRow("written to") << u"written"_s;
    QTest::newRow("free") << u"free"_s;
    QTest::newRow("deleted") << u"deleted"_s;
}

void TestSessionAdmin::release()
{
    QFETCH(QString, meanwhile);
    if (meanwhile == "holder"_L1)
        m_cluster->setKey(Key, S2, "y");
    else if (meanwhile == "written"_L1)
        m_cluster->setKey(Key, S1, "z");
    else if (meanwhile == "free"_L1)
        m_cluster->setKey(Key, {}, "x");
    else
        m_cluster->removeKey(Key);
    const AdminResult result = released(shownElection());
    QCOMPARE(result.outcome, AdminOutcome::Changed);
    QVERIFY(!result.detail.isEmpty());
    QCOMPARE(m_writes, 0);
}

void TestSessionAdmin::lostAnswerIsUnknown()
{
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.method == "PUT")
            responder.close();
        return request.method == "PUT";
    };
    QCOMPARE(released(shownElection()).outcome, AdminOutcome::Unknown);
    QCOMPARE(m_cluster->count("/v1/txn"), 1); // Not repeated.
}

void TestSessionAdmin::deniedNamesTheRight()
{
    m_cluster->intercept = [](const FakeCluster::Request &request, const FakeCluster::Responder &responder) {
        if (request.method == "PUT")
            responder.reply(403, "Permission denied", {{"Content-Type", "text/plain; charset=utf-8"}});
        return request.method == "PUT";
    };
    const AdminResult result = destroyed(shownSession());
    QCOMPARE(result.outcome, AdminOutcome::Refused);
    QCOMPARE(result.error.trouble, ObserveTrouble::Denied);
    QVERIFY(result.error.missingRule.contains("session_prefix"_L1));
}

QTEST_GUILESS_MAIN(TestSessionAdmin)
#include "tst_sessionadmin.moc"
