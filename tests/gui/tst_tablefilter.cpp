// SPDX-License-Identifier: MIT
#include "models/electionmodel.h"
#include "models/sessionmodel.h"
#include "models/tablefilter.h"
#include "records.h"

#include <QtCore/QItemSelectionModel>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <random>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Long enough that no test meets it by accident.
constexpr auto Never = 1h;

QStringList shown(const QAbstractItemModel &model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names += model.index(row, 0).data(KeyRole).toString();
    return names;
}

SessionRecord numbered(const QString &id, quint64 createIndex)
{
    SessionRecord record = session(id, u"name of %1"_s.arg(id));
    record.createIndex = createIndex;
    return record;
}

} // namespace

class tst_TableFilter : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void sorts();
    void textSorts();
    void filtersAndCounts();
    void countsAreToldOnce();
    void errorShowsAllRows();
    void orderIsHeldWhileTouched();
    void heldOrderIsLetGoAfterRest();
    void restWithoutChangesMovesNothing();
    void rowsThatDoNotMatchAnyMoreStayWhileHeld();
    void whatTheUserAsksForIsDoneAtOnce();
    void pinnedRowsComeFirst();
    void selectionSurvivesEverything_data();
    void selectionSurvivesEverything();
    void f63_filterFindsWhatConsulHas();

private:
    void show(const QList<SessionRecord> &sessions) { m_sessions->show(snapshotOf({}, sessions)); }

    Clock m_clock{[] { return Nanoseconds(10min); }};
    std::unique_ptr<SessionModel> m_sessions;
    std::unique_ptr<TableFilter> m_filter;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void tst_TableFilter::init()
{
    m_sessions = std::make_unique<SessionModel>(m_clock);
    m_filter = std::make_unique<TableFilter>();
    m_filter->setRest(Never);
    m_filter->setSourceModel(m_sessions.get());
    m_filter->sort(SessionModel::CreateIndex);
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_filter.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    show({numbered(u"a"_s, 30), numbered(u"b"_s, 10), numbered(u"c"_s, 20)});
}

void tst_TableFilter::cleanup()
{
    m_tester.reset();
    m_filter.reset();
    m_sessions.reset();
}

void tst_TableFilter::sorts()
{
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"c"_s, u"a"_s}));
    m_filter->sort(SessionModel::CreateIndex, Qt::DescendingOrder);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
    // As numbers, not as text, and above 2^63 too.
    show({numbered(u"a"_s, 9), numbered(u"b"_s, 10), numbered(u"c"_s, 18446744073709551615u)});
    QCOMPARE(shown(*m_filter), (QStringList{u"c"_s, u"b"_s, u"a"_s}));
}

void tst_TableFilter::textSorts()
{
    SessionRecord upper = numbered(u"1"_s, 1);
    upper.name = u"Beta"_s;
    SessionRecord lower = numbered(u"2"_s, 2);
    lower.name = u"alpha"_s;
    SessionRecord last = numbered(u"3"_s, 3);
    last.name = u"gamma"_s;
    show({upper, lower, last});
    m_filter->sort(SessionModel::Name);
    QCOMPARE(shown(*m_filter), (QStringList{u"2"_s, u"1"_s, u"3"_s}));
}

void tst_TableFilter::filtersAndCounts()
{
    SessionRecord odd = numbered(u"d"_s, 40);
    odd.ttl.reset();
    SessionRecord ours = numbered(u"e"_s, 50);
    ours.name = u"baton service/x/leader w"_s;
    show({numbered(u"a"_s, 30), numbered(u"b"_s, 10), odd, ours});
    using Scope = TableFilter::Scope;
    QCOMPARE(m_filter->count(Scope::All), 4);
    QCOMPARE(m_filter->count(Scope::Problems), 1);
    QCOMPARE(m_filter->count(Scope::Baton), 1);
    QCOMPARE(m_filter->count(Scope::Other), 3);
    m_filter->setScope(Scope::Problems);
    QCOMPARE(shown(*m_filter), QStringList{u"d"_s});
    m_filter->setScope(Scope::Other);
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"a"_s, u"d"_s}));
    m_filter->setFilterText(u"!state:never_expires"_s);
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"a"_s}));
    m_filter->setFilterText(u"NAME a"_s);
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"a"_s, u"d"_s}));
    m_filter->setScope(Scope::All);
    m_filter->setFilterText({});
    QCOMPARE(m_filter->rowCount(), 4);
    QCOMPARE(m_filter->indexOf(u"d"_s).row(), 2);
    QVERIFY(!m_filter->indexOf(u"nothing"_s).isValid());
}

