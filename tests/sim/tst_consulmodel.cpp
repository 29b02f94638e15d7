// SPDX-License-Identifier: MIT
#include "modelfixture.h"

#include <QtTest/QTest>

namespace Baton::Testing {

/// The model against the table of Consul's answers and timings, without bytes.
class TestConsulModel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void session_ends_at_twice_its_ttl_and_the_lock_delay_later_the_lock_is_free_data();
    void session_ends_at_twice_its_ttl_and_the_lock_delay_later_the_lock_is_free();
    void renewing_puts_the_end_off_and_changes_no_index();
    void a_session_is_refused_data();
    void a_session_is_refused();
    void the_shortest_ttl_is_the_operators();
    void ids_that_are_none_data();
    void ids_that_are_none();
    void checks_end_the_sessions_bound_to_them();
    void checks_by_their_old_name_bind_too();
    void a_service_takes_its_checks_and_their_sessions_along();
    void a_ttl_check_ends_its_session_and_stays_ended();
    void a_new_status_changes_the_catalog_and_the_same_one_does_not();
    void a_lock_delay_below_zero_is_none();
    void behaviour_delete_takes_the_key_and_leaves_the_delay();
    void indexes_of_a_lock();
    void a_plain_write_keeps_the_session_and_resets_lockindex();
    void a_deleted_lock_is_free_at_once_while_its_session_lives();
    void release_needs_the_holder();
    void transactions_that_fail_data();
    void transactions_that_fail();
    void a_failed_transaction_leaves_no_trace();
    void results_of_a_transaction();
    void a_write_needs_a_key();
    void a_transaction_that_only_reads_is_not_logged();
    void sixty_four_operations_are_the_most();
    void a_lock_in_flight_passes_the_delay_unless_it_checks_the_index();
};

void TestConsulModel::session_ends_at_twice_its_ttl_and_the_lock_delay_later_the_lock_is_free_data()
{
    QTest::addColumn<int>("ttlMs");
    QTest::addColumn<int>("lockDelayMs");
    QTest::addColumn<int>("freeAfterMs");
    QTest::newRow("no lock-delay") << 10'000 << 0 << 20'000;
    QTest::newRow("1 ms") << 10'000 << 1 << 20'001;
    QTest::newRow("5 s") << 10'000 << 5'000 << 25'000;
    QTest::newRow("15 s") << 10'000 << 15'000 << 35'000;
    QTest::newRow("TTL 15 s") << 15'000 << 0 << 30'000;
    QTest::newRow("61 s are applied as 60 s") << 10'000 << 61'000 << 80'000;
}

void TestConsulModel::session_ends_at_twice_its_ttl_and_the_lock_delay_later_the_lock_is_free()
{
    QFETCH(int, ttlMs);
    QFETCH(int, lockDelayMs);
    QFETCH(int, freeAfterMs);
    ModelFixture f;
    const QString holder =
        f.session(std::chrono::milliseconds{ttlMs}, std::chrono::milliseconds{lockDelayMs});
    const QString rival = f.session(24h);
    QVERIFY(f.acquire(holder));
    const auto end = std::chrono::milliseconds{2 * ttlMs};
    f.now = Instant{end - 1ns};
    QVERIFY(f.lives(holder));
    f.now = Instant{end};
    QVERIFY(!f.lives(holder));
    if (freeAfterMs > 2 * ttlMs) {
        f.now = Instant{std::chrono::milliseconds{freeAfterMs} - 1ns};
        QVERIFY(!f.acquire(rival));
    }
    f.now = Instant{std::chrono::milliseconds{freeAfterMs}};
    QVERIFY(f.acquire(rival));
}

void TestConsulModel::renewing_puts_the_end_off_and_changes_no_index()
{
    ModelFixture f;
    const QString session = f.session(10s);
    const quint64 before = f.model.logIndex();
    f.now += 19s;
    QCOMPARE(f.model.renew(session, f.rights, f.now).status, 200);
    QCOMPARE(f.model.logIndex(), before);
    f.now += 19s;
    QVERIFY(f.lives(session));
    f.now += 1s;
    QVERIFY(!f.lives(session));
    const Outcome gone = f.model.renew(session, f.rights, f.now);
    QCOMPARE(gone.status, 404);
    QCOMPARE(gone.text, u"Session id '%1' not found"_s.arg(session));
    QCOMPARE(f.model.renew(u"abc"_s, f.rights, f.now).text,
             u"failed session lookup: index error: UUID must be 36 characters"_s);
}

