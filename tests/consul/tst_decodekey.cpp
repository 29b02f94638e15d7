// SPDX-License-Identifier: MIT
#include "answers.h"

#include <QtTest/QTest>

#include <limits>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;
using namespace std::chrono_literals;

/// Bodies are Consul 1.8.7's own unless a row says otherwise.
class TestDecodeKey : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void entryIsReadWhole();
    void releasedEntryHasNeitherSessionNorValue();
    void f19_indexesInJson_data();
    void f19_indexesInJson();
    void f21_indexHeaders_data();
    void f21_indexHeaders();
    void howFarToTrust_data();
    void howFarToTrust();
    void f32_keysInAnswers();
    void f40_answersToRelease_data();
    void f40_answersToRelease();
};

namespace {

const QByteArray HeldJson =
    R"([{"LockIndex":1,"Key":"k","Flags":0,"Value":"aGk=",)"
    R"("Session":"6056010b-4175-11be-ecb1-b105a3701bf3","CreateIndex":20,"ModifyIndex":21}])";

QByteArray heldWith(const QByteArray &before, const QByteArray &after)
{
    Q_ASSERT(HeldJson.count(before) == 1);
    return QByteArray(HeldJson).replace(before, after);
}

KeyRead read(const HttpAnswer &answer, const QString &key = u"k"_s)
{
    const Reply reply = decode(ReadKey{key}, answer);
    const auto *result = std::get_if<KeyRead>(&reply);
    return result ? *result : KeyRead();
}

} // namespace

void TestDecodeKey::reads_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    const auto row = [](const char *name, const HttpAnswer &answer, const QString &reply) {
        QTest::newRow(name) << answer << reply;
    };
    row("held", withIndex(json(200, HeldJson), "21"), u"read 21 index 21"_s);
    row("pretty",
        withIndex(json(200,
                       "[\n    {\n        \"LockIndex\": 0,\n        \"Key\": \"k\",\n        "
                       "\"Flags\": 0,\n        \"Value\": null,\n        \"CreateIndex\": 5,\n"
                       "        \"ModifyIndex\": 7\n    }\n]\n"),
                  "7"),
        u"read 7 index 7"_s);
    row("content type in capitals, with charset",
        withIndex(answer(200, "Application/JSON; charset=utf-8", HeldJson), "21"), u"read 21 index 21"_s);
    row("absent", absent("15"), u"read absent index 15"_s);
    row("absent, index zero", absent("0"), u"read absent index none"_s);
    row("f30 nobody's 404: no index", answer(404, {}, {}), u"NotConsul"_s);
    row("404 in HTML", withIndex(html(404), "15"), u"NotConsul"_s);
    row("404 in plain text", withIndex(plain(404, "404 page not found\n"), "15"), u"NotConsul"_s);
    row("404 in JSON", withIndex(json(404, "[]"), "15"), u"NotConsul"_s);
    row("404 with a blank", withIndex(answer(404, {}, " "), "15"), u"NotConsul"_s);
    row("status 410", withIndex(answer(410, {}, {}), "15"), u"Rejected"_s);
    row("empty 200", withIndex(json(200, {}), "15"), u"NotConsul"_s);
    row("status 204", withIndex(answer(204, {}, {}), "15"), u"NotConsul"_s);
    row("no entry", withIndex(json(200, "[]"), "15"), u"NotConsul"_s);
    row("null", withIndex(json(200, "null"), "15"), u"NotConsul"_s);
    row("two entries", json(200, HeldJson.chopped(1) + ',' + HeldJson.sliced(1)), u"NotConsul"_s);
    row("another key", json(200, heldWith(R"("k")", R"("K")")), u"NotConsul"_s);
    row("not in a list", json(200, HeldJson.sliced(1).chopped(1)), u"NotConsul"_s);
    row("JSON called text", plain(200, HeldJson), u"NotConsul"_s);
    row("JSON called nothing", answer(200, {}, HeldJson), u"NotConsul"_s);
    row("JSON called something like it", answer(200, "application/json-seq", HeldJson), u"NotConsul"_s);
    row("something behind", json(200, HeldJson + "<!-- -->"), u"NotConsul"_s);
    row("session a number", json(200, heldWith(R"("6056010b-4175-11be-ecb1-b105a3701bf3")", "1")),
        u"NotConsul"_s);
    row("session null", json(200, heldWith(R"("6056010b-4175-11be-ecb1-b105a3701bf3")", "null")),
        u"NotConsul"_s);
    row("value missing", json(200, heldWith(R"("Value":"aGk=",)", "")), u"NotConsul"_s);
    row("value not base64", json(200, heldWith("aGk=", "a!k=")), u"NotConsul"_s);
    row("value without padding", json(200, heldWith("aGk=", "aGk")), u"NotConsul"_s);
    row("value with bits left over", json(200, heldWith("aGk=", "aGl=")), u"NotConsul"_s);
    row("value in the URL alphabet", json(200, heldWith("aGk=", "_-8=")), u"NotConsul"_s);
    row("value not ASCII", json(200, heldWith("aGk=", "aGk\xc3\xa7")), u"NotConsul"_s);
    row("value a number", json(200, heldWith(R"("aGk=")", "1")), u"NotConsul"_s);
    row("flags missing", json(200, heldWith(R"("Flags":0,)", "")), u"NotConsul"_s);
    row("denied", plain(403, "Permission denied"), u"Denied"_s);
    row("denied in HTML", html(403), u"Denied"_s);
    row("bad wait", plain(400, "Invalid wait time"), u"Rejected"_s);
    row("f32 unprintable key", answer(400, {}, {}), u"Rejected"_s);
    row("bad request of a proxy", html(400), u"NotConsul"_s);
    row("f49 namespace",
        plain(400,
              R"(Bad request: Invalid query parameter: "ns" - Namespaces are a Consul )"
              "Enterprise feature"),
        u"Rejected"_s);
    row("too many connections",
        plain(429, "Your IP is issuing too many concurrent connections, please rate limit your calls\n"),
        u"RateLimited"_s);
    row("f25 504 with HTML", html(504), u"ServerError"_s);
    row("f25 502 with HTML", html(502), u"ServerError"_s);
    row("f25 503 with HTML", html(503), u"ServerError"_s);
    row("f25 login page", withIndex(html(200), "21"), u"NotConsul"_s);
    row("f25 login page called JSON", json(200, html(200).body), u"NotConsul"_s);
    row("f24 servers late", plain(500, "rpc error making call: i/o deadline reached"), u"ServerError"_s);
    row("f31 moved",
        answer(301, "text/html; charset=utf-8", "<a href=\"/v1/kv/k\">Moved Permanently</a>.\n\n"),
        u"NotConsul"_s);
    row("f58 redirect in JSON", json(302, HeldJson), u"NotConsul"_s);
    row("not modified", answer(304, {}, {}), u"NotConsul"_s);
}

