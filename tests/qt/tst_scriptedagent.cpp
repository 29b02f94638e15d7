// SPDX-License-Identifier: MIT
#include "testing/scriptedagent.h"

#include "qt/bootclock.h"
#include "transportfixture.h"

#include <QtCore/QRegularExpression>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using namespace TransportFixture;
using Kind = ScriptedAgent::Kind;

namespace {

const QString Key = u"service/test/leader"_s;
const QByteArray KvTarget = "/v1/kv/service/test/leader";
const QByteArray OtherSession = "11111111-2222-3333-4444-555555555555";

HttpCall call(const QByteArray &method, const QByteArray &target, const QByteArray &body = {})
{
    return {.method = method,
            .target = target,
            .body = body,
            .role = Role::Work,
            .once = false,
            .answerLimit = 1 << 20};
}

QByteArray operation(const QByteArray &verb, const QByteArray &members = {})
{
    return R"({"KV":{"Verb":")" + verb + R"(","Key":"service/test/leader")" + members + "}}";
}

} // namespace

/// The agent says what Consul 1.8.7 was recorded to say, byte for byte.
class TestScriptedAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void sessions();
    void lockFromFreeToReleased();
    void refusals_data();
    void refusals();
    void pollsWake_data();
    void pollsWake();
    void pollWaitsItsTime();
    void faults();
    void faultsThatEnd();
    void foreignHands();
    void goesDownAndComesUp();
    void remembersWhatItSaw();
    void answersFromItsOwnThread();

private:
    QByteArray createSession();
    HttpAnswer lock(const QByteArray &session, const QByteArray &guard);

    std::unique_ptr<ScriptedAgent> m_agent;
    std::unique_ptr<Transport> m_transport;
};

void TestScriptedAgent::init()
{
    m_agent = std::make_unique<ScriptedAgent>(Key);
    m_transport = std::make_unique<Transport>(m_agent->url(), "t");
}

void TestScriptedAgent::cleanup()
{
    m_transport.reset();
    m_agent.reset();
}

QByteArray TestScriptedAgent::createSession()
{
    const HttpAnswer answer =
        ask(*m_transport,
            call("PUT", "/v1/session/create",
                 R"({"Name":"<baton>","TTL":"10s","LockDelay":"9000ms","NodeChecks":[]})"));
    static const QRegularExpression shape(u"^\\{\"ID\":\"([0-9a-f-]{36})\"\\}$"_s);
    return shape.match(QString::fromUtf8(answer.body)).captured(1).toUtf8();
}

HttpAnswer TestScriptedAgent::lock(const QByteArray &session, const QByteArray &guard)
{
    const QByteArray members = R"(,"Value":"eyJ2IjoxfQ==","Session":")" + session + '"';
    return ask(*m_transport,
               call("PUT", "/v1/txn",
                    '[' + guard + ',' + operation("lock", members) + ',' + operation("get") + ']'));
}

void TestScriptedAgent::sessions()
{
    const QByteArray id = createSession();
    QCOMPARE(m_agent->sessions(), QStringList{QString::fromLatin1(id)});
    const QByteArray list = R"([{"ID":")" + id
        + R"(","Name":"\u003cbaton\u003e","Node":"n1","LockDelay":9000000000,"Behavior":"release","TTL":"10s",)"
          R"("NodeChecks":[],"ServiceChecks":null,"CreateIndex":11,"ModifyIndex":11}])";
    const HttpAnswer renewed = ask(*m_transport, call("PUT", "/v1/session/renew/" + id));
    QCOMPARE(renewed.body, list);
    QCOMPARE(renewed.contentType, "application/json");
    const HttpAnswer info = ask(*m_transport, call("GET", "/v1/session/info/" + id + "?consistent"));
    QCOMPARE(info.body, list);
    QCOMPARE(info.consulIndex, "11");
    QCOMPARE(info.consulKnownLeader, "true");
    QCOMPARE(info.consulLastContact, "0");

    QCOMPARE(ask(*m_transport, call("PUT", "/v1/session/destroy/" + id)).body, "true");
    QVERIFY(m_agent->sessions().isEmpty());
    const HttpAnswer gone = ask(*m_transport, call("PUT", "/v1/session/renew/" + id));
    QCOMPARE(gone.status, 404);
    QCOMPARE(gone.body, "Session id '" + id + "' not found");
    QCOMPARE(gone.contentType, "text/plain; charset=utf-8");
    QCOMPARE(ask(*m_transport, call("GET", "/v1/session/info/" + id)).body, "[]");
    QCOMPARE(ask(*m_transport, call("PUT", "/v1/session/destroy/" + id)).body, "true");
}