void TestConsulModel::a_session_is_refused_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("check");
    QTest::addColumn<qint64>("ttlNs");
    QTest::addColumn<QString>("text");
    const qint64 fine = std::chrono::nanoseconds{10s}.count();
    QTest::newRow("short TTL") << "n1"
                               << "" << fine / 2
                               << "Invalid Session TTL '5000000000', must be between [10s=24h0m0s]";
    QTest::newRow("long TTL") << "n1"
                              << "" << fine * 10'000
                              << "Invalid Session TTL '100000000000000', must be between [10s=24h0m0s]";
    QTest::newRow("unknown check") << "n1"
                                   << "nope" << fine << "Missing check 'nope' registration";
    QTest::newRow("critical check") << "n1"
                                    << "ill" << fine << "Check 'ill' is in critical state";
    QTest::newRow("unknown node") << "n2"
                                  << "" << fine << "Missing node registration";
}

void TestConsulModel::a_session_is_refused()
{
    QFETCH(QString, node);
    QFETCH(QString, check);
    QFETCH(qint64, ttlNs);
    QFETCH(QString, text);
    ModelFixture f;
    f.model.setCheck({u"n1"_s, u"ill"_s, {}, CheckStatus::Critical, {}, {}}, f.now);
    MakeSession make;
    make.node = node;
    make.ttl = Duration{ttlNs};
    make.nodeChecks = check.isEmpty() ? QStringList() : QStringList{check};
    const Outcome outcome = f.run(make);
    QCOMPARE(outcome.status, 500);
    QCOMPARE(outcome.text, text);
}

void TestConsulModel::the_shortest_ttl_is_the_operators()
{
    ModelFixture f;
    f.model.setShortestTtl(1500ms);
    MakeSession make;
    make.node = u"n1"_s;
    make.ttl = 1499ms;
    QCOMPARE(f.run(make).text, u"Invalid Session TTL '1499000000', must be between [1.5s=24h0m0s]"_s);
    make.ttl = 1500ms;
    make.ttlText = u"1500ms"_s; // Listed as it was written.
    QCOMPARE(f.run(make).session->ttlText, u"1500ms"_s);
}

void TestConsulModel::ids_that_are_none_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("text");
    QTest::newRow("too short") << u"abc"_s
                               << u"failed session lookup: index error: UUID must be 36 characters"_s;
    QTest::newRow("not hexadecimal")
        << u"11111111-2222-3333-4444-55555555555Z"_s
        << u"failed session lookup: index error: Invalid UUID: encoding/hex: invalid byte: U+005A 'Z'"_s;
}

void TestConsulModel::ids_that_are_none()
{
    QFETCH(QString, id);
    QFETCH(QString, text);
    ModelFixture f;
    QCOMPARE(f.model.renew(id, f.rights, f.now).text, text);
    QCOMPARE(f.run(EndSession{id}).text, text);
    QCOMPARE(f.model.read(SessionQuery{id}, f.rights, f.now).text, text);
    QCOMPARE(f.run(PutKey{f.key, {}, 0, {}, id, {}}).text, text);
}

void TestConsulModel::checks_end_the_sessions_bound_to_them()
{
    ModelFixture f;
    MakeSession make;
    make.node = u"n1"_s;
    make.ttl = 10s;
    const QString bound = f.run(make).session->id; // To serfHealth, since nothing else was said.
    const QString free = f.session();
    f.model.setCheck({u"n1"_s, u"serfHealth"_s, {}, CheckStatus::Critical, {}, {}}, f.now);
    QVERIFY(!f.lives(bound));
    QVERIFY(f.lives(free));
    f.model.removeNode(u"n1"_s, f.now);
    QVERIFY(!f.lives(free));
}

void TestConsulModel::a_ttl_check_ends_its_session_and_stays_ended()
{
    ModelFixture f;
    f.model.setCheck({u"n1"_s, u"beat"_s, u"x-election"_s, CheckStatus::Passing, 400ms, {}}, f.now);
    MakeSession make;
    make.node = u"n1"_s;
    make.nodeChecks = QStringList();
    make.serviceChecks = {u"beat"_s};
    const QString session = f.run(make).session->id;
    f.now += 399ms;
    QVERIFY(f.model.passCheck(u"n1"_s, u"beat"_s, f.now));
    f.now += 399ms;
    QVERIFY(f.lives(session));
    f.now += 1ms;
    QVERIFY(!f.lives(session));
    QVERIFY(f.model.passCheck(u"n1"_s, u"beat"_s, f.now));
    QVERIFY(!f.lives(session));
    QVERIFY(!f.model.passCheck(u"n1"_s, u"other"_s, f.now));
}

