// SPDX-License-Identifier: MIT
#include "modelfixture.h"

#include <QtTest/QTest>

namespace Baton::Testing {

/// The model's blocking queries, rights, and what happens to its servers.
class TestConsulModelServers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void a_blocking_query_wakes_at_a_change_of_its_key();
    void a_blocking_query_ends_after_its_wait_and_up_to_a_sixteenth();
    void an_index_from_the_future_blocks_for_the_whole_wait();
    void a_watch_of_an_absent_key_wakes_at_any_write();
    void indexes_of_a_tree_and_of_sessions();
    void what_is_hidden_without_rights();
    void without_a_leader_everything_is_500_and_no_session_ends();
    void a_new_leader_starts_timers_anew();
    void a_restart_imposes_old_lock_delays_anew();
    void a_restore_in_place_brings_dead_sessions_back_and_drops_the_delay();
    void a_cluster_rebuilt_from_nothing_starts_low();
};

void TestConsulModelServers::a_blocking_query_wakes_at_a_change_of_its_key()
{
    ModelFixture f;
    f.put(f.key, "a");
    const quint64 index = f.entry()->modifyIndex;
    const quint64 watch = f.model.watch(KeyQuery{f.key}, index, 10s, f.rights, f.now);
    f.put(u"other"_s, "x");
    QVERIFY(!f.model.takeAnswer());
    f.put(f.key, "b");
    const auto answer = f.model.takeAnswer();
    QVERIFY(answer);
    QCOMPARE(answer->watch, watch);
    QCOMPARE(answer->reading.entries.at(0).value, QByteArray("b"));
    QVERIFY(answer->reading.index > index);
    QVERIFY(!f.model.takeAnswer());
    f.model.watch(KeyQuery{f.key}, index, 10s, f.rights, f.now); // Behind already.
    QVERIFY(f.model.takeAnswer());
}

void TestConsulModelServers::a_blocking_query_ends_after_its_wait_and_up_to_a_sixteenth()
{
    ModelFixture f;
    f.put(f.key, "a");
    for (int i = 0; i < 50; ++i) {
        f.model.watch(KeyQuery{f.key}, f.entry()->modifyIndex, 16s, f.rights, f.now);
        f.model.advance(f.now + 16s - 1ns);
        QVERIFY(!f.model.takeAnswer());
        f.model.advance(f.now + 17s);
        QVERIFY(f.model.takeAnswer());
        f.now += 17s;
    }
}

void TestConsulModelServers::an_index_from_the_future_blocks_for_the_whole_wait()
{
    ModelFixture f;
    f.put(f.key, "a");
    f.model.watch(KeyQuery{f.key}, 9999, 10s, f.rights, f.now);
    f.put(f.key, "b");
    QVERIFY(!f.model.takeAnswer());
    f.model.advance(f.now + 11s);
    QVERIFY(f.model.takeAnswer());
}

void TestConsulModelServers::a_watch_of_an_absent_key_wakes_at_any_write()
{
    ModelFixture f;
    const Reading absent = f.model.read(KeyQuery{f.key}, f.rights, f.now);
    QCOMPARE(absent.status, 404);
    QCOMPARE(absent.index, 1U);
    f.model.watch(KeyQuery{f.key}, absent.index, 10s, f.rights, f.now);
    f.put(u"unrelated"_s, "x");
    const auto answer = f.model.takeAnswer();
    QVERIFY(answer);
    QCOMPARE(answer->reading.status, 404);
    QVERIFY(answer->reading.index > absent.index);
}

void TestConsulModelServers::indexes_of_a_tree_and_of_sessions()
{
    ModelFixture f;
    f.put(u"a/1"_s, "x");
    f.put(u"b"_s, "x");
    const auto treeIndex = [&] { return f.model.read(PrefixQuery{u"a/"_s}, f.rights, f.now).index; };
    const quint64 before = treeIndex();
    f.put(u"b"_s, "y");
    QCOMPARE(treeIndex(), before);
    f.run(DeleteKey{u"a/1"_s, false, {}});
    QVERIFY(treeIndex() > before); // Graves count.
    const auto sessionsIndex = [&] { return f.model.read(SessionsQuery{}, f.rights, f.now).index; };
    const QString session = f.session();
    const quint64 made = sessionsIndex();
    f.model.renew(session, f.rights, f.now);
    QCOMPARE(sessionsIndex(), made);
    f.run(EndSession{session});
    QVERIFY(sessionsIndex() > made);
}

