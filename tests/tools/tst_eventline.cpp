// SPDX-License-Identifier: MIT
#include "eventline.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace Baton::Tools;
using namespace Qt::StringLiterals;

class TestEventLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void empty();
    void f19_integersAreExact();
    void order();
    void f63_textOnOneLine_data();
    void f63_textOnOneLine();
};

void TestEventLine::empty()
{
    QCOMPARE(EventLine().text(), QByteArray("{}\n"));
}

void TestEventLine::f19_integersAreExact()
{
    const QByteArray text = EventLine()
                                .add("a", quint64{9007199254740993u})
                                .add("b", std::numeric_limits<quint64>::max())
                                .add("c", std::numeric_limits<qint64>::min())
                                .add("d", -1)
                                .text();
    QCOMPARE(text,
             QByteArray("{\"a\":9007199254740993,\"b\":18446744073709551615,\"c\":-9223372036854775808,"
                        "\"d\":-1}\n"));
}

void TestEventLine::order()
{
    QCOMPARE(EventLine().add("z", true).add("a", "x"_L1).add("m", false).text(),
             QByteArray("{\"z\":true,\"a\":\"x\",\"m\":false}\n"));
}

void TestEventLine::f63_textOnOneLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << u""_s;
    QTest::newRow("quote and backslash") << u"a\"b\\c"_s;
    QTest::newRow("line feeds") << u"a\nb\r\nc"_s;
    QTest::newRow("null") << QString(u"a"_s + QChar(0) + u"b"_s);
    QTest::newRow("escape sequence") << u"\x1b[31mred"_s;
    QTest::newRow("markup") << u"<img src=http://127.0.0.1:9/x>"_s;
    QTest::newRow("not ASCII") << u"ç \U0001F600 \u202e"_s;
    QTest::newRow("long") << QString(10'000, u'x');
}

void TestEventLine::f63_textOnOneLine()
{
    QFETCH(QString, text);
    const QByteArray line = EventLine().add("x", text).text();
    QCOMPARE(line.count('\n'), 1);
    QCOMPARE(QJsonDocument::fromJson(line).object(), QJsonObject({{u"x"_s, text}}));
}

QTEST_APPLESS_MAIN(TestEventLine)
#include "tst_eventline.moc"
