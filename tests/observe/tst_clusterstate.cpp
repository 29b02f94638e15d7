// SPDX-License-Identifier: MIT
#include "core/backoff.h"
#include "reads.h"

#include <QtTest/QTest>

using namespace ObserveReads;

namespace {
const QString Key = u"service/a/leader"_s;
const QString S1 = u"s1"_s;
const QString S2 = u"s2"_s;
using Sessions = QList<Wire::SessionInfo>;
using Keys = QList<Wire::ListedKey>;
} // namespace

/// Two reads of a cluster to a state, a term and changes.
class TestClusterState : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void twoReads_data();
    void twoReads();
    void whatIsAnElection();
    void lockDelayBeginsAndEnds();
    void lockDelayIsOnlyAssumedWhereTheSessionVanished();
    void sessionThatLivesOnWasNotEnded();
    void tokenLiftedByItsLeader();
    void tokenThatFellIsNoted();
    void historyIsBounded();
    void f17_holderNotListed_data();
    void f17_holderNotListed();
    void f30_vanishedKeyIsAskedFor();
    void f30_emptyListClaimsNothing();
    void f38_sessionWithoutTtl();
    void sinceOfTheFirstLook();
    void unchangedRecordsAreTheSameObjects();
    void indexThatFallsIsTold();
    void randomDeltas_data();
    void randomDeltas();
};

void TestClusterState::twoReads_data()
{
    QTest::addColumn<Keys>("before");
    QTest::addColumn<Keys>("after");
    QTest::addColumn<Sessions>("sessionsAfter");
    QTest::addColumn<ElectionState>("state");
    QTest::addColumn<TermEnd>("end");
    QTest::addColumn<QList<ChangeKind>>("changes");
    using enum ChangeKind;
    const Sessions both = {session(S1), session(S2)};
    const Sessions second = {session(S2)};
    const Keys held = {key(Key, 10, S1, "x")};
    const Keys baton = {key(Key, 10, S1, lockValue(S1, u"w"_s))};
    const auto none = TermEnd::Running;

    QTest::newRow("nothing moves") << held << held << both << ElectionState::Led << none
                                   << QList<ChangeKind>();
    QTest::newRow("an election appears led")
        << Keys() << held << both << ElectionState::Led << none << QList{ElectionAppeared, LeaderElected};
    QTest::newRow("Baton releases") << baton << Keys{key(Key, 11, {}, {})} << both << ElectionState::Vacant
                                    << TermEnd::Released << QList{LeaderLost};
    QTest::newRow("Baton's session ends")
        << baton << Keys{key(Key, 11, {}, baton[0].entry.value)} << second << ElectionState::LockDelay
        << TermEnd::SessionEnded << QList{SessionGone, LeaderLost};
    QTest::newRow("a foreign client's session ends, or it released first")
        << held << Keys{key(Key, 11, {}, "x")} << second << ElectionState::LockDelay
        << TermEnd::ReleasedOrEnded << QList{SessionGone, LeaderLost};
    QTest::newRow("freed with the old value, session listed")
        << held << Keys{key(Key, 11, {}, "x")} << both << ElectionState::Vacant << TermEnd::ReleasedOrEnded
        << QList{LeaderLost};
    QTest::newRow("the key is deleted")
        << held << Keys() << both << ElectionState::Vacant << TermEnd::KeyDeleted << QList{LeaderLost};
    QTest::newRow("another leads at the next look")
        << held << Keys{key(Key, 12, S2, "y", 2)} << both << ElectionState::Led << TermEnd::Replaced
        << QList{LeaderLost, LeaderElected};
    QTest::newRow("the same session took the lock again")
        << held << Keys{key(Key, 12, S1, "x", 2)} << both << ElectionState::Led << TermEnd::Replaced
        << QList{LeaderLost, LeaderElected};
    QTest::newRow("somebody writes under the leader") << held << Keys{key(Key, 11, S1, "z", 0)} << both
                                                      << ElectionState::Led << none << QList{ForeignWrite};
    QTest::newRow("a restored store has an older token")
        << Keys{key(Key, 20, S1, "x")} << Keys{key(Key, 12, S2, "y")} << both << ElectionState::Led
        << TermEnd::Replaced << QList{LeaderLost, LeaderElected, TokenFell};
    QTest::newRow("the index falls under the same session")
        << Keys{key(Key, 20, S1, "x")} << Keys{key(Key, 12, S1, "x")} << both << ElectionState::Led << none
        << QList{TokenFell};
}

