// SPDX-License-Identifier: MIT
#include "answers.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;
using namespace std::chrono_literals;

/// Bodies are Consul 1.8.7's own unless a row says otherwise.
class TestDecodeSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replies_data();
    void replies();
    void sessionIsReadWhole();
    void sessionsOfOtherVersions_data();
    void sessionsOfOtherVersions();
    void sessionsThatAreNone_data();
    void sessionsThatAreNone();
    void f38_sessionWithoutTtlNeverExpires_data();
    void f38_sessionWithoutTtlNeverExpires();
    void lockDelayIsInNanoseconds_data();
    void lockDelayIsInNanoseconds();
};

namespace {

const QByteArray OursJson = R"([{"ID":"6056010b-4175-11be-ecb1-b105a3701bf3","Name":"x","Node":"n1",)"
                            R"("LockDelay":1500000000,"Behavior":"release","TTL":"10s","NodeChecks":[],)"
                            R"("ServiceChecks":null,"CreateIndex":8,"ModifyIndex":8}])";

QByteArray oursWith(const QByteArray &before, const QByteArray &after)
{
    Q_ASSERT(OursJson.count(before) == 1);
    return QByteArray(OursJson).replace(before, after);
}

/// The session in the answer to a renewal, or an empty one where the answer is not accepted.
SessionInfo renewed(const QByteArray &body)
{
    const Reply reply = decode(RenewSession{Ours}, json(200, body));
    const auto *session = std::get_if<SessionRenewed>(&reply);
    return session ? session->info : SessionInfo();
}

} // namespace

void TestDecodeSession::replies_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    const Request create = CreateSession{u"x"_s, 10s, 9s, {}, {}};
    const Request renew = RenewSession{Ours};
    const Request inspect = InspectSession{Ours};
    const Request destroy = DestroySession{Ours};
    const auto row = [](const char *name, const Request &request, const HttpAnswer &answer,
                        const QString &reply) { QTest::newRow(name) << request << answer << reply; };

    row("created", create, json(200, R"({"ID":"6056010b-4175-11be-ecb1-b105a3701bf3"})"),
        u"created "_s + Ours);
    row("created, pretty", create, json(200, "{\n    \"ID\": \"6056010b-4175-11be-ecb1-b105a3701bf3\"\n}\n"),
        u"created "_s + Ours);
    row("created without an id", create, json(200, R"({"ID":""})"), u"NotConsul"_s);
    row("created with no UUID", create, json(200, R"({"ID":"../kv/x"})"), u"NotConsul"_s);
    row("created with a UUID in braces", create,
        json(200, R"({"ID":"{6056010b-4175-11be-ecb1-b105a3701bf3}"})"), u"NotConsul"_s);
    row("created, id is a number", create, json(200, R"({"ID":12})"), u"NotConsul"_s);
    row("created, a list", create, json(200, R"([{"ID":"6056010b-4175-11be-ecb1-b105a3701bf3"}])"),
        u"NotConsul"_s);
    row("created, status 201", create, json(201, R"({"ID":"6056010b-4175-11be-ecb1-b105a3701bf3"})"),
        u"NotConsul"_s);
    row("f10 TTL too short", create,
        plain(500, "Invalid Session TTL '5000000000', must be between [10s=24h0m0s]"), u"Rejected"_s);
    row("f10 TTL too short, through a client agent", create,
        plain(500, "rpc error making call: Invalid Session TTL '5000000000', must be between [10s=24h0m0s]"),
        u"Rejected"_s);
    row("f10 TTL no duration", create,
        plain(500, R"(Session TTL 'abc' invalid: time: invalid duration "abc")"), u"Rejected"_s);
    row("f37 check missing", create, plain(500, "Missing check 'serfHealth' registration"),
        u"NodeUnhealthy"_s);
    row("f37 check critical", create, plain(500, "Check 'serfHealth' is in critical state"),
        u"NodeUnhealthy"_s);
    row("f37 check critical, through two servers", create,
        plain(500, "rpc error making call: rpc error making call: Check 'serfHealth' is in critical state"),
        u"NodeUnhealthy"_s);
    row("f37 node not registered yet", create, plain(500, "rpc error: Missing node registration"),
        u"NodeUnhealthy"_s);
    row("f37 named in a page of HTML", create,
        answer(500, "text/html", "Check 'serfHealth' is in critical state"), u"ServerError"_s);
    row("f49 namespace on the community edition", create,
        plain(400,
              R"(Bad request: Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature)"),
        u"Rejected"_s);
    row("lock-delay without unit", create,
        plain(400, "Request decode failed: time: missing unit in duration 5"), u"Rejected"_s);
    row("unknown datacenter", create, plain(500, "No path to datacenter"), u"ServerError"_s);
    row("denied", create, plain(403, "Permission denied"), u"Denied"_s);
    row("f28 token unknown", create, plain(403, "ACL not found"), u"Denied"_s);
    row("token unknown, as a server error", create, plain(500, "rpc error: ACL not found"), u"Denied"_s);

    row("renewed", renew, json(200, OursJson), u"renewed "_s + Ours);
    row("f07 session gone", renew, plain(404, "Session id '" + Ours.toLatin1() + "' not found"), u"gone"_s);
    row("f07 session gone, newline behind", renew,
        plain(404, "Session id '" + Ours.toLatin1() + "' not found\n"), u"gone"_s);
    row("f07 HTML from a proxy", renew, html(404), u"NotConsul"_s);
    row("f07 right text, but HTML", renew,
        answer(404, "text/html", "Session id '" + Ours.toLatin1() + "' not found"), u"NotConsul"_s);
    row("f07 another session gone", renew, plain(404, "Session id '" + Theirs.toLatin1() + "' not found"),
        u"NotConsul"_s);
    row("f07 text inside another", renew, plain(404, "x Session id '" + Ours.toLatin1() + "' not found"),
        u"NotConsul"_s);
    row("f07 right text, but no 404", renew, plain(500, "Session id '" + Ours.toLatin1() + "' not found"),
        u"ServerError"_s);
    row("f07 empty 404", renew, answer(404, {}, {}), u"NotConsul"_s);
    row("renewed nobody", renew, json(200, "[]"), u"NotConsul"_s);
    row("renewed another", renew, json(200, QByteArray(OursJson).replace(Ours.toLatin1(), Theirs.toLatin1())),
        u"NotConsul"_s);
    row("renewed two", renew, json(200, OursJson.chopped(1) + ',' + OursJson.mid(1)), u"NotConsul"_s);
    row("id not a UUID", renew, plain(500, "failed session lookup: index error: UUID must be 36 characters"),
        u"Rejected"_s);
    row("\"invalid session\" is no answer to a renewal", renew, plain(500, "invalid session \"\""),
        u"ServerError"_s);

    row("shown", inspect, json(200, OursJson), u"shown "_s + Ours);
    row("f17 gone or hidden", inspect, json(200, "[]"), u"gone"_s);
    row("shown null", inspect, json(200, "null"), u"NotConsul"_s);
    row("shown another", inspect, json(200, QByteArray(OursJson).replace(Ours.toLatin1(), Theirs.toLatin1())),
        u"NotConsul"_s);
    row("empty list as text", inspect, plain(200, "[]"), u"NotConsul"_s);

    row("destroyed", destroy, json(200, "true"), u"destroyed"_s);
    row("destroyed, pretty", destroy, json(200, "true\n"), u"destroyed"_s);
    row("destroyed false", destroy, json(200, "false"), u"NotConsul"_s);
    row("destroyed as text", destroy, plain(200, "true"), u"NotConsul"_s);
    row("destroyed empty", destroy, json(200, ""), u"NotConsul"_s);
    row("destroy denied", destroy, plain(403, "Permission denied"), u"Denied"_s);
}

