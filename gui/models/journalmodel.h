// SPDX-License-Identifier: MIT
#pragma once

#include "models/itemroles.h"
#include "models/journalentry.h"

#include <QtCore/QAbstractTableModel>

#include <deque>

namespace Baton::Monitor {

/*!
 * The journal as rows, oldest first, at most MaxLines: the oldest make room in steps of DropStep, so that not
 * every new line moves all rows. New lines are appended, nothing else changes.
 */
class JournalModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int MaxLines = 200'000;
    static constexpr int DropStep = 2'000;

    enum Column {
        Time,
        Kind,
        Election,
        What, ///< The sentence.
        Leader,
        Token,
        Session, ///< From here on hidden unless asked for.
        Evidence,
        ColumnCount,
    };
    Q_ENUM(Column)

    /// \a clock must outlive the model.
    explicit JournalModel(const Clock &clock, QObject *parent = nullptr);

    /// Lines kept from earlier runs; shown before those of this one. Once, at the start.
    void prepend(const QList<JournalEntry> &entries);
    void append(const QList<JournalEntry> &entries);

    /// Null for a row that does not exist; valid until the next change of rows.
    [[nodiscard]] const JournalEntry *entry(int row) const;
    /// The instant of a line on the axis of TimeWindow.
    [[nodiscard]] Nanoseconds instant(int row) const;
    /// Lines that made room since the start.
    [[nodiscard]] quint64 dropped() const { return m_dropped; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const JournalEntry &entry, int column, int most) const;
    [[nodiscard]] QVariant sortValue(int row, int column) const;
    [[nodiscard]] QString exported(const JournalEntry &entry, int column) const;
    [[nodiscard]] QString toolTip(const JournalEntry &entry, int column) const;
    void makeRoom(qsizetype coming);

    const Clock &m_clock;
    /// Grows at one end and shrinks at the other without ever moving what lies between.
    std::deque<JournalEntry> m_rows;
    /// Counts from the first line ever shown, so that a line's identity does not move with its row.
    qint64 m_first = 0;
    quint64 m_dropped = 0;
};

} // namespace Baton::Monitor
