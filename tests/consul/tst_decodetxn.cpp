// SPDX-License-Identifier: MIT
#include "answers.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;

/// Bodies are Consul 1.8.7's own unless a row says otherwise.
class TestDecodeTxn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void locks_data();
    void locks();
    void refusals_data();
    void refusals();
    void f08_invalidSessionSpellings_data();
    void f08_invalidSessionSpellings();
    void f19_tokens_data();
    void f19_tokens();
    void f40_onlyExpectedResultsWin_data();
    void f40_onlyExpectedResultsWin();
    void writes_data();
    void writes();
    void detailsNameEveryText();
};

namespace {

const QByteArray OursId = Ours.toLatin1();
const QByteArray TheirsId = Theirs.toLatin1();
const LockKey WhenAbsent{u"k"_s, Ours, "hi", IfAbsent{}};
const LockKey WhenFree{u"k"_s, Ours, "hi", IfIndex{34}};
const LockKey WhenOurs{u"k"_s, Ours, "hi", IfOurs{}};

QByteArray entry(int lockIndex, const QByteArray &value, const QByteArray &session,
                 const QByteArray &modifyIndex)
{
    return R"({"KV":{"LockIndex":)" + QByteArray::number(lockIndex) + R"(,"Key":"k","Flags":0,"Value":)"
        + value + (session.isEmpty() ? QByteArray() : R"(,"Session":")" + session + '"')
        + R"(,"CreateIndex":20,"ModifyIndex":)" + modifyIndex + "}}";
}

QByteArray results(const QByteArrayList &entries)
{
    return R"({"Results":[)" + entries.join(',') + R"(],"Errors":null})";
}

QByteArray error(int operation, QByteArray what)
{
    what.replace('\\', "\\\\").replace('"', "\\\"");
    return R"({"OpIndex":)" + QByteArray::number(operation) + R"(,"What":")" + what + R"("})";
}

QByteArray errors(const QByteArrayList &list)
{
    return R"({"Results":null,"Errors":[)" + list.join(',') + "]}";
}

const QByteArray WonWhenAbsent =
    results({entry(1, "null", OursId, "20"), entry(1, "\"aGk=\"", OursId, "20")});
const QByteArray WonWhenFree =
    results({entry(1, "null", {}, "34"), entry(2, "null", OursId, "35"), entry(2, "\"aGk=\"", OursId, "35")});
const QByteArray WonWhenOurs = results(
    {entry(1, "null", OursId, "20"), entry(1, "null", OursId, "20"), entry(1, "\"aGk=\"", OursId, "20")});

const QByteArray Held = R"(failed to lock key "k", lock is already held)";
const QByteArray Delayed = R"(failed to lock key "k" due to lock delay)";
const QByteArray Exists = R"(key "k" exists)";
const QByteArray NotThere = R"(key "k" doesn't exist)";
const QByteArray StaleIndex = R"(failed index check for key "k", current modify index 20 != 5)";
const QByteArray StaleAbsent = R"(failed to check index, key "k" doesn't exist)";
const QByteArray StaleSession =
    R"(failed session check for key "k", current session ")" + TheirsId + R"(" != ")" + OursId + '"';
const QByteArray SessionOfNothing = R"(failed to check session, key "k" doesn't exist)";
const QByteArray Invalid = R"(invalid session ")" + OursId + '"';

} // namespace

