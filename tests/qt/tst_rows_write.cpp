// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <Baton/FencedKv>

#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>

#include <atomic>
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about writes: those of a leader that is none any more, and those whose answer is lost.
class TestRowsWrite : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f48_pausedLeaderWrites();
    void f48_voidLeaseSendsNothing();
    void f48_readsAreConsistent();
    void f65_lostAnswers_data();
    void f65_lostAnswers();
    void f65_releaseNeverAnswered();
    void f75_lateWrites();
};

namespace {

const QString Data = u"data/x"_s;

WriteResult write(const Lease &lease, const QByteArray &value)
{
    QFuture<WriteResult> future = FencedKv(lease).write(Data, value);
    future.waitForFinished();
    return future.result();
}

/// Whatever another client sends: status and body.
std::pair<int, QByteArray> send(const Agent &agent, const QByteArray &method, const QString &path,
                                const QByteArray &body = {})
{
    QNetworkAccessManager manager;
    QNetworkRequest request(QUrl(agent.url().toString() + path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    const std::unique_ptr<QNetworkReply> reply(manager.sendCustomRequest(request, method, body));
    if (!QTest::qWaitFor([&] { return reply->isFinished(); }, Patience))
        return {};
    return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll()};
}

bool dataIs(const Agent &agent, const QByteArray &value)
{
    const auto [status, body] = send(agent, "GET", u"/v1/kv/"_s + Data);
    return value.isNull() ? status == 404 : body.contains('"' + value.toBase64() + '"');
}

} // namespace

/// It does not know yet that a rival leads: neither its renewals nor its watch are answered.
void TestRowsWrite::f48_pausedLeaderWrites()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    QCOMPARE(write(lease, "first").outcome, WriteOutcome::Written);
    QVERIFY(dataIs(agent, "first"));
    agent.blackhole(Kind::Watch);
    agent.blackhole(Kind::Renew);
    agent.setHolder(Stranger, "rival");
    QVERIFY(lease.isHeld());
    const WriteResult result = write(lease, "second");
    QCOMPARE(result.outcome, WriteOutcome::Refused);
    QVERIFY(result.error.isOk());
    QVERIFY(dataIs(agent, "first"));
    // The rival is gone, and so is the lock.
    agent.releaseKey();
    QCOMPARE(write(lease, "third").outcome, WriteOutcome::Refused);
    agent.deleteKey();
    QCOMPARE(write(lease, "fourth").outcome, WriteOutcome::Refused);
    QVERIFY(dataIs(agent, "first"));
    agent.heal();
}

void TestRowsWrite::f48_voidLeaseSendsNothing()
{
    Agent agent;
    Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    const Lease lease = candidate.provider.lease();
    agent.blackhole(Kind::Renew);
    QVERIFY(blockUntil([&] { return !lease.isHeld(); })); // Before any signal.
    agent.heal();
    const WriteResult result = write(lease, "late");
    QCOMPARE(result.outcome, WriteOutcome::Refused);
    QVERIFY(dataIs(agent, {}));
    for (const auto &seen : agent.seen(Kind::Txn))
        QVERIFY(!seen.request.body.contains("data/x"));
}

void TestRowsWrite::f48_readsAreConsistent()
{
    Agent agent;
    agent.setHolder(Stranger, "stranger");
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(candidate.waitFor(u"waiting held"_s));
    agent.releaseKey();
    QVERIFY(candidate.waitFor(u"acquired"_s));
    agent.releaseKey();
    QVERIFY(candidate.waitFor(u"lost lock_key_released"_s));
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
    for (const Kind kind : {Kind::Read, Kind::Watch, Kind::Info}) {
        QVERIFY(agent.count(kind) > 0);
        for (const auto &seen : agent.seen(kind)) {
            QVERIFY(seen.request.query.hasQueryItem(u"consistent"_s));
            QVERIFY(!seen.request.query.hasQueryItem(u"stale"_s));
            QVERIFY(!seen.request.query.hasQueryItem(u"cached"_s));
        }
    }
}

void TestRowsWrite::f65_lostAnswers_data()
{
    QTest::addColumn<QString>("deed");
    QTest::addColumn<bool>("fresh");
    for (const QString &deed : {u"create"_s, u"lock"_s, u"release"_s, u"write"_s, u"destroy"_s}) {
        QTest::addRow("%s, kept connection", qPrintable(deed)) << deed << false;
        QTest::addRow("%s, fresh connection", qPrintable(deed)) << deed << true;
    }
}

