// SPDX-License-Identifier: MIT
#include "models/verdict.h"
#include "records.h"

#include <QtCore/QLocale>
#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(Baton::Monitor::CandidateClaims)

namespace {

/// Every row is judged at this instant, 14:10:00.
constexpr Nanoseconds Now = 10min;

ElectionRecord well(const QString &name)
{
    return ledBy(name, u"api-1"_s, thereAt(1s));
}

ElectionRecord inLockDelay(const QString &name)
{
    ElectionRecord record = lostBy(name, u"worker-1"_s, seen(Now - 700ms), TermEnd::SessionEnded);
    record.state = ElectionState::LockDelay;
    record.lockDelay = LockDelayWindow{.began = seen(Now - 700ms), .length = 2s};
    return record;
}

ElectionRecord moved(const QString &name)
{
    ElectionRecord record = ledBy(name, u"api-5"_s, seen(Now - 60s));
    record.previous = termOf(u"api-2"_s, seen(Now - 75s), TermEnd::SessionEnded);
    return record;
}

ElectionRecord inState(const QString &name, ElectionState state)
{
    ElectionRecord record = well(name);
    record.state = state;
    return record;
}

ClusterSnapshot seenAs(Visibility visibility, ClusterSnapshot snapshot)
{
    snapshot.prefixes[0].visibility = visibility;
    return snapshot;
}

} // namespace

class tst_Verdict : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void sentences_data();
    void sentences();
    void worstFirst();
    void longestFirst();
    void lastMoves_data();
    void lastMoves();
    void f11_vacancyAfterAKill_data();
    void f11_vacancyAfterAKill();
    void vacancies_data();
    void vacancies();
    void f30_neverClaimsWhatAnAclMayHide_data();
    void f30_neverClaimsWhatAnAclMayHide();
    void staleDataAreDated();
    void countdownsStandStill();
    void beforeAnythingWasRead_data();
    void beforeAnythingWasRead();
    void everyTroubleHasWords();
    void f63_namesAreSafe();
};

void tst_Verdict::initTestCase()
{
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale::c());
}

void tst_Verdict::sentences_data()
{
    QTest::addColumn<QList<ElectionRecord>>("elections");
    QTest::addColumn<CandidateClaims>("claims");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("worst");
    QTest::addColumn<StateKind>("kind");
    QTest::addColumn<QString>("key");
    const auto row = [](const char *name, const QList<ElectionRecord> &elections, const QString &sentence,
                        const QString &worst, StateKind kind, const QString &key,
                        const CandidateClaims &claims = {}) {
        QTest::newRow(name) << elections << claims << sentence << worst << kind << key;
    };
    const QString key = u"service/x/leader"_s;
    row("all led", {well(u"a"_s), well(u"b"_s)}, u"All 2 elections are led"_s, {}, StateKind::Led, {});
    row("the only one is led", {well(u"a"_s)}, u"a is led"_s, {}, StateKind::Led, {});
    row("none", {}, u"There are no elections under service/"_s, {}, StateKind::Vacant, {});
    row("lock-delay", {well(u"a"_s), inLockDelay(u"x"_s)}, u"1 of 2 elections has no leader"_s,
        u"x: lock-delay, free in 1.0 to 1.3 s, as predicted"_s, StateKind::LockDelay, key);
    row("the only one in lock-delay", {inLockDelay(u"x"_s)}, u"x has no leader"_s,
        u"x: lock-delay, free in 1.0 to 1.3 s, as predicted"_s, StateKind::LockDelay, key);
    row("vacant, and longer than predicted, count together",
        {well(u"a"_s), inLockDelay(u"b"_s), lostBy(u"x"_s, u"w"_s, seen(Now - 40s), TermEnd::Released)},
        u"2 of 3 elections have no leader, longer than predicted"_s,
        u"x: vacant for 0:40, longer than predicted"_s, StateKind::Alarm, key);
    row("never led", {well(u"a"_s), neverLed(u"x"_s, thereAt(1s))}, u"1 of 2 elections has no leader"_s,
        u"x: vacant, seen ≥ 9 min"_s, StateKind::Vacant, key);
    row("orphaned", {well(u"a"_s), inState(u"x"_s, ElectionState::Orphaned)},
        u"x is held by a session that does not exist"_s,
        u"x: held by session 3f1c02aa…%1, which does not exist"_s, StateKind::Alarm, key);
    ElectionRecord fell = well(u"x"_s);
    fell.tokenFell = true;
    fell.token = 1208;
    fell.highestToken = 1219;
    row("token fell", {well(u"a"_s), fell}, u"The token of x fell"_s,
        u"x: token fell: 1\u2009208 after 1\u2009219"_s, StateKind::Alarm, key);
    row("led twice", {well(u"a"_s), well(u"x"_s)}, u"x is led twice"_s,
        u"x: two candidates say that they lead"_s, StateKind::Alarm, key, {.ledTwice = {key}, .atRisk = {}});
    row("at risk", {well(u"a"_s), well(u"x"_s)}, u"The leader of x is at risk"_s,
        u"x: api-1 says that its renewals fail"_s, StateKind::AtRisk, key, {.ledTwice = {}, .atRisk = {key}});
    row("never expires", {well(u"a"_s), inState(u"x"_s, ElectionState::NeverExpires)},
        u"All 2 elections are led, 1 by a session that never expires"_s,
        u"x: led by api-1, whose session never expires"_s, StateKind::NeverExpires, key);
    row("holder hidden", {well(u"a"_s), inState(u"x"_s, ElectionState::HolderHidden)},
        u"1 of 2 elections may be hidden by ACL"_s,
        u"x: held by session 3f1c02aa…%1, which is hidden by an ACL or gone"_s, StateKind::Hidden, key);
}

