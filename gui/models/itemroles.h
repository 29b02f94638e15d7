// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/Qt>

namespace Baton::Monitor {

/*!
 * What every table model of the dashboard gives beside Qt::DisplayRole and Qt::ToolTipRole. All texts are
 * safe to show: plain, one line, control characters as symbols; whoever shows a tool tip must still say that
 * it is plain text. Texts with an age are computed when they are asked for; dataChanged is emitted for
 * records that changed, never because time passed.
 */
enum ItemRole {
    KeyRole = Qt::UserRole + 1, ///< QString, the row's identity, as Consul has it.
    SortRole, ///< What the column is sorted by: a number, an instant, or text. Never changes by itself.
    StateKindRole, ///< StateKind of the row.
    StateTagRole, ///< QString, the untranslated word that `state:` is compared with.
    ProblemRole, ///< bool: worth a look; Scope::Problems.
    BatonRole, ///< bool: made by Baton; Scope::Baton, else Scope::Other.
    SearchRole, ///< QString, what a filter searches in.
    JsonRole, ///< QByteArray, the row as one line of compact JSON, without line end.
    ExportRole, ///< QString, the cell for CSV: dates in ISO 8601 (UTC), durations in seconds, numbers in
                ///< digits.
    FullTextRole, ///< QString, the cell uncut, for details and copying.
    CountdownRole, ///< bool: the cell shows tenths of seconds that run, so it is painted anew at 10 Hz.
};

} // namespace Baton::Monitor
