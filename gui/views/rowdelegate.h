// SPDX-License-Identifier: MIT
#pragma once

#include "models/statekind.h"
#include "views/glyph.h"

#include <QtCore/QSet>
#include <QtWidgets/QStyledItemDelegate>

namespace Baton::Monitor {

[[nodiscard]] Glyph glyphOf(StateKind kind);
[[nodiscard]] Role roleOf(StateKind kind);

/// Draws the cells of all tables: the state as glyph and word, the chosen row with its bar, old data in
/// muted.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// Left and right of a cell's text, in logical pixels.
    static constexpr int Padding = 8;
    /// ... and left of the first column, so that it stands below the filter.
    static constexpr int EdgePadding = 16;
    static constexpr int GlyphSide = 14;
    /// The mark of the chosen row.
    static constexpr int BarWidth = 3;

    using QStyledItemDelegate::QStyledItemDelegate;

    /// The column that shows the row's state; the first one unless told otherwise.
    void setStateColumn(int column) { m_stateColumn = column; }
    /// Columns with ids.
    void setMonospaceColumns(const QSet<int> &columns) { m_monospace = columns; }
    /// The column whose texts differ at both ends: it is cut in the middle.
    void setMiddleCutColumn(int column) { m_middleCut = column; }
    /// Identities (KeyRole) that are marked as pinned.
    void setPinned(const QSet<QString> &keys) { m_pinned = keys; }
    /// Everything in muted: it is not the present.
    void setMuted(bool muted) { m_muted = muted; }

    /// Width that the cell needs to show all of its text.
    [[nodiscard]] int widthOf(const QModelIndex &index, const QFont &font, bool first) const;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

private:
    [[nodiscard]] QFont fontOf(const QModelIndex &index, const QFont &base) const;

    int m_stateColumn = 0;
    int m_middleCut = -1;
    QSet<int> m_monospace;
    QSet<QString> m_pinned;
    bool m_muted = false;
};

} // namespace Baton::Monitor