void tst_TableFilter::countsAreToldOnce()
{
    QSignalSpy told(m_filter.get(), &TableFilter::countsChanged);
    QVERIFY(told.wait());
    for (int i = 0; i < 10; ++i)
        show({numbered(u"a"_s, quint64(i))});
    QTRY_COMPARE(told.size(), 2);
    QCOMPARE(m_filter->count(TableFilter::Scope::All), 1);
}

void tst_TableFilter::errorShowsAllRows()
{
    QSignalSpy changed(m_filter.get(), &TableFilter::filterTextChanged);
    m_filter->setFilterText(u"re:("_s);
    QVERIFY(!m_filter->filterError().isEmpty());
    QCOMPARE(m_filter->rowCount(), 3);
    m_filter->setFilterText(u"re:^b$"_s);
    QVERIFY(m_filter->filterError().isEmpty());
    QCOMPARE(changed.size(), 2);
    m_filter->setKnownStates(SessionModel::stateTags());
    m_filter->setFilterText(u"state:vacant"_s);
    QVERIFY2(m_filter->filterError().contains(u"holds_none"_s), qPrintable(m_filter->filterError()));
}

void tst_TableFilter::orderIsHeldWhileTouched()
{
    QSignalSpy held(m_filter.get(), &TableFilter::orderHeldChanged);
    m_filter->touch();
    m_filter->touch();
    QCOMPARE(held.size(), 1);
    QVERIFY(m_filter->isOrderHeld());
    // a would move to the front, d belongs between the others, and c goes.
    show({numbered(u"a"_s, 1), numbered(u"b"_s, 10), numbered(u"d"_s, 5)});
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"a"_s, u"d"_s}));
    m_filter->release();
    QCOMPARE(held.size(), 2);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"d"_s, u"b"_s}));
    // Also where the order is turned round.
    m_filter->sort(SessionModel::CreateIndex, Qt::DescendingOrder);
    m_filter->touch();
    show({numbered(u"a"_s, 100), numbered(u"b"_s, 10), numbered(u"d"_s, 5), numbered(u"c"_s, 7)});
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"d"_s, u"a"_s, u"c"_s}));
    m_filter->release();
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"b"_s, u"c"_s, u"d"_s}));
}

void tst_TableFilter::heldOrderIsLetGoAfterRest()
{
    QSignalSpy held(m_filter.get(), &TableFilter::orderHeldChanged);
    m_filter->setRest(1ms);
    m_filter->touch();
    show({numbered(u"a"_s, 1), numbered(u"b"_s, 10)});
    QTRY_COMPARE(held.size(), 2);
    QVERIFY(!m_filter->isOrderHeld());
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"b"_s}));
}

void tst_TableFilter::restWithoutChangesMovesNothing()
{
    QSignalSpy laidOut(m_filter.get(), &QAbstractItemModel::layoutChanged);
    m_filter->touch();
    m_filter->release();
    QCOMPARE(laidOut.size(), 0);
    m_filter->touch();
    show({numbered(u"a"_s, 1), numbered(u"b"_s, 10), numbered(u"c"_s, 20)});
    QCOMPARE(laidOut.size(), 0);
    m_filter->release();
    QCOMPARE(laidOut.size(), 1);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"b"_s, u"c"_s}));
}

void tst_TableFilter::rowsThatDoNotMatchAnyMoreStayWhileHeld()
{
    m_filter->setFilterText(u"state:holds_none"_s);
    QCOMPARE(m_filter->rowCount(), 3);
    m_filter->touch();
    SessionRecord holder = numbered(u"b"_s, 10);
    holder.keys = {u"service/x/leader"_s};
    show({numbered(u"a"_s, 30), holder, numbered(u"c"_s, 20)});
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"c"_s, u"a"_s}));
    m_filter->release();
    QCOMPARE(shown(*m_filter), (QStringList{u"c"_s, u"a"_s}));
}

