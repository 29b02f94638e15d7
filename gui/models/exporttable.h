// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

class QAbstractItemModel;
class QIODevice;

namespace Baton::Monitor {

/*!
 * Writes the rows of \a model, in its order, as CSV (RFC 4180, UTF-8, a header line): the ExportRole of \a
 * columns, all where that is empty. A cell that a spreadsheet would take for a formula gets an apostrophe in
 * front, since its text may come from a stranger. False where the device does not take it.
 */
[[nodiscard]] bool exportCsv(const QAbstractItemModel &model, QIODevice &device,
                             const QList<int> &columns = {});

/// Writes the JsonRole of every row of \a model, a line each.
[[nodiscard]] bool exportJsonLines(const QAbstractItemModel &model, QIODevice &device);

/// \a text as one cell of CSV, quoted where needed and guarded as in exportCsv().
[[nodiscard]] QString csvCell(const QString &text);

} // namespace Baton::Monitor