void TestDecodeTxn::locks_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    const auto row = [](const char *name, const LockKey &request, const HttpAnswer &answer,
                        const QString &reply) { QTest::newRow(name) << Request(request) << answer << reply; };
    row("won, key was absent", WhenAbsent, json(200, WonWhenAbsent), u"won 20"_s);
    row("won, key was free", WhenFree, json(200, WonWhenFree), u"won 35"_s);
    row("won again, same value", WhenOurs, json(200, WonWhenOurs), u"won 20"_s);
    row("won again, other value", WhenOurs,
        json(200,
             results({entry(1, "null", OursId, "20"), entry(1, "null", OursId, "41"),
                      entry(1, "\"aGk=\"", OursId, "41")})),
        u"won 41"_s);
    LockKey empty = WhenAbsent;
    empty.value.clear();
    row("won with an empty value", empty,
        json(200, results({entry(1, "null", OursId, "20"), entry(1, "null", OursId, "20")})), u"won 20"_s);

    row("results hidden", WhenFree, json(200, R"({"Results":[],"Errors":null})"), u"Denied"_s);
    row("results null", WhenFree, json(200, R"({"Results":null,"Errors":null})"), u"Denied"_s);
    row("no results at all", WhenFree, json(200, "{}"), u"NotConsul"_s);
    row("status 200 with errors", WhenFree, json(200, errors({error(1, Held)})), u"NotConsul"_s);
    row("status 200 with results and errors", WhenFree,
        json(200, QByteArray(WonWhenFree).replace("\"Errors\":null", "\"Errors\":[" + error(1, Held) + ']')),
        u"NotConsul"_s);
    row("status 409 with results", WhenFree, json(409, WonWhenFree), u"NotConsul"_s);
    row("status 201", WhenFree, json(201, WonWhenFree), u"NotConsul"_s);
    row("called text", WhenFree, plain(200, WonWhenFree), u"NotConsul"_s);
    row("f58 redirected", WhenFree, json(307, WonWhenFree), u"NotConsul"_s);
    row("f25 HTML", WhenFree, html(200), u"NotConsul"_s);
    row("too many operations", WhenFree, plain(413, "Transaction contains too many operations (65 > 64)"),
        u"Rejected"_s);
    row("not understood", WhenFree, plain(400, R"(Failed to parse body: json: unknown field "Partition")"),
        u"Rejected"_s);
    row("denied", WhenFree, plain(403, "Permission denied"), u"Denied"_s);
    row("leader lost", WhenFree, plain(500, "leadership lost while committing log"), u"ServerError"_s);
    row("no leader", WhenFree, plain(500, "rpc error making call: node is not the leader"), u"ServerError"_s);
    row("limited", WhenFree, plain(429, "x"), u"RateLimited"_s);
    row("404", WhenFree, withIndex(answer(404, {}, {}), "15"), u"NotConsul"_s);
}

void TestDecodeTxn::locks()
{
    QFETCH(Request, request);
    QFETCH(HttpAnswer, answer);
    QTEST(described(decode(request, answer)), "reply");
}