/// The agent does it and closes instead of answering, so that Qt sends it again where it may.
void TestRowsWrite::f65_lostAnswers()
{
    QFETCH(QString, deed);
    QFETCH(bool, fresh);
    Agent agent;
    if (fresh) {
        // Whatever comes before leaves no connection behind.
        agent.intercept([](const Request &request, const Responder &responder) {
            if (ScriptedAgent::kindOf(request) != Kind::Renew)
                return false;
            const QString session = request.path.section(u'/', -1);
            responder.send(
                Testing::httpAnswer(200, sessionJson(session, "10s", "10000000000"),
                                    {{"Content-Type", "application/json"}, {"Connection", "close"}}));
            responder.close();
            return true;
        });
    }
    if (deed == "create"_L1 || deed == "lock"_L1)
        agent.closeAfterReading(deed == "lock"_L1 ? Kind::Txn : Kind::Create, 1);
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.provider.token(), agent.key()->modifyIndex);
    QCOMPARE(candidate.provider.lease().session(), agent.key()->session);
    QCOMPARE(agent.key()->lockIndex, 1);

    if (deed == "lock"_L1) {
        QCOMPARE(agent.count(Kind::Txn), 2); // The second one asks for the same again.
        QCOMPARE(candidate.count(u"acquired"_s), 1);
    } else if (deed == "create"_L1) {
        QCOMPARE(agent.count(Kind::Create), 2);
    } else if (deed == "write"_L1) {
        QVERIFY(candidate.waitFor(u"renewed"_s));
        agent.closeAfterReading(Kind::Txn, 1);
        const WriteResult result = write(candidate.provider.lease(), "once");
        QCOMPARE(result.outcome, WriteOutcome::Unknown);
        QCOMPARE(result.error.code, ErrorCode::Interrupted);
        QVERIFY(dataIs(agent, "once"));
        QCOMPARE(agent.count(Kind::Txn), 2);
    } else {
        QVERIFY(candidate.waitFor(u"renewed"_s));
        agent.closeAfterReading(deed == "release"_L1 ? Kind::Release : Kind::Destroy, 1);
    }
    const Instant asked = bootNow();
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QVERIFY(bootNow() - asked < Late);
    QCOMPARE(agent.key()->session, QString());
    QCOMPARE(candidate.count(u"error interrupted release"_s), 0);
    QCOMPARE(candidate.count(u"error interrupted destroy_session"_s), 0);
    QVERIFY(!agent.sessions().contains(candidate.provider.lease().session()));
    QCOMPARE(candidate.count(u"error"_s), candidate.count(u"cleared"_s));
}

/// No answer to the release ever comes: what the key shows counts.
void TestRowsWrite::f65_releaseNeverAnswered()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    agent.closeAfterReading(Kind::Release);
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QCOMPARE(agent.key()->session, QString());
    QCOMPARE(agent.sessions(), QStringList());
    QVERIFY(agent.count(Kind::Read) >= 2); // The second one after the release.
    QCOMPARE(candidate.count(u"error"_s), candidate.count(u"cleared"_s));
}

/// A fenced write and a lock of an earlier term arrive during a later one.
void TestRowsWrite::f75_lateWrites()
{
    Agent agent;
    QByteArray late;
    {
        Candidate first(longLease(agent));
        QVERIFY(first.lead());
        agent.blackhole(Kind::Txn); // On its way for very long.
        const QFuture<WriteResult> lost = FencedKv(first.provider.lease()).write(Data, "late");
        QTRY_COMPARE_WITH_TIMEOUT(agent.count(Kind::Txn), 2, Patience);
        late = agent.seen(Kind::Txn).last().request.body;
        agent.heal();
        first.provider.stop();
        QVERIFY(first.waitFor(u"stopped"_s));
    }
    const QByteArray lateLock = agent.seen(Kind::Txn).first().request.body;
    Candidate second(longLease(agent));
    QVERIFY(second.lead());
    QCOMPARE(write(second.provider.lease(), "good").outcome, WriteOutcome::Written);
    const auto key = agent.key();
    for (const QByteArray &body : {late, lateLock})
        QCOMPARE(send(agent, "PUT", u"/v1/txn"_s, body).first, 409);
    QVERIFY(dataIs(agent, "good"));
    QCOMPARE(agent.key()->modifyIndex, key->modifyIndex);
    QCOMPARE(agent.key()->session, key->session);
    QCOMPARE(write(second.provider.lease(), "better").outcome, WriteOutcome::Written);
}

QTEST_GUILESS_MAIN(TestRowsWrite)
#include "tst_rows_write.moc"