void TestDecodeSession::replies()
{
    QFETCH(Request, request);
    QFETCH(HttpAnswer, answer);
    QTEST(described(decode(request, answer)), "reply");
}

void TestDecodeSession::sessionIsReadWhole()
{
    const QByteArray body =
        R"([{"ID":"6056010b-4175-11be-ecb1-b105a3701bf3","Name":"svc","Node":"n1",)"
        R"("LockDelay":9000000000,"Behavior":"release","TTL":"1h10m",)"
        R"("NodeChecks":["serfHealth","disk"],"ServiceChecks":[{"ID":"a","Namespace":""},{"ID":"b"}],)"
        R"("CreateIndex":18446744073709551615,"ModifyIndex":10}])";
    const SessionInfo expected{Ours,
                               u"svc"_s,
                               u"n1"_s,
                               70min,
                               9s,
                               {u"serfHealth"_s, u"disk"_s},
                               {u"a"_s, u"b"_s},
                               18446744073709551615U};
    QVERIFY(decode(RenewSession{Ours}, json(200, body)) == Reply(SessionRenewed{expected}));
    QVERIFY(decode(InspectSession{Ours}, json(200, body)) == Reply(SessionShown{expected}));
}

void TestDecodeSession::sessionsOfOtherVersions_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("nodeChecks");
    QTest::newRow("before 1.7: Checks")
        << oursWith(R"("NodeChecks":[],"ServiceChecks":null)", R"("Checks":["serfHealth"])")
        << QStringList{u"serfHealth"_s};
    QTest::newRow("no checks at all")
        << oursWith(R"("NodeChecks":[],"ServiceChecks":null,)", "") << QStringList();
    QTest::newRow("checks null") << oursWith(R"("NodeChecks":[])", R"("NodeChecks":null)") << QStringList();
    QTest::newRow("members nobody asked for")
        << oursWith(R"("Name")", R"("Namespace":"default","Partition":"default","New":{"a":[1]},"Name")")
        << QStringList();
    QTest::newRow("members in another order")
        << oursWith(R"([{"ID":"6056010b-4175-11be-ecb1-b105a3701bf3",)", "[{")
               .replace("}]", R"(,"ID":"6056010b-4175-11be-ecb1-b105a3701bf3"}])")
        << QStringList();
}

