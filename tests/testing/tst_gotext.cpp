// SPDX-License-Identifier: MIT
#include <testing/gotext.h>

#include <QTest>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Measured on Consul 1.8.7, whose answers have these words.
class TestGoText : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void durationsWritten_data();
    void durationsWritten();
    void durationsRead_data();
    void durationsRead();
    void durationsRefused_data();
    void durationsRefused();
    void json();
};

void TestGoText::durationsWritten_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("text");
    const auto row = [](Core::Duration duration, const QString &text) {
        QTest::newRow(qPrintable(text)) << qint64(duration.count()) << text;
    };
    row(0ns, u"0s"_s);
    row(1ns, u"1ns"_s);
    row(1500ns, u"1.5\u00b5s"_s);
    row(100ms, u"100ms"_s);
    row(1ms + 1us, u"1.001ms"_s);
    row(10s, u"10s"_s);
    row(1500ms, u"1.5s"_s);
    row(60s, u"1m0s"_s);
    row(90s + 50ms, u"1m30.05s"_s);
    row(24h, u"24h0m0s"_s);
    row(-90s, u"-1m30s"_s);
}

void TestGoText::durationsWritten()
{
    QFETCH(qint64, nanoseconds);
    QTEST(goDuration(Core::Duration(nanoseconds)), "text");
}

void TestGoText::durationsRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("nanoseconds");
    const auto row = [](const QString &text, Core::Duration duration) {
        QTest::newRow(qPrintable(text)) << text << qint64(duration.count());
    };
    row(u"0"_s, 0s);
    row(u"0s"_s, 0s);
    row(u"10s"_s, 10s);
    row(u"1h30m"_s, 90min);
    row(u"1m30.5s"_s, 90500ms);
    row(u".5s"_s, 500ms);
    row(u"1.s"_s, 1s);
    row(u"100ms"_s, 100ms);
    row(u"101us"_s, 101us);
    row(u"101\u00b5s"_s, 101us);
    row(u"1500ns"_s, 1500ns);
    row(u"-5s"_s, -5s);
    row(u"+15s"_s, 15s);
}

void TestGoText::durationsRead()
{
    QFETCH(QString, text);
    const auto parsed = parseGoDuration(text);
    QVERIFY2(std::holds_alternative<Core::Duration>(parsed), qPrintable(text));
    QTEST(qint64(std::get<Core::Duration>(parsed).count()), "nanoseconds");
}

void TestGoText::durationsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("empty") << u""_s << u"time: invalid duration \"\""_s;
    QTest::newRow("a word") << u"abc"_s << u"time: invalid duration \"abc\""_s;
    QTest::newRow("a blank") << u" 5s"_s << u"time: invalid duration \" 5s\""_s;
    QTest::newRow("only a sign") << u"-"_s << u"time: invalid duration \"-\""_s;
    QTest::newRow("no unit") << u"5"_s << u"time: missing unit in duration \"5\""_s;
    QTest::newRow("no unit at its end") << u"5s5"_s << u"time: missing unit in duration \"5s5\""_s;
    QTest::newRow("unknown unit") << u"1d"_s << u"time: unknown unit \"d\" in duration \"1d\""_s;
    QTest::newRow("two points") << u"1.2.3s"_s << u"time: invalid duration \"1.2.3s\""_s;
    QTest::newRow("longer than Go counts") << u"9999999h"_s << u"time: invalid duration \"9999999h\""_s;
}

void TestGoText::durationsRefused()
{
    QFETCH(QString, text);
    const auto parsed = parseGoDuration(text);
    QVERIFY2(std::holds_alternative<QString>(parsed), qPrintable(text));
    QTEST(std::get<QString>(parsed), "error");
}

void TestGoText::json()
{
    QCOMPARE(goJson(u"a \"b\" \\ <c> & \u00e9\n"_s),
             "\"a \\\"b\\\" \\\\ \\u003cc\\u003e \\u0026 \xc3\xa9\\n\"");
    QCOMPARE(goQuoted(u"a\"b\\"_s), u"\"a\\\"b\\\\\""_s);
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestGoText)
#include "tst_gotext.moc"