void TestScriptedAgent::lockFromFreeToReleased()
{
    const HttpAnswer absent = ask(*m_transport, call("GET", KvTarget + "?consistent"));
    QCOMPARE(absent.status, 404);
    QCOMPARE(absent.consulIndex, "10");
    const QByteArray id = createSession();
    const auto entry = [&id](const QByteArray &lockIndex, const QByteArray &value,
                             const QByteArray &modifyIndex) {
        return R"({"LockIndex":)" + lockIndex + R"(,"Key":"service/test/leader","Flags":0,"Value":)" + value
            + (id.isEmpty() ? "" : R"(,"Session":")" + id + '"') + R"(,"CreateIndex":12,"ModifyIndex":)"
            + modifyIndex + '}';
    };
    const auto kv = [](const QByteArray &inner) { return R"({"KV":)" + inner + '}'; };
    const QByteArray value = R"("eyJ2IjoxfQ==")";
    QCOMPARE(lock(id, operation("check-not-exists")).body,
             R"({"Results":[)" + kv(entry("1", "null", "12")) + ',' + kv(entry("1", value, "12"))
                 + R"(],"Errors":null})");
    // Asked again by the holder: same index, three results.
    QCOMPARE(lock(id, operation("check-session", R"(,"Session":")" + id + '"')).body,
             R"({"Results":[)" + kv(entry("1", "null", "12")) + ',' + kv(entry("1", "null", "12")) + ','
                 + kv(entry("1", value, "12")) + R"(],"Errors":null})");
    const HttpAnswer held = ask(*m_transport, call("GET", KvTarget));
    QCOMPARE(held.body, '[' + entry("1", value, "12") + ']');
    QCOMPARE(held.consulIndex, "12");

    QCOMPARE(ask(*m_transport, call("PUT", KvTarget + "?release=" + OtherSession)).body, "false");
    QCOMPARE(ask(*m_transport, call("PUT", KvTarget + "?release=" + id)).body, "true");
    const HttpAnswer free = ask(*m_transport, call("GET", KvTarget));
    QCOMPARE(
        free.body,
        R"([{"LockIndex":1,"Key":"service/test/leader","Flags":0,"Value":null,"CreateIndex":12,"ModifyIndex":15}])");
    // And once more, from the free key.
    QVERIFY(lock(id, operation("check-index", R"(,"Index":15)")).body.contains(entry("2", value, "16")));
}

void TestScriptedAgent::refusals_data()
{
    QTest::addColumn<bool>("held");
    QTest::addColumn<bool>("delay");
    QTest::addColumn<bool>("goneSession");
    QTest::addColumn<QByteArray>("guard");
    QTest::addColumn<QByteArray>("errors");
    const QByteArray key = R"(\"service/test/leader\")";
    const QByteArray held =
        "{\"OpIndex\":1,\"What\":\"failed to lock key " + key + ", lock is already held\"}";
    const QByteArray delay = "{\"OpIndex\":1,\"What\":\"failed to lock key " + key + " due to lock delay\"}";
    const QByteArray gone = "{\"OpIndex\":1,\"What\":\"invalid session \\\"" + OtherSession + "\\\"\"}";
    const QByteArray stale = operation("check-index", R"(,"Index":7)");
    const QByteArray staleError =
        "{\"OpIndex\":0,\"What\":\"failed index check for key " + key + ", current modify index 12 != 7\"}";
    QTest::newRow("held") << true << false << false << operation("check-index", R"(,"Index":12)") << held;
    QTest::newRow("held and stale") << true << false << false << stale << staleError + ',' + held;
    QTest::newRow("held and there") << true << false << false << operation("check-not-exists")
                                    << "{\"OpIndex\":0,\"What\":\"key " + key + " exists\"}," + held;
    QTest::newRow("not ours") << true << false << false << operation("check-session", R"(,"Session":"x")")
                              << "{\"OpIndex\":0,\"What\":\"failed session check for key " + key
            + ", current session \\\"rival\\\" != \\\"x\\\"\"}," + held;
    QTest::newRow("lock-delay hides the rest") << true << true << true << stale << delay;
    QTest::newRow("session gone") << true << false << true << operation("check-index", R"(,"Index":12)")
                                  << gone;
    QTest::newRow("session gone, key absent")
        << false << false << true << operation("check-not-exists")
        << gone + ",{\"OpIndex\":2,\"What\":\"key " + key + " doesn't exist\"}";
    QTest::newRow("index of an absent key") << false << false << true << stale
                                            << "{\"OpIndex\":0,\"What\":\"failed to check index, key " + key
            + " doesn't exist\"}," + gone + ",{\"OpIndex\":2,\"What\":\"key " + key + " doesn't exist\"}";
}

void TestScriptedAgent::refusals()
{
    QFETCH(bool, held);
    QFETCH(QByteArray, guard);
    QFETCH(bool, goneSession);
    QFETCH(bool, delay);
    QFETCH(QByteArray, errors);
    const QByteArray id = createSession();
    if (held)
        m_agent->setHolder(u"rival"_s, "v");
    m_agent->setLockDelay(delay);
    const HttpAnswer answer = lock(goneSession ? OtherSession : id, guard);
    QCOMPARE(answer.status, 409);
    QCOMPARE(answer.body, R"({"Results":null,"Errors":[)" + errors + "]}");
    QCOMPARE(m_agent->key().has_value(), held);
}

void TestScriptedAgent::pollsWake_data()
{
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("another holder") << QByteArray("hold") << 200 << QByteArray("\"Session\":\"rival\"");
    QTest::newRow("plain write") << QByteArray("put") << 200 << QByteArray("\"LockIndex\":0");
    QTest::newRow("foreign release") << QByteArray("release") << 200
                                     << QByteArray("\"Value\":null,\"CreateIndex\"");
    QTest::newRow("key deleted") << QByteArray("delete") << 404 << QByteArray();
    QTest::newRow("session ended") << QByteArray("kill") << 200
                                   << QByteArray("\"Value\":\"dg==\",\"CreateIndex\"");
}

void TestScriptedAgent::pollsWake()
{
    QFETCH(QByteArray, cause);
    m_agent->setHolder(u"mine"_s, "v");
    const QByteArray index = ask(*m_transport, call("GET", KvTarget)).consulIndex;
    std::optional<HttpAnswer> answer;
    m_transport->send(call("GET", KvTarget + "?index=" + index + "&wait=50000ms"), Enough,
                      [&answer](const HttpAnswer &got) { answer = got; });
    QVERIFY(turnUntil([this] { return m_agent->count(Kind::Watch) == 1; }));
    QVERIFY(!answer);
    if (cause == "hold")
        m_agent->setHolder(u"rival"_s, "v");
    else if (cause == "put")
        m_agent->putValue("x");
    else if (cause == "release")
        m_agent->releaseKey();
    else if (cause == "delete")
        m_agent->deleteKey();
    else
        m_agent->killSession(u"mine"_s);
    QVERIFY(turnUntil([&answer] { return answer.has_value(); }));
    QTEST(answer->status, "status");
    QFETCH(QByteArray, contains);
    QVERIFY2(answer->body.contains(contains), answer->body);
    QVERIFY(answer->consulIndex.toULongLong() > index.toULongLong());
}

void TestScriptedAgent::pollWaitsItsTime()
{
    const auto start = Baton::Core::bootNow();
    const HttpAnswer answer = ask(*m_transport, call("GET", KvTarget + "?index=10&wait=40ms"));
    QCOMPARE(answer.status, 404);
    QVERIFY(Baton::Core::bootNow() - start >= 40ms);
    // An index that the key has passed is answered at once.
    QCOMPARE(ask(*m_transport, call("GET", KvTarget + "?index=9&wait=50s")).status, 404);
}

void TestScriptedAgent::faults()
{
    const QByteArray id = createSession();
    const HttpCall renew = call("PUT", "/v1/session/renew/" + id);
    m_agent->answer(Kind::Renew, 500, "No cluster leader");
    QCOMPARE(ask(*m_transport, renew).body, "No cluster leader");
    m_agent->blackhole(Kind::Renew);
    QCOMPARE(ask(*m_transport, renew, 30ms).exchange, Exchange::TimedOut);
    QCOMPARE(ask(*m_transport, call("GET", KvTarget)).status, 404);
    m_agent->blackhole();
    QCOMPARE(ask(*m_transport, call("GET", KvTarget), 30ms).exchange, Exchange::TimedOut);
    m_agent->heal();
    QCOMPARE(ask(*m_transport, renew).status, 200);
    m_agent->delay(Kind::Renew, 50ms);
    const auto start = Baton::Core::bootNow();
    QCOMPARE(ask(*m_transport, renew).status, 200);
    QVERIFY(Baton::Core::bootNow() - start >= 50ms);
    m_agent->heal();
    m_agent->intercept([](const Request &request, Responder &responder) {
        if (request.method == "GET")
            return false;
        responder.reply(418);
        return true;
    });
    QCOMPARE(ask(*m_transport, renew).status, 418);
    QCOMPARE(ask(*m_transport, call("GET", KvTarget)).status, 404);
}

/// The agent of F65: the release works, its answer never comes, and the network layer asks again.
void TestScriptedAgent::faultsThatEnd()
{
    const QByteArray id = createSession();
    QCOMPARE(lock(id, operation("check-not-exists")).status, 200);
    m_agent->closeAfterReading(Kind::Release, 1);
    QCOMPARE(ask(*m_transport, call("PUT", KvTarget + "?release=" + id)).body, "false");
    QCOMPARE(m_agent->count(Kind::Release), 2);
    QVERIFY(m_agent->key()->session.isEmpty());
}

void TestScriptedAgent::foreignHands()
{
    m_agent->setHolder(u"rival"_s, "v");
    QCOMPARE(m_agent->key()->lockIndex, quint64(1));
    m_agent->putValue("x");
    QCOMPARE(m_agent->key()->session, u"rival"_s);
    QCOMPARE(m_agent->key()->lockIndex, quint64(0));
    m_agent->setIndex(9007199254740992);
    m_agent->releaseKey("y");
    QCOMPARE(m_agent->key()->modifyIndex, quint64(9007199254740993));
    QVERIFY(m_agent->key()->session.isEmpty());
    QVERIFY(ask(*m_transport, call("GET", KvTarget)).body.contains("\"ModifyIndex\":9007199254740993}"));
    m_agent->deleteKey();
    QVERIFY(!m_agent->key());
}

void TestScriptedAgent::goesDownAndComesUp()
{
    const HttpCall read = call("GET", KvTarget);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(ask(*m_transport, read).status, 404);
        m_agent->goDown();
        QVERIFY(ask(*m_transport, read).exchange != Exchange::Complete);
        QCOMPARE(ask(*m_transport, read).exchange, Exchange::Unreachable);
        m_agent->comeUp();
    }
    QCOMPARE(ask(*m_transport, read).status, 404);
}