void TestDecodeTxn::refusals_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("reply");
    QTest::newRow("held") << errors({error(0, Held)}) << u"refused Held"_s;
    QTest::newRow("lock-delay") << errors({error(1, Delayed)}) << u"refused LockDelay"_s;
    QTest::newRow("index stale") << errors({error(0, StaleIndex)}) << u"refused StaleGuard"_s;
    QTest::newRow("index of a deleted key") << errors({error(0, StaleAbsent)}) << u"refused StaleGuard"_s;
    QTest::newRow("key is there") << errors({error(0, Exists)}) << u"refused StaleGuard"_s;
    QTest::newRow("no longer ours") << errors({error(0, StaleSession)}) << u"refused StaleGuard"_s;
    QTest::newRow("ours, but deleted") << errors({error(0, SessionOfNothing)}) << u"refused StaleGuard"_s;
    QTest::newRow("held, and index stale")
        << errors({error(0, StaleIndex), error(1, Held)}) << u"refused Held"_s;
    QTest::newRow("held, and key is there")
        << errors({error(0, Exists), error(1, Held)}) << u"refused Held"_s;
    QTest::newRow("held, no longer ours")
        << errors({error(0, StaleSession), error(1, Held)}) << u"refused Held"_s;
    QTest::newRow("another key's text in ours")
        << errors({error(1, R"(failed to lock key "a \"b\" c", lock is already held)")}) << u"refused Held"_s;
    QTest::newRow("pretty") << QByteArray(
        "{\n    \"Results\": null,\n    \"Errors\": [\n        {\n            \"OpIndex\": 1,\n"
        "            \"What\": \"failed to lock key \\\"k\\\", lock is already held\"\n        }\n"
        "    ]\n}\n") << u"refused Held"_s;
    QTest::newRow("members nobody asked for")
        << errors({error(1, Held)})
               .replace(R"("Results":null)", R"("Results":[],"Index":0,"KnownLeader":true)")
        << u"refused Held"_s;

    QTest::newRow("session gone") << errors({error(1, Invalid)}) << u"gone"_s;
    QTest::newRow("session gone, key absent") << errors({error(1, Invalid), error(2, NotThere)}) << u"gone"_s;
    QTest::newRow("session gone, index stale")
        << errors({error(0, StaleIndex), error(1, Invalid)}) << u"gone"_s;
    QTest::newRow("another session gone")
        << errors({error(1, "invalid session \"" + TheirsId + '"')}) << u"ServerError"_s;

    QTest::newRow("denied") << errors(
        {error(0, "Permission denied"), error(1, "Permission denied"), error(2, "Permission denied")})
                            << u"Denied"_s;
    QTest::newRow("denied, with reason") << errors(
        {error(1, "Permission denied: token with AccessorID 'x' lacks permission 'key:write' on \"k\"")})
                                         << u"Denied"_s;
    QTest::newRow("denied and lock-delay")
        << errors({error(0, "Permission denied"), error(1, Delayed)}) << u"Denied"_s;
    QTest::newRow("token unknown") << errors({error(1, "ACL not found")}) << u"Denied"_s;
    QTest::newRow("unknown text") << errors({error(1, "failed kvs lookup: disk on fire")})
                                  << u"ServerError"_s;
    QTest::newRow("unknown text beside a known one")
        << errors({error(1, Held), error(2, "something else")}) << u"ServerError"_s;
    QTest::newRow("unknown text beside a lost session")
        << errors({error(1, Invalid), error(2, "something else")}) << u"ServerError"_s;
    QTest::newRow("known text inside another") << errors({error(1, "x " + Held)}) << u"ServerError"_s;
    QTest::newRow("something behind a known text") << errors({error(1, Held + " x")}) << u"ServerError"_s;
    QTest::newRow("nothing to read, alone") << errors({error(2, NotThere)}) << u"ServerError"_s;
    QTest::newRow("session id no UUID")
        << errors({error(1, "failed session lookup: index error: UUID must be 36 characters")})
        << u"Rejected"_s;
    QTest::newRow("empty text") << errors({error(1, "")}) << u"ServerError"_s;

    QTest::newRow("no errors") << errors({}) << u"NotConsul"_s;
    QTest::newRow("errors null") << QByteArray(R"({"Results":null,"Errors":null})") << u"NotConsul"_s;
    QTest::newRow("errors a text") << QByteArray(R"({"Results":null,"Errors":"held"})") << u"NotConsul"_s;
    QTest::newRow("error a text") << errors({"\"held\""}) << u"NotConsul"_s;
    QTest::newRow("error without text") << errors({R"({"OpIndex":1})"}) << u"NotConsul"_s;
    QTest::newRow("error without operation") << errors({R"({"What":"ACL not found"})"}) << u"NotConsul"_s;
    QTest::newRow("text a number") << errors({R"({"OpIndex":1,"What":2})"}) << u"NotConsul"_s;
    QTest::newRow("second error broken") << errors({error(1, Held), "null"}) << u"NotConsul"_s;
    QTest::newRow("results beside errors")
        << errors({error(1, Held)}).replace("null", '[' + entry(1, "null", OursId, "20") + ']')
        << u"NotConsul"_s;
    QTest::newRow("a list") << '[' + errors({error(1, Held)}) + ']' << u"NotConsul"_s;
    QTest::newRow("empty") << QByteArray() << u"NotConsul"_s;
}

void TestDecodeTxn::refusals()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, reply);
    for (const LockKey &request : {WhenAbsent, WhenFree, WhenOurs})
        QCOMPARE(described(decode(request, json(409, body))), reply);
}

void TestDecodeTxn::f08_invalidSessionSpellings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("gone");
    for (const QByteArray &text :
         {"invalid session \"" + OursId + '"', QByteArray("Invalid session"),
          "INVALID SESSION \"" + OursId + '"', "rpc error: invalid session \"" + OursId + '"',
          "rpc error making call: invalid session \"" + OursId + '"',
          "rpc error making call: rpc error making call: invalid session \"" + OursId + '"',
          QByteArray("rpc error: rpc error: Invalid session"),
          "rpc error making call: rpc error: Invalid session"_ba,
          QByteArray("raft apply failed: invalid session \"\""),
          QByteArray("rpc error making call: raft apply failed: invalid session \"\"")})
        QTest::newRow(text.constData()) << text << true;
    for (const QByteArray &text :
         {"invalid session \"" + TheirsId + '"',
          QByteArray("Invalid Session TTL '5', must be between [10s=24h0m0s]"), "invalid session \"" + OursId,
          "invalid session " + OursId, "x invalid session \"" + OursId + '"',
          "invalid session \"" + OursId + "\" x", QByteArray("invalid session \""),
          QByteArray("invalid sessions"), QByteArray("invalid session"),
          QByteArray("rpc error making call: EOF")})
        QTest::newRow("not: " + text) << text << false;
}

