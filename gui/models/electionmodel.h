// SPDX-License-Identifier: MIT
#pragma once

#include "models/electiontext.h"
#include "models/itemroles.h"
#include "models/recordtable.h"

namespace Baton::Monitor {

/*!
 * The elections of a snapshot as rows, in the order of their keys; a TableFilter sorts and filters. A row is
 * its election for as long as that exists: the next snapshot inserts, removes and changes rows, and never
 * resets.
 *
 * Roles: ItemRole, Qt::DisplayRole, Qt::ToolTipRole (plain text), Qt::TextAlignmentRole,
 * Qt::AccessibleTextRole.
 */
class ElectionModel : public RecordTable<ElectionRecord>
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
    /// Looks whether a vacancy has become overdue, which no snapshot tells; the rows concerned are told as
    /// changed. Once a second is enough.
    void tick();

    [[nodiscard]] ElectionPtr election(int row) const { return record(row); }
    /// As of the last show() or tick().
    [[nodiscard]] Concern concern(int row) const;
    /// Some cell runs in tenths of a second: repaint at 10 Hz, else at 1 Hz.
    [[nodiscard]] bool countsFast() const;

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] Concern concernOfRecord(const ElectionRecord &election) const;
    /// Runs \a change, and tells the rows whose concern differs after it.
    template <typename Change>
    void rejudge(Change change);
    [[nodiscard]] QVariant roleOfRow(const ElectionRecord &election, int role) const;
    [[nodiscard]] QString text(const ElectionRecord &election, int column, int most) const;
    [[nodiscard]] QVariant sortValue(const ElectionRecord &election, int column) const;
    [[nodiscard]] QString exported(const ElectionRecord &election, int column) const;
    [[nodiscard]] QString toolTip(const ElectionRecord &election, int column) const;
    [[nodiscard]] QByteArray json(const ElectionRecord &election) const;

    const Clock &m_clock;
    QList<PrefixReport> m_prefixes;
    CandidateClaims m_claims;
    Nanoseconds m_judgedAt{};
};

} // namespace Baton::Monitor