void TestClusterState::twoReads()
{
    QFETCH(Keys, before);
    QFETCH(Keys, after);
    QFETCH(Sessions, sessionsAfter);
    World world;
    world.sessions({session(S1), session(S2)});
    world.keys(before);
    (void)world.take();
    QVERIFY(world.delta.changes.isEmpty());
    world.now += 1s;
    world.sessions(sessionsAfter);
    world.keys(after);
    const ClusterSnapshot snapshot = world.take();

    const ElectionPtr election = snapshot.election(Key);
    QVERIFY(election);
    QTEST(election->state, "state");
    QTEST(election->previous ? election->previous->end : TermEnd::Running, "end");
    QTEST(world.kinds(), "changes");
    QCOMPARE(election->tokenFell, world.kinds().contains(ChangeKind::TokenFell));
    if (!world.delta.changes.isEmpty())
        QVERIFY(world.delta.changes.last().at.isExact());
}

void TestClusterState::whatIsAnElection()
{
    World world;
    world.sessions({});
    world.keys({key(u"service/free/leader"_s, 3, {}, {}, 0), key(u"service/once/held"_s, 4, {}, {}, 2),
                key(u"service/held"_s, 5, S1), key(u"service/config"_s, 6, {}, "x", 0)});
    const ClusterSnapshot snapshot = world.take();
    QStringList keys;
    for (const ElectionPtr &election : snapshot.elections)
        keys += election->key;
    QCOMPARE(keys, (QStringList{u"service/free/leader"_s, u"service/held"_s, u"service/once/held"_s}));
    QCOMPARE(snapshot.prefixes.first().otherKeys, 1);
    QCOMPARE(snapshot.election(u"service/free/leader")->name, u"free"_s);
    QCOMPARE(snapshot.election(u"service/held")->name, u"service/held"_s);
}

void TestClusterState::lockDelayBeginsAndEnds()
{
    World world;
    world.sessions({session(S1, 3s)});
    world.keys({key(Key, 10, S1, "x")});
    (void)world.take();
    world.now += 1s;
    world.keys({key(Key, 11, {}, "x")}); // The key is read before the list of sessions.
    QCOMPARE(world.take().election(Key)->state, ElectionState::Vacant);
    world.now += 100ms;
    world.sessions({});
    const ElectionPtr election = world.take().election(Key);
    QCOMPARE(election->state, ElectionState::LockDelay);
    QCOMPARE(election->lockDelay->length, 3s);
    QVERIFY(election->lockDelay->began.isExact());
    QVERIFY(election->lockDelay->earliestEnd() <= election->lockDelay->latestEnd());
    const auto end = election->lockDelay->latestEnd();
    QCOMPARE(world.state.nextTimeout(), std::optional(at(end)));
    world.now = end;
    world.state.handleTimeout(at(end));
    QCOMPARE(world.take().election(Key)->state, ElectionState::Vacant);
    QCOMPARE(world.kinds(), QList{ChangeKind::StateChanged});
}

void TestClusterState::lockDelayIsOnlyAssumedWhereTheSessionVanished()
{
    World world(true);
    world.sessions({}); // Hidden from us.
    world.keys({key(Key, 10, S1, lockValue(S1, u"w"_s))});
    (void)world.take();
    world.now += 1s;
    world.sessions({});
    world.keys({key(Key, 11, {}, lockValue(S1, u"w"_s))});
    const ElectionPtr election = world.take().election(Key);
    QCOMPARE(election->state, ElectionState::Vacant);
    QCOMPARE(election->previous->end, TermEnd::ReleasedOrEnded);
}