void tst_Verdict::sentences()
{
    QFETCH(QList<ElectionRecord>, elections);
    QFETCH(CandidateClaims, claims);
    QFETCH(QString, worst);
    const Verdict result = verdict(snapshotOf(elections), live(Now), Now, claims);
    QTEST(result.sentence, "sentence");
    if (worst.contains(u"%1"_s))
        worst = worst.arg(elections.constLast().leader.session.last(4));
    QCOMPARE(result.worst, worst);
    QTEST(result.kind, "kind");
    QTEST(result.key, "key");
    QCOMPARE(result.total, int(elections.size()));
}

void tst_Verdict::worstFirst()
{
    // From the worst to the best, as the dashboard promises; each hides all that follow it.
    ElectionRecord fell = well(u"2"_s);
    fell.tokenFell = true;
    QList<ElectionRecord> elections{well(u"1"_s),
                                    fell,
                                    inState(u"3"_s, ElectionState::Orphaned),
                                    lostBy(u"4"_s, u"w"_s, seen(Now - 40s), TermEnd::Released),
                                    inLockDelay(u"5"_s),
                                    neverLed(u"6"_s, seen(Now - 1h)),
                                    well(u"7"_s),
                                    inState(u"8"_s, ElectionState::Hidden),
                                    inState(u"9"_s, ElectionState::NeverExpires),
                                    well(u"A"_s)};
    const CandidateClaims claims{.ledTwice = {elections[0].key}, .atRisk = {elections[6].key}};
    while (elections.size() > 1) {
        const Verdict result = verdict(snapshotOf(elections), live(Now), Now, claims);
        QCOMPARE(result.key, elections.constFirst().key);
        elections.removeFirst();
    }
    QCOMPARE(verdict(snapshotOf(elections), live(Now), Now, claims).concern, Concern::Fine);
}

void tst_Verdict::longestFirst()
{
    const ElectionRecord young = lostBy(u"a"_s, u"w"_s, seen(Now - 20s), TermEnd::Released);
    const ElectionRecord old = lostBy(u"b"_s, u"w"_s, seen(Now - 50s), TermEnd::Released);
    QCOMPARE(verdict(snapshotOf({young, old}), live(Now), Now).key, old.key);
}

