// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"

#include <Baton/clusterrecords.h>

#include <QtCore/QAbstractTableModel>

namespace Baton::Monitor {

/// The terms of one election, the newest first; the running one leads them.
class HistoryModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Leader, From, To, For, Token, End, Evidence, ColumnCount };

    explicit HistoryModel(const Clock &clock, QObject *parent = nullptr);

    /// Null for none. Terms that were shown before keep their rows.
    void show(const ElectionPtr &election);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] static QList<TermRecord> termsOf(const ElectionRecord &election);
    [[nodiscard]] QString time(const ObservedTime &time) const;
    [[nodiscard]] QString text(const TermRecord &term, int column) const;

    const Clock &m_clock;
    QString m_key;
    QList<TermRecord> m_terms;
};

} // namespace Baton::Monitor