void TestScriptedAgent::remembersWhatItSaw()
{
    const auto before = Baton::Core::bootNow();
    createSession();
    QCOMPARE(ask(*m_transport, call("GET", KvTarget + "?consistent")).status, 404);
    QCOMPARE(ask(*m_transport, call("GET", "/v1/nonsense")).status, 404);
    QCOMPARE(ask(*m_transport, call("GET", "/v1/status/leader")).body, "\"127.0.0.1:8300\"");
    QCOMPARE(m_agent->count(Kind::Create), 1);
    QCOMPARE(m_agent->count(Kind::Read), 1);
    QCOMPARE(m_agent->count(Kind::Other), 2);
    QCOMPARE(m_agent->seen().size(), 4);
    const ScriptedAgent::Seen create = m_agent->seen(Kind::Create).constFirst();
    QCOMPARE(create.request.method, "PUT");
    QCOMPARE(create.request.header("X-Consul-Token"), "t");
    QVERIFY(create.request.body.contains("\"TTL\":\"10s\""));
    QVERIFY(create.at >= before && create.at <= Baton::Core::bootNow());
    QVERIFY(m_agent->seen(Kind::Read).constFirst().request.query.hasQueryItem(u"consistent"_s));
}

void TestScriptedAgent::answersFromItsOwnThread()
{
    m_agent = std::make_unique<ScriptedAgent>(Key, ScriptedAgent::Place::OwnThread);
    m_transport = std::make_unique<Transport>(m_agent->url());
    const QByteArray id = createSession();
    QCOMPARE(m_agent->sessions().size(), 1);
    m_agent->intercept([main = QThread::currentThread()](const Request &, Responder &responder) {
        responder.reply(200, QThread::currentThread() == main ? "same" : "own");
        return true;
    });
    QCOMPARE(ask(*m_transport, call("PUT", "/v1/session/renew/" + id)).body, "own");
    m_agent->heal();
    std::optional<HttpAnswer> answer;
    m_transport->send(call("GET", KvTarget + "?index=1000&wait=50s"), Enough,
                      [&](const HttpAnswer &got) { answer = got; });
    QVERIFY(turnUntil([this] { return m_agent->count(Kind::Watch) == 1; }));
    m_agent.reset(); // With a poll parked.
    QVERIFY(turnUntil([&answer] { return answer.has_value(); }));
    QVERIFY(answer->exchange != Exchange::Complete);
}

QTEST_GUILESS_MAIN(TestScriptedAgent)
#include "tst_scriptedagent.moc"
