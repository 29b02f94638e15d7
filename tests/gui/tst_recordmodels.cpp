// SPDX-License-Identifier: MIT
#include "models/electionmodel.h"
#include "models/sessionmodel.h"
#include "records.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QLocale>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <map>
#include <random>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int Steps = 300;
constexpr int Names = 60;

/// What the model ought to show, in the plainest form.
template <typename Record>
using Plain = std::map<QString, std::shared_ptr<const Record>>;

template <typename Record>
QList<std::shared_ptr<const Record>> listOf(const Plain<Record> &plain)
{
    QList<std::shared_ptr<const Record>> list;
    for (const auto &[identity, record] : plain)
        list.append(record);
    return list;
}

/// A few records added, removed, changed or replaced, now and then all of them.
template <typename Record, typename Make>
void disturb(Plain<Record> *plain, std::mt19937 *random, Make make)
{
    const auto upTo = [&](int most) { return int((*random)() % unsigned(most)); };
    const int changes = upTo(20) == 0 ? Names * 2 : upTo(8);
    for (int i = 0; i < changes; ++i) {
        const QString name = u"n%1"_s.arg(upTo(Names), 3, 10, '0'_L1);
        const auto record = std::make_shared<const Record>(make(name, upTo(1000)));
        if (upTo(3) == 0)
            plain->erase(identityOf(*record));
        else
            (*plain)[identityOf(*record)] = record;
    }
}

ElectionRecord anyElection(const QString &name, int number)
{
    ElectionRecord record = ledBy(name, u"leader-%1"_s.arg(number), seen(std::chrono::seconds(number)));
    record.state = ElectionState(number % 7);
    record.token = quint64(number);
    return record;
}

SessionRecord anySession(const QString &id, int number)
{
    SessionRecord record = session(id, u"name-%1"_s.arg(number));
    record.createIndex = quint64(number);
    return record;
}

/// Follows a model by its signals alone: rows that are inserted or removed without a word would show.
class Follower : public QObject
{
public:
    explicit Follower(const QAbstractItemModel &model)
    {
        connect(&model, &QAbstractItemModel::rowsInserted, this,
                [&](const QModelIndex &, int first, int last) {
                    for (int row = first; row <= last; ++row)
                        keys.insert(row, model.index(row, 0).data(KeyRole).toString());
                });
        connect(&model, &QAbstractItemModel::rowsRemoved, this,
                [&](const QModelIndex &, int first, int last) { keys.remove(first, last - first + 1); });
        connect(&model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
    }

    QStringList keys;
    int resets = 0;
};

} // namespace

class tst_RecordModels : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void randomElections_data();
    void randomElections();
    void randomSessions_data();
    void randomSessions();
    void neighboursAreOneSignal();
    void agesNeverEmit();
    void overdueIsTold();
    void claimsAreTold();
    void electionTexts();
    void rolesOfAnElection();
    void foreignHolders();
    void sessionTexts();
    void timeLeftIsAnUpperBound();
    void oddSessions();
    void everyCellAnswersEveryRole();
    void f63_cells();
    void indexesAreExact();

private:
    Clock m_clock{[] { return Nanoseconds(10min); }};
};

void tst_RecordModels::initTestCase()
{
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale::c());
    m_clock.setWallOffset(wallOffset());
}

void tst_RecordModels::randomElections_data()
{
    QTest::addColumn<uint>("seed");
    for (const uint seed : {1u, 2u, 3u, 20261130u})
        QTest::addRow("seed %u", seed) << seed;
}

