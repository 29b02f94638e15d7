// SPDX-License-Identifier: MIT
#include "electiontext.h"

#include "commandline.h"

#include <Baton/boottime.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
/// Of a text that others wrote, in a table.
constexpr qsizetype MaxShown = 40;

QString shown(const QString &text)
{
    const QString line = printable(text);
    return line.size() > MaxShown ? line.first(MaxShown - 3) + "..."_L1 : line;
}

QString sinceText(const ElectionRecord &election, const ClusterSnapshot &snapshot)
{
    const QString at = snapshot.wallTime(election.since.by).toString(Qt::ISODate);
    return election.since.isExact() ? at : u"before "_s + at;
}

std::chrono::milliseconds leftOf(const LockDelayWindow &window)
{
    const auto left = std::max(window.latestEnd() - bootTime(), std::chrono::nanoseconds::zero());
    return std::chrono::ceil<std::chrono::milliseconds>(left);
}

QString stateText(const ElectionRecord &election)
{
    const QString state = tag(election.state);
    return election.lockDelay
        ? u"%1 %2s"_s.arg(state).arg(double(leftOf(*election.lockDelay).count()) / 1000, 0, 'f', 1)
        : state;
}

QString padded(const QStringList &cells, const QList<qsizetype> &widths)
{
    QString line;
    for (qsizetype i = 0; i < cells.size(); ++i)
        line += i + 1 < cells.size() ? cells[i].leftJustified(widths[i] + 2) : cells[i];
    return line + u'\n';
}
} // namespace

QString leaderText(const ElectionRecord &election)
{
    if (!election.isHeld())
        return u"-"_s;
    if (election.leader.isBaton && !election.leader.instance.isEmpty())
        return shown(election.leader.instance);
    if (election.session && !election.session->name.isEmpty())
        return shown(election.session->name);
    if (election.session)
        return shown(election.session->node);
    return election.foreignValue.isEmpty() ? u"?"_s : shown(QString::fromUtf8(election.foreignValue));
}

void addElection(EventLine &line, const ElectionRecord &election, const ClusterSnapshot &snapshot)
{
    line.add("key", election.key).add("name", election.name).add("state", tag(election.state));
    if (!election.evidence.isEmpty())
        line.add("detail", election.evidence);
    line.add("since", snapshot.wallTime(election.since.by).toString(Qt::ISODateWithMs))
        .add("since_exact", election.since.isExact());
    if (election.token)
        line.add("token", *election.token).add("token_sure", election.tokenIsSure);
    if (election.isHeld()) {
        line.add("session", election.leader.session).add("baton", election.leader.isBaton);
        line.add("leader", leaderText(election));
    }
    if (election.session) {
        line.add("node", election.session->node);
        if (election.session->ttl)
            line.add("ttl_ms", qint64(election.session->ttl->count()));
        line.add("lock_delay_ms", qint64(election.session->lockDelay.count()));
    }
    if (election.lockDelay)
        line.add("free_in_ms", qint64(leftOf(*election.lockDelay).count()));
    if (!election.foreignValue.isEmpty())
        line.add("value", QString::fromUtf8(election.foreignValue));
    if (election.tokenFell)
        line.add("token_fell", true);
    if (election.previous)
        line.add("previous", election.previous->leader).add("previous_end", tag(election.previous->end));
}

QString electionTable(const ClusterSnapshot &snapshot)
{
    QList<QStringList> rows = {{u"STATE"_s, u"ELECTION"_s, u"LEADER"_s, u"TOKEN"_s, u"SINCE"_s}};
    for (const ElectionPtr &election : snapshot.elections)
        rows.append({stateText(*election), shown(election->name), leaderText(*election),
                     election->token ? QString::number(*election->token) : u"-"_s,
                     sinceText(*election, snapshot)});
    QList<qsizetype> widths(rows.first().size());
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QString table;
    for (const QStringList &row : rows)
        table += padded(row, widths);
    return table;
}

QString changeText(const ObservedChange &change)
{
    QString line = change.seenAt.toString(Qt::ISODateWithMs) + u"  "_s + tag(change.kind);
    if (!change.key.isEmpty())
        line += u"  "_s + printable(change.key);
    if (change.end != TermEnd::Running)
        line += u"  "_s + tag(change.end);
    if (change.kind == ChangeKind::StateChanged && change.before && change.after)
        line += u"  %1 -> %2"_s.arg(tag(*change.before), tag(*change.after));
    if (!change.leader.isEmpty())
        line += u"  "_s + shown(change.leader);
    if (change.token)
        line += u"  token %1"_s.arg(*change.token);
    if (!change.session.isEmpty())
        line += u"  session "_s + printable(change.session);
    return change.evidence.isEmpty() ? line : line + u"  ("_s + printable(change.evidence) + u')';
}

} // namespace Baton::Tools
