// SPDX-License-Identifier: MIT
#include "models/electionmodel.h"

#include "models/format.h"
#include "models/jsontext.h"

#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Monitor {
namespace {

/// What sorts behind every length.
constexpr auto Endless = std::chrono::milliseconds::max();

std::optional<std::chrono::milliseconds> ttlOf(const ElectionRecord &election)
{
    return election.session ? election.session->ttl : election.leader.ttl;
}

std::optional<std::chrono::milliseconds> lockDelayOf(const ElectionRecord &election)
{
    if (election.session)
        return election.session->lockDelay;
    return election.leader.lockDelay;
}

/// Nobody leads: then the key tells by what Baton leaves behind, an empty value without flags, and by its
/// name.
bool isBatons(const ElectionRecord &election)
{
    if (election.isHeld())
        return election.leader.isBaton;
    return election.foreignValue.isEmpty() && election.flags == 0 && election.name != election.key;
}

QString lengthText(const std::optional<std::chrono::milliseconds> &length)
{
    return length ? Format::setting(*length) : QString(QChar(0x2013));
}

QString tokenText(const ElectionRecord &election)
{
    const QString token = Format::token(election.token);
    return election.token && !election.tokenIsSure ? u"≤ "_s + token : token;
}

} // namespace

ElectionModel::ElectionModel(const Clock &clock, QObject *parent)
    : RecordTable(parent), m_clock(clock), m_judgedAt(clock.now())
{
}

void ElectionModel::show(const ClusterSnapshot &snapshot)
{
    rejudge([&] {
        m_prefixes = snapshot.prefixes;
        m_judgedAt = m_clock.now();
    });
    setRecords(snapshot.elections);
}

void ElectionModel::setClaims(const CandidateClaims &claims)
{
    rejudge([&] { m_claims = claims; });
}

void ElectionModel::tick()
{
    rejudge([&] { m_judgedAt = m_clock.now(); });
}

template <typename Change>
void ElectionModel::rejudge(Change change)
{
    QList<Concern> before;
    before.reserve(records().size());
    for (const ElectionPtr &election : records())
        before.append(concernOfRecord(*election));
    change();
    for (int row = 0; row < before.size(); ++row) {
        if (concernOfRecord(*records()[row]) != before[row])
            tellChanged(row, row);
    }
}

Concern ElectionModel::concernOfRecord(const ElectionRecord &election) const
{
    return concernOf(election, visibilityOf(m_prefixes, election), m_judgedAt, m_claims);
}

Concern ElectionModel::concern(int row) const
{
    const ElectionPtr election = record(row);
    return election ? concernOfRecord(*election) : Concern::Fine;
}

bool ElectionModel::countsFast() const
{
    const Nanoseconds now = m_clock.now();
    return std::any_of(records().cbegin(), records().cend(), [now](const ElectionPtr &election) {
        return election->state == ElectionState::LockDelay && election->lockDelay
            && election->lockDelay->latestEnd() > now;
    });
}

int ElectionModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ElectionModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ElectionRecord &election = *records()[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return text(election, index.column(), Format::CellLength);
    case FullTextRole:
        return text(election, index.column(), Format::DetailLength);
    case Qt::ToolTipRole:
        return toolTip(election, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == State ? stateSentence(election, concernOfRecord(election), m_clock.now())
                                       : text(election, index.column(), Format::CellLength);
    case Qt::TextAlignmentRole:
        if (index.column() == Token || index.column() == Ttl || index.column() == LockDelay)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
        return sortValue(election, index.column());
    case ExportRole:
        return exported(election, index.column());
    case CountdownRole:
        return index.column() == State && concernOfRecord(election) == Concern::LockDelay;
    default:
        return roleOfRow(election, role);
    }
}

QVariant ElectionModel::roleOfRow(const ElectionRecord &election, int role) const
{
    switch (role) {
    case KeyRole:
        return election.key;
    case StateKindRole:
        return QVariant::fromValue(stateKind(concernOfRecord(election)));
    case StateTagRole:
        return stateTag(concernOfRecord(election));
    case ProblemRole:
        return isProblem(concernOfRecord(election));
    case BatonRole:
        return isBatons(election);
    case SearchRole:
        return QStringList{election.key,
                           leaderText(election, Format::DetailLength),
                           election.leader.session,
                           election.session ? election.session->node : QString(),
                           election.session ? election.session->name : QString(),
                           election.token ? QString::number(*election.token) : QString()}
            .join('\n'_L1);
    case JsonRole:
        return json(election);
    default:
        return {};
    }
}

QString ElectionModel::text(const ElectionRecord &election, int column, int most) const
{
    switch (column) {
    case State:
        return stateText(election, concernOfRecord(election), m_clock.now());
    case Election:
        return Format::safe(election.name, most);
    case Leader:
        return leaderText(election, most);
    case Since:
        return Format::since(election.since, m_clock);
    case Token:
        return tokenText(election);
    case LastFailover:
        return failoverText(election);
    case Key:
        return Format::safe(election.key, most);
    case Session:
        return most > Format::CellLength ? Format::safe(election.leader.session, most)
                                         : Format::sessionId(election.leader.session);
    case Ttl:
        return lengthText(ttlOf(election));
    case LockDelay:
        return lengthText(lockDelayOf(election));
    default:
        return {};
    }
}