void TestClusterState::sessionThatLivesOnWasNotEnded()
{
    World world;
    world.sessions({session(S1)});
    world.keys({key(Key, 10, S1, "x")});
    (void)world.take();
    world.now += 1s;
    world.keys({key(Key, 11, {}, "x")});
    for (int i = 0; i < 2; ++i) { // The second list was surely asked for after the end.
        world.now += 1s;
        world.sessions({session(S1)});
    }
    const ElectionPtr election = world.take().election(Key);
    QCOMPARE(election->previous->end, TermEnd::Released);
    QCOMPARE(world.kinds(), QList{ChangeKind::LeaderLost}); // Told once, with what came to be known.
    QCOMPARE(world.delta.changes.first().end, TermEnd::Released);
}

void TestClusterState::tokenLiftedByItsLeader()
{
    World world;
    world.sessions({session(S1)});
    world.keys({key(Key, 10, S1, lockValue(S1, u"w"_s, u"n1"_s))});
    (void)world.take();
    world.now += 1s;
    world.keys({key(Key, 14, S1, lockValue(S1, u"w"_s, u"n2"_s))});
    const ElectionPtr lifted = world.take().election(Key);
    QCOMPARE(lifted->token, std::optional<quint64>(14));
    QCOMPARE(world.kinds(), QList{ChangeKind::TokenLifted});
    world.now += 1s;
    world.keys({key(Key, 20, S1, "foreign", 0)});
    const ElectionPtr written = world.take().election(Key);
    QCOMPARE(written->token, std::optional<quint64>(14));
    QVERIFY(written->foreignWrite);
    QVERIFY(!written->leader.isBaton);
}

void TestClusterState::tokenThatFellIsNoted()
{
    World world;
    world.sessions({session(S1), session(S2)});
    world.keys({key(Key, 30, S1, "x")});
    (void)world.take();
    world.now += 1s;
    world.keys({key(Key, 31, {}, {})});
    world.now += 1s;
    world.keys({key(Key, 30, S2, "y", 2)}); // Equal is not greater.
    const ElectionPtr fell = world.take().election(Key);
    QVERIFY(fell->tokenFell);
    QCOMPARE(fell->highestToken, quint64(30));
    world.now += 1s;
    world.keys({key(Key, 40, S1, "x", 3)});
    QVERIFY(!world.take().election(Key)->tokenFell);
}

void TestClusterState::historyIsBounded()
{
    World world;
    world.sessions({session(S1), session(S2)});
    constexpr int Terms = ElectionRecord::MaxHistory + 10;
    for (int i = 0; i <= Terms; ++i) {
        world.now += 1s;
        world.keys({key(Key, quint64(10 + i), i % 2 ? S1 : S2, "x", quint64(i + 1))});
    }
    const ElectionPtr election = world.take().election(Key);
    QCOMPARE(election->history.size(), ElectionRecord::MaxHistory);
    QCOMPARE(election->historyDropped, quint64(10));
    QCOMPARE(election->history.last().token, quint64(10 + Terms - 1));
    QCOMPARE(*election->previous, election->history.last());
}

void TestClusterState::f17_holderNotListed_data()
{
    QTest::addColumn<bool>("aclsHide");
    QTest::addColumn<bool>("seenBefore");
    QTest::addColumn<ElectionState>("state");
    QTest::newRow("no ACLs") << false << false << ElectionState::Orphaned;
    QTest::newRow("ACLs, never listed") << true << false << ElectionState::HolderHidden;
    QTest::newRow("ACLs, but it was listed, and others of its node still are")
        << true << true << ElectionState::Orphaned;
}

void TestClusterState::f17_holderNotListed()
{
    QFETCH(bool, aclsHide);
    QFETCH(bool, seenBefore);
    World world(aclsHide);
    const Wire::KeyRead stillHeld{key(Key, 10, S1, "x").entry, 100, true, 0ms};
    world.sessions(seenBefore ? Sessions{session(S1), session(S2)} : Sessions{session(S2)});
    world.keys({key(Key, 10, S1, "x")});
    world.now += 1s;
    world.sessions({session(S2)});
    QCOMPARE(world.take().election(Key)->state,
             ElectionState::Led); // Nothing is claimed before it was asked.
    QVERIFY(std::holds_alternative<Wire::InspectSession>(*world.state.wanted(at(world.now + 31s))));
    world.now += 31s;
    world.state.confirmed(Wire::InspectSession{S1}, Wire::SessionGone{}, readAt(world.now));
    world.answer(stillHeld);
    QTEST(world.take().election(Key)->state, "state");
    // Asked again, calmly, while the doubt stays.
    QVERIFY(!world.state.wanted(at(world.now + 1s)) || world.state.wanted(at(world.now + 31s)));
    // It is listed after all.
    world.now += 1s;
    world.sessions({session(S1), session(S2)});
    QCOMPARE(world.take().election(Key)->state, ElectionState::Led);
}