void TestDecodeSession::sessionsOfOtherVersions()
{
    QFETCH(QByteArray, body);
    const SessionInfo info = renewed(body);
    QCOMPARE(info.id, Ours);
    QTEST(info.nodeChecks, "nodeChecks");
}

void TestDecodeSession::sessionsThatAreNone_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("no name") << oursWith(R"("Name":"x",)", "");
    QTest::newRow("name null") << oursWith(R"("Name":"x")", R"("Name":null)");
    QTest::newRow("no node") << oursWith(R"("Node":"n1",)", "");
    QTest::newRow("no lock-delay") << oursWith(R"("LockDelay":1500000000,)", "");
    QTest::newRow("lock-delay as text") << oursWith("1500000000", R"("1.5s")");
    QTest::newRow("lock-delay negative") << oursWith("1500000000", "-1");
    QTest::newRow("lock-delay beyond 63 bits") << oursWith("1500000000", "9223372036854775808");
    QTest::newRow("no TTL") << oursWith(R"("TTL":"10s",)", "");
    QTest::newRow("TTL a number") << oursWith(R"("10s")", "10");
    QTest::newRow("TTL no duration") << oursWith(R"("10s")", R"("ten")");
    QTest::newRow("checks an object") << oursWith(R"("NodeChecks":[])", R"("NodeChecks":{})");
    QTest::newRow("check a number") << oursWith(R"("NodeChecks":[])", R"("NodeChecks":[1])");
    QTest::newRow("service check a text") << oursWith(R"("ServiceChecks":null)", R"("ServiceChecks":["a"])");
    QTest::newRow("service check without id")
        << oursWith(R"("ServiceChecks":null)", R"("ServiceChecks":[{}])");
    QTest::newRow("f19 index negative") << oursWith(R"("CreateIndex":8)", R"("CreateIndex":-1)");
    QTest::newRow("f19 index as text") << oursWith(R"("CreateIndex":8)", R"("CreateIndex":"8")");
    QTest::newRow("not in a list") << OursJson.sliced(1).chopped(1);
    QTest::newRow("text in a list") << QByteArray(R"(["6056010b-4175-11be-ecb1-b105a3701bf3"])");
}

void TestDecodeSession::sessionsThatAreNone()
{
    QFETCH(QByteArray, body);
    QCOMPARE(described(decode(RenewSession{Ours}, json(200, body))), u"NotConsul"_s);
    QCOMPARE(described(decode(InspectSession{Ours}, json(200, body))), u"NotConsul"_s);
}

void TestDecodeSession::f38_sessionWithoutTtlNeverExpires_data()
{
    QTest::addColumn<QByteArray>("ttl");
    QTest::addColumn<std::optional<Milliseconds>>("expected");
    QTest::newRow("empty") << QByteArray("") << std::optional<Milliseconds>();
    QTest::newRow("zero seconds") << QByteArray("0s") << std::optional<Milliseconds>();
    QTest::newRow("ten seconds") << QByteArray("10s") << std::optional<Milliseconds>(10s);
    QTest::newRow("a fraction") << QByteArray("1.5s") << std::optional<Milliseconds>(1500ms);
}

void TestDecodeSession::f38_sessionWithoutTtlNeverExpires()
{
    QFETCH(QByteArray, ttl);
    QFETCH(std::optional<Milliseconds>, expected);
    const SessionInfo info = renewed(oursWith("10s", ttl));
    QCOMPARE(info.id, Ours);
    QVERIFY(info.ttl == expected);
}

void TestDecodeSession::lockDelayIsInNanoseconds_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<Milliseconds>("lockDelay");
    QTest::newRow("zero") << QByteArray("0") << Milliseconds(0);
    QTest::newRow("a second and a half") << QByteArray("1500000000") << Milliseconds(1500);
    QTest::newRow("a minute and a second") << QByteArray("61000000000") << Milliseconds(61s);
    QTest::newRow("2^63 - 1") << QByteArray("9223372036854775807") << Milliseconds(9223372036854);
}

void TestDecodeSession::lockDelayIsInNanoseconds()
{
    QFETCH(QByteArray, number);
    const SessionInfo info = renewed(oursWith("1500000000", number));
    QCOMPARE(info.id, Ours);
    QTEST(info.lockDelay, "lockDelay");
}

QTEST_GUILESS_MAIN(TestDecodeSession)
#include "tst_decodesession.moc"