void TestConsulModel::checks_by_their_old_name_bind_too()
{
    ModelFixture f;
    f.model.setCheck({u"n1"_s, u"beat"_s, {}, CheckStatus::Passing, 1min, {}}, f.now);
    MakeSession make;
    make.node = u"n1"_s;
    make.checks = {u"serfHealth"_s, u"beat"_s};
    const SessionRecord session = *f.run(make).session;
    QCOMPARE(session.nodeChecks, QStringList{u"serfHealth"_s});
    QCOMPARE(session.checks, QStringList{u"beat"_s}); // Not twice.
    f.model.updateCheck(u"n1"_s, u"beat"_s, CheckStatus::Critical, {}, f.now);
    QVERIFY(!f.lives(session.id));
}

void TestConsulModel::a_service_takes_its_checks_and_their_sessions_along()
{
    ModelFixture f;
    f.model.setService({u"n1"_s, u"web1"_s, u"web"_s}, f.now);
    f.model.setCheck({u"n1"_s, u"beat"_s, u"web1"_s, CheckStatus::Passing, 1min, {}}, f.now);
    MakeSession make;
    make.node = u"n1"_s;
    make.serviceChecks = {u"beat"_s};
    const QString session = f.run(make).session->id;
    f.model.setService({u"n1"_s, u"web1"_s, u"web"_s, {u"tag"_s}}, f.now); // Registered anew.
    QVERIFY(f.lives(session));
    QCOMPARE(f.model.store().services().size(), 1U);
    f.model.removeService(u"n1"_s, u"web1"_s, f.now);
    QVERIFY(!f.lives(session));
    QVERIFY(f.model.store().services().empty());
    QVERIFY(!f.model.passCheck(u"n1"_s, u"beat"_s, f.now));
}

void TestConsulModel::a_new_status_changes_the_catalog_and_the_same_one_does_not()
{
    ModelFixture f;
    f.model.setCheck({u"n1"_s, u"beat"_s, {}, CheckStatus::Passing, 1min, {}}, f.now);
    const auto index = [&] { return f.model.read(CatalogQuery{}, f.rights, f.now).index; };
    const quint64 before = index();
    const quint64 watch = f.model.watch(CatalogQuery{}, before, 1min, f.rights, f.now);
    f.model.passCheck(u"n1"_s, u"beat"_s, f.now);
    QCOMPARE(index(), before);
    QVERIFY(!f.model.takeAnswer());
    f.model.updateCheck(u"n1"_s, u"beat"_s, CheckStatus::Warning, u"hot"_s, f.now);
    QVERIFY(index() > before);
    const auto answer = f.model.takeAnswer();
    QVERIFY(answer && answer->watch == watch);
    f.now += 1min; // It still runs out, a minute after that.
    f.model.advance(f.now);
    QCOMPARE(f.model.store().check(u"n1"_s, u"beat"_s)->status, CheckStatus::Critical);
}

void TestConsulModel::a_lock_delay_below_zero_is_none()
{
    ModelFixture f;
    const QString holder = f.session(10s, -5s);
    QVERIFY(f.acquire(holder));
    f.run(EndSession{holder});
    f.model.restart(f.now);
    QVERIFY(f.acquire(f.session()));
}

void TestConsulModel::behaviour_delete_takes_the_key_and_leaves_the_delay()
{
    ModelFixture f;
    const QString holder = f.session(10s, 5s, Behavior::Delete);
    const QString rival = f.session();
    QVERIFY(f.acquire(holder));
    QVERIFY(f.run(EndSession{holder}).done);
    QVERIFY(!f.entry());
    f.now += 4s;
    QVERIFY(!f.acquire(rival));
    f.now += 1s;
    QVERIFY(f.acquire(rival));
}

