// SPDX-License-Identifier: MIT
#include "consul/codec.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f19_indexes_data();
    void f19_indexes();
    void durations_data();
    void durations();
    void durationsAreWrittenWithAUnit_data();
    void durationsAreWrittenWithAUnit();
    void f31_keys_data();
    void f31_keys();
    void f63_plainLine_data();
    void f63_plainLine();
    void plainLineKeepsItsLimit();
};

void TestText::f19_indexes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("accepted");
    QTest::addColumn<quint64>("index");
    QTest::newRow("zero") << QByteArray("0") << true << quint64(0);
    QTest::newRow("above 2^53") << QByteArray("9007199254740993") << true << quint64(9007199254740993);
    QTest::newRow("2^63 - 1") << QByteArray("9223372036854775807") << true << quint64(9223372036854775807);
    QTest::newRow("2^64 - 1") << QByteArray("18446744073709551615") << true << quint64(18446744073709551615U);
    for (const char *text :
         {"18446744073709551616", "99999999999999999999", "100000000000000000000", "-1", "+1", "", "abc",
          "\"12\"", "12 ", " 12", "1e3", "1.0", "0x10", "007", "\xd9\xa1"})
        QTest::newRow(qPrintable(u"refused: "_s + QString::fromLatin1(text)))
            << QByteArray(text) << false << quint64(0);
}

void TestText::f19_indexes()
{
    QFETCH(QByteArray, text);
    const std::optional<quint64> index = parseIndex(text);
    QTEST(index.has_value(), "accepted");
    QTEST(index.value_or(0), "index");
}

void TestText::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("accepted");
    QTest::addColumn<qint64>("nanoseconds");
    const auto good = [](const char *text, std::chrono::nanoseconds value) {
        QTest::newRow(text) << QString::fromUtf8(text) << true << qint64(value.count());
    };
    good("10s", 10s);
    good("0s", 0s);
    good("0", 0s);
    good("500ms", 500ms);
    good("1m30s", 90s);
    good("1h10m", 70min);
    good("24h0m0s", 24h);
    good("1.5s", 1500ms);
    good(".5s", 500ms);
    good("1.s", 1s);
    good("1.25h", 75min);
    good("1.000000001s", 1000000001ns);
    good("0.0000000001s", 0ns);
    good("7us", 7us);
    good("7\u00b5s", 7us);
    good("7\u03bcs", 7us);
    good("9ns", 9ns);
    good("2562047h47m16.854775807s", std::chrono::nanoseconds::max());
    for (const char *text : {"",
                             "s",
                             ".",
                             ".s",
                             "10",
                             "1 s",
                             " 1s",
                             "1s ",
                             "-1s",
                             "+1s",
                             "abc",
                             "10d",
                             "1s2",
                             "1..5s",
                             "1e3s",
                             "2562048h",
                             "2562047.9h",
                             "9223372036854775807s",
                             "9223372036s9223372036s",
                             "2562047h47m16.854775808s",
                             "99999999999999999999s",
                             "\u0661s"})
        QTest::newRow(qPrintable(u"refused: "_s + QString::fromUtf8(text)))
            << QString::fromUtf8(text) << false << qint64(0);
}

void TestText::durations()
{
    QFETCH(QString, text);
    const std::optional<std::chrono::nanoseconds> duration = parseDuration(text);
    QTEST(duration.has_value(), "accepted");
    QTEST(qint64(duration.value_or(0ns).count()), "nanoseconds");
}

void TestText::durationsAreWrittenWithAUnit_data()
{
    QTest::addColumn<Milliseconds>("duration");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << Milliseconds(0) << u"0s"_s;
    QTest::newRow("whole seconds") << Milliseconds(10s) << u"10s"_s;
    QTest::newRow("a day") << Milliseconds(24h) << u"86400s"_s;
    QTest::newRow("not whole") << Milliseconds(1500) << u"1500ms"_s;
    QTest::newRow("least") << Milliseconds(1) << u"1ms"_s;
}

void TestText::durationsAreWrittenWithAUnit()
{
    QFETCH(Milliseconds, duration);
    QTEST(formatDuration(duration), "text");
    QCOMPARE(parseDuration(formatDuration(duration)), std::optional<std::chrono::nanoseconds>(duration));
}

