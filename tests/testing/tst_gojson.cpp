// SPDX-License-Identifier: MIT
#include <testing/gojson.h>

#include <QTest>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// How a body is read: measured on Consul 1.8.7, whose error texts are Go's.
class TestGoJson : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void broken_data();
    void broken();
    void whatFollowsIsIgnored();
    void namesInAnyCase();
    void wrongTypes();
    void strangersAreRefused();
    void base64_data();
    void base64();
};

void TestGoJson::broken_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("problem");
    QTest::newRow("nothing") << QByteArray(" ") << u"EOF"_s;
    QTest::newRow("cut in an object") << QByteArray(R"({"a":)") << u"unexpected EOF"_s;
    QTest::newRow("cut in a text") << QByteArray(R"({"a":"b)") << u"unexpected EOF"_s;
    QTest::newRow("cut behind a brace in a text") << QByteArray(R"({"a":"}")") << u"unexpected EOF"_s;
    QTest::newRow("no value") << QByteArray("x") << u"invalid character 'x' looking for beginning of value"_s;
    QTest::newRow("no value inside") << QByteArray(R"({"a":x})")
                                     << u"invalid character 'x' looking for beginning of value"_s;
}

void TestGoJson::broken()
{
    QFETCH(QByteArray, body);
    QTEST(GoObject::parse(body).problem(), "problem");
}

void TestGoJson::whatFollowsIsIgnored()
{
    GoObject object = GoObject::parse(R"( {"a":"}\"{"} x)");
    QCOMPARE(object.text(u"a"_s), u"}\"{"_s);
    QCOMPARE(object.problem(), QString());
    QCOMPARE(std::get<QJsonValue>(parseGoJson("12 13")).toInt(), 12);
    QVERIFY(std::get<QJsonValue>(parseGoJson("null")).isNull());
}

void TestGoJson::namesInAnyCase()
{
    GoObject object =
        GoObject::parse(R"({"lockdelay":"3s","TTL":null,"Number":18014398509481985,"list":["a","b"]})");
    QCOMPARE(object.duration(u"LockDelay"_s), Core::Duration(3s));
    QVERIFY(!object.has(u"TTL"_s));
    QCOMPARE(object.number(u"number"_s), 18014398509481985ULL); // No double holds it.
    QCOMPARE(object.texts(u"LIST"_s), (QStringList{u"a"_s, u"b"_s}));
    object.refuseOthers();
    QCOMPARE(object.problem(), QString());
}

void TestGoJson::wrongTypes()
{
    GoObject object = GoObject::parse(R"({"a":5,"b":"x"})");
    QCOMPARE(object.text(u"a"_s), QString());
    QCOMPARE(object.number(u"b"_s), 0ULL);
    QCOMPARE(object.problem(), u"json: cannot unmarshal number into Go struct field .a of type string"_s);
}

void TestGoJson::strangersAreRefused()
{
    GoObject object = GoObject::parse(R"({"known":"","strange":1})");
    QVERIFY(object.text(u"Known"_s).isEmpty());
    object.refuseOthers();
    QCOMPARE(object.problem(), u"json: unknown field \"strange\""_s);
}

void TestGoJson::base64_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("wrongByte");
    QTest::newRow("good") << QByteArray("TQ==") << -1;
    QTest::newRow("empty") << QByteArray() << -1;
    QTest::newRow("not of the alphabet") << QByteArray("%%%") << 0;
    QTest::newRow("cut") << QByteArray("M") << 0;
    QTest::newRow("cut later") << QByteArray("TUE=TU") << 4;
    QTest::newRow("goes on behind its end") << QByteArray("TQ==Q") << 4;
}

void TestGoJson::base64()
{
    QFETCH(QByteArray, text);
    QFETCH(int, wrongByte);
    GoObject object = GoObject::parse(R"({"v":")" + text + R"("})");
    const QByteArray bytes = object.bytes(u"v"_s);
    QCOMPARE(object.problem(),
             wrongByte < 0 ? QString() : u"illegal base64 data at input byte %1"_s.arg(wrongByte));
    if (wrongByte < 0)
        QCOMPARE(bytes, QByteArray::fromBase64(text));
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestGoJson)
#include "tst_gojson.moc"
