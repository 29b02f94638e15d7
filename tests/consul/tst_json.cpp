// SPDX-License-Identifier: MIT
#include "consul/json.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Qt::StringLiterals;

class TestJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryType();
    void numbersKeepTheirText_data();
    void numbersKeepTheirText();
    void strings_data();
    void strings();
    void refused_data();
    void refused();
    void depthIsBounded();
    void countIsBounded();
};

void TestJson::readsEveryType()
{
    const std::optional<Json> json =
        Json::parse(" {\r\n\t\"a\" : [ null , true,false ] , \"b\":{\"c\":\"x\"}, \"\":-1.5E+3 , \"d\":[ "
                    "],\"e\":{ } } \n");
    QVERIFY(json);
    QVERIFY(json->type == Json::Type::Object);
    QCOMPARE(json->names, QStringList({u"a"_s, u"b"_s, QString(), u"d"_s, u"e"_s}));
    const Json *list = json->member(u"a");
    QVERIFY(list && list->type == Json::Type::Array && list->items.size() == 3);
    QVERIFY(list->items[0].type == Json::Type::Null);
    QVERIFY(list->items[1].type == Json::Type::True);
    QVERIFY(list->items[2].type == Json::Type::False);
    const Json *inner = json->member(u"b")->member(u"c");
    QVERIFY(inner && inner->type == Json::Type::String);
    QCOMPARE(inner->text, u"x"_s);
    QCOMPARE(json->member(u"")->text, u"-1.5E+3"_s);
    QVERIFY(json->member(u"d")->items.empty());
    QVERIFY(json->member(u"e")->type == Json::Type::Object);
    QVERIFY(!json->member(u"A")); // Names are compared exactly.
    QVERIFY(!list->member(u"a"));
}

void TestJson::numbersKeepTheirText_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"0", "-0", "9007199254740993", "18446744073709551615", "18446744073709551616",
                             "1e3", "-1.25E-7", "10.0"})
        QTest::newRow(text) << QByteArray(text);
}

void TestJson::numbersKeepTheirText()
{
    QFETCH(QByteArray, text);
    const std::optional<Json> json = Json::parse(text);
    QVERIFY(json && json->type == Json::Type::Number);
    QCOMPARE(json->text.toLatin1(), text);
}

void TestJson::strings_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QByteArray(R"("")") << u""_s;
    QTest::newRow("every escape") << QByteArray(R"("\"\\\/\b\f\n\r\t")") << u"\"\\/\b\f\n\r\t"_s;
    QTest::newRow("unicode escapes") << QByteArray(R"("\u003cb\u003E \u00e7")") << u"<b> \u00e7"_s;
    QTest::newRow("escaped pair") << QByteArray(R"("\ud83d\udc51")") << u"\U0001F451"_s;
    QTest::newRow("escaped NUL") << QByteArray(R"("a\u0000b")") << u"a\0b"_s;
    QTest::newRow("UTF-8") << QByteArray("\"\xc3\xa7\xf0\x9f\x91\x91\"") << u"\u00e7\U0001F451"_s;
    QTest::newRow("byte order mark inside") << QByteArray("\"\xef\xbb\xbf\"") << u"\ufeff"_s;
    QTest::newRow("brackets inside") << QByteArray(R"("[{]},:")") << u"[{]},:"_s;
    QTest::newRow("delete") << QByteArray("\"\x7f\"") << u"\u007f"_s;
}

void TestJson::strings()
{
    QFETCH(QByteArray, json);
    const std::optional<Json> value = Json::parse(json);
    QVERIFY(value && value->type == Json::Type::String);
    QTEST(value->text, "text");
}

void TestJson::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto bad = [](const char *name, const QByteArray &text) { QTest::newRow(name) << text; };
    bad("empty", "");
    bad("blank", " \n");
    bad("two values", "1 2");
    bad("something behind", "{}x");
    bad("NUL behind", QByteArray("{}\0", 3));
    bad("NUL in front", QByteArray("\0{}", 3));
    bad("NUL as escape", QByteArray("\"\\\0\"", 4));
    bad("capital word", "True");
    bad("half a word", "tru");
    bad("longer word", "nulls");
    bad("NaN", "NaN");
    bad("leading zero", "01");
    bad("plus", "+1");
    bad("only a minus", "-");
    bad("no digits behind the point", "1.");
    bad("no digits before the point", ".5");
    bad("no exponent", "1e");
    bad("no exponent behind the sign", "1e+");
    bad("two signs", "1e+-1");
    bad("hexadecimal", "0x10");
    bad("open array", "[1");
    bad("comma at the end of an array", "[1,]");
    bad("only a comma", "[,]");
    bad("no comma", "[1 2]");
    bad("open object", "{\"a\":1");
    bad("comma at the end of an object", "{\"a\":1,}");
    bad("no colon", "{\"a\" 1}");
    bad("no value", "{\"a\":}");
    bad("name without quotes", "{a:1}");
    bad("single quotes", "{'a':1}");
    bad("number as name", "{1:1}");
    bad("name twice", R"({"a":1,"a":1})");
    bad("name twice, spelt differently", "{\"a\":1,\"\\u0061\":1}");
    bad("wrong bracket", "[1}");
    bad("open string", "\"a");
    bad("open escape", "\"\\");
    bad("unknown escape", R"("\x41")");
    bad("short unicode escape", R"("\u12")");
    bad("unicode escape of no digits", R"("\u12g4")");
    bad("half a pair", R"("\ud83d")");
    bad("half a pair and a letter", R"("\ud83dx")");
    bad("pair the wrong way round", R"("\udc51\ud83d")");
    bad("newline in a string", "\"a\nb\"");
    bad("NUL in a string", QByteArray("\"a\0b\"", 5));
    bad("invalid UTF-8", "\"\xff\"");
    bad("UTF-8 cut short", "\"\xc3\"");
    bad("UTF-8 cut by an escape", "\"\xc3\\n\xa7\"");
    bad("overlong UTF-8", "\"\xc0\xaf\"");
    bad("surrogate in UTF-8", "\"\xed\xa0\xbd\"");
    bad("UTF-8 outside a string", "\xc3\xa7");
    bad("byte order mark", "\xef\xbb\xbf{}");
    bad("comment", "{} // x");
}

void TestJson::refused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!Json::parse(text));
}

void TestJson::depthIsBounded()
{
    const auto nested = [](int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); };
    QVERIFY(Json::parse(nested(Json::MaxDepth)));
    QVERIFY(!Json::parse(nested(Json::MaxDepth + 1)));
    QVERIFY(!Json::parse(QByteArray(1'000'000, '[')));
    QVERIFY(!Json::parse(QByteArray("{\"a\":").repeated(200'000)));
}

void TestJson::countIsBounded()
{
    const auto list = [](int count) { return "[0" + QByteArray(",0").repeated(count - 1) + ']'; };
    QVERIFY(Json::parse(list(Json::MaxValues - 1))); // The list is a value too.
    QVERIFY(!Json::parse(list(Json::MaxValues)));
    QVERIFY(!Json::parse(list(500'000)));
}

QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
