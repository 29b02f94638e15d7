// SPDX-License-Identifier: MIT
#pragma once

#include "models/electiontext.h"
#include "models/itemroles.h"

#include <QtCore/QAbstractTableModel>

namespace Baton::Monitor {

/*!
 * The elections of a snapshot as rows, in the order of their keys; a TableFilter sorts and filters. A row is
 * its election for as long as that exists: the next snapshot inserts, removes and changes rows, and never
 * resets.
 *
 * Roles: ItemRole, Qt::DisplayRole, Qt::ToolTipRole (plain text), Qt::TextAlignmentRole,
 * Qt::AccessibleTextRole.
 */
class ElectionModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        State,
        Election,
        Leader,
        Since,
        Token,
        LastFailover,
        Key, ///< From here on hidden unless asked for.
        Session,
        Ttl,
        LockDelay,
        ColumnCount,
    };
    Q_ENUM(Column)

    /// \a clock must outlive the model.
    explicit ElectionModel(const Clock &clock, QObject *parent = nullptr);

    /// Shows \a snapshot from now on.
    void show(const ClusterSnapshot &snapshot);
    /// What candidates say of themselves.
    void setClaims(const CandidateClaims &claims);

    /// Null for a row that does not exist.
    [[nodiscard]] ElectionPtr election(int row) const;
    /// -1 where there is no such election, as in Qt's own models.
    [[nodiscard]] int rowOf(const QString &key) const;
    /// Some cell runs in tenths of a second: repaint at 10 Hz, else at 1 Hz.
    [[nodiscard]] bool countsFast() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] Concern concern(const ElectionRecord &election) const;
    [[nodiscard]] QString text(const ElectionRecord &election, int column, int most) const;
    [[nodiscard]] QVariant sortValue(const ElectionRecord &election, int column) const;
    [[nodiscard]] QString exported(const ElectionRecord &election, int column) const;
    [[nodiscard]] QString toolTip(const ElectionRecord &election, int column) const;
    [[nodiscard]] QByteArray json(const ElectionRecord &election) const;

    const Clock &m_clock;
    QList<ElectionPtr> m_rows;
    QList<PrefixReport> m_prefixes;
    CandidateClaims m_claims;
};

} // namespace Baton::Monitor