QVariant ElectionModel::sortValue(const ElectionRecord &election, int column) const
{
    switch (column) {
    case State:
        return int(concernOfRecord(election));
    case Election:
        return election.name;
    case Leader:
        return leaderName(election);
    case Since:
        return qint64(election.since.by.count());
    case Token:
        return election.token.value_or(0);
    case LastFailover: {
        const auto summary = lastFailover(election);
        return qint64(summary ? summary->length.count() : -1);
    }
    case Key:
        return election.key;
    case Session:
        return election.leader.session;
    case Ttl:
        return qint64(ttlOf(election).value_or(Endless).count());
    case LockDelay:
        return qint64(lockDelayOf(election).value_or(Endless).count());
    default:
        return {};
    }
}

QString ElectionModel::exported(const ElectionRecord &election, int column) const
{
    switch (column) {
    case State:
        return stateTag(concernOfRecord(election));
    case Election:
        return election.name;
    case Leader:
        return leaderName(election);
    case Since:
        return isoText(election.since.by, m_clock);
    case Token:
        return election.token ? QString::number(*election.token) : QString();
    case LastFailover: {
        const auto summary = lastFailover(election);
        return summary ? secondsText(summary->length) : QString();
    }
    case Key:
        return election.key;
    case Session:
        return election.leader.session;
    case Ttl:
        return ttlOf(election) ? secondsText(*ttlOf(election)) : QString();
    case LockDelay:
        return lockDelayOf(election) ? secondsText(*lockDelayOf(election)) : QString();
    default:
        return {};
    }
}

QString ElectionModel::toolTip(const ElectionRecord &election, int column) const
{
    switch (column) {
    case State: {
        const QString sentence = stateSentence(election, concernOfRecord(election), m_clock.now());
        const QString evidence = Format::safe(election.evidence, Format::DetailLength);
        return evidence.isEmpty() ? sentence : u"%1\n%2"_s.arg(sentence, evidence);
    }
    case Election:
        return Format::safe(election.key, Format::DetailLength);
    case Since:
        return Format::moment(election.since, m_clock);
    case Token:
        if (!election.token || election.tokenIsSure)
            return text(election, column, Format::DetailLength);
        return tr("At most %1: somebody wrote to the key before this window looked.")
            .arg(Format::token(election.token));
    case LastFailover: {
        const auto summary = lastFailover(election);
        if (!summary)
            return {};
        const QString seen = tr("Nobody led for %1, as seen in reads of Consul.")
                                 .arg(Format::band(summary->seen.earliest, summary->seen.latest));
        if (!summary->predicted)
            return seen;
        return u"%1\n%2"_s.arg(
            seen,
            tr("Predicted: %1.").arg(Format::band(summary->predicted->earliest, summary->predicted->latest)));
    }
    default:
        return text(election, column, Format::DetailLength);
    }
}

QByteArray ElectionModel::json(const ElectionRecord &election) const
{
    QJsonObject leader;
    if (election.isHeld()) {
        leader = {{u"name"_s, leaderName(election)},
                  {u"session"_s, election.leader.session},
                  {u"host"_s, election.leader.host},
                  {u"pid"_s, election.leader.pid ? QJsonValue(*election.leader.pid) : QJsonValue()},
                  {u"node"_s, election.session ? election.session->node : QString()},
                  {u"baton"_s, election.leader.isBaton},
                  {u"value"_s, QString::fromUtf8(election.foreignValue)}};
    }
    const auto summary = lastFailover(election);
    const QJsonObject row{{u"key"_s, election.key},
                          {u"name"_s, election.name},
                          {u"state"_s, stateTag(concernOfRecord(election))},
                          {u"evidence"_s, election.evidence},
                          {u"since"_s, jsonTime(election.since, m_clock)},
                          {u"leader"_s, election.isHeld() ? QJsonValue(leader) : QJsonValue()},
                          {u"token"_s, jsonIndex(election.token)},
                          {u"token_is_sure"_s, election.tokenIsSure},
                          {u"highest_token"_s, jsonIndex(election.highestToken)},
                          {u"last_vacancy_ms"_s, summary ? jsonMs(summary->length) : QJsonValue()},
                          {u"ttl_ms"_s, jsonMs(ttlOf(election))},
                          {u"lock_delay_ms"_s, jsonMs(lockDelayOf(election))},
                          {u"modify_index"_s, jsonIndex(election.modifyIndex)},
                          {u"lock_index"_s, jsonIndex(election.lockIndex)}};
    return QJsonDocument(row).toJson(QJsonDocument::Compact);
}

QVariant ElectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Election:
        return tr("Election");
    case Leader:
        return tr("Leader");
    case Since:
        return tr("Since");
    case Token:
        return tr("Token");
    case LastFailover:
        return tr("Last failover");
    case Key:
        return tr("Key");
    case Session:
        return tr("Session");
    case Ttl:
        return tr("TTL");
    case LockDelay:
        return tr("Lock-delay");
    default:
        return {};
    }
}

} // namespace Baton::Monitor
