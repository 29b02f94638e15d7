// SPDX-License-Identifier: MIT
#include "views/tableview.h"

#include "models/itemroles.h"
#include "models/tablefilter.h"

#include <QtCore/QScopedValueRollback>
#include <QtCore/QSettings>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

/// A column's title stands where its cells stand.
class TableHeader : public QHeaderView
{
public:
    explicit TableHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int column) const override
    {
        QHeaderView::initStyleOptionForIndex(option, column);
        const QVariant alignment = model()->index(0, column).data(Qt::TextAlignmentRole);
        if (alignment.isValid())
            option->textAlignment =
                Qt::Alignment(alignment.toInt() & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter;
    }
};

/// Rows that are measured to size the columns: all of them would be a stall of a tenth of a second.
constexpr int SampleRows = 200;
constexpr int MostWidth = 300;
constexpr int LeastElastic = 160;
/// Of the width that is left, what all columns share.
constexpr double SharedSpare = 0.6;
constexpr int SortArrow = 14;
} // namespace

TableView::TableView(QWidget *parent) : QTableView(parent), m_delegate(new RowDelegate(this))
{
    setItemDelegate(m_delegate);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(NoFrame);
    setMouseTracking(true);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setCompact(false);
    auto *header = new TableHeader(this);
    setHorizontalHeader(header);
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(40);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, [this](const QPoint &at) {
        QMenu menu;
        fillColumnMenu(&menu);
        menu.exec(horizontalHeader()->mapToGlobal(at));
    });
    connect(header, &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        const bool shownOrHidden = before == 0 || now == 0;
        if (m_fitted && !m_setting && !shownOrHidden)
            m_widthsAreMine = true;
    });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex &index) { Q_EMIT opened(index.data(KeyRole).toString()); });
}

void TableView::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this, &TableView::holdPlace);
    connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this, &TableView::holdPlace);
    connect(model, &QAbstractItemModel::layoutAboutToBeChanged, this, &TableView::holdPlace);
    connect(model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (!m_fitted)
            QMetaObject::invokeMethod(this, &TableView::fitColumns, Qt::QueuedConnection);
    });
    // Which column sorts is a matter of the user's, not of the table's first paint.
    sortByColumn(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    fitColumns();
}

void TableView::hideColumnsFrom(int column)
{
    for (int i = column; i < model()->columnCount(); ++i)
        setColumnHidden(i, true);
}

void TableView::setCompact(bool compact)
{
    verticalHeader()->setMinimumSectionSize(CompactRowHeight);
    verticalHeader()->setDefaultSectionSize(compact ? CompactRowHeight : RowHeight);
}

QSize TableView::sizeHint() const
{
    return {QTableView::sizeHint().width(),
            horizontalHeader()->sizeHint().height()
                + m_preferredRows * verticalHeader()->defaultSectionSize()};
}

void TableView::setMuted(bool muted)
{
    m_delegate->setMuted(muted);
    viewport()->update();
}

QString TableView::currentKey() const
{
    return currentIndex().data(KeyRole).toString();
}

bool TableView::selectKey(const QString &key, bool reveal)
{
    const auto *filter = qobject_cast<TableFilter *>(model());
    const QModelIndex found = filter ? filter->indexOf(key) : QModelIndex();
    if (!found.isValid())
        return false;
    const int column =
        currentIndex().isValid() ? currentIndex().column() : horizontalHeader()->logicalIndex(0);
    const QModelIndex index = found.siblingAtColumn(column);
    const bool scrolls = hasAutoScroll();
    setAutoScroll(reveal);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    setAutoScroll(scrolls);
    if (reveal)
        scrollTo(index);
    return true;
}

void TableView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row() || !previous.isValid())
        Q_EMIT currentKeyChanged(current.data(KeyRole).toString());
}

void TableView::focusInEvent(QFocusEvent *event)
{
    QTableView::focusInEvent(event);
    // Qt makes the first row the current one then, but does not select it.
    if (currentIndex().isValid() && !selectionModel()->hasSelection())
        selectionModel()->select(currentIndex(),
                                 QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void TableView::keyPressEvent(QKeyEvent *event)
{
    Q_EMIT touched();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT opened(currentKey());
        return;
    }
    QTableView::keyPressEvent(event);
}

bool TableView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::Wheel
        || event->type() == QEvent::MouseButtonPress)
        Q_EMIT touched();
    return QTableView::viewportEvent(event);
}

void TableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    layOutColumns();
}

int TableView::neededWidth(int column, int firstRow, int lastRow) const
{
    QHeaderView *header = horizontalHeader();
    const bool first = header->visualIndex(column) == 0;
    int width =
        header->fontMetrics().horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString())
        + (first ? RowDelegate::EdgePadding : RowDelegate::Padding) + RowDelegate::Padding + SortArrow;
    for (int row = firstRow; row <= lastRow; ++row) {
        const int needed = m_delegate->widthOf(model()->index(row, column), font(), first);
        width = qMax(width, qMin(needed, MostWidth));
    }
    return width;
}

