// SPDX-License-Identifier: MIT
#include "models/sessionmodel.h"

#include "models/format.h"
#include "models/jsontext.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Monitor {
namespace {

/// Longer ones are listed as they were asked for, and applied as this.
constexpr std::chrono::milliseconds LongestLockDelay = 60s;

/// What sorts behind every length.
constexpr auto Endless = std::chrono::milliseconds::max();

/// Consul ends a session that is not renewed at twice its TTL.
constexpr int ExpiryFactor = 2;

StateKind kindOf(const SessionRecord &session)
{
    if (session.neverExpires())
        return StateKind::NeverExpires;
    return session.keys.isEmpty() ? StateKind::Vacant : StateKind::Led;
}

QString tagOf(const SessionRecord &session)
{
    if (session.neverExpires())
        return u"never_expires"_s;
    return session.keys.isEmpty() ? u"holds_none"_s : u"holds"_s;
}

QStringList checksOf(const SessionRecord &session)
{
    return session.nodeChecks + session.serviceChecks;
}

/// Each made safe alone, so that a comma is what separates them.
QString joined(const QStringList &texts, int most)
{
    QStringList parts;
    int length = 0;
    for (const QString &text : texts) {
        parts += Format::safe(text, most);
        length += int(parts.constLast().size());
        if (length > most)
            break;
    }
    return Format::safe(parts.join(u", "_s), most);
}

} // namespace

SessionModel::SessionModel(const Clock &clock, QObject *parent) : RecordTable(parent), m_clock(clock) { }

void SessionModel::show(const ClusterSnapshot &snapshot)
{
    setHeard(snapshot.sessionsRead.answered);
    setRecords(snapshot.sessions);
}

void SessionModel::setHeard(std::optional<std::chrono::nanoseconds> instant)
{
    m_aliveAt = std::max(m_aliveAt, instant.value_or(m_aliveAt));
}

int SessionModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SessionModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const SessionRecord &session = *records()[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(session, index.column(), Format::CellLength);
    case FullTextRole:
        return text(session, index.column(), Format::DetailLength);
    case Qt::ToolTipRole:
        return toolTip(session, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() == Ttl || index.column() == LockDelay || index.column() == CreateIndex)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
        return sortValue(session, index.column());
    case ExportRole:
        return exported(session, index.column());
    case CountdownRole:
        return false;
    default:
        return roleOfRow(session, role);
    }
}

QVariant SessionModel::roleOfRow(const SessionRecord &session, int role) const
{
    switch (role) {
    case KeyRole:
        return session.id;
    case StateKindRole:
        return QVariant::fromValue(kindOf(session));
    case StateTagRole:
        return tagOf(session);
    case ProblemRole:
        return isOdd(session);
    case BatonRole:
        return session.name.startsWith("baton "_L1);
    case SearchRole:
        return QStringList{session.id, session.name, session.node, session.keys.join('\n'_L1)}.join('\n'_L1);
    case JsonRole:
        return json(session);
    default:
        return {};
    }
}

QStringList SessionModel::oddities(const SessionRecord &session)
{
    QStringList odd;
    if (session.neverExpires()) {
        odd += checksOf(session).isEmpty() ? tr("never expires, and no check ends it") : tr("never expires");
    }
    if (session.keys.size() > 1)
        odd += tr("holds several keys");
    if (session.lockDelay == 0ms)
        odd += tr("no lock-delay");
    if (session.lockDelay > LongestLockDelay)
        odd += tr("lock-delay above 60 s, applied as 60 s");
    if (session.deletesKeys)
        odd += tr("deletes its keys at its end");
    return odd;
}

bool SessionModel::isOdd(const SessionRecord &session)
{
    return session.neverExpires() || session.keys.size() > 1 || session.lockDelay == 0ms
        || session.lockDelay > LongestLockDelay || session.deletesKeys;
}

QStringList SessionModel::stateTags()
{
    return {u"holds"_s, u"holds_none"_s, u"never_expires"_s};
}

QString SessionModel::text(const SessionRecord &session, int column, int most) const
{
    switch (column) {
    case State:
        if (session.neverExpires())
            return tr("never expires");
        return session.keys.isEmpty() ? tr("holds none") : tr("holds %1").arg(session.keys.size());
    case Id:
        return most > Format::CellLength ? Format::safe(session.id, most) : Format::sessionId(session.id);
    case Name:
        return Format::safe(session.name, most);
    case Node:
        return Format::safe(session.node, most);
    case Keys:
        return joined(session.keys, most);
    case Created:
        return session.created.isExact() ? Format::since(session.created, m_clock)
                                         : Format::moment(session.created, m_clock);
    case Left:
        return leftText(session);
    case Ttl:
        return session.ttl ? Format::setting(*session.ttl) : tr("none");
    case LockDelay:
        return Format::setting(session.lockDelay);
    case Checks:
        return joined(checksOf(session), most);
    case Odd:
        return oddities(session).join(u", "_s);
    case CreateIndex:
        return Format::number(session.createIndex);
    default:
        return {};
    }
}

