// SPDX-License-Identifier: MIT
#include "models/outages.h"
#include "records.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

ClusterSnapshot orphaned()
{
    ElectionRecord record = ledBy(u"x"_s, u"w"_s, seen(1s));
    record.state = ElectionState::Orphaned;
    return snapshotOf({record});
}

ClusterSnapshot well()
{
    return snapshotOf({ledBy(u"x"_s, u"w"_s, seen(1s))});
}

} // namespace

class tst_Outages : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void oneNoticeAndItsEnd();
    void noAlarmNoNotice();
    void f11_failoverInTheBandIsNoNews();
    void f64_oneNoticeWhileTheAgentFlaps();
    void f64_oneNoticeWhileAnElectionFlaps();
    void shortSilenceIsNoNews();
    void nothingIsKnownWithoutConsul();
    void anElectionThatGoesEndsItsOutage();
};

void tst_Outages::oneNoticeAndItsEnd()
{
    Outages outages;
    QList<Notice> notices = outages.look(orphaned(), live(60s), 60s);
    QCOMPARE(notices.size(), 1);
    QCOMPARE(notices[0].key, u"service/x/leader"_s);
    QVERIFY(notices[0].began);
    QCOMPARE(notices[0].title, u"x: orphaned"_s);
    QCOMPARE(outages.open(), 1);
    for (Nanoseconds now = 61s; now < 120s; now += 1s)
        QVERIFY(outages.look(orphaned(), live(now), now).isEmpty());
    QVERIFY(outages.look(well(), live(125s), 125s).isEmpty());
    notices = outages.look(well(), live(130s), 130s);
    QCOMPARE(notices.size(), 1);
    QVERIFY(!notices[0].began);
    QCOMPARE(notices[0].title, u"x: well again"_s);
    QCOMPARE(notices[0].text, u"It took 0:59."_s);
    QCOMPARE(outages.open(), 0);
    QVERIFY(outages.look(well(), live(140s), 140s).isEmpty());
}

void tst_Outages::noAlarmNoNotice()
{
    Outages outages;
    const ClusterSnapshot vacant = snapshotOf({neverLed(u"x"_s, thereAt(1s))});
    QVERIFY(outages.look(vacant, live(1h), 1h).isEmpty());
}

void tst_Outages::f11_failoverInTheBandIsNoNews()
{
    Outages outages;
    const ObservedTime ended = seen(20s);
    ElectionRecord delayed = lostBy(u"x"_s, u"w"_s, ended, TermEnd::SessionEnded);
    delayed.state = ElectionState::LockDelay;
    delayed.lockDelay = LockDelayWindow{.began = ended, .length = 15s};
    for (Nanoseconds now = 20s; now < 35s; now += 250ms)
        QVERIFY(outages.look(snapshotOf({delayed}), live(now), now).isEmpty());
    ElectionRecord vacant = lostBy(u"x"_s, u"w"_s, ended, TermEnd::SessionEnded);
    vacant.since = seen(35s);
    for (Nanoseconds now = 35s; now <= 36s; now += 250ms)
        QVERIFY(outages.look(snapshotOf({vacant}), live(now), now).isEmpty());
    QCOMPARE(outages.look(snapshotOf({vacant}), live(37s), 37s).size(), 1);
}

void tst_Outages::f64_oneNoticeWhileTheAgentFlaps()
{
    Outages outages;
    int told = 0;
    for (int second = 0; second < 300; ++second) {
        const Nanoseconds now = std::chrono::seconds(second);
        const ConnectionReport report =
            second % 2 ? live(now) : failing(ConnectionState::Stale, ObserveTrouble::Unreachable, now);
        told += int(outages.look(well(), report, now).size());
    }
    QCOMPARE(told, 1);
    for (int second = 300; second < 320; ++second) {
        const Nanoseconds now = std::chrono::seconds(second);
        told += int(outages.look(well(), live(now), now).size());
    }
    QCOMPARE(told, 2);
}

void tst_Outages::f64_oneNoticeWhileAnElectionFlaps()
{
    Outages outages;
    int told = 0;
    for (int second = 0; second < 300; ++second) {
        const Nanoseconds now = std::chrono::seconds(second);
        told += int(outages.look(second % 2 ? well() : orphaned(), live(now), now).size());
    }
    QCOMPARE(told, 1);
}

void tst_Outages::shortSilenceIsNoNews()
{
    Outages outages;
    const ConnectionReport silent = failing(ConnectionState::Stale, ObserveTrouble::TimedOut, 0s);
    for (Nanoseconds now = 1s; now < 10s; now += 1s)
        QVERIFY(outages.look(well(), silent, now).isEmpty());
    QVERIFY(outages.look(well(), live(11s), 11s).isEmpty());
    QVERIFY(outages.look(well(), live(60s), 60s).isEmpty());
    QVERIFY(outages.look(well(), silent, 61s).isEmpty());
    const QList<Notice> notices = outages.look(well(), silent, 71s);
    QCOMPARE(notices.size(), 1);
    QCOMPARE(notices[0].title, u"Consul does not answer"_s);
    QVERIFY(notices[0].key.isEmpty());
}

void tst_Outages::nothingIsKnownWithoutConsul()
{
    Outages outages;
    QCOMPARE(outages.look(orphaned(), live(1s), 1s).size(), 1);
    const ConnectionReport silent = failing(ConnectionState::Stale, ObserveTrouble::TimedOut, 1s);
    for (Nanoseconds now = 2s; now < 100s; now += 1s) {
        const QList<Notice> notices = outages.look(well(), silent, now);
        for (const Notice &notice : notices)
            QVERIFY(notice.key.isEmpty());
    }
    QVERIFY(outages.open() > 0);
}

void tst_Outages::anElectionThatGoesEndsItsOutage()
{
    Outages outages;
    QCOMPARE(outages.look(orphaned(), live(1s), 1s).size(), 1);
    const QList<Notice> notices = outages.look(snapshotOf({}), live(20s), 20s);
    QCOMPARE(notices.size(), 1);
    QVERIFY(!notices[0].began);
}

QTEST_GUILESS_MAIN(tst_Outages)
#include "tst_outages.moc"