void tst_Verdict::lastMoves_data()
{
    QTest::addColumn<QList<ElectionRecord>>("elections");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing was seen to move") << QList{well(u"a"_s)} << QString();
    QTest::newRow("moved in the band")
        << QList{well(u"a"_s), moved(u"billing"_s)}
        << u"Last move 14:09:00: billing api-2 → api-5, vacant 15.0 s, as predicted"_s;
    ElectionRecord late = moved(u"billing"_s);
    late.previous->to = seen(Now - 95s);
    QTest::newRow("moved late") << QList{
        late} << u"Last move 14:09:00: billing api-2 → api-5, vacant 35.0 s, longer than predicted"_s;
    ElectionRecord early = moved(u"billing"_s);
    early.previous->to = seen(Now - 65s);
    QTest::newRow("moved through the lock-delay")
        << QList{early}
        << u"Last move 14:09:00: billing api-2 → api-5, vacant 5.0 s, shorter than predicted"_s;
    ElectionRecord handed = moved(u"billing"_s);
    handed.previous = termOf(u"api-2"_s, seen(Now - 60s), TermEnd::Released);
    QTest::newRow("handed over") << QList{
        handed} << u"Last move 14:09:00: billing api-2 → api-5, vacant ≤ 300 ms, as predicted"_s;
    QTest::newRow("lost is a move too")
        << QList{moved(u"a"_s), lostBy(u"b"_s, u"w"_s, seen(Now - 5s), TermEnd::ReleasedOrEnded)}
        << u"Last move 14:09:55: b lost w, released or session ended"_s;
    QTest::newRow("first leader") << QList{ledBy(u"a"_s, u"w"_s, seen(Now - 5s))}
                                  << u"Last move 14:09:55: a led by w"_s;
}

void tst_Verdict::lastMoves()
{
    QFETCH(QList<ElectionRecord>, elections);
    QTEST(verdict(snapshotOf(elections), live(Now), Now).lastMove, "text");
}

