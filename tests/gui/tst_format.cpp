// SPDX-License-Identifier: MIT
#include "models/format.h"
#include "records.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class tst_Format : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void durations_data();
    void durations();
    void decimalSignOfTheLocale();
    void ages_data();
    void ages();
    void settings_data();
    void settings();
    void numbers();
    void sessionIds();
    void timesOfDay();
    void observedTimes();
    void lockDelayWindows_data();
    void lockDelayWindows();
    void bands();
    void f63_safeText_data();
    void f63_safeText();
    void f63_lengthIsBounded();
    void f63_noBytesAreTooBad();
    void f63_textFromRightToLeftStaysApart();
};

void tst_Format::initTestCase()
{
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale::c());
}

void tst_Format::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << qint64(0) << u"0 ms"_s;
    QTest::newRow("hand-over") << qint64(4'200) << u"4 ms"_s;
    QTest::newRow("just below a second") << qint64(999'400) << u"999 ms"_s;
    QTest::newRow("rounds up to a second") << qint64(999'600) << u"1.0 s"_s;
    QTest::newRow("tenths") << qint64(1'304'000) << u"1.3 s"_s;
    QTest::newRow("failover") << qint64(22'449'000) << u"22.4 s"_s;
    QTest::newRow("just below a minute") << qint64(59'949'000) << u"59.9 s"_s;
    QTest::newRow("rounds up to a minute") << qint64(59'960'000) << u"1:00"_s;
    QTest::newRow("minutes") << qint64(159'000'000) << u"2:39"_s;
    QTest::newRow("just below an hour") << qint64(3'599'000'000) << u"59:59"_s;
    QTest::newRow("hours") << qint64(11'520'000'000) << u"3 h 12 min"_s;
    QTest::newRow("days") << qint64(442'800'000'000) << u"5 d 3 h"_s;
    QTest::newRow("negative") << qint64(-1'300'000) << u"−1.3 s"_s;
}

void tst_Format::durations()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(Format::duration(std::chrono::microseconds(us)), text);
}

void tst_Format::decimalSignOfTheLocale()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString german = Format::duration(22'400ms);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(german, u"22,4 s"_s);
}

void tst_Format::ages_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("age");
    QTest::addColumn<QString>("atLeast");
    QTest::newRow("none") << qint64(0) << u"0:00"_s << u"≥ 0 s"_s;
    QTest::newRow("a clock that was set back") << qint64(-5'000) << u"0:00"_s << u"≥ 0 s"_s;
    QTest::newRow("never rounded up") << qint64(14'999) << u"0:14"_s << u"≥ 14 s"_s;
    QTest::newRow("minutes") << qint64(759'000) << u"12:39"_s << u"≥ 12 min"_s;
    QTest::newRow("hours") << qint64(11'520'000) << u"3 h 12 min"_s << u"≥ 3 h"_s;
    QTest::newRow("two days") << qint64(2 * 86'400'000) << u"2 d 0 h"_s << u"≥ 2 d"_s;
}

void tst_Format::ages()
{
    QFETCH(qint64, ms);
    QTEST(Format::age(std::chrono::milliseconds(ms)), "age");
    QTEST(Format::atLeast(std::chrono::milliseconds(ms)), "atLeast");
}

void tst_Format::settings_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << qint64(0) << u"0 ms"_s;
    QTest::newRow("below a second") << qint64(500) << u"500 ms"_s;
    QTest::newRow("whole seconds") << qint64(10'000) << u"10 s"_s;
    QTest::newRow("with a fraction") << qint64(1'250) << u"1.25 s"_s;
    QTest::newRow("minutes and seconds") << qint64(90'000) << u"1 min 30 s"_s;
    QTest::newRow("the longest TTL") << qint64(86'400'000) << u"24 h"_s;
}

void tst_Format::settings()
{
    QFETCH(qint64, ms);
    QTEST(Format::setting(std::chrono::milliseconds(ms)), "text");
}

void tst_Format::numbers()
{
    QCOMPARE(Format::number(0), u"0"_s);
    QCOMPARE(Format::number(999), u"999"_s);
    QCOMPARE(Format::number(1204), u"1\u2009204"_s);
    QCOMPARE(Format::number(18446744073709551615u),
             u"18\u2009446\u2009744\u2009073\u2009709\u2009551\u2009615"_s);
    QCOMPARE(Format::token(std::nullopt), u"–"_s);
    QCOMPARE(Format::token(0), u"0"_s);
}

void tst_Format::sessionIds()
{
    QCOMPARE(Format::sessionId(u"3f1c02aa-1111-2222-3333-444455559b21"_s), u"3f1c02aa…9b21"_s);
    QCOMPARE(Format::sessionId(u"short"_s), u"short"_s);
    QCOMPARE(Format::sessionId({}), QString());
}

void tst_Format::timesOfDay()
{
    const QDateTime today(QDate(2026, 11, 30), QTime(14, 3, 27));
    QCOMPARE(Format::timeOfDay(today, today), u"14:03:27"_s);
    QCOMPARE(Format::timeOfDay(today.addDays(-1), today), u"2026-11-29 14:03:27"_s);
    QCOMPARE(Format::timeOfDay({}, today), u"–"_s);
}

void tst_Format::observedTimes()
{
    Clock clock([] { return Nanoseconds(3h + 10min); });
    clock.setWallOffset(wallOffset());
    const ObservedTime exact{.after = 2min + 10'700ms, .by = 2min + 11'300ms};
    QCOMPARE(Format::spread(exact), u"±0.3 s"_s);
    QCOMPARE(Format::moment(exact, clock), u"14:02:11 (±0.3 s)"_s);
    QCOMPARE(Format::created(exact, clock), u"created 14:02:11 (±0.3 s)"_s);
    QCOMPARE(Format::since(exact, clock), u"14:02:11  3 h 7 min"_s);
    const ObservedTime old{.after = std::nullopt, .by = 5min};
    QCOMPARE(Format::created(old, clock), u"seen ≥ 3 h"_s);
    QCOMPARE(Format::since(old, clock), u"seen ≥ 3 h"_s);
    QCOMPARE(Format::spread({.after = 1s, .by = 1s}), u"±1 ms"_s);
}

void tst_Format::lockDelayWindows_data()
{
    QTest::addColumn<qint64>("nowMs");
    QTest::addColumn<QString>("text");
    // The session vanished between 0.7 and 1.0 s, and the lock-delay is 2 s.
    QTest::newRow("both ends ahead") << qint64(1'700) << u"free in 1.0 to 1.3 s"_s;
    QTest::newRow("first end passed") << qint64(2'800) << u"free now or within 0.2 s"_s;
    QTest::newRow("both passed") << qint64(6'000) << u"free for 0:03"_s;
}

void tst_Format::lockDelayWindows()
{
    QFETCH(qint64, nowMs);
    const LockDelayWindow window{.began = {.after = 700ms, .by = 1000ms}, .length = 2s};
    QTEST(Format::freeIn(window, std::chrono::milliseconds(nowMs)), "text");
    const LockDelayWindow exact{.began = {.after = 1s, .by = 1s}, .length = 15s};
    QCOMPARE(Format::freeIn(exact, 2s), u"free in 14.0 s"_s);
}

void tst_Format::bands()
{
    QCOMPARE(Format::band(22s, 22'600ms), u"22.0–22.6 s"_s);
    QCOMPARE(Format::band(0ms, 50ms), u"0–50 ms"_s);
    QCOMPARE(Format::band(15s, 15s), u"15.0 s"_s);
    QCOMPARE(Format::band(50s, 70s), u"50.0 s–1:10"_s);
    QCOMPARE(Format::countdown(1'210ms), u"1.3 s"_s);
    QCOMPARE(Format::countdown(-1s), u"0.0 s"_s);
    QCOMPARE(Format::countdown(61s), u"1:01"_s);
}

void tst_Format::f63_safeText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const QString image = u"<img src=http://127.0.0.1:9/x>"_s;
    QTest::newRow("markup stays as it is") << image << image;
    QTest::newRow("bold") << u"<b>x</b>"_s << u"<b>x</b>"_s;
    QTest::newRow("right-to-left override") << u"a\u202Eb"_s << u"a‹U+202E›b"_s;
    QTest::newRow("isolate") << u"a\u2066b"_s << u"a‹U+2066›b"_s;
    QTest::newRow("newline") << u"a\nb\r\n"_s << u"a␊b␍␊"_s;
    QTest::newRow("NUL") << u"a\0b"_s << u"a␀b"_s;
    QTest::newRow("tab, escape, delete") << u"\t\u001B\u007F"_s << u"␉␛␡"_s;
    QTest::newRow("C1 control") << QString(QChar(0x85)) << u"‹U+0085›"_s;
    QTest::newRow("line separator") << u"a\u2028b"_s << u"a‹U+2028›b"_s;
    QTest::newRow("zero width") << u"a\u200Bb"_s << u"a‹U+200B›b"_s;
    QTest::newRow("a blank that is none") << u"a\u00A0b"_s << u"a‹U+00A0›b"_s;
    QTest::newRow("half of a pair") << u"a"_s + QChar(0xD800) + u"b"_s << u"a\uFFFDb"_s;
    QTest::newRow("emoji") << u"a😀b"_s << u"a😀b"_s;
    QTest::newRow("tag character beyond 16 bits") << u"a\U000E0041b"_s << u"a‹U+E0041›b"_s;
    QTest::newRow("accents") << u"ç e\u0301"_s << u"ç e\u0301"_s;
    QTest::newRow("marks piled up") << u"e\u0301\u0301\u0301\u0301"_s << u"e\u0301\u0301\u0301‹U+0301›"_s;
}

void tst_Format::f63_safeText()
{
    QFETCH(QString, text);
    QTEST(Format::safe(text), "shown");
}

void tst_Format::f63_lengthIsBounded()
{
    const QString cut = Format::safe(QString(10'000, u'x'), 20);
    QCOMPARE(cut, QString(19, u'x') + u"…"_s);
    QCOMPARE(Format::safe(QString(20, u'x'), 20), QString(20, u'x'));
    // Symbols are not cut in their middle.
    QVERIFY(Format::safe(QString(10'000, QChar(0x202E)), 20).size() <= 20);
    QVERIFY(Format::safe(QString(10'000, QChar(0x202E)), 20).endsWith(u"›…"_s));
    // Nor is a pair of surrogates.
    QCOMPARE(Format::safe(u"😀😀😀"_s, 4), u"😀…"_s);
}

void tst_Format::f63_noBytesAreTooBad()
{
    QCOMPARE(Format::safe(QByteArray("a\xff\x00z", 4)), u"a\uFFFD␀z"_s);
    QCOMPARE(Format::safe(QByteArray(10'000, 'x'), 5), u"xxxx…"_s);
    QCOMPARE(Format::safe(QByteArray()), QString());
}

void tst_Format::f63_textFromRightToLeftStaysApart()
{
    QCOMPARE(Format::inSentence(u"api-5"_s), u"api-5"_s);
    QCOMPARE(Format::inSentence(u"אבג"_s), u"\u2068אבג\u2069"_s);
    // Its own marks cannot break out.
    QCOMPARE(Format::inSentence(u"א\u2069\u202E"_s), u"\u2068א‹U+2069›‹U+202E›\u2069"_s);
}

QTEST_GUILESS_MAIN(tst_Format)
#include "tst_format.moc"