void TestClusterState::f30_vanishedKeyIsAskedFor()
{
    World world(true);
    world.sessions({session(S1)});
    world.keys({key(Key, 10, S1, "x")});
    (void)world.take();
    world.now += 1s;
    world.keys({}); // 404: deleted, or hidden.
    QCOMPARE(world.take().election(Key)->state, ElectionState::Led);
    QVERIFY(world.kinds().isEmpty());
    // The prefix is probed first, since it is empty now for all that is known.
    while (const auto request = world.state.wanted(at(world.now)))
        world.state.confirmed(*request, Wire::Failure{Wire::FailureKind::Denied, 403, {}}, readAt(world.now));
    const ClusterSnapshot snapshot = world.take();
    QCOMPARE(snapshot.election(Key)->state, ElectionState::Hidden);
    QVERIFY(!world.kinds().contains(ChangeKind::LeaderLost));
    // Read again: the same leader, the same term.
    world.now += 1s;
    world.keys({key(Key, 10, S1, "x")});
    const ElectionPtr back = world.take().election(Key);
    QCOMPARE(back->state, ElectionState::Led);
    QVERIFY(back->history.isEmpty());
    QVERIFY(!back->since.isExact());
}

void TestClusterState::f30_emptyListClaimsNothing()
{
    World world(true);
    world.sessions({});
    world.keys({});
    QVERIFY(std::holds_alternative<Wire::ReadKey>(*world.state.wanted(at(world.now))));
    world.answer(Wire::Failure{Wire::FailureKind::Denied, 403, {}});
    QCOMPARE(world.take().prefixes.first().visibility, Visibility::Nothing);

    World open;
    open.sessions({});
    open.keys({});
    QVERIFY(!open.state.wanted(at(open.now)));
    QCOMPARE(open.take().prefixes.first().visibility, Visibility::Everything);
}

void TestClusterState::f38_sessionWithoutTtl()
{
    World world;
    world.sessions({session(S1, 3s, std::nullopt)});
    world.keys({key(Key, 10, S1, "x")});
    const ClusterSnapshot snapshot = world.take();
    QCOMPARE(snapshot.election(Key)->state, ElectionState::NeverExpires);
    QVERIFY(snapshot.session(S1)->neverExpires());
    QCOMPARE(snapshot.session(S1)->keys, QStringList{Key});
}

void TestClusterState::sinceOfTheFirstLook()
{
    World world;
    world.sessions({session(S1)});
    world.keys({key(Key, 10, S1, "x")});
    const ClusterSnapshot first = world.take();
    QVERIFY(!first.election(Key)->since.isExact());
    QVERIFY(!first.session(S1)->created.isExact());
    world.now += 1s;
    world.sessions({session(S1), session(S2)});
    world.keys({key(Key, 12, S2, "y", 2)});
    const ClusterSnapshot second = world.take();
    QVERIFY(second.election(Key)->since.isExact());
    QVERIFY(second.session(S2)->created.isExact());
    QCOMPARE(second.election(Key)->since.by, std::chrono::nanoseconds(1001s + 2ms));
}

void TestClusterState::unchangedRecordsAreTheSameObjects()
{
    World world;
    const Keys keys = {key(Key, 10, S1, "x"), key(u"service/b/leader"_s, 11, S2, "y")};
    world.sessions({session(S1), session(S2)});
    world.keys(keys);
    const ClusterSnapshot first = world.take();
    world.now += 1s;
    world.sessions({session(S1), session(S2)});
    world.keys(keys);
    const ClusterSnapshot second = world.take();
    QCOMPARE(first.elections, second.elections);
    QCOMPARE(first.sessions, second.sessions);
    QVERIFY(world.delta.isEmpty());
}

