// SPDX-License-Identifier: MIT
#include "qt/alarm.h"
#include "qt/bootclock.h"

#include <QtCore/QFile>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <ctime>

using namespace std::chrono_literals;
using Baton::Core::bootNow;
using Baton::Core::Instant;
using Baton::Shell::Alarm;

namespace {
/// An alarm that has not rung after this long never will.
constexpr int Patience = 10'000;
} // namespace

class TestBootClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheClockThatCountsSuspend();
    void neverGoesBack();
    void namesTheBoot();
    void ringsNotBeforeItsInstant();
    void pastInstantRingsAtTheNextTurn_data();
    void pastInstantRingsAtTheNextTurn();
    void ringsOnce();
    void movesEarlier();
    void movesLater();
    void isTakenBackAlsoWhenDue();
    void isSetAnewByItsOwnSlot();
    void diesInItsOwnSlot();
    void ringsInTheThreadItLivesIn();
};

void TestBootClock::readsTheClockThatCountsSuspend()
{
#ifdef Q_OS_LINUX
    const auto read = [] {
        timespec time{};
        clock_gettime(CLOCK_BOOTTIME, &time);
        return Instant(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
    };
    const Instant before = read();
    const Instant now = bootNow();
    QVERIFY(before <= now);
    QVERIFY(now <= read());
#else
    QSKIP("Linux alone has a second clock to compare with");
#endif
}

void TestBootClock::neverGoesBack()
{
    Instant last = bootNow();
    for (int i = 0; i < 100'000; ++i) {
        const Instant now = bootNow();
        QVERIFY(now >= last);
        last = now;
    }
}

void TestBootClock::namesTheBoot()
{
    QCOMPARE(Baton::Core::bootId(), Baton::Core::bootId());
    QCOMPARE(Baton::Core::bootId().trimmed(), Baton::Core::bootId());
#ifdef Q_OS_LINUX
    QCOMPARE(Baton::Core::bootId().isEmpty(),
             !QFile::exists(QStringLiteral("/proc/sys/kernel/random/boot_id")));
#endif
}

void TestBootClock::ringsNotBeforeItsInstant()
{
    Alarm alarm;
    const Instant when = bootNow() + 30ms;
    Instant rang{};
    connect(&alarm, &Alarm::rang, this, [&rang] { rang = bootNow(); });
    alarm.setAt(when);
    QCOMPARE(alarm.at(), std::optional(when));
    QTRY_VERIFY_WITH_TIMEOUT(rang != Instant(), Patience);
    QVERIFY(rang >= when);
    QVERIFY(!alarm.at());
}

void TestBootClock::pastInstantRingsAtTheNextTurn_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::newRow("just passed") << qint64((bootNow() - 1ns).time_since_epoch().count());
    QTest::newRow("boot itself") << qint64(0);
    QTest::newRow("before boot") << qint64(-5'000'000'000);
}

void TestBootClock::pastInstantRingsAtTheNextTurn()
{
    QFETCH(qint64, nanoseconds);
    Alarm alarm;
    QSignalSpy spy(&alarm, &Alarm::rang);
    alarm.setAt(Instant(std::chrono::nanoseconds(nanoseconds)));
    QCOMPARE(spy.size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, Patience);
}

void TestBootClock::ringsOnce()
{
    Alarm alarm;
    Alarm later;
    QSignalSpy spy(&alarm, &Alarm::rang);
    QSignalSpy laterSpy(&later, &Alarm::rang);
    alarm.setAt(bootNow());
    later.setAt(bootNow() + 50ms);
    QTRY_COMPARE_WITH_TIMEOUT(laterSpy.size(), 1, Patience);
    QCOMPARE(spy.size(), 1);
}

void TestBootClock::movesEarlier()
{
    Alarm alarm;
    QSignalSpy spy(&alarm, &Alarm::rang);
    alarm.setAt(bootNow() + 1h);
    alarm.setAt(bootNow() + 1ms);
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, Patience);
}

void TestBootClock::movesLater()
{
    Alarm alarm;
    Instant rang{};
    connect(&alarm, &Alarm::rang, this, [&rang] { rang = bootNow(); });
    alarm.setAt(bootNow());
    const Instant when = bootNow() + 40ms;
    alarm.setAt(when);
    QTRY_VERIFY_WITH_TIMEOUT(rang != Instant(), Patience);
    QVERIFY(rang >= when);
}

void TestBootClock::isTakenBackAlsoWhenDue()
{
    Alarm alarm;
    Alarm later;
    QSignalSpy spy(&alarm, &Alarm::rang);
    QSignalSpy laterSpy(&later, &Alarm::rang);
    alarm.setAt(bootNow() - 1ms);
    alarm.setAt(std::nullopt);
    QVERIFY(!alarm.at());
    later.setAt(bootNow() + 30ms);
    QTRY_COMPARE_WITH_TIMEOUT(laterSpy.size(), 1, Patience);
    QCOMPARE(spy.size(), 0);
}

void TestBootClock::isSetAnewByItsOwnSlot()
{
    Alarm alarm;
    int rings = 0;
    connect(&alarm, &Alarm::rang, this, [&] {
        if (++rings < 5)
            alarm.setAt(bootNow() + 1ms);
    });
    alarm.setAt(bootNow());
    QTRY_COMPARE_WITH_TIMEOUT(rings, 5, Patience);
    QVERIFY(!alarm.at());
}

void TestBootClock::diesInItsOwnSlot()
{
    auto alarm = std::make_unique<Alarm>();
    connect(alarm.get(), &Alarm::rang, this, [&alarm] { alarm.reset(); });
    alarm->setAt(bootNow());
    QTRY_VERIFY_WITH_TIMEOUT(!alarm, Patience);
}

void TestBootClock::ringsInTheThreadItLivesIn()
{
    QThread thread;
    auto *alarm = new Alarm;
    std::atomic<QThread *> rangIn = nullptr;
    connect(alarm, &Alarm::rang, alarm, [&rangIn] { rangIn = QThread::currentThread(); });
    connect(&thread, &QThread::finished, alarm, &QObject::deleteLater);
    alarm->moveToThread(&thread);
    thread.start();
    QMetaObject::invokeMethod(alarm, [alarm] { alarm->setAt(bootNow() + 5ms); });
    QTRY_COMPARE_WITH_TIMEOUT(rangIn.load(), &thread, Patience);
    thread.quit();
    QVERIFY(thread.wait(Patience));
}

QTEST_GUILESS_MAIN(TestBootClock)
#include "tst_bootclock.moc"