void TestDecodeKey::reads()
{
    QFETCH(HttpAnswer, answer);
    QFETCH(QString, reply);
    QCOMPARE(described(decode(ReadKey{u"k"_s}, answer)), reply);
    QCOMPARE(described(decode(WatchKey{u"k"_s, 5, 1s}, answer)), reply);
}

void TestDecodeKey::entryIsReadWhole()
{
    HttpAnswer answer =
        withIndex(json(200, heldWith(R"("Flags":0)", R"("Flags":18446744073709551615)")), "22");
    answer.consulKnownLeader = "true";
    answer.consulLastContact = "0";
    KeyRead expected;
    expected.entry = KeyEntry{20, 21, 1, 18446744073709551615U, Ours, "hi"};
    expected.index = 22;
    QVERIFY(decode(ReadKey{u"k"_s}, answer) == Reply(expected));
}

void TestDecodeKey::releasedEntryHasNeitherSessionNorValue()
{
    const QByteArray released =
        R"([{"LockIndex":1,"Key":"k","Flags":0,"Value":null,"CreateIndex":20,"ModifyIndex":34}])";
    const KeyRead result = read(json(200, released));
    QVERIFY(result.entry);
    QVERIFY(!result.entry->session);
    QCOMPARE(result.entry->value, QByteArray());

    const KeyRead empty = read(json(200, heldWith("6056010b-4175-11be-ecb1-b105a3701bf3", "")));
    QVERIFY(empty.entry && !empty.entry->session);
}

void TestDecodeKey::f19_indexesInJson_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<quint64>("index"); // 0: refused.
    QTest::newRow("above 2^53") << QByteArray("9007199254740993") << quint64(9007199254740993);
    QTest::newRow("2^63 - 1") << QByteArray("9223372036854775807") << quint64(9223372036854775807);
    QTest::newRow("2^64 - 1") << QByteArray("18446744073709551615") << quint64(18446744073709551615U);
    for (const char *number :
         {"18446744073709551616", "-1", "0", "\"12\"", "\"\"", "1e3", "21.0", "null", "[21]"})
        QTest::newRow(qPrintable(u"refused: "_s + QString::fromLatin1(number)))
            << QByteArray(number) << quint64(0);
    QTest::newRow("refused: abc") << QByteArray("abc") << quint64(0);
}

void TestDecodeKey::f19_indexesInJson()
{
    QFETCH(QByteArray, number);
    QFETCH(quint64, index);
    const HttpAnswer answer = json(200, heldWith(R"("ModifyIndex":21)", R"("ModifyIndex":)" + number));
    if (index == 0)
        QCOMPARE(described(decode(ReadKey{u"k"_s}, answer)), u"NotConsul"_s);
    else
        QCOMPARE(read(answer).entry.value_or(KeyEntry()).modifyIndex, index);
}