void TestDecodeTxn::f08_invalidSessionSpellings()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, gone);
    for (const LockKey &request : {WhenAbsent, WhenFree, WhenOurs}) {
        QCOMPARE(std::holds_alternative<SessionGone>(decode(request, plain(500, text))), gone);
        QCOMPARE(std::holds_alternative<SessionGone>(decode(request, plain(500, text + '\n'))), gone);
        QCOMPARE(std::holds_alternative<SessionGone>(decode(request, plain(409, text))), gone);
        QCOMPARE(std::holds_alternative<SessionGone>(decode(request, json(409, errors({error(1, text)})))),
                 gone);
        // A proxy's page, or another status, is no word of Consul about a session.
        QVERIFY(std::holds_alternative<Failure>(decode(request, answer(500, "text/html", text))));
        QVERIFY(std::holds_alternative<Failure>(decode(request, plain(502, text))));
        QVERIFY(std::holds_alternative<Failure>(decode(request, plain(200, text))));
    }
}

void TestDecodeTxn::f19_tokens_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<QString>("reply");
    for (const char *number : {"9007199254740993", "9223372036854775807", "18446744073709551615"})
        QTest::newRow(number) << QByteArray(number) << u"won "_s + QString::fromLatin1(number);
    for (const char *number : {"18446744073709551616", "-1", "\"35\"", "35e0", "35.0", "0", "null"})
        QTest::newRow(number) << QByteArray(number) << u"NotConsul"_s;
}

void TestDecodeTxn::f19_tokens()
{
    QFETCH(QByteArray, number);
    const QByteArray body = results(
        {entry(1, "null", {}, "34"), entry(2, "null", OursId, number), entry(2, "\"aGk=\"", OursId, number)});
    QTEST(described(decode(WhenFree, json(200, body))), "reply");
}

void TestDecodeTxn::f40_onlyExpectedResultsWin_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QByteArray>("body");
    const QByteArray check = entry(1, "null", {}, "34");
    const QByteArray lock = entry(2, "null", OursId, "35");
    const QByteArray get = entry(2, "\"aGk=\"", OursId, "35");
    const auto row = [](const char *name, const LockKey &request, const QByteArray &body) {
        QTest::newRow(name) << Request(request) << body;
    };
    for (const char *body : {"null", "1", "\"true\"", "true", "True", "", "[]", "false"})
        row(qPrintable(u"body: "_s + QString::fromLatin1(body)), WhenFree, body);
    row("one result", WhenFree, results({get}));
    row("check missing", WhenFree, results({lock, get}));
    row("get missing", WhenFree, results({check, lock}));
    row("one too many", WhenFree, results({check, lock, get, get}));
    row("one too many for an absent key", WhenAbsent, WonWhenFree);
    row("lock twice", WhenFree, results({check, lock, lock}));
    row("other order", WhenFree, results({lock, check, get}));
    row("indexes differ", WhenFree, results({check, lock, entry(2, "\"aGk=\"", OursId, "36")}));
    row("index not above the guard's", WhenFree,
        results({check, entry(2, "null", OursId, "34"), entry(2, "\"aGk=\"", OursId, "34")}));
    row("guard of another index", WhenFree, results({entry(1, "null", {}, "33"), lock, get}));
    row("another session locked", WhenFree, results({check, entry(2, "null", TheirsId, "35"), get}));
    row("another session shown", WhenFree, results({check, lock, entry(2, "\"aGk=\"", TheirsId, "35")}));
    row("no session shown", WhenFree, results({check, lock, entry(2, "\"aGk=\"", {}, "35")}));
    row("another value", WhenFree, results({check, lock, entry(2, "\"aGo=\"", OursId, "35")}));
    row("no value", WhenFree, results({check, lock, entry(2, "null", OursId, "35")}));
    row("another key", WhenFree, results({check, lock, get}).replace("\"k\"", "\"x\""));
    row("not a KV result", WhenFree, results({check, lock, get}).replace("\"KV\"", "\"Node\""));
    row("result null", WhenFree, results({check, lock, "null"}));
    row("ours was another's before", WhenOurs, results({entry(1, "null", TheirsId, "20"), lock, get}));
    row("ours was free before", WhenOurs, results({entry(1, "null", {}, "20"), lock, get}));
    row("results an object", WhenFree, R"({"Results":{},"Errors":null})");
}

