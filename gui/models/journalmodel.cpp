// SPDX-License-Identifier: MIT
#include "models/journalmodel.h"

#include "models/format.h"

using namespace Qt::StringLiterals;

namespace Baton::Monitor {

JournalModel::JournalModel(const Clock &clock, QObject *parent) : QAbstractTableModel(parent), m_clock(clock)
{
}

void JournalModel::prepend(const QList<JournalEntry> &entries)
{
    const qsizetype room = MaxLines - qsizetype(m_rows.size());
    const QList<JournalEntry> newest = entries.last(std::min(room, entries.size()));
    m_dropped += quint64(entries.size() - newest.size());
    if (newest.isEmpty())
        return;
    beginInsertRows({}, 0, int(newest.size()) - 1);
    m_rows.insert(m_rows.begin(), newest.cbegin(), newest.cend());
    m_first -= newest.size();
    endInsertRows();
}

void JournalModel::append(const QList<JournalEntry> &entries)
{
    const QList<JournalEntry> newest = entries.last(std::min(qsizetype(MaxLines), entries.size()));
    m_dropped += quint64(entries.size() - newest.size());
    if (newest.isEmpty())
        return;
    makeRoom(newest.size());
    const int first = int(m_rows.size());
    beginInsertRows({}, first, first + int(newest.size()) - 1);
    m_rows.insert(m_rows.end(), newest.cbegin(), newest.cend());
    endInsertRows();
}

void JournalModel::makeRoom(qsizetype coming)
{
    const qsizetype size = qsizetype(m_rows.size());
    const qsizetype tooMany = size + coming - MaxLines;
    if (tooMany <= 0)
        return;
    const qsizetype count = std::min(std::max(tooMany, qsizetype(DropStep)), size);
    beginRemoveRows({}, 0, int(count) - 1);
    m_rows.erase(m_rows.begin(), m_rows.begin() + count);
    m_first += count;
    m_dropped += quint64(count);
    endRemoveRows();
}

const JournalEntry *JournalModel::entry(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[size_t(row)] : nullptr;
}

Nanoseconds JournalModel::instant(int row) const
{
    return m_clock.instant(m_rows[size_t(row)].date());
}

int JournalModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int JournalModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant JournalModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const JournalEntry &entry = m_rows[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(entry, index.column(), Format::CellLength);
    case FullTextRole:
        return text(entry, index.column(), Format::DetailLength);
    case Qt::ToolTipRole:
        return toolTip(entry, index.column());
    case Qt::TextAlignmentRole:
        return QVariant((index.column() == Token ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KeyRole:
        return QString::number(m_first + index.row());
    case SortRole:
        return sortValue(index.row(), index.column());
    case StateKindRole:
        return QVariant::fromValue(entry.stateKind());
    case StateTagRole:
        return entry.tag();
    case ProblemRole:
        return entry.isProblem();
    case BatonRole: // A line does not say who wrote the key.
    case CountdownRole:
        return false;
    case SearchRole:
        return QStringList{entry.key,        entry.leader,     entry.session,
                           entry.kindText(), entry.sentence(), entry.evidence}
            .join('\n'_L1);
    case JsonRole:
        return entry.toJson();
    case ExportRole:
        return exported(entry, index.column());
    default:
        return {};
    }
}

QString JournalModel::text(const JournalEntry &entry, int column, int most) const
{
    switch (column) {
    case Time:
        return Format::timeOfDay(entry.date(), m_clock.date(m_clock.now()));
    case Kind:
        return entry.kindText();
    case Election:
        return Format::safe(entry.key, most);
    case What:
        return entry.sentence();
    case Leader:
        return Format::safe(entry.leader, most);
    case Token:
        return entry.token ? Format::number(*entry.token) : QString();
    case Session:
        return most > Format::CellLength ? Format::safe(entry.session, most)
                                         : Format::sessionId(entry.session);
    case Evidence:
        return Format::safe(entry.evidence, most);
    default:
        return {};
    }
}

QString JournalModel::toolTip(const JournalEntry &entry, int column) const
{
    if (column != Time)
        return text(entry, column, Format::DetailLength);
    const QString date = entry.date().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s);
    if (!entry.spread)
        return date;
    return u"%1 (±%2)"_s.arg(date, Format::duration(*entry.spread));
}

QVariant JournalModel::sortValue(int row, int column) const
{
    const JournalEntry &entry = m_rows[size_t(row)];
    switch (column) {
    case Time: // Lines are in the order in which they were seen, also where clocks were set in between.
        return m_first + row;
    case Kind:
        return entry.tag();
    case Election:
        return entry.key;
    case What:
        return entry.sentence();
    case Leader:
        return entry.leader;
    case Token:
        return entry.token.value_or(0);
    case Session:
        return entry.session;
    case Evidence:
        return entry.evidence;
    default:
        return {};
    }
}

QString JournalModel::exported(const JournalEntry &entry, int column) const
{
    switch (column) {
    case Time:
        return entry.date().toUTC().toString(Qt::ISODateWithMs);
    case Kind:
        return entry.tag();
    case Election:
        return entry.key;
    case What:
        return entry.sentence();
    case Leader:
        return entry.leader;
    case Token:
        return entry.token ? QString::number(*entry.token) : QString();
    case Session:
        return entry.session;
    case Evidence:
        return entry.evidence;
    default:
        return {};
    }
}

QVariant JournalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Kind:
        return tr("Event");
    case Election:
        return tr("Election");
    case What:
        return tr("What happened");
    case Leader:
        return tr("Leader");
    case Token:
        return tr("Token");
    case Session:
        return tr("Session");
    case Evidence:
        return tr("Evidence");
    default:
        return {};
    }
}

} // namespace Baton::Monitor