void TestConsulModel::indexes_of_a_lock()
{
    ModelFixture f;
    const QString session = f.session();
    QVERIFY(f.acquire(session, "a"));
    const KvEntry won = *f.entry();
    QCOMPARE(won.lockIndex, 1U);
    QCOMPARE(won.createIndex, won.modifyIndex);
    QVERIFY(f.acquire(session, "a"));
    QCOMPARE(f.entry()->modifyIndex, won.modifyIndex);
    QVERIFY(f.acquire(session, "b"));
    QVERIFY(f.entry()->modifyIndex > won.modifyIndex);
    QCOMPARE(f.entry()->lockIndex, 1U);
    QVERIFY(f.release(session));
    QCOMPARE(f.entry()->lockIndex, 1U);
    QVERIFY(!f.entry()->session);
    QVERIFY(f.entry()->value.isEmpty());
    QVERIFY(f.acquire(session));
    QCOMPARE(f.entry()->lockIndex, 2U);
    QCOMPARE(f.entry()->createIndex, won.createIndex);
}

void TestConsulModel::a_plain_write_keeps_the_session_and_resets_lockindex()
{
    ModelFixture f;
    const QString session = f.session();
    QVERIFY(f.acquire(session));
    const KvEntry won = *f.entry();
    f.put(f.key, "x");
    QCOMPARE(f.entry()->session, session);
    QCOMPARE(f.entry()->lockIndex, 0U);
    QVERIFY(f.entry()->modifyIndex > won.modifyIndex);
}

void TestConsulModel::a_deleted_lock_is_free_at_once_while_its_session_lives()
{
    ModelFixture f;
    const QString holder = f.session();
    const QString rival = f.session();
    QVERIFY(f.acquire(holder));
    const quint64 token = f.entry()->modifyIndex;
    f.run(DeleteKey{f.key, false, {}});
    QCOMPARE(f.model.renew(holder, f.rights, f.now).status, 200);
    QVERIFY(f.acquire(rival));
    QCOMPARE(f.entry()->lockIndex, 1U);
    QVERIFY(f.entry()->modifyIndex > token);
}

void TestConsulModel::release_needs_the_holder()
{
    ModelFixture f;
    const QString holder = f.session();
    QVERIFY(!f.release(holder));
    QVERIFY(f.acquire(holder));
    const quint64 index = f.entry()->modifyIndex;
    QVERIFY(!f.release(f.session()));
    QCOMPARE(f.entry()->modifyIndex, index);
    const Outcome gone = f.run(PutKey{f.key, {}, 0, {}, QString(36, u'0'), {}});
    QCOMPARE(gone.status, 500);
    QCOMPARE(gone.text, u"invalid session \"000000000000000000000000000000000000\""_s);
}

void TestConsulModel::transactions_that_fail_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<quint64>("checkIndex");
    QTest::addColumn<bool>("ownSession");
    QTest::addColumn<QStringList>("errors");
    const QString held = u"1 failed to lock key \"service/x/leader\", lock is already held"_s;
    const QString stale =
        u"0 failed index check for key \"service/x/leader\", current modify index 13 != 7"_s;
    const QString gone = u"1 invalid session \"000000000000000000000000000000000000\""_s;
    QTest::newRow("held") << "held" << quint64(13) << true << QStringList{held};
    QTest::newRow("held, stale index") << "held" << quint64(7) << true << QStringList{stale, held};
    QTest::newRow("session gone, key absent")
        << "absent" << quint64(7) << false
        << QStringList{u"0 failed to check index, key \"service/x/leader\" doesn't exist"_s, gone,
                       u"2 key \"service/x/leader\" doesn't exist"_s};
    QTest::newRow("session gone, held") << "held" << quint64(13) << false << QStringList{gone};
    QTest::newRow("lock-delay says nothing else")
        << "delayed" << quint64(7) << false
        << QStringList{u"1 failed to lock key \"service/x/leader\" due to lock delay"_s};
}

void TestConsulModel::transactions_that_fail()
{
    QFETCH(QString, state);
    QFETCH(quint64, checkIndex);
    QFETCH(bool, ownSession);
    QFETCH(QStringList, errors);
    ModelFixture f;
    const QString holder = f.session();
    const QString rival = f.session();
    if (state != u"absent")
        QVERIFY(f.acquire(holder));
    if (state == u"delayed")
        f.run(EndSession{holder});
    const QString asking = ownSession ? rival : QString(36, u'0');
    const Outcome outcome = f.transact({f.checkIndex(checkIndex), f.lock(asking), f.get()});
    QCOMPARE(outcome.status, 409);
    QStringList seen;
    for (const TxnError &error : outcome.errors)
        seen += u"%1 %2"_s.arg(QString::number(error.operation), error.what);
    QCOMPARE(seen, errors);
}

