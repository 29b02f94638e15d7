// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>

#include <algorithm>
#include <utility>

namespace Baton::Monitor {

/// Rows first to last, both included.
using RowRange = std::pair<int, int>;

/*!
 * What turns the rows \a before into \a after, both sorted by identity and made of shared records that stay
 * the same objects while they do not change: so it is enough to compare pointers. Neighbours become one
 * range, because a signal a row is what makes large tables slow.
 */
struct RowChanges
{
    /// In the numbers of before, last first: so that removing one leaves the others true.
    QList<RowRange> removed;
    /// In the numbers of after, first first: so that inserting one leaves the next ones true.
    QList<RowRange> inserted;
    /// In the numbers of after.
    QList<RowRange> changed;

    template <typename Record, typename Identity>
    [[nodiscard]] static RowChanges between(const QList<Record> &before, const QList<Record> &after,
                                            Identity identity);

private:
    static void add(QList<RowRange> *ranges, int row)
    {
        if (!ranges->isEmpty() && ranges->constLast().second + 1 == row)
            ranges->last().second = row;
        else
            ranges->append({row, row});
    }
};

template <typename Record, typename Identity>
RowChanges RowChanges::between(const QList<Record> &before, const QList<Record> &after, Identity identity)
{
    RowChanges changes;
    int old = 0;
    int now = 0;
    while (old < before.size() || now < after.size()) {
        if (old < before.size() && now < after.size() && before[old] == after[now]) {
            ++old;
            ++now;
            continue;
        }
        const bool onlyOld =
            now == after.size() || (old < before.size() && identity(before[old]) < identity(after[now]));
        const bool onlyNew =
            !onlyOld && (old == before.size() || identity(after[now]) < identity(before[old]));
        if (onlyOld) {
            add(&changes.removed, old++);
        } else if (onlyNew) {
            add(&changes.inserted, now++);
        } else {
            add(&changes.changed, now++);
            ++old;
        }
    }
    std::reverse(changes.removed.begin(), changes.removed.end());
    return changes;
}

} // namespace Baton::Monitor