void TestConsulModelServers::what_is_hidden_without_rights()
{
    ModelFixture f;
    const QString session = f.session();
    QVERIFY(f.acquire(session));
    f.rights = Rights::none();
    QCOMPARE(f.model.read(KeyQuery{f.key}, f.rights, f.now).text, u"Permission denied"_s);
    QCOMPARE(f.model.read(PrefixQuery{f.key}, f.rights, f.now).status, 404);
    QVERIFY(f.model.read(SessionQuery{session}, f.rights, f.now).sessions.empty());
    QVERIFY(f.model.read(SessionsQuery{}, f.rights, f.now).sessions.empty());
    QCOMPARE(f.transact({f.lock(session)}).errors.at(0).what, u"Permission denied"_s);
    QCOMPARE(f.model.renew(session, f.rights, f.now).status, 403);
    QCOMPARE(f.model.renew(QString(36, u'0'), f.rights, f.now).status, 404); // Gone is gone for everybody ...
    f.rights = f.model.rightsOf("bogus");
    QCOMPARE(f.transact({f.lock(session)}).text, u"ACL not found"_s);
    QCOMPARE(f.model.renew(QString(36, u'0'), f.rights, f.now).status, 403); // ... whom Consul knows.
}

void TestConsulModelServers::without_a_leader_everything_is_500_and_no_session_ends()
{
    ModelFixture f;
    const QString session = f.session();
    QVERIFY(f.acquire(session));
    f.model.watch(KeyQuery{f.key}, f.entry()->modifyIndex, 60s, f.rights, f.now);
    f.model.loseLeader(f.now);
    QCOMPARE(f.model.takeAnswer()->reading.text, u"rpc error making call: EOF"_s);
    f.now += 60s;
    QVERIFY(f.lives(session));
    QCOMPARE(f.model.renew(session, f.rights, f.now).text, u"No cluster leader"_s);
    QCOMPARE(f.model.read(KeyQuery{f.key}, f.rights, f.now).status, 500);
    QCOMPARE(f.transact({f.get()}).status, 500);
    f.model.elect(f.now);
    QCOMPARE(f.model.renew(session, f.rights, f.now).status, 200);
}

void TestConsulModelServers::a_new_leader_starts_timers_anew()
{
    ModelFixture f;
    const QString session = f.session(10s);
    f.now += 19s;
    f.model.loseLeader(f.now);
    f.model.elect(f.now);
    f.now += 19s;
    QVERIFY(f.lives(session));
    f.now += 1s;
    QVERIFY(!f.lives(session));
}

void TestConsulModelServers::a_restart_imposes_old_lock_delays_anew()
{
    ModelFixture f;
    const QString holder = f.session(10s, 15s);
    const QString rival = f.session(24h);
    QVERIFY(f.acquire(holder));
    f.run(EndSession{holder});
    f.now += 60min;
    f.model.restart(f.now);
    f.now += 15s - 1ns;
    QVERIFY(!f.acquire(rival));
    f.now += 1ns;
    QVERIFY(f.acquire(rival));
}

void TestConsulModelServers::a_restore_in_place_brings_dead_sessions_back_and_drops_the_delay()
{
    ModelFixture f;
    const QString first = f.session(10s, 15s);
    const QString rival = f.session(24h, 15s);
    QVERIFY(f.acquire(first));
    const quint64 token = f.entry()->modifyIndex;
    const auto snapshot = f.model.snapshot();
    QVERIFY(f.release(first));
    QVERIFY(f.acquire(rival));
    f.run(EndSession{first});
    const quint64 later = f.entry()->modifyIndex;
    f.model.watch(KeyQuery{f.key}, later, 60s, f.rights, f.now);
    f.model.restore(snapshot, f.now);
    QCOMPARE(f.model.takeAnswer()->reading.index, token); // Below the index waited for.
    QVERIFY(f.lives(first));
    QCOMPARE(f.entry()->session, first);
    f.run(EndSession{first});
    QVERIFY(f.model.lockDelayUntil(f.key));
    f.model.restore(f.model.snapshot(), f.now);
    QVERIFY(!f.model.lockDelayUntil(f.key));
    QVERIFY(f.acquire(rival));
    QVERIFY(f.entry()->modifyIndex > later); // Tokens go on rising.
}

void TestConsulModelServers::a_cluster_rebuilt_from_nothing_starts_low()
{
    ModelFixture f;
    for (int i = 0; i < 100; ++i)
        f.put(u"a"_s, QByteArray::number(i));
    const QString old = f.session();
    QVERIFY(f.acquire(old));
    const quint64 token = f.entry()->modifyIndex;
    f.model.rebuild(f.now);
    QCOMPARE(f.model.renew(old, f.rights, f.now).status, 404);
    QVERIFY(f.acquire(f.session()));
    QVERIFY(f.entry()->modifyIndex < token);
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestConsulModelServers)
#include "tst_consulmodel_servers.moc"