void TableView::fitColumns()
{
    if (!model() || m_widthsAreMine)
        return;
    const int lastRow = qMin(model()->rowCount(), SampleRows) - 1;
    m_needed.clear();
    for (int column = 0; column < model()->columnCount(); ++column)
        m_needed += neededWidth(column, 0, lastRow);
    m_fitted = model()->rowCount() > 0;
    layOutColumns();
}

void TableView::growColumns()
{
    const int firstRow = rowAt(0);
    if (m_widthsAreMine || firstRow < 0 || m_needed.isEmpty())
        return;
    const int below = rowAt(viewport()->height() - 1);
    const int lastRow = below >= 0 ? below : model()->rowCount() - 1;
    bool grew = false;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (isColumnHidden(column))
            continue;
        const int needed = neededWidth(column, firstRow, lastRow);
        grew = grew || needed > m_needed.at(column);
        m_needed[column] = qMax(needed, m_needed.at(column));
    }
    if (grew)
        layOutColumns();
}

void TableView::layOutColumns()
{
    if (m_elastic < 0 || m_needed.isEmpty() || m_widthsAreMine)
        return;
    QList<int> shown;
    int spare = viewport()->width();
    for (int column = 0; column < m_needed.size(); ++column) {
        if (isColumnHidden(column))
            continue;
        shown += column;
        spare -= m_needed.at(column);
    }
    // Spread over all columns, a wide window does not tear a row into two halves.
    const int share = spare > 0 ? int(spare * SharedSpare / double(shown.size())) : 0;
    const QScopedValueRollback setting(m_setting, true);
    for (const int column : shown) {
        if (column == m_elastic)
            continue;
        horizontalHeader()->resizeSection(column, m_needed.at(column) + share);
        spare -= share;
    }
    if (!isColumnHidden(m_elastic))
        horizontalHeader()->resizeSection(m_elastic, qMax(m_needed.at(m_elastic) + spare, LeastElastic));
}

void TableView::holdPlace()
{
    if (m_placeHeld || verticalScrollBar()->value() == 0)
        return;
    const QModelIndex top = indexAt(QPoint(1, 0));
    if (!top.isValid())
        return;
    m_placeHeld = true;
    m_topKey = top.data(KeyRole).toString();
    m_topOffset = rowViewportPosition(top.row());
    // Several changes may follow each other; the place is restored once, before the next paint.
    QMetaObject::invokeMethod(this, &TableView::restorePlace, Qt::QueuedConnection);
}

void TableView::restorePlace()
{
    m_placeHeld = false;
    const auto *filter = qobject_cast<TableFilter *>(model());
    const QModelIndex top = filter ? filter->indexOf(m_topKey) : QModelIndex();
    if (!top.isValid())
        return;
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(top.row() * verticalHeader()->defaultSectionSize() - m_topOffset);
}

void TableView::fillColumnMenu(QMenu *menu)
{
    for (int column = 1; column < model()->columnCount(); ++column) {
        QAction *action = menu->addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            setColumnHidden(column, !shown);
            layOutColumns();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Fit columns")), &QAction::triggered, this, [this] {
        m_widthsAreMine = false;
        fitColumns();
    });
}

void TableView::copyCell() const
{
    if (currentIndex().isValid())
        QGuiApplication::clipboard()->setText(currentIndex().data(FullTextRole).toString());
}

void TableView::copyRow() const
{
    if (!currentIndex().isValid())
        return;
    QStringList cells;
    for (int place = 0; place < horizontalHeader()->count(); ++place) {
        const int column = horizontalHeader()->logicalIndex(place);
        if (!isColumnHidden(column))
            cells += currentIndex().siblingAtColumn(column).data(FullTextRole).toString();
    }
    QGuiApplication::clipboard()->setText(cells.join(u'\t'));
}

void TableView::copyJson() const
{
    if (currentIndex().isValid())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(currentIndex().data(JsonRole).toByteArray()));
}

void TableView::saveTo(QSettings &settings, const QString &name) const
{
    settings.setValue(name + u"/header"_s, horizontalHeader()->saveState());
    settings.setValue(name + u"/widths"_s, m_widthsAreMine);
}

void TableView::restoreFrom(const QSettings &settings, const QString &name)
{
    const QScopedValueRollback setting(m_setting, true);
    if (horizontalHeader()->restoreState(settings.value(name + u"/header"_s).toByteArray()))
        m_widthsAreMine = settings.value(name + u"/widths"_s).toBool();
    layOutColumns();
}

} // namespace Baton::Monitor