QString SessionModel::leftText(const SessionRecord &session) const
{
    if (session.neverExpires())
        return tr("never expires");
    const Nanoseconds left = m_aliveAt + ExpiryFactor * *session.ttl - m_clock.now();
    return tr("at most %1").arg(Format::age(std::chrono::ceil<std::chrono::seconds>(left)));
}

QVariant SessionModel::sortValue(const SessionRecord &session, int column) const
{
    switch (column) {
    case State:
        return session.neverExpires() ? qsizetype(-1) : session.keys.size();
    case Id:
        return session.id;
    case Name:
        return session.name;
    case Node:
        return session.node;
    case Keys:
        return session.keys.isEmpty() ? QString() : session.keys.constFirst();
    case Created:
    case CreateIndex:
        return session.createIndex;
    case Left: // All were read at the same time, so the TTL is what tells them apart.
    case Ttl:
        return qint64(session.ttl.value_or(Endless).count());
    case LockDelay:
        return qint64(session.lockDelay.count());
    case Checks:
        return checksOf(session).join(u", "_s);
    case Odd:
        return oddities(session).size();
    default:
        return {};
    }
}

QString SessionModel::exported(const SessionRecord &session, int column) const
{
    switch (column) {
    case State:
        return tagOf(session);
    case Id:
        return session.id;
    case Name:
        return session.name;
    case Node:
        return session.node;
    case Keys:
        return session.keys.join(u", "_s);
    case Created: // Of the others nobody knows.
        return session.created.isExact() ? isoText(session.created.by, m_clock) : QString();
    case Left:
        return session.ttl ? isoText(m_aliveAt + ExpiryFactor * *session.ttl, m_clock) : QString();
    case Ttl:
        return session.ttl ? secondsText(*session.ttl) : QString();
    case LockDelay:
        return secondsText(session.lockDelay);
    case Checks:
        return checksOf(session).join(u", "_s);
    case Odd:
        return oddities(session).join(u", "_s);
    case CreateIndex:
        return QString::number(session.createIndex);
    default:
        return {};
    }
}

QString SessionModel::toolTip(const SessionRecord &session, int column) const
{
    switch (column) {
    case State:
        return oddities(session).isEmpty() ? text(session, State, Format::DetailLength)
                                           : oddities(session).join(u"\n"_s);
    case Created:
        return Format::created(session.created, m_clock);
    case Left: {
        if (session.neverExpires())
            return tr("It has no TTL: nothing but its checks ends it.");
        const QDateTime goneBy = m_clock.date(m_aliveAt + ExpiryFactor * *session.ttl);
        return tr("Alive when last read; gone by %1 unless it is renewed. Consul tells nobody when it was.")
            .arg(Format::timeOfDay(goneBy, m_clock.date(m_clock.now())));
    }
    case Keys: {
        QStringList lines;
        for (const QString &key : session.keys)
            lines += Format::safe(key);
        return lines.join('\n'_L1);
    }
    default:
        return text(session, column, Format::DetailLength);
    }
}

QByteArray SessionModel::json(const SessionRecord &session) const
{
    const QJsonObject row{{u"id"_s, session.id},
                          {u"name"_s, session.name},
                          {u"node"_s, session.node},
                          {u"state"_s, tagOf(session)},
                          {u"keys"_s, QJsonArray::fromStringList(session.keys)},
                          {u"ttl_ms"_s, jsonMs(session.ttl)},
                          {u"lock_delay_ms"_s, qint64(session.lockDelay.count())},
                          {u"deletes_keys"_s, session.deletesKeys},
                          {u"node_checks"_s, QJsonArray::fromStringList(session.nodeChecks)},
                          {u"service_checks"_s, QJsonArray::fromStringList(session.serviceChecks)},
                          {u"created"_s, jsonTime(session.created, m_clock)},
                          {u"create_index"_s, jsonIndex(session.createIndex)}};
    return QJsonDocument(row).toJson(QJsonDocument::Compact);
}

QVariant SessionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Id:
        return tr("Session");
    case Name:
        return tr("Name");
    case Node:
        return tr("Node");
    case Keys:
        return tr("Holds");
    case Created:
        return tr("Created");
    case Left:
        return tr("Time left");
    case Ttl:
        return tr("TTL");
    case LockDelay:
        return tr("Lock-delay");
    case Checks:
        return tr("Checks");
    case Odd:
        return tr("Unusual");
    case CreateIndex:
        return tr("Create index");
    default:
        return {};
    }
}

} // namespace Baton::Monitor