void TestDecodeKey::f21_indexHeaders_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<std::optional<quint64>>("index");
    QTest::newRow("one") << QByteArray("1") << std::optional<quint64>(1);
    QTest::newRow("f19 above 2^53") << QByteArray("9007199254740993")
                                    << std::optional<quint64>(9007199254740993);
    QTest::newRow("f19 2^63 - 1") << QByteArray("9223372036854775807")
                                  << std::optional<quint64>(9223372036854775807);
    QTest::newRow("f19 2^64 - 1") << QByteArray("18446744073709551615")
                                  << std::optional<quint64>(18446744073709551615U);
    QTest::newRow("missing") << QByteArray() << std::optional<quint64>();
    for (const char *header : {"", "0", "-1", "abc", "\"12\"", "18446744073709551616", "1, 1"})
        QTest::newRow(qPrintable(u"nonsense: "_s + QString::fromLatin1(header)))
            << QByteArray(header) << std::optional<quint64>();
}

void TestDecodeKey::f21_indexHeaders()
{
    QFETCH(QByteArray, header);
    QFETCH(std::optional<quint64>, index);
    const KeyRead result = read(withIndex(json(200, HeldJson), header));
    QVERIFY(result.entry); // The entry is what it is; only where to watch from is unknown.
    QVERIFY(result.index == index);
}

void TestDecodeKey::howFarToTrust_data()
{
    QTest::addColumn<QByteArray>("knownLeader");
    QTest::addColumn<QByteArray>("lastContact");
    QTest::addColumn<bool>("known");
    QTest::addColumn<Milliseconds>("contact");
    QTest::newRow("consistent") << QByteArray("true") << QByteArray("0") << true << Milliseconds(0);
    QTest::newRow("cut off") << QByteArray("false") << QByteArray("87000") << false << Milliseconds(87s);
    QTest::newRow("missing") << QByteArray() << QByteArray() << true << Milliseconds(0);
    QTest::newRow("nonsense") << QByteArray("maybe") << QByteArray("soon") << true << Milliseconds(0);
    QTest::newRow("for ever") << QByteArray("false") << QByteArray("18446744073709551615") << false
                              << Milliseconds::max();
}

void TestDecodeKey::howFarToTrust()
{
    QFETCH(QByteArray, knownLeader);
    QFETCH(QByteArray, lastContact);
    HttpAnswer answer = absent("3");
    answer.consulKnownLeader = knownLeader;
    answer.consulLastContact = lastContact;
    const KeyRead result = read(answer);
    QCOMPARE(result.index.value_or(0), quint64(3));
    QTEST(result.knownLeader, "known");
    QTEST(result.lastContact, "contact");
}

void TestDecodeKey::f32_keysInAnswers()
{
    const KeyRead result =
        read(json(200,
                  R"([{"LockIndex":0,"Key":"a b%25#)"
                  "\xc3\xa7"
                  R"(\u0026","Flags":0,"Value":"YQ==","CreateIndex":39,"ModifyIndex":39}])"),
             u"a b%25#\u00e7&"_s);
    QVERIFY(result.entry);
    QCOMPARE(result.entry->value, QByteArray("a"));
}

void TestDecodeKey::f40_answersToRelease_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    QTest::newRow("true") << json(200, "true") << u"true"_s;
    QTest::newRow("true, newline behind") << json(200, "true\n") << u"true"_s;
    QTest::newRow("false") << json(200, "false") << u"false"_s;
    QTest::newRow("false, blanks around") << json(200, " false \r\n") << u"false"_s;
    for (const char *body : {"null", "1", "0", "\"true\"", "True", "TRUE", "", " ", "[true]", "{}",
                             "true true", "truefalse", "tru"})
        QTest::newRow(qPrintable(u"no answer: "_s + QString::fromLatin1(body)))
            << json(200, body) << u"NotConsul"_s;
    QTest::newRow("true as text") << plain(200, "true") << u"NotConsul"_s;
    QTest::newRow("true with status 500") << json(500, "true") << u"ServerError"_s;
    QTest::newRow("true with status 301") << json(301, "true") << u"NotConsul"_s;
    QTest::newRow("session gone") << plain(500, "invalid session \"\"") << u"ServerError"_s;
    QTest::newRow("leader lost") << plain(500, "leadership lost while committing log") << u"ServerError"_s;
    QTest::newRow("denied") << plain(403, "Permission denied") << u"Denied"_s;
}

void TestDecodeKey::f40_answersToRelease()
{
    QFETCH(HttpAnswer, answer);
    QTEST(described(decode(ReleaseKey{u"k"_s, Ours}, answer)), "reply");
}

QTEST_GUILESS_MAIN(TestDecodeKey)
#include "tst_decodekey.moc"
