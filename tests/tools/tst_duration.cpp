// SPDX-License-Identifier: MIT
#include "duration.h"

#include <QTest>

using namespace Baton::Tools;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestDuration : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void refused_data();
    void refused();
};

void TestDuration::durations_data()
{
    QTest::addColumn<std::chrono::milliseconds>("expected");
    QTest::newRow("500ms") << std::chrono::milliseconds{500};
    QTest::newRow("10s") << std::chrono::milliseconds{10s};
    QTest::newRow("1m30s") << std::chrono::milliseconds{90s};
    QTest::newRow("2h") << std::chrono::milliseconds{2h};
    QTest::newRow("1h2m3s4ms") << std::chrono::milliseconds{1h + 2min + 3s + 4ms};
    QTest::newRow("0s") << 0ms;
    QTest::newRow("007s") << std::chrono::milliseconds{7s};
    QTest::newRow("999999999h") << std::chrono::milliseconds{999'999'999h};
}

void TestDuration::durations()
{
    QFETCH(std::chrono::milliseconds, expected);
    QCOMPARE(parseDuration(QString::fromLatin1(QTest::currentDataTag())), std::optional(expected));
}

void TestDuration::refused_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << u""_s;
    QTest::newRow("no unit") << u"10"_s;
    QTest::newRow("no number") << u"s"_s;
    QTest::newRow("no unit at the end") << u"1m30"_s;
    QTest::newRow("unknown unit") << u"10d"_s;
    QTest::newRow("upper case") << u"10S"_s;
    QTest::newRow("negative") << u"-1s"_s;
    QTest::newRow("plus") << u"+1s"_s;
    QTest::newRow("fraction") << u"1.5s"_s;
    QTest::newRow("blank inside") << u"10 s"_s;
    QTest::newRow("blank before") << u" 10s"_s;
    QTest::newRow("blank after") << u"10s "_s;
    QTest::newRow("smaller unit first") << u"30s1m"_s;
    QTest::newRow("unit twice") << u"1s1s"_s;
    QTest::newRow("ten digits") << u"1000000000s"_s;
    QTest::newRow("digits of another script") << u"１０s"_s;
}

void TestDuration::refused()
{
    QFETCH(QString, text);
    QVERIFY(!parseDuration(text));
}

QTEST_APPLESS_MAIN(TestDuration)
#include "tst_duration.moc"