void tst_RecordModels::randomElections()
{
    QFETCH(uint, seed);
    std::mt19937 random(seed);
    ElectionModel model(m_clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Follower follower(model);
    Plain<ElectionRecord> plain;
    QPersistentModelIndex followed;
    QString followedKey;
    for (int step = 0; step < Steps; ++step) {
        disturb(&plain, &random, anyElection);
        ClusterSnapshot snapshot = snapshotOf({});
        snapshot.elections = listOf(plain);
        model.show(snapshot);
        QCOMPARE(model.rowCount(), int(plain.size()));
        int row = 0;
        for (const auto &[key, record] : plain) {
            QCOMPARE(model.election(row), record);
            QCOMPARE(model.rowOf(key), row);
            QCOMPARE(follower.keys[row], key);
            ++row;
        }
        // A selection stays with its election for as long as that is there.
        if (followed.isValid())
            QCOMPARE(followed.data(KeyRole).toString(), followedKey);
        if (!followed.isValid() && model.rowCount() > 0) {
            followed = model.index(int(random() % unsigned(model.rowCount())), 0);
            followedKey = followed.data(KeyRole).toString();
        }
    }
    QCOMPARE(follower.resets, 0);
    QCOMPARE(model.rowOf(u"nothing"_s), -1);
    QCOMPARE(model.election(-1), ElectionPtr());
    QCOMPARE(model.election(model.rowCount()), ElectionPtr());
}

void tst_RecordModels::randomSessions_data()
{
    randomElections_data();
}

void tst_RecordModels::randomSessions()
{
    QFETCH(uint, seed);
    std::mt19937 random(seed);
    SessionModel model(m_clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Follower follower(model);
    Plain<SessionRecord> plain;
    for (int step = 0; step < Steps; ++step) {
        disturb(&plain, &random, anySession);
        ClusterSnapshot snapshot = snapshotOf({});
        snapshot.sessions = listOf(plain);
        model.show(snapshot);
        int row = 0;
        QCOMPARE(follower.keys.size(), qsizetype(plain.size()));
        for (const auto &[id, record] : plain) {
            QCOMPARE(model.session(row), record);
            QCOMPARE(follower.keys[row], id);
            ++row;
        }
    }
    QCOMPARE(follower.resets, 0);
}

void tst_RecordModels::neighboursAreOneSignal()
{
    SessionModel model(m_clock);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QList<SessionRecord> sessions;
    for (int i = 0; i < 100; ++i)
        sessions.append(session(u"%1"_s.arg(i, 3, 10, '0'_L1)));
    ClusterSnapshot snapshot = snapshotOf({}, sessions);
    model.show(snapshot);
    QCOMPARE(inserted.size(), 1);
    for (int row = 10; row < 20; ++row)
        snapshot.sessions[row] = std::make_shared<const SessionRecord>(*snapshot.sessions[row]);
    snapshot.sessions.remove(50, 10);
    model.show(snapshot);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 10);
    QCOMPARE(changed[0][1].toModelIndex().row(), 19);
    QCOMPARE(removed.size(), 1);
    model.show(snapshot);
    QCOMPARE(inserted.size() + removed.size() + changed.size(), 3);
}

void tst_RecordModels::agesNeverEmit()
{
    Nanoseconds now = 10min;
    Clock clock([&] { return now; });
    clock.setWallOffset(wallOffset());
    ElectionModel model(clock);
    model.show(snapshotOf({ledBy(u"a"_s, u"w"_s, seen(8min))}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    const QModelIndex since = model.index(0, ElectionModel::Since);
    const QVariant sorted = since.data(SortRole);
    QCOMPARE(since.data().toString(), u"14:07:59  2:00"_s);
    now += 39s;
    model.tick();
    QCOMPARE(since.data().toString(), u"14:07:59  2:39"_s);
    QCOMPARE(since.data(SortRole), sorted);
    QCOMPARE(changed.size(), 0);
    // Frozen, a clock shows no more than the data know.
    clock.freeze(9min);
    QCOMPARE(since.data().toString(), u"14:07:59  1:00"_s);
}

void tst_RecordModels::overdueIsTold()
{
    Nanoseconds now = 10min;
    Clock clock([&] { return now; });
    ElectionModel model(clock);
    model.show(snapshotOf(
        {ledBy(u"a"_s, u"w"_s, seen(8min)), lostBy(u"b"_s, u"w"_s, seen(now), TermEnd::Released)}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QCOMPARE(model.index(1, 0).data(StateTagRole).toString(), u"vacant"_s);
    now += 5s;
    // Without tick() neither sort nor filter may see another state.
    QCOMPARE(model.index(1, 0).data(StateTagRole).toString(), u"vacant"_s);
    model.tick();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 1);
    QCOMPARE(model.index(1, 0).data(StateTagRole).toString(), u"overdue"_s);
    QCOMPARE(model.index(1, 0).data(StateKindRole).value<StateKind>(), StateKind::Alarm);
}

void tst_RecordModels::claimsAreTold()
{
    ElectionModel model(m_clock);
    const ElectionRecord record = ledBy(u"a"_s, u"w"_s, seen(8min));
    model.show(snapshotOf({record}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setClaims({.ledTwice = {}, .atRisk = {record.key}});
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.concern(0), Concern::AtRisk);
    model.setClaims({.ledTwice = {}, .atRisk = {record.key}});
    QCOMPARE(changed.size(), 1);
}

void tst_RecordModels::electionTexts()
{
    ElectionRecord delayed =
        lostBy(u"invoice-worker"_s, u"worker-1"_s, seen(10min - 700ms), TermEnd::SessionEnded);
    delayed.state = ElectionState::LockDelay;
    delayed.lockDelay = LockDelayWindow{.began = seen(10min - 700ms), .length = 2s};
    ElectionRecord moved = ledBy(u"billing"_s, u"api-5"_s, seen(9min));
    moved.leader.host = u"node-7"_s;
    moved.leader.pid = 4242;
    moved.previous = termOf(u"api-2"_s, seen(9min - 15s), TermEnd::SessionEnded);
    ElectionModel model(m_clock);
    model.show(snapshotOf({delayed, moved}));
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, ElectionModel::State), u"led"_s);
    QCOMPARE(text(0, ElectionModel::Leader), u"api-5  node-7 pid 4242"_s);
    QCOMPARE(text(0, ElectionModel::Token), u"1\u2009204"_s);
    QCOMPARE(text(0, ElectionModel::LastFailover), u"vacant 15.0 s  as predicted"_s);
    QCOMPARE(text(0, ElectionModel::Ttl), u"10 s"_s);
    QCOMPARE(text(1, ElectionModel::State), u"delay 1.3 s"_s);
    QCOMPARE(text(1, ElectionModel::Election), u"invoice-worker"_s);
    QCOMPARE(text(1, ElectionModel::Leader), u"(none)  was worker-1"_s);
    QCOMPARE(text(1, ElectionModel::Token), u"–"_s);
    QCOMPARE(text(1, ElectionModel::LastFailover), QString());
    QVERIFY(model.countsFast());
    QCOMPARE(model.index(0, ElectionModel::LastFailover).data(Qt::ToolTipRole).toString(),
             u"Nobody led for 14.7–15.3 s, as seen in reads of Consul.\nPredicted: 15.0–16.0 s."_s);
}

void tst_RecordModels::rolesOfAnElection()
{
    ElectionRecord record = ledBy(u"a"_s, u"w"_s, seen(8min));
    record.tokenIsSure = false;
    ElectionModel model(m_clock);
    model.show(snapshotOf({record}));
    const QModelIndex index = model.index(0, ElectionModel::Token);
    QCOMPARE(index.data().toString(), u"≤ 1\u2009204"_s);
    QCOMPARE(index.data(SortRole).toULongLong(), 1204u);
    QCOMPARE(index.data(ExportRole).toString(), u"1204"_s);
    QCOMPARE(index.data(KeyRole).toString(), u"service/a/leader"_s);
    QCOMPARE(index.data(BatonRole).toBool(), true);
    QCOMPARE(index.data(ProblemRole).toBool(), false);
    const QJsonObject json = QJsonDocument::fromJson(index.data(JsonRole).toByteArray()).object();
    QCOMPARE(json.value(u"key"_s).toString(), u"service/a/leader"_s);
    QCOMPARE(json.value(u"state"_s).toString(), u"led"_s);
    QCOMPARE(json.value(u"token"_s).toInteger(), 1204);
    QCOMPARE(json.value(u"since"_s).toObject().value(u"by"_s).toString(), u"2026-11-30T14:08:00.000Z"_s);
    QVERIFY(!index.data(JsonRole).toByteArray().contains('\n'));
    QVERIFY(!model.countsFast());
}

void tst_RecordModels::foreignHolders()
{
    ElectionRecord legacy = ledBy(u"report"_s, {}, thereAt(1s));
    legacy.leader.isBaton = false;
    legacy.foreignValue = "legacy text value";
    legacy.session.reset();
    ElectionRecord cron = ledBy(u"cron"_s, {}, thereAt(1s));
    cron.state = ElectionState::NeverExpires;
    cron.leader.isBaton = false;
    SessionRecord plain = session(u"s"_s, {});
    plain.ttl.reset();
    cron.session = std::make_shared<const SessionRecord>(plain);
    ElectionModel model(m_clock);
    model.show(snapshotOf({legacy, cron}));
    QCOMPARE(model.index(0, ElectionModel::Leader).data().toString(), u"node-3 (no TTL)"_s);
    QCOMPARE(model.index(0, ElectionModel::Since).data().toString(), u"seen ≥ 9 min"_s);
    QCOMPARE(model.index(0, ElectionModel::Ttl).data().toString(), u"–"_s);
    QCOMPARE(model.index(1, ElectionModel::Leader).data().toString(), u"\"legacy text value\""_s);
    QCOMPARE(model.index(1, 0).data(BatonRole).toBool(), false);
}

void tst_RecordModels::sessionTexts()
{
    SessionRecord holder =
        session(u"3f1c02aa-1111-2222-3333-444455559b21"_s, u"baton service/a/leader api-5"_s);
    holder.keys = {u"service/a/leader"_s};
    holder.created = seen(2min + 11s);
    ClusterSnapshot snapshot = snapshotOf({}, {holder});
    snapshot.sessionsRead.answered = 10min - 1s;
    SessionModel model(m_clock);
    model.show(snapshot);
    const auto text = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(SessionModel::State), u"holds 1"_s);
    QCOMPARE(text(SessionModel::Id), u"3f1c02aa…9b21"_s);
    QCOMPARE(model.index(0, SessionModel::Id).data(FullTextRole).toString(), holder.id);
    QCOMPARE(text(SessionModel::Keys), u"service/a/leader"_s);
    QCOMPARE(text(SessionModel::Created), u"14:02:10  7:49"_s);
    QCOMPARE(text(SessionModel::Left), u"at most 0:19"_s);
    QCOMPARE(text(SessionModel::LockDelay), u"15 s"_s);
    QCOMPARE(model.index(0, SessionModel::Created).data(Qt::ToolTipRole).toString(),
             u"created 14:02:10 (±0.2 s)"_s);
    QCOMPARE(model.index(0, SessionModel::Created).data(SortRole).toULongLong(), 100u);
    QCOMPARE(model.index(0, 0).data(BatonRole).toBool(), true);
    QVERIFY(
        model.index(0, SessionModel::Left).data(Qt::ToolTipRole).toString().contains(u"gone by 14:10:19"_s));
}

void tst_RecordModels::timeLeftIsAnUpperBound()
{
    ClusterSnapshot snapshot = snapshotOf({}, {session(u"s"_s)});
    snapshot.sessionsRead.answered = 9min;
    SessionModel model(m_clock);
    model.show(snapshot);
    const QModelIndex left = model.index(0, SessionModel::Left);
    QCOMPARE(left.data().toString(), u"at most 0:00"_s);
    // Whatever was heard since then tells that it lives; an older answer takes nothing back.
    model.setHeard(10min);
    QCOMPARE(left.data().toString(), u"at most 0:20"_s);
    model.setHeard(8min);
    model.setHeard(std::nullopt);
    QCOMPARE(left.data().toString(), u"at most 0:20"_s);
}

void tst_RecordModels::oddSessions()
{
    QVERIFY(!SessionModel::isOdd(session(u"s"_s)));
    const auto check = [](auto change) {
        SessionRecord record = session(u"s"_s);
        change(record);
        QCOMPARE(SessionModel::isOdd(record), !SessionModel::oddities(record).isEmpty());
        QVERIFY(SessionModel::isOdd(record));
    };
    check([](SessionRecord &record) { record.ttl.reset(); });
    check([](SessionRecord &record) { record.lockDelay = 0s; });
    check([](SessionRecord &record) { record.lockDelay = 61s; });
    check([](SessionRecord &record) { record.deletesKeys = true; });
    check([](SessionRecord &record) { record.keys = {u"a"_s, u"b"_s}; });
}

void tst_RecordModels::everyCellAnswersEveryRole()
{
    ElectionModel elections(m_clock);
    SessionModel sessions(m_clock);
    SessionRecord endless = session(u"b"_s);
    endless.ttl.reset();
    QList<ElectionRecord> all;
    for (int state = 0; state < 7; ++state)
        all.append(anyElection(u"n%1"_s.arg(state), state));
    all.append(neverLed(u"z"_s, thereAt(1s)));
    elections.show(snapshotOf(all));
    sessions.show(snapshotOf({}, {session(u"a"_s), endless}));
    for (const QAbstractItemModel *model :
         {static_cast<QAbstractItemModel *>(&elections), static_cast<QAbstractItemModel *>(&sessions)}) {
        for (int column = 0; column < model->columnCount(); ++column) {
            QVERIFY(!model->headerData(column, Qt::Horizontal).toString().isEmpty());
            for (int row = 0; row < model->rowCount(); ++row) {
                for (int role = KeyRole; role <= CountdownRole; ++role)
                    QVERIFY2(model->index(row, column).data(role).isValid(),
                             qPrintable(QString::number(role)));
                QVERIFY(model->index(row, column).data().isValid());
            }
        }
    }
}

void tst_RecordModels::f63_cells()
{
    const QString evil = u"<img src=http://127.0.0.1:9/x>\n\u202E\0"_s + QString(10'000, u'x');
    ElectionRecord election = ledBy(evil, evil, seen(9min));
    election.leader.host = evil;
    election.evidence = evil;
    ElectionRecord foreign = ledBy(u"b"_s, {}, seen(9min));
    foreign.leader.isBaton = false;
    foreign.foreignValue = evil.toUtf8();
    SessionRecord holder = session(evil, evil);
    holder.node = evil;
    holder.keys = {evil, evil};
    holder.nodeChecks = {evil};
    ElectionModel elections(m_clock);
    SessionModel sessions(m_clock);
    elections.show(snapshotOf({election, foreign}));
    sessions.show(snapshotOf({}, {holder}));
    for (const QAbstractItemModel *model :
         {static_cast<QAbstractItemModel *>(&elections), static_cast<QAbstractItemModel *>(&sessions)}) {
        for (int row = 0; row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                for (const int role : {int(Qt::DisplayRole), int(FullTextRole)}) {
                    const QString text = model->index(row, column).data(role).toString();
                    QVERIFY(!text.contains(u'\n') && !text.contains(QChar(0x202E))
                            && !text.contains(QChar(0)));
                    QVERIFY(text.size() <= (role == Qt::DisplayRole ? 400 : 7'000));
                }
                const QString tip = model->index(row, column).data(Qt::ToolTipRole).toString();
                QVERIFY(!tip.contains(QChar(0x202E)) && tip.size() <= 7'000);
            }
        }
    }
}

void tst_RecordModels::indexesAreExact()
{
    ElectionRecord record = ledBy(u"a"_s, u"w"_s, seen(8min));
    for (const quint64 token :
         {Q_UINT64_C(9007199254740993), Q_UINT64_C(9223372036854775807), Q_UINT64_C(18446744073709551615)}) {
        record.token = token;
        ElectionModel model(m_clock);
        model.show(snapshotOf({record}));
        const QModelIndex index = model.index(0, ElectionModel::Token);
        QCOMPARE(index.data(ExportRole).toString(), QString::number(token));
        QVERIFY(index.data(JsonRole).toByteArray().contains(QByteArray::number(token)));
        QCOMPARE(index.data(SortRole).toULongLong(), token);
    }
}

QTEST_GUILESS_MAIN(tst_RecordModels)
#include "tst_recordmodels.moc"
