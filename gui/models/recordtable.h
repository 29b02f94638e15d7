// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clusterrecords.h>

#include <QtCore/QAbstractTableModel>

#include <algorithm>
#include <memory>
#include <utility>

namespace Baton::Monitor {

inline const QString &identityOf(const ElectionRecord &record)
{
    return record.key;
}
inline const QString &identityOf(const SessionRecord &record)
{
    return record.id;
}

/*!
 * The records of a snapshot as rows, sorted by identity. They are shared and stay the same objects while they
 * do not change, so setRecords() finds what differs by comparing pointers, and needs nobody to tell it; it
 * cannot fall out of step. Neighbours become one signal, because a signal for each row is what makes large
 * tables slow.
 */
template <typename Record>
class RecordTable : public QAbstractTableModel
{
public:
    using Pointer = std::shared_ptr<const Record>;

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_records.size());
    }

    /// Null for a row that does not exist.
    [[nodiscard]] Pointer record(int row) const
    {
        return row >= 0 && row < m_records.size() ? m_records[row] : Pointer();
    }

    /// -1 where there is none, as in Qt's own models.
    [[nodiscard]] int rowOf(const QString &identity) const
    {
        const auto place =
            std::lower_bound(m_records.cbegin(), m_records.cend(), identity,
                             [](const Pointer &a, const QString &b) { return identityOf(*a) < b; });
        const bool found = place != m_records.cend() && identityOf(**place) == identity;
        return found ? int(place - m_records.cbegin()) : -1;
    }

protected:
    [[nodiscard]] const QList<Pointer> &records() const { return m_records; }

    /// Shows \a after, sorted by identity, instead of what is shown.
    void setRecords(const QList<Pointer> &after)
    {
        Q_ASSERT(std::is_sorted(after.cbegin(), after.cend(), [](const Pointer &a, const Pointer &b) {
            return identityOf(*a) < identityOf(*b);
        }));
        const Changes changes = difference(m_records, after);
        // From the end, so that the numbers of rows before are still right.
        for (auto rows = changes.removed.crbegin(); rows != changes.removed.crend(); ++rows) {
            beginRemoveRows({}, rows->first, rows->second);
            m_records.remove(rows->first, rows->second - rows->first + 1);
            endRemoveRows();
        }
        for (const Range &rows : changes.inserted) {
            beginInsertRows({}, rows.first, rows.second);
            m_records.insert(rows.first, rows.second - rows.first + 1, Pointer());
            std::copy(after.cbegin() + rows.first, after.cbegin() + rows.second + 1,
                      m_records.begin() + rows.first);
            endInsertRows();
        }
        for (const Range &rows : changes.changed) {
            std::copy(after.cbegin() + rows.first, after.cbegin() + rows.second + 1,
                      m_records.begin() + rows.first);
            tellChanged(rows.first, rows.second);
        }
    }

    void tellChanged(int first, int last)
    {
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
    }

private:
    /// Rows first to last, both included.
    using Range = std::pair<int, int>;
    struct Changes
    {
        QList<Range> removed; ///< Rows as they were.
        QList<Range> inserted; ///< Rows as they will be, as are changed ones.
        QList<Range> changed;
    };

    static void add(QList<Range> *ranges, int row)
    {
        if (!ranges->isEmpty() && ranges->constLast().second + 1 == row)
            ranges->last().second = row;
        else
            ranges->append({row, row});
    }

    static Changes difference(const QList<Pointer> &before, const QList<Pointer> &after)
    {
        Changes changes;
        int old = 0;
        int now = 0;
        while (old < before.size() || now < after.size()) {
            const bool oldLeft = old < before.size();
            const bool newLeft = now < after.size();
            if (oldLeft && newLeft && before[old] == after[now]) {
                ++old;
                ++now;
            } else if (!newLeft || (oldLeft && identityOf(*before[old]) < identityOf(*after[now]))) {
                add(&changes.removed, old++);
            } else if (!oldLeft || identityOf(*after[now]) < identityOf(*before[old])) {
                add(&changes.inserted, now++);
            } else {
                add(&changes.changed, now++);
                ++old;
            }
        }
        return changes;
    }

    QList<Pointer> m_records;
};

} // namespace Baton::Monitor