void TestText::f31_keys_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("problem"); // A word of the reason, empty where the key is fine.
    QTest::newRow("usual") << u"service/invoice-worker/leader"_s << QString();
    QTest::newRow("one part") << u"a"_s << QString();
    QTest::newRow("dots within") << u"a.b/..c/d..e/..."_s << QString();
    QTest::newRow("longest") << QString(512, u'a') << QString();
    QTest::newRow("empty") << QString() << u"empty"_s;
    QTest::newRow("empty part") << u"a//b"_s << u"empty part"_s;
    QTest::newRow("slash in front") << u"/a"_s << u"slash"_s;
    QTest::newRow("slash behind") << u"a/"_s << u"slash"_s;
    QTest::newRow("only a slash") << u"/"_s << u"slash"_s;
    QTest::newRow("dot") << u"."_s << u"\".\""_s;
    QTest::newRow("dot dot") << u"../x"_s << u"\"..\""_s;
    QTest::newRow("dot within") << u"a/./b"_s << u"\".\""_s;
    QTest::newRow("dot dot at the end") << u"a/.."_s << u"\"..\""_s;
    QTest::newRow("newline") << u"a\nb"_s << u"control"_s;
    QTest::newRow("NUL") << u"a\0b"_s << u"control"_s;
    QTest::newRow("delete") << u"a\u007f"_s << u"control"_s;
    QTest::newRow("printable") << u"a b+c%d#e?\u00e7\U0001F451"_s << QString();
    QTest::newRow("no-break space") << u"a\u00a0b"_s << u"unprintable"_s;
    QTest::newRow("zero-width joiner") << u"a\u200db"_s << u"unprintable"_s;
    QTest::newRow("right to left") << u"a\u202eb"_s << u"unprintable"_s;
    QTest::newRow("private use") << u"a\U00100000b"_s << u"unprintable"_s;
    QTest::newRow("C1") << u"a\u0085"_s << u"control"_s;
    QTest::newRow("half a surrogate pair") << u"a"_s + QChar(0xd83d) << u"Unicode"_s;
    QTest::newRow("too long") << QString(513, u'a') << u"512"_s;
    QTest::newRow("too long in UTF-8 only") << QString(257, u'\u00e7') << u"512"_s;
}

void TestText::f31_keys()
{
    QFETCH(QString, key);
    QFETCH(QString, problem);
    const std::optional<QString> found = keyProblem(key);
    QCOMPARE(found.has_value(), !problem.isEmpty());
    QVERIFY2(found.value_or(QString()).contains(problem), qPrintable(found.value_or(QString())));
}

void TestText::f63_plainLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << u"No cluster leader"_s << u"No cluster leader"_s;
    QTest::newRow("lines") << u"\r\n a\r\n\tb  c \u2028d\u0085e \n"_s << u"a b c d e"_s;
    QTest::newRow("control") << u"a\u0001b\u001b[31m\0c\u007f"_s << u"a\ufffdb\ufffd[31m\ufffdc\ufffd"_s;
    QTest::newRow("right to left") << u"a\u202eb\u2066c\u200fd\u061ce"_s
                                   << u"a\ufffdb\ufffdc\ufffdd\ufffde"_s;
    QTest::newRow("tag characters") << u"a\U000E0041b"_s << u"a\ufffdb"_s;
    QTest::newRow("half a surrogate pair") << u"a"_s + QChar(0xd83d) + u"b"_s << u"a\ufffdb"_s;
    QTest::newRow("markup stays text") << u"<b>x</b>"_s << u"<b>x</b>"_s;
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("blank") << u" \n "_s << QString();
}

void TestText::f63_plainLine()
{
    QFETCH(QString, text);
    QTEST(plainLine(text), "line");
}

void TestText::plainLineKeepsItsLimit()
{
    QCOMPARE(plainLine(QString(200, u'x')), QString(200, u'x'));
    QCOMPARE(plainLine(QString(1'000'000, u'x')), QString(199, u'x') + u'\u2026');
    QCOMPARE(plainLine(QString(1'000'000, u'\n')), QString());
    QCOMPARE(plainLine(u"ab\U0001F451"_s, 4), u"ab\U0001F451"_s);
    QCOMPARE(plainLine(u"ab\U0001F451d"_s, 4), u"ab\u2026"_s); // No half of a pair is left.
    QCOMPARE(plainLine(u"abc"_s, 1), u"\u2026"_s);
    QCOMPARE(plainLine(u"abc"_s, 0), QString());
    QCOMPARE(plainLine(u"abc   "_s, 3), u"abc"_s);
}

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
