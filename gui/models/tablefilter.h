// SPDX-License-Identifier: MIT
#pragma once

#include "models/filterexpression.h"

#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtCore/QSortFilterProxyModel>
#include <QtCore/QTimer>

#include <array>
#include <optional>

namespace Baton::Monitor {

/*!
 * Sorts and filters a table of the dashboard. Rows do not jump under somebody's hand: after touch() the order
 * is held, rows that do not match any more stay, and new ones come at the end, until nobody has touched the
 * table for Rest. What the user asks for (another sort, filter or scope) takes effect at once.
 *
 * Pinned rows come first, in the order of the sort.
 */
class TableFilter : public QSortFilterProxyModel
{
    Q_OBJECT
    Q_PROPERTY(QString filterText READ filterText WRITE setFilterText NOTIFY filterTextChanged)
    Q_PROPERTY(QString filterError READ filterError NOTIFY filterTextChanged)
    Q_PROPERTY(Scope scope READ scope WRITE setScope NOTIFY scopeChanged)
    Q_PROPERTY(bool orderHeld READ isOrderHeld NOTIFY orderHeldChanged)
public:
    enum class Scope {
        All,
        Problems, ///< ProblemRole
        Baton, ///< BatonRole
        Other, ///< Not BatonRole.
    };
    Q_ENUM(Scope)

    /// For how long nobody must have touched the table until it is sorted anew.
    static constexpr std::chrono::milliseconds Rest{2'000};

    explicit TableFilter(QObject *parent = nullptr);

    /// In the language of FilterExpression.
    [[nodiscard]] QString filterText() const { return m_filterText; }
    void setFilterText(const QString &text);
    /// What is wrong with it; the rows are not filtered then.
    [[nodiscard]] QString filterError() const { return m_filter.error(); }
    /// Tags that `state:` may name.
    void setKnownStates(const QStringList &states);

    [[nodiscard]] Scope scope() const { return m_scope; }
    void setScope(Scope scope);
    /// Rows of the source in \a scope, whatever the text.
    [[nodiscard]] int count(Scope scope) const;

    /// Keys of the rows that come first.
    void setPinned(const QSet<QString> &keys);

    [[nodiscard]] bool isOrderHeld() const { return m_held; }
    /// Shorter for tests.
    void setRest(std::chrono::milliseconds rest);

    /// The row with that identity here; invalid where it is filtered out or missing.
    [[nodiscard]] QModelIndex indexOf(const QString &key) const;

    void setSourceModel(QAbstractItemModel *model) override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

public Q_SLOTS:
    /// Somebody uses the table: mouse moved, key pressed, wheel turned.
    void touch();
    /// Sorts at once: the mouse has left.
    void release();

Q_SIGNALS:
    void filterTextChanged();
    void scopeChanged();
    void orderHeldChanged(bool held);
    /// count() may give other numbers; at most once for all changes of one turn of the event loop.
    void countsChanged();

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    [[nodiscard]] QString keyOf(int sourceRow) const;
    [[nodiscard]] bool isInScope(int sourceRow, Scope scope) const;
    /// Runs \a change with the order let go, and holds the new one where it was held.
    template <typename Change>
    void byHand(Change change);
    void hold();
    void sortAnew();
    void sourceChanged();
    /// In scope All, Problems, Baton, Other.
    using Counts = std::array<int, 4>;

    QString m_filterText;
    QStringList m_states;
    FilterExpression m_filter;
    Scope m_scope = Scope::All;
    QSet<QString> m_pinned;
    bool m_held = false;
    /// Something differs since then, so the order may have to.
    bool m_changedWhileHeld = false;
    /// Places of the rows when the order began to be held, by key.
    QHash<QString, int> m_places;
    QTimer m_rest;
    QTimer m_counting;
    mutable std::optional<Counts> m_counts;
};

} // namespace Baton::Monitor
