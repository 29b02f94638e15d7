// SPDX-License-Identifier: MIT
#include "records.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Monitor::Testing {

Nanoseconds wallOffset()
{
    const QDateTime start(QDate(2026, 11, 30), QTime(14, 0), QTimeZone::utc());
    return std::chrono::milliseconds(start.toMSecsSinceEpoch());
}

ObservedTime seen(Nanoseconds by)
{
    return {.after = by - 300ms, .by = by};
}

ObservedTime thereAt(Nanoseconds by)
{
    return {.after = std::nullopt, .by = by};
}

SessionRecord session(const QString &id, const QString &name)
{
    SessionRecord record;
    record.id = id;
    record.name = name;
    record.node = u"node-3"_s;
    record.ttl = 10s;
    record.lockDelay = 15s;
    record.createIndex = 100;
    return record;
}

static ElectionRecord electionNamed(const QString &name, const ObservedTime &since)
{
    ElectionRecord record;
    record.key = u"service/%1/leader"_s.arg(name);
    record.name = name;
    record.prefix = u"service/"_s;
    record.since = since;
    record.leader.key = record.key;
    return record;
}

ElectionRecord ledBy(const QString &name, const QString &leader, const ObservedTime &since)
{
    ElectionRecord record = electionNamed(name, since);
    record.state = ElectionState::Led;
    record.leader.session = u"3f1c02aa-0000-4000-8000-00000000%1"_s.arg(9000 + qHash(leader) % 999);
    record.leader.instance = leader;
    record.leader.isBaton = true;
    record.leader.ttl = 10s;
    record.leader.lockDelay = 15s;
    record.session = std::make_shared<const SessionRecord>(session(record.leader.session));
    record.token = 1204;
    record.tokenIsSure = true;
    record.highestToken = 1204;
    return record;
}

ElectionRecord lostBy(const QString &name, const QString &leader, const ObservedTime &since, TermEnd end)
{
    ElectionRecord record = electionNamed(name, since);
    record.state = ElectionState::Vacant;
    record.highestToken = 1204;
    record.previous = termOf(leader, since, end);
    return record;
}

ElectionRecord neverLed(const QString &name, const ObservedTime &since)
{
    return electionNamed(name, since);
}

TermRecord termOf(const QString &leader, const ObservedTime &to, TermEnd end)
{
    TermRecord term;
    term.session = u"9a8b7c6d-0000-4000-8000-000000000001"_s;
    term.leader = leader;
    term.token = 1190;
    term.to = to;
    term.end = end;
    return term;
}

ClusterSnapshot snapshotOf(const QList<ElectionRecord> &elections, const QList<SessionRecord> &sessions)
{
    ClusterSnapshot snapshot;
    snapshot.number = 1;
    snapshot.complete = true;
    snapshot.wallOffset = wallOffset();
    for (const ElectionRecord &election : elections)
        snapshot.elections.append(std::make_shared<const ElectionRecord>(election));
    for (const SessionRecord &record : sessions)
        snapshot.sessions.append(std::make_shared<const SessionRecord>(record));
    std::sort(snapshot.elections.begin(), snapshot.elections.end(),
              [](const ElectionPtr &a, const ElectionPtr &b) { return a->key < b->key; });
    std::sort(snapshot.sessions.begin(), snapshot.sessions.end(),
              [](const SessionPtr &a, const SessionPtr &b) { return a->id < b->id; });
    PrefixReport prefix;
    prefix.prefix = u"service/"_s;
    prefix.visibility = Visibility::Everything;
    snapshot.prefixes.append(prefix);
    snapshot.sessionsVisible = Visibility::Everything;
    return snapshot;
}

ConnectionReport live(Nanoseconds at)
{
    ConnectionReport report;
    report.state = ConnectionState::Live;
    report.dataFrom = at;
    report.heard = at;
    report.knownLeader = true;
    return report;
}

ConnectionReport failing(ConnectionState state, ObserveTrouble trouble, Nanoseconds dataFrom)
{
    ConnectionReport report;
    report.state = state;
    report.error.trouble = trouble;
    report.dataFrom = dataFrom;
    return report;
}

} // namespace Baton::Monitor::Testing