void tst_TableFilter::whatTheUserAsksForIsDoneAtOnce()
{
    m_filter->touch();
    m_filter->sort(SessionModel::CreateIndex, Qt::DescendingOrder);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
    m_filter->setFilterText(u"!re:^c$"_s);
    m_filter->setFilterText(u"re:^name of [ab]$"_s);
    QCOMPARE(m_filter->rowCount(), 0); // ^ and $ are those of the whole text.
    m_filter->setFilterText(u"!\"of c\""_s);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"b"_s}));
    QVERIFY(m_filter->isOrderHeld());
    show({numbered(u"a"_s, 5), numbered(u"b"_s, 10), numbered(u"c"_s, 20)});
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"b"_s}));
    // The same sort once more is a wish, too.
    m_filter->sort(SessionModel::CreateIndex, Qt::DescendingOrder);
    QCOMPARE(shown(*m_filter), (QStringList{u"b"_s, u"a"_s}));
}

void tst_TableFilter::pinnedRowsComeFirst()
{
    m_filter->setPinned({u"a"_s, u"c"_s});
    QCOMPARE(shown(*m_filter), (QStringList{u"c"_s, u"a"_s, u"b"_s}));
    m_filter->sort(SessionModel::CreateIndex, Qt::DescendingOrder);
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
    m_filter->setPinned({});
    QCOMPARE(shown(*m_filter), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
}

void tst_TableFilter::selectionSurvivesEverything_data()
{
    QTest::addColumn<uint>("seed");
    for (const uint seed : {1u, 2u, 3u, 20261130u})
        QTest::addRow("seed %u", seed) << seed;
}

void tst_TableFilter::selectionSurvivesEverything()
{
    QFETCH(uint, seed);
    std::mt19937 random(seed);
    const auto upTo = [&](int most) { return int(random() % unsigned(most)); };
    QItemSelectionModel selection(m_filter.get());
    QSignalSpy resets(m_filter.get(), &QAbstractItemModel::modelReset);
    QMap<QString, SessionRecord> plain;
    const SessionRecord chosen = numbered(u"chosen"_s, 500);
    plain.insert(chosen.id, chosen);
    show(plain.values());
    selection.select(m_filter->indexOf(chosen.id), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    for (int step = 0; step < 300; ++step) {
        for (int i = upTo(6); i > 0; --i) {
            const QString id = u"n%1"_s.arg(upTo(40));
            if (upTo(3) == 0)
                plain.remove(id);
            else
                plain.insert(id, numbered(id, quint64(upTo(1000))));
        }
        plain[chosen.id].createIndex = quint64(upTo(1000));
        show(plain.values());
        switch (upTo(8)) {
        case 0:
            m_filter->touch();
            break;
        case 1:
            m_filter->release();
            break;
        case 2:
            m_filter->sort(upTo(SessionModel::ColumnCount),
                           upTo(2) ? Qt::AscendingOrder : Qt::DescendingOrder);
            break;
        case 3:
            m_filter->setFilterText(upTo(2) ? u"chosen"_s : QString());
            break;
        default:
            break;
        }
        QStringList expected = plain.keys();
        if (m_filter->filterText() == u"chosen"_s && !m_filter->isOrderHeld())
            expected = QStringList{chosen.id};
        QStringList rows = shown(*m_filter);
        rows.sort();
        if (!m_filter->isOrderHeld())
            QCOMPARE(rows, expected);
        QCOMPARE(selection.selectedRows().size(), 1);
        QCOMPARE(selection.selectedRows()[0].data(KeyRole).toString(), chosen.id);
    }
    m_filter->setFilterText({});
    m_filter->sort(SessionModel::CreateIndex);
    m_filter->release();
    quint64 last = 0;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const quint64 index = m_filter->index(row, SessionModel::CreateIndex).data(SortRole).toULongLong();
        QVERIFY(index >= last);
        last = index;
    }
    QCOMPARE(m_filter->rowCount(), int(plain.size()));
    QCOMPARE(resets.size(), 0);
}

void tst_TableFilter::f63_filterFindsWhatConsulHas()
{
    const QString evil = u"<img src=http://127.0.0.1:9/x>\n\u202E"_s + QString(10'000, u'x');
    show({numbered(u"a"_s, 1), numbered(evil, 2)});
    m_filter->setFilterText(u"<img"_s);
    QCOMPARE(shown(*m_filter), QStringList{evil});
    m_filter->setFilterText(u"re:(x+x+)+y"_s);
    QCOMPARE(m_filter->rowCount(), 0);
}

QTEST_GUILESS_MAIN(tst_TableFilter)
#include "tst_tablefilter.moc"
