// SPDX-License-Identifier: MIT
#include "views/historymodel.h"

#include "models/electiontext.h"
#include "models/format.h"
#include "models/itemroles.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {

HistoryModel::HistoryModel(const Clock &clock, QObject *parent) : QAbstractTableModel(parent), m_clock(clock)
{
}

QList<TermRecord> HistoryModel::termsOf(const ElectionRecord &election)
{
    QList<TermRecord> terms;
    if (election.isHeld()) {
        TermRecord running;
        running.session = election.leader.session;
        running.leader = leaderName(election);
        running.token = election.token.value_or(0);
        running.from = election.since;
        terms += running;
    }
    std::ranges::reverse_copy(election.history, std::back_inserter(terms));
    return terms;
}

void HistoryModel::show(const ElectionPtr &election)
{
    const QList<TermRecord> terms = election ? termsOf(*election) : QList<TermRecord>();
    const QString key = election ? election->key : QString();
    if (key == m_key && terms == m_terms)
        return;
    // At most fifty rows, and a new term moves all of them: they are exchanged, and nothing is chosen in
    // here.
    beginResetModel();
    m_key = key;
    m_terms = terms;
    endResetModel();
}

int HistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_terms.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HistoryModel::time(const ObservedTime &time) const
{
    return Format::timeOfDay(m_clock.date(time.by), m_clock.date(m_clock.now()));
}

QString HistoryModel::text(const TermRecord &term, int column) const
{
    switch (column) {
    case Leader:
        return leaderName(term);
    case From:
        return term.from.isExact() ? time(term.from) : tr("before %1").arg(time(term.from));
    case To:
        return term.to ? time(*term.to) : tr("now");
    case For: {
        const Nanoseconds length = (term.to ? term.to->by : m_clock.now()) - term.from.by;
        return term.from.isExact() ? Format::age(length) : Format::atLeast(length);
    }
    case Token:
        return Format::token(term.token > 0 ? std::optional(term.token) : std::nullopt);
    case End:
        return term.to ? endText(term.end) : u"–"_s;
    case Evidence:
        return !term.evidence.isEmpty() ? Format::safe(term.evidence)
            : term.to                   ? u"Consul, "_s + Format::spread(*term.to)
                                        : u"–"_s;
    default:
        return {};
    }
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_terms.size())
        return {};
    const TermRecord &term = m_terms.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case FullTextRole:
        return text(term, index.column());
    case Qt::TextAlignmentRole:
        return int(index.column() == Token || index.column() == For ? Qt::AlignTrailing : Qt::AlignLeading);
    case KeyRole:
        return term.session;
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Token || section == For ? Qt::AlignTrailing : Qt::AlignLeading)
                   | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Leader:
        return tr("Leader");
    case From:
        return tr("From");
    case To:
        return tr("To");
    case For:
        return tr("For");
    case Token:
        return tr("Token");
    case End:
        return tr("How it ended");
    case Evidence:
        return tr("Evidence");
    default:
        return {};
    }
}

} // namespace Baton::Monitor