void TestClusterState::indexThatFallsIsTold()
{
    World world;
    world.sessions({});
    world.keys({}, 100);
    (void)world.take();
    world.keys({}, 50);
    (void)world.take();
    QCOMPARE(world.kinds(), QList{ChangeKind::IndexReset});
}

void TestClusterState::randomDeltas_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %llu", seed) << seed;
}

/// Applying each delta to a plain map of the snapshot before gives the snapshot after; and what the records
/// say is what was read.
void TestClusterState::randomDeltas()
{
    QFETCH(quint64, seed);
    Core::Random random(seed);
    const auto dice = [&random](quint64 sides) { return random.next() % sides; };
    World world;
    QMap<QString, Wire::SessionInfo> sessions;
    QMap<QString, Wire::ListedKey> keys;
    QMap<QString, ElectionPtr> model;
    QMap<QString, SessionPtr> sessionModel;
    quint64 index = 100;
    for (int round = 0; round < 200; ++round) {
        world.now += std::chrono::milliseconds(dice(3000));
        for (quint64 i = dice(6); i > 0; --i) {
            ++index;
            const QString id = u"s%1"_s.arg(dice(12));
            const QString name = u"service/%1/leader"_s.arg(dice(8));
            switch (dice(5)) {
            case 0:
                sessions.insert(id, session(id, std::chrono::milliseconds(dice(5000))));
                break;
            case 1: {
                sessions.remove(id);
                for (auto &held : keys) {
                    if (held.entry.session == id) {
                        held.entry.session.reset();
                        held.entry.modifyIndex = index;
                    }
                }
                break;
            }
            case 2:
                if (sessions.contains(id) && !keys.value(name).entry.session)
                    keys.insert(name,
                                key(name, index, id, lockValue(id, id, QString::number(index)),
                                    keys.value(name).entry.lockIndex + 1));
                break;
            case 3:
                if (keys.contains(name))
                    keys[name] = key(name, index, {}, {}, keys[name].entry.lockIndex);
                break;
            default:
                keys.remove(name);
            }
        }
        if (dice(2))
            world.sessions(sessions.values());
        world.keys(keys.values(), index);
        world.sessions(sessions.values());
        world.state.handleTimeout(at(world.now));
        const ClusterSnapshot snapshot = world.take();
        const ClusterDelta &delta = world.delta;

        for (const QString &gone : delta.electionsRemoved)
            QCOMPARE(model.remove(gone), 1);
        for (const QString &added : delta.electionsAdded) {
            QVERIFY(!model.contains(added));
            model.insert(added, snapshot.election(added));
        }
        for (const QString &changed : delta.electionsChanged) {
            QVERIFY(model.contains(changed));
            model.insert(changed, snapshot.election(changed));
        }
        QCOMPARE(model.values(), snapshot.elections);
        for (const QString &gone : delta.sessionsRemoved)
            QCOMPARE(sessionModel.remove(gone), 1);
        for (const QString &id : delta.sessionsAdded + delta.sessionsChanged)
            sessionModel.insert(id, snapshot.session(id));
        QCOMPARE(sessionModel.values(), snapshot.sessions);
        QCOMPARE(sessionModel.keys(), sessions.keys());
        for (const Wire::ListedKey &listed : keys) {
            const ElectionPtr election = snapshot.election(listed.key);
            QVERIFY(election && election->exists);
            QCOMPARE(election->leader.session, listed.entry.session.value_or(QString()));
            QCOMPARE(election->isHeld(), election->token.has_value());
            if (election->isHeld())
                QCOMPARE(election->state, ElectionState::Led);
            QVERIFY(election->highestToken >= election->token.value_or(0));
        }
        for (const ElectionPtr &election : snapshot.elections)
            QVERIFY(keys.contains(election->key) || (!election->exists && !election->isHeld()));
    }
}

QTEST_GUILESS_MAIN(TestClusterState)
#include "tst_clusterstate.moc"
