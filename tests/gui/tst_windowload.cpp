// SPDX-License-Identifier: MIT
#include "looks.h"
#include "windowfixture.h"

#include "models/tablefilter.h"
#include "views/page.h"
#include "views/tableview.h"

#include <QtTest/QtTest>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Testing;

namespace {
/// As the design has it, in time of the processor, which a busy machine does not stretch.
constexpr auto LongestTurn = 50ms;
/// A snapshot comes every 250 ms, so 20 changes a second are 5 in each.
constexpr int ChangesInSnapshot = 5;
constexpr int Snapshots = 40;
} // namespace

class tst_windowload : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingMovesUnderTheHand_data();
    void nothingMovesUnderTheHand();
};

void tst_windowload::nothingMovesUnderTheHand_data()
{
    QTest::addColumn<PageId>("page");
    QTest::newRow("1,000 elections") << PageId::Overview;
    QTest::newRow("5,000 sessions") << PageId::Sessions;
}

void tst_windowload::nothingMovesUnderTheHand()
{
    QFETCH(const PageId, page);
    std::chrono::nanoseconds now = Scene::Now;
    WindowFixture fixture;
    Scene scene = Scene::large(1'000, 5'000, 7);
    Feed &feed = fixture.feed(scene, [&now] { return now; });
    fixture.window.showPage(page);
    fixture.window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&fixture.window));
    TableView &table = fixture.window.page()->table();
    TableFilter &filter = fixture.window.page()->filter();
    const int column = page == PageId::Overview ? int(ElectionModel::Election) : int(SessionModel::Name);
    table.sortByColumn(column, Qt::AscendingOrder);
    filter.setFilterText(u"!0007"_s);
    const int rows = filter.rowCount();
    QVERIFY(rows > 900);

    // A row that no change replaces: elections only change, and of the sessions some go.
    table.verticalScrollBar()->setValue(table.verticalScrollBar()->maximum() / 2);
    QApplication::processEvents();
    const QModelIndex chosen = table.indexAt({10, table.viewport()->height() / 2});
    const QString chosenName = chosen.siblingAtColumn(column).data().toString();
    table.setCurrentIndex(chosen);
    const QString chosenKey = table.currentKey();
    const int chosenY = table.visualRect(chosen).y();
    StallProbe probe;
    for (int i = 0; i < Snapshots; ++i) {
        now += 250ms;
        scene.change(ChangesInSnapshot);
        probe.reset();
        feed.show(scene.snapshot(), scene.delta());
        QVERIFY(QTest::qWaitFor([&probe] { return probe.longest() > 0ns; }, 5'000));
        QVERIFY2(probe.longest() < LongestTurn,
                 qPrintable(u"%1 ms in one turn"_s.arg(double(probe.longest().count()) / 1e6)));
    }
    QCOMPARE(filter.filterText(), u"!0007"_s);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), column);
    if (!filter.indexOf(chosenKey).isValid()) {
        QCOMPARE(page, PageId::Sessions);
        return; // Its session has ended.
    }
    QCOMPARE(table.currentKey(), chosenKey);
    QCOMPARE(table.currentIndex().siblingAtColumn(column).data().toString(), chosenName);
    // The place is that of the row at the top; the chosen row may be moved by rows that came and went between
    // the two.
    const int moved = qAbs(table.visualRect(table.currentIndex()).y() - chosenY);
    QVERIFY2(moved <= 4 * TableView::RowHeight, qPrintable(QString::number(moved)));
}

QTEST_MAIN(tst_windowload)
#include "tst_windowload.moc"
