// SPDX-License-Identifier: MIT
#include "models/exporttable.h"

#include "models/itemroles.h"

#include <QtCore/QAbstractItemModel>
#include <QtCore/QIODevice>
#include <QtCore/QRegularExpression>

#include <numeric>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

/// A spreadsheet takes text that begins so for a formula.
bool looksLikeFormula(const QString &text)
{
    static const QRegularExpression number(uR"(^-?\d+(\.\d+)?$)"_s);
    static const QString beginnings = u"=+-@\t\r\n|%＝＋－＠"_s;
    const QString bare = text.trimmed();
    const bool begins = (!text.isEmpty() && beginnings.contains(text.front()))
        || (!bare.isEmpty() && beginnings.contains(bare.front()));
    return begins && !number.match(text).hasMatch();
}

bool writeLine(QIODevice &device, const QByteArray &line)
{
    return device.write(line) == line.size();
}

QByteArray csvLine(const QStringList &cells)
{
    QStringList quoted;
    for (const QString &cell : cells)
        quoted += csvCell(cell);
    return quoted.join(','_L1).toUtf8() + "\r\n";
}

} // namespace

QString csvCell(const QString &text)
{
    QString cell = text;
    // A NUL ends the file for some readers.
    cell.replace(QChar(u'\0'), QChar(u'\x2400'));
    if (looksLikeFormula(cell))
        cell.prepend('\''_L1);
    static const QRegularExpression special(uR"([",;'\s])"_s);
    if (!cell.contains(special))
        return cell;
    return '"'_L1 + cell.replace('"'_L1, "\"\""_L1) + '"'_L1;
}

bool exportCsv(const QAbstractItemModel &model, QIODevice &device, const QList<int> &columns)
{
    QList<int> chosen = columns;
    if (chosen.isEmpty()) {
        chosen.resize(model.columnCount());
        std::iota(chosen.begin(), chosen.end(), 0);
    }
    QStringList cells;
    for (const int column : std::as_const(chosen))
        cells += model.headerData(column, Qt::Horizontal).toString();
    if (!writeLine(device, csvLine(cells)))
        return false;
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (const int column : std::as_const(chosen))
            cells += model.index(row, column).data(ExportRole).toString();
        if (!writeLine(device, csvLine(cells)))
            return false;
    }
    return true;
}

bool exportJsonLines(const QAbstractItemModel &model, QIODevice &device)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        if (!writeLine(device, model.index(row, 0).data(JsonRole).toByteArray() + '\n'))
            return false;
    }
    return true;
}

} // namespace Baton::Monitor