void TestConsulModel::a_failed_transaction_leaves_no_trace()
{
    ModelFixture f;
    f.put(u"a"_s, "old");
    const Reading before = f.model.read(PrefixQuery{u"a"_s}, f.rights, f.now);
    const Outcome outcome = f.transact({{Verb::Set, u"a"_s, "new", 0, 0, {}},
                                        {Verb::Set, u"a/b"_s, "new", 0, 0, {}},
                                        {Verb::DeleteTree, u"a"_s, {}, 0, 0, {}},
                                        {Verb::Get, u"none"_s, {}, 0, 0, {}}});
    QCOMPARE(outcome.status, 409);
    const Reading after = f.model.read(PrefixQuery{u"a"_s}, f.rights, f.now);
    QCOMPARE(after.entries.size(), 1U);
    QCOMPARE(after.entries[0].value, QByteArray("old"));
    QCOMPARE(after.index, before.index);
}

void TestConsulModel::results_of_a_transaction()
{
    ModelFixture f;
    const QString session = f.session();
    const Outcome first = f.transact({{Verb::CheckNotExists, f.key, {}, 0, 0, {}}, f.lock(session), f.get()});
    QCOMPARE(first.results.size(), 2U); // That a key is absent has no result.
    QVERIFY(first.results[0].value.isEmpty());
    QCOMPARE(first.results[1].value, QByteArray("v"));
    QCOMPARE(first.results[0].modifyIndex, first.results[1].modifyIndex);
    QVERIFY(f.release(session));
    const quint64 freeAt = f.entry()->modifyIndex;
    const Outcome second = f.transact({f.checkIndex(freeAt), f.lock(session), f.get()});
    QCOMPARE(second.results.size(), 3U);
    QCOMPARE(second.results[0].modifyIndex, freeAt); // As it was before.
    QVERIFY(!second.results[0].session);
    QCOMPARE(second.results[2].session, session);
    f.rights.keyRead = false;
    QVERIFY(f.transact({f.lock(session), f.get()}).results.empty());
}

void TestConsulModel::a_write_needs_a_key()
{
    ModelFixture f;
    const Outcome outcome = f.transact({{Verb::Set, {}, "v", 0, 0, {}}});
    QCOMPARE(outcome.status, 409);
    QCOMPARE(outcome.errors.at(0).what, u"Must provide key"_s);
    QVERIFY(f.transact({{Verb::DeleteTree, {}, {}, 0, 0, {}}}).ok()); // All of them.
}

void TestConsulModel::a_transaction_that_only_reads_is_not_logged()
{
    ModelFixture f;
    f.put(f.key, "v");
    const quint64 before = f.model.logIndex();
    QVERIFY(f.transact({f.get(), f.checkIndex(f.entry()->modifyIndex)}).ok());
    QCOMPARE(f.model.logIndex(), before);
    QVERIFY(f.transact({f.get(), {Verb::Set, f.key, "w", 0, 0, {}}}).ok());
    QCOMPARE(f.model.logIndex(), before + 1);
}

void TestConsulModel::sixty_four_operations_are_the_most()
{
    ModelFixture f;
    const auto writes = [](int count) {
        return std::vector<Operation>(size_t(count), {Verb::Set, u"a"_s, "x", 0, 0, {}});
    };
    QCOMPARE(f.transact(writes(64)).status, 200);
    const Outcome tooMany = f.transact(writes(65));
    QCOMPARE(tooMany.status, 413);
    QCOMPARE(tooMany.text, u"Transaction contains too many operations (65 > 64)"_s);
}

/// Admitted while the holder lived, applied after its session ended.
void TestConsulModel::a_lock_in_flight_passes_the_delay_unless_it_checks_the_index()
{
    ModelFixture f;
    f.put(f.key, {});
    const quint64 freeAt = f.entry()->modifyIndex;
    const QString holder = f.session();
    const QString rival = f.session();
    QVERIFY(f.acquire(holder));
    const Command blind = Transaction{{f.lock(rival), f.get()}};
    const Command guarded = Transaction{{f.checkIndex(freeAt), f.lock(rival), f.get()}};
    QVERIFY(!f.model.admit(blind, f.rights, f.now));
    QVERIFY(!f.model.admit(guarded, f.rights, f.now));
    f.run(EndSession{holder});
    QCOMPARE(f.model.admit(blind, f.rights, f.now)->errors.size(), 1U);
    QCOMPARE(f.model.apply(guarded, f.now).status, 409);
    QCOMPARE(f.model.apply(blind, f.now).status, 200);
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestConsulModel)
#include "tst_consulmodel.moc"