void TestDecodeTxn::f40_onlyExpectedResultsWin()
{
    QFETCH(Request, request);
    QFETCH(QByteArray, body);
    QCOMPARE(described(decode(request, json(200, body))), u"NotConsul"_s);
}

void TestDecodeTxn::writes_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    const QByteArray lock = entry(1, "null", OursId, "20");
    const auto set = [](const char *key, const char *index) {
        return entry(0, "null", {}, index).replace("\"k\"", key);
    };
    const auto row = [](const char *name, const HttpAnswer &answer, const QString &reply) {
        QTest::newRow(name) << answer << reply;
    };
    row("written", json(200, results({lock, set("\"w1\"", "26"), set("\"w2\"", "26")})), u"written 26"_s);
    row("written, one value was there already",
        json(200, results({lock, set("\"w1\"", "26"), set("\"w2\"", "27")})), u"written 27"_s);
    row("written, every value was there already",
        json(200, results({lock, set("\"w1\"", "9"), set("\"w2\"", "7")})), u"written 9"_s);
    row("lock not ours",
        json(200, results({entry(1, "null", TheirsId, "20"), set("\"w1\"", "26"), set("\"w2\"", "26")})),
        u"NotConsul"_s);
    row("one write missing", json(200, results({lock, set("\"w1\"", "26")})), u"NotConsul"_s);
    row("writes in another order", json(200, results({lock, set("\"w2\"", "26"), set("\"w1\"", "26")})),
        u"NotConsul"_s);
    row("results hidden", json(200, R"({"Results":[],"Errors":null})"), u"Denied"_s);
    row("f48 refused, another's", json(409, errors({error(0, StaleSession)})), u"write refused"_s);
    row("f48 refused, key deleted", json(409, errors({error(0, SessionOfNothing)})), u"write refused"_s);
    row("f48 refused, key free",
        json(409,
             errors(
                 {error(0, R"(failed session check for key "k", current session "" != ")" + OursId + '"')})),
        u"write refused"_s);
    row("refused and something else", json(409, errors({error(0, StaleSession), error(1, "x")})),
        u"ServerError"_s);
    row("refused and denied", json(409, errors({error(0, StaleSession), error(1, "Permission denied")})),
        u"Denied"_s);
    row("denied", json(409, errors({error(1, "Permission denied")})), u"Denied"_s);
    row("no refusal of a write", json(409, errors({error(0, Held)})), u"ServerError"_s);
    row("no errors", json(409, errors({})), u"NotConsul"_s);
    row("refusal as HTML", answer(409, "text/html", errors({error(0, StaleSession)})), u"NotConsul"_s);
    row("refusal with status 500", json(500, errors({error(0, StaleSession)})), u"ServerError"_s);
    row("value too large", plain(413, R"(Value for key "w1" is too large (524289 > 524288 bytes))"),
        u"Rejected"_s);
    row("session gone is no answer to a write", plain(500, Invalid), u"ServerError"_s);
}

void TestDecodeTxn::writes()
{
    QFETCH(HttpAnswer, answer);
    const FencedWrite request{u"k"_s, Ours, {{u"w1"_s, "a"}, {u"w2"_s, "b"}}};
    QTEST(described(decode(request, answer)), "reply");
}

void TestDecodeTxn::detailsNameEveryText()
{
    const Reply reply = decode(WhenFree, json(409, errors({error(0, StaleIndex), error(1, Held)})));
    QCOMPARE(std::get<LockRefused>(reply).detail, QString::fromLatin1(StaleIndex + "; " + Held));
}

QTEST_GUILESS_MAIN(TestDecodeTxn)
#include "tst_decodetxn.moc"
