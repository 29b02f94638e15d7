// SPDX-License-Identifier: MIT
#include "models/tablefilter.h"

#include "models/itemroles.h"

#include <limits>
#include <utility>

namespace Baton::Monitor {
namespace {

/// Behind all that have a place.
constexpr int NoPlace = std::numeric_limits<int>::max();

/// Letters of either case beside each other; the same words in a fixed order all the same.
int compareText(const QString &left, const QString &right)
{
    const int order = left.compare(right, Qt::CaseInsensitive);
    return order != 0 ? order : left.compare(right);
}

} // namespace

TableFilter::TableFilter(QObject *parent) : QSortFilterProxyModel(parent)
{
    setSortRole(SortRole);
    m_rest.setSingleShot(true);
    m_rest.setInterval(Rest);
    m_rest.callOnTimeout(this, &TableFilter::release);
    m_counting.setSingleShot(true);
    m_counting.setInterval(0);
    m_counting.callOnTimeout(this, &TableFilter::countsChanged);
}

void TableFilter::setSourceModel(QAbstractItemModel *model)
{
    if (sourceModel())
        sourceModel()->disconnect(this);
    QSortFilterProxyModel::setSourceModel(model);
    if (model) {
        connect(model, &QAbstractItemModel::rowsInserted, this, &TableFilter::sourceChanged);
        connect(model, &QAbstractItemModel::rowsRemoved, this, &TableFilter::sourceChanged);
        connect(model, &QAbstractItemModel::dataChanged, this, &TableFilter::sourceChanged);
    }
    sourceChanged();
}

void TableFilter::setFilterText(const QString &text)
{
    if (text == m_filterText)
        return;
    m_filterText = text;
    byHand([this] { m_filter = FilterExpression::parse(m_filterText, m_states); });
    Q_EMIT filterTextChanged();
}

void TableFilter::setKnownStates(const QStringList &states)
{
    m_states = states;
    byHand([this] { m_filter = FilterExpression::parse(m_filterText, m_states); });
}

void TableFilter::setScope(Scope scope)
{
    if (scope == m_scope)
        return;
    byHand([&] { m_scope = scope; });
    Q_EMIT scopeChanged();
}

void TableFilter::setPinned(const QSet<QString> &keys)
{
    if (keys != m_pinned)
        byHand([&] { m_pinned = keys; });
}

template <typename Change>
void TableFilter::byHand(Change change)
{
    const bool wasHeld = std::exchange(m_held, false);
    m_places.clear();
    change();
    sortAnew();
    if (wasHeld)
        hold();
}

void TableFilter::sort(int column, Qt::SortOrder order)
{
    const bool wasHeld = std::exchange(m_held, false);
    m_places.clear();
    QSortFilterProxyModel::sort(column, order);
    if (wasHeld) {
        // The base class does nothing where column and order are as before.
        sortAnew();
        hold();
    }
}

void TableFilter::sortAnew()
{
    invalidateFilter();
    // Sorts in place, with signals that keep selection and scroll place; sort() would see nothing to do.
    setDynamicSortFilter(false);
    setDynamicSortFilter(true);
}

void TableFilter::touch()
{
    m_rest.start();
    if (m_held)
        return;
    hold();
    Q_EMIT orderHeldChanged(true);
}

void TableFilter::release()
{
    m_rest.stop();
    if (!std::exchange(m_held, false))
        return;
    m_places.clear();
    if (m_changedWhileHeld)
        sortAnew();
    Q_EMIT orderHeldChanged(false);
}

void TableFilter::setRest(std::chrono::milliseconds rest)
{
    m_rest.setInterval(rest);
}

void TableFilter::hold()
{
    const int rows = rowCount();
    m_places.reserve(rows);
    for (int row = 0; row < rows; ++row)
        m_places.insert(index(row, 0).data(KeyRole).toString(), row);
    m_held = true;
    m_changedWhileHeld = false;
}

QModelIndex TableFilter::indexOf(const QString &key) const
{
    const int rows = rowCount();
    for (int row = 0; row < rows; ++row) {
        const QModelIndex candidate = index(row, 0);
        if (candidate.data(KeyRole).toString() == key)
            return candidate;
    }
    return {};
}

void TableFilter::sourceChanged()
{
    m_counts.reset();
    m_changedWhileHeld = true;
    if (!m_counting.isActive())
        m_counting.start();
}

int TableFilter::count(Scope scope) const
{
    if (!m_counts) {
        m_counts = Counts{};
        const int rows = sourceModel() ? sourceModel()->rowCount() : 0;
        for (int row = 0; row < rows; ++row) {
            for (const Scope each : {Scope::All, Scope::Problems, Scope::Baton, Scope::Other})
                (*m_counts)[size_t(each)] += isInScope(row, each) ? 1 : 0;
        }
    }
    return (*m_counts)[size_t(scope)];
}

QString TableFilter::keyOf(int sourceRow) const
{
    return sourceModel()->index(sourceRow, 0).data(KeyRole).toString();
}

bool TableFilter::isInScope(int sourceRow, Scope scope) const
{
    const QModelIndex row = sourceModel()->index(sourceRow, 0);
    switch (scope) {
    case Scope::All:
        return true;
    case Scope::Problems:
        return row.data(ProblemRole).toBool();
    case Scope::Baton:
        return row.data(BatonRole).toBool();
    case Scope::Other:
        return !row.data(BatonRole).toBool();
    }
    Q_UNREACHABLE();
}

bool TableFilter::filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const
{
    Q_UNUSED(sourceParent)
    if (m_held && m_places.contains(keyOf(sourceRow)))
        return true;
    if (!isInScope(sourceRow, m_scope))
        return false;
    if (m_filter.isEmpty())
        return true;
    const QModelIndex row = sourceModel()->index(sourceRow, 0);
    return m_filter.matches(row.data(SearchRole).toString(), row.data(StateTagRole).toString());
}

bool TableFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    // Held places and pinned rows do not turn round with the order.
    const bool turned = sortOrder() == Qt::DescendingOrder;
    if (m_held) {
        const int leftPlace = m_places.value(keyOf(left.row()), NoPlace);
        const int rightPlace = m_places.value(keyOf(right.row()), NoPlace);
        if (leftPlace == rightPlace)
            return (left.row() < right.row()) != turned;
        return (leftPlace < rightPlace) != turned;
    }
    if (!m_pinned.isEmpty()) {
        const bool leftPinned = m_pinned.contains(keyOf(left.row()));
        if (leftPinned != m_pinned.contains(keyOf(right.row())))
            return leftPinned != turned;
    }
    const QVariant leftValue = left.data(SortRole);
    const QVariant rightValue = right.data(SortRole);
    // Equals stay in the order of the source: else a row that has changed would stand behind them for ever.
    if (leftValue == rightValue)
        return (left.row() < right.row()) != turned;
    if (leftValue.typeId() == QMetaType::QString)
        return compareText(leftValue.toString(), rightValue.toString()) < 0;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace Baton::Monitor