void tst_Verdict::f11_vacancyAfterAKill_data()
{
    QTest::addColumn<qint64>("sinceKillMs");
    QTest::addColumn<bool>("isAlarm");
    for (const qint64 ms : {0, 10'000, 19'900, 20'300, 25'000, 30'000, 35'000, 35'500, 36'000})
        QTest::addRow("%lld ms after SIGKILL", ms) << ms << false;
    QTest::newRow("nobody comes") << qint64(37'000) << true;
}

/// What an observer sees of a leader with TTL 10 s and lock-delay 15 s that is killed right after a renewal:
/// Consul ends its session after 20 s, and gives the lock again after 15 s more.
void tst_Verdict::f11_vacancyAfterAKill()
{
    QFETCH(qint64, sinceKillMs);
    QFETCH(bool, isAlarm);
    const Nanoseconds killed = 1min;
    const Nanoseconds now = killed + std::chrono::milliseconds(sinceKillMs);
    const ObservedTime ended{.after = killed + 19'900ms, .by = killed + 20'200ms};

    ElectionRecord record = ledBy(u"x"_s, u"worker-1"_s, seen(1s));
    if (now >= ended.by) {
        record = lostBy(u"x"_s, u"worker-1"_s, ended, TermEnd::SessionEnded);
        record.lockDelay = LockDelayWindow{.began = ended, .length = 15s};
        record.state = ElectionState::LockDelay;
    }
    if (record.lockDelay && now >= record.lockDelay->latestEnd()) {
        record.state = ElectionState::Vacant;
        record.since = {.after = record.lockDelay->latestEnd(), .by = record.lockDelay->latestEnd()};
        record.lockDelay.reset();
    }
    const Verdict result = verdict(snapshotOf({record}), live(now), now);
    QCOMPARE(result.kind == StateKind::Alarm, isAlarm);
    QCOMPARE(result.sentence.contains(u"longer than predicted"_s), isAlarm);
    if (record.state == ElectionState::LockDelay)
        QVERIFY2(result.worst.endsWith(u"as predicted"_s), qPrintable(result.worst));
}

void tst_Verdict::vacancies_data()
{
    QTest::addColumn<ElectionRecord>("election");
    QTest::addColumn<Concern>("concern");
    const auto lost = [](Nanoseconds ago, TermEnd end) {
        return lostBy(u"x"_s, u"w"_s, seen(Now - ago), end);
    };
    QTest::newRow("released just now") << lost(900ms, TermEnd::Released) << Concern::Vacant;
    QTest::newRow("released, and nobody comes") << lost(2s, TermEnd::Released) << Concern::Overdue;
    QTest::newRow("a lock-delay may run unseen") << lost(50s, TermEnd::ReleasedOrEnded) << Concern::Vacant;
    QTest::newRow("no lock-delay is as long") << lost(62s, TermEnd::ReleasedOrEnded) << Concern::Overdue;
    QTest::newRow("deleted: waiters impose it on themselves")
        << lost(30s, TermEnd::KeyDeleted) << Concern::Vacant;
    ElectionRecord foreign = lost(5s, TermEnd::Released);
    foreign.flags = 0x2ddccbc058a50c18;
    QTest::newRow("Consul's lock library is slower") << foreign << Concern::Vacant;
    foreign.since = seen(Now - 7s);
    QTest::newRow("... but not as slow") << foreign << Concern::Overdue;
    ElectionRecord old = lost(1min, TermEnd::Released);
    old.since = thereAt(Now - 1min);
    QTest::newRow("vacant at the first look") << old << Concern::Vacant;
    ElectionRecord stuck = inLockDelay(u"x"_s);
    stuck.lockDelay->began = seen(Now - 10s);
    QTest::newRow("lock-delay long over") << stuck << Concern::Overdue;
}

void tst_Verdict::vacancies()
{
    QFETCH(ElectionRecord, election);
    QTEST(concernOf(election, Visibility::Everything, Now), "concern");
}

void tst_Verdict::f30_neverClaimsWhatAnAclMayHide_data()
{
    QTest::addColumn<ClusterSnapshot>("snapshot");
    QTest::addColumn<QString>("sentence");
    ElectionRecord gone = lostBy(u"x"_s, u"w"_s, seen(Now - 1h), TermEnd::KeyDeleted);
    gone.exists = false;
    const ElectionRecord hidden = inState(u"x"_s, ElectionState::Hidden);
    QTest::newRow("403 on the prefix") << seenAs(Visibility::Nothing, snapshotOf({}))
                                       << u"No elections can be seen: they may be hidden by ACL"_s;
    QTest::newRow("404 with ACLs in force") << seenAs(Visibility::Some, snapshotOf({}))
                                            << u"No elections can be seen: they may be hidden by ACL"_s;
    QTest::newRow("nobody knows whether there are ACLs")
        << seenAs(Visibility::Unknown, snapshotOf({}))
        << u"No elections can be seen: they may be hidden by ACL"_s;
    QTest::newRow("key not there any more, with ACLs")
        << seenAs(Visibility::Some, snapshotOf({well(u"a"_s), gone}))
        << u"1 of 2 elections may be hidden by ACL"_s;
    QTest::newRow("key hidden") << seenAs(Visibility::Some, snapshotOf({hidden}))
                                << u"x may be hidden by ACL"_s;
    QTest::newRow("prefix hidden beside known elections")
        << seenAs(Visibility::Nothing, snapshotOf({well(u"a"_s), well(u"b"_s)}))
        << u"What is under service/ may be hidden by ACL"_s;
    QTest::newRow("all that can be seen is led")
        << seenAs(Visibility::Some, snapshotOf({well(u"a"_s), well(u"b"_s)}))
        << u"All 2 elections that can be seen are led"_s;
}

void tst_Verdict::f30_neverClaimsWhatAnAclMayHide()
{
    QFETCH(ClusterSnapshot, snapshot);
    const Verdict result = verdict(snapshot, live(Now), Now);
    QTEST(result.sentence, "sentence");
    const QString all = result.sentence + result.worst;
    QVERIFY2(!all.contains(u"no leader"_s) && !all.contains(u"no elections"_s) && !all.contains(u"vacant"_s),
             qPrintable(all));
    QVERIFY(result.kind == StateKind::Hidden || result.sentence.contains(u"that can be seen"_s));
}

void tst_Verdict::staleDataAreDated()
{
    ConnectionReport report = failing(ConnectionState::Stale, ObserveTrouble::TimedOut, Now - 1min);
    const Verdict result = verdict(snapshotOf({well(u"a"_s), inLockDelay(u"x"_s)}), report, Now);
    QCOMPARE(result.sentence, u"As of 14:09:00: 1 of 2 elections has no leader"_s);
    QCOMPARE(result.worst, u"Consul does not answer"_s);
    QCOMPARE(result.kind, StateKind::Stale);
    QCOMPARE(result.concern, Concern::LockDelay);
}

void tst_Verdict::countdownsStandStill()
{
    // A vacancy that nobody could see going on is not overdue.
    const ElectionRecord record = lostBy(u"x"_s, u"w"_s, seen(Now - 500ms), TermEnd::Released);
    const ConnectionReport report = failing(ConnectionState::Stale, ObserveTrouble::TimedOut, Now);
    QCOMPARE(verdict(snapshotOf({record}), report, Now + 1h).concern, Concern::Vacant);
}

void tst_Verdict::beforeAnythingWasRead_data()
{
    QTest::addColumn<ConnectionState>("state");
    QTest::addColumn<ObserveTrouble>("trouble");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("idle") << ConnectionState::Idle << ObserveTrouble::None << u"Not connected"_s;
    QTest::newRow("connecting") << ConnectionState::Connecting << ObserveTrouble::None
                                << u"Connecting to Consul"_s;
    QTest::newRow("unreachable") << ConnectionState::Connecting << ObserveTrouble::Unreachable
                                 << u"Consul cannot be reached"_s;
    QTest::newRow("login page") << ConnectionState::Refused << ObserveTrouble::NotConsul
                                << u"What answers there is not Consul"_s;
}

void tst_Verdict::beforeAnythingWasRead()
{
    QFETCH(ConnectionState, state);
    QFETCH(ObserveTrouble, trouble);
    const Verdict result = verdict({}, failing(state, trouble, 0s), Now);
    QTEST(result.sentence, "sentence");
    QCOMPARE(result.kind, StateKind::Stale);
    QVERIFY(result.key.isEmpty());
}

void tst_Verdict::everyTroubleHasWords()
{
    const auto troubles = QMetaEnum::fromType<ObserveTrouble>();
    for (int i = 0; i < troubles.keyCount(); ++i) {
        ObserveError error;
        error.trouble = ObserveTrouble(troubles.value(i));
        QCOMPARE(troubleText(error).cause.isEmpty(), error.trouble == ObserveTrouble::None);
    }
    ObserveError denied;
    denied.trouble = ObserveTrouble::Denied;
    denied.part = ObservedPart::Keys;
    denied.subject = u"service/"_s;
    denied.status = 403;
    denied.detail = u"Permission denied\n<b>"_s;
    denied.missingRule = u"key_prefix \"service/\" { policy = \"read\" }"_s;
    const TroubleText text = troubleText(denied);
    QCOMPARE(text.cause, u"The token may not read the keys under service/"_s);
    QCOMPARE(text.remedy,
             u"Add the rule key_prefix \"service/\" { policy = \"read\" } to the token's policy."_s);
    QCOMPARE(text.detail, u"HTTP 403: Permission denied␊<b>"_s);
}

void tst_Verdict::f63_namesAreSafe()
{
    ElectionRecord record = inLockDelay(u"<img src=http://127.0.0.1:9/x>\n\u202E"_s + QString(10'000, u'x'));
    record.previous->leader = u"<b>\n"_s + QString(10'000, u'y');
    const Verdict result = verdict(snapshotOf({record, well(u"a"_s)}), live(Now), Now);
    for (const QString &text : {result.sentence, result.worst, result.lastMove}) {
        QVERIFY2(text.size() < 400, qPrintable(text));
        QVERIFY(!text.contains(u'\n') && !text.contains(QChar(0x202E)));
    }
    QVERIFY(result.worst.startsWith(u"<img src=http://127.0.0.1:9/x>␊‹U+202E›xxx"_s));
}

QTEST_GUILESS_MAIN(tst_Verdict)
#include "tst_verdict.moc"
