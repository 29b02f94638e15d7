// SPDX-License-Identifier: MIT
#include "clusterstate.h"

#include <Baton/clusterobserver.h>

#include <QtCore/QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

/* Reads to records. What has to be confirmed is in clusterstate_confirm.cpp, snapshots in
 * clusterstate_snapshot.cpp. */
namespace Baton::Observe {

namespace {

SessionRecord recordOf(const Wire::SessionInfo &info)
{
    SessionRecord record;
    record.id = info.id;
    record.name = info.name;
    record.node = info.node;
    record.ttl = info.ttl;
    record.lockDelay = info.lockDelay;
    record.deletesKeys = info.deletesKeys;
    record.nodeChecks = info.nodeChecks;
    record.serviceChecks = info.serviceChecks;
    record.createIndex = info.createIndex;
    return record;
}

/// The same but for what this observer adds.
bool isSame(const SessionRecord &record, const Wire::SessionInfo &info)
{
    return record.createIndex == info.createIndex && record.name == info.name && record.node == info.node
        && record.ttl == info.ttl && record.lockDelay == info.lockDelay
        && record.deletesKeys == info.deletesKeys && record.nodeChecks == info.nodeChecks
        && record.serviceChecks == info.serviceChecks;
}

} // namespace

ClusterState::ClusterState(const QStringList &prefixes)
    : m_keyTimes(std::size_t(prefixes.size())), m_probed(std::size_t(prefixes.size()), false)
{
    for (const QString &prefix : prefixes) {
        PrefixReport report;
        report.prefix = prefix;
        m_prefixes.push_back(report);
    }
}

bool ClusterState::isElection(const Wire::ListedKey &listed)
{
    return listed.entry.session || listed.entry.lockIndex > 0 || listed.key.endsWith("/leader"_L1);
}

void ClusterState::note(Provenance &read, const Wire::ListHeader &header, const ReadTimes &times,
                        const QString &what)
{
    if (header.index && read.index && *header.index < *read.index) {
        ObservedChange reset;
        reset.kind = ChangeKind::IndexReset;
        reset.at.by = times.answered.time_since_epoch();
        reset.evidence =
            u"the index of %1 fell from %2 to %3"_s.arg(what).arg(*read.index).arg(*header.index);
        tell(reset);
    }
    m_wallOffset = times.wallOffset;
    read.asked = times.asked.time_since_epoch();
    read.answered = times.answered.time_since_epoch();
    const auto wall = std::chrono::floor<std::chrono::milliseconds>(*read.answered + times.wallOffset);
    read.answeredAt = QDateTime::fromMSecsSinceEpoch(wall.count(), Qt::UTC);
    read.index = header.index;
    read.knownLeader = header.knownLeader;
    read.lastContact = header.lastContact;
    read.error = {};
    if (header.filtered)
        m_visible = Visibility::Some;
}

void ClusterState::keysRead(int prefix, const Wire::KeysListed &list, const ReadTimes &times)
{
    PrefixReport &report = m_prefixes[std::size_t(prefix)];
    auto &lastTimes = m_keyTimes[std::size_t(prefix)];
    const bool first = !lastTimes;
    const ObservedTime at = between(lastTimes, times);
    note(report.read, list.header, times, report.prefix);
    lastTimes = times;

    for (auto &[key, tracked] : m_elections) {
        if (tracked.prefix == prefix)
            tracked.missing = true;
    }
    report.otherKeys = 0;
    for (const Wire::ListedKey &listed : list.keys) {
        if (isElection(listed) || m_elections.contains(listed.key))
            fold(listed, prefix, at, first);
        else
            ++report.otherKeys;
    }
    for (auto &[key, tracked] : m_elections) {
        if (tracked.prefix != prefix || !tracked.missing)
            continue;
        // An absence proves something only where nothing is hidden; else the key is asked for by itself.
        if (m_visible == Visibility::Everything || !tracked.fold.record().exists) {
            tracked.missing = false;
            tracked.fold.absent(at, m_sessions, [this](const ObservedChange &change) { tell(change); });
        }
        tracked.touched = true;
    }
    if (!list.keys.isEmpty())
        report.visibility = m_visible;
    m_changed = true;
}

void ClusterState::fold(const Wire::ListedKey &listed, int prefix, const ObservedTime &at, bool first)
{
    auto found = m_elections.find(listed.key);
    if (found == m_elections.end()) {
        const ElectionFold fresh(listed.key, m_prefixes[std::size_t(prefix)].prefix);
        found = m_elections.emplace(listed.key, Tracked{fresh, prefix}).first;
    }
    Tracked &tracked = found->second;
    tracked.missing = false;
    tracked.touched = true;
    const QString holder = tracked.fold.record().leader.session;
    tracked.fold.seen(listed.entry, at, first, m_sessions,
                      [this](const ObservedChange &change) { tell(change); });
    if (holder != tracked.fold.record().leader.session)
        tracked.askAgain.reset();
}

void ClusterState::sessionsRead(const Wire::SessionsListed &list, const ReadTimes &times)
{
    const bool first = !m_sessionTimes;
    const ObservedTime at = between(m_sessionTimes, times);
    note(m_sessionsRead, list.header, times, u"the sessions"_s);
    m_sessionTimes = times;

    QSet<QString> present;
    present.reserve(list.sessions.size());
    for (const Wire::SessionInfo &info : list.sessions) {
        present.insert(info.id);
        noteSession(info, at, first);
    }
    QStringList vanished;
    for (auto it = m_sessions.listed.cbegin(); it != m_sessions.listed.cend(); ++it) {
        if (!present.contains(it.key()))
            vanished += it.key();
    }
    noteGone(vanished, at);
    m_sessions.known = true;
    settleAll(at);
    m_changed = true;
}

void ClusterState::noteSession(const Wire::SessionInfo &info, const ObservedTime &at, bool first)
{
    const auto known = m_sessions.listed.constFind(info.id);
    if (known != m_sessions.listed.cend() && isSame(**known, info))
        return;
    auto record = std::make_shared<SessionRecord>(recordOf(info));
    record->created = known != m_sessions.listed.cend() ? (*known)->created : at;
    if (known != m_sessions.listed.cend())
        record->keys = (*known)->keys;
    else
        ++m_sessionsOfNode[info.node];
    if (known == m_sessions.listed.cend() && !first) {
        ObservedChange appeared;
        appeared.kind = ChangeKind::SessionAppeared;
        appeared.at = at;
        appeared.session = info.id;
        appeared.leader = info.name.isEmpty() ? info.node : info.name;
        tell(appeared);
    }
    m_sessions.listed.insert(info.id, record);
    m_sessions.gone.remove(info.id);
}

void ClusterState::noteGone(const QStringList &ids, const ObservedTime &at)
{
    const auto now = at.by;
    m_sessions.gone.removeIf([now](const auto &entry) { return entry->at.by + GoneSessionsKept <= now; });
    for (const QString &id : ids) {
        const SessionPtr record = m_sessions.listed.take(id);
        --m_sessionsOfNode[record->node];
        m_sessions.gone.insert(id, {*record, at});
        ObservedChange gone;
        gone.kind = ChangeKind::SessionGone;
        gone.at = at;
        gone.session = id;
        gone.leader = record->name.isEmpty() ? record->node : record->name;
        tell(gone);
    }
}

void ClusterState::settleAll(const ObservedTime &at)
{
    for (auto &[key, tracked] : m_elections) {
        tracked.fold.settle(at, m_sessions, [this](const ObservedChange &change) { tell(change); });
        tracked.touched = true;
    }
}

void ClusterState::failed(ObservedPart part, int prefix, const ObserveError &error)
{
    Provenance &read = part == ObservedPart::Keys ? m_prefixes[std::size_t(prefix)].read : m_sessionsRead;
    read.error = error;
}

void ClusterState::handleTimeout(Core::Instant now)
{
    const auto instant = now.time_since_epoch();
    for (auto it = m_elections.begin(); it != m_elections.end();) {
        Tracked &tracked = it->second;
        const auto due = tracked.fold.nextTimeout();
        if (!due || *due > instant) {
            ++it;
            continue;
        }
        m_changed = true;
        if (tracked.fold.isForgotten(instant)) {
            ObservedChange removed;
            removed.kind = ChangeKind::ElectionRemoved;
            removed.at.by = instant;
            removed.key = it->first;
            tell(removed);
            it = m_elections.erase(it);
            continue;
        }
        ObservedTime at;
        at.by = instant;
        tracked.fold.settle(at, m_sessions, [this](const ObservedChange &change) { tell(change); });
        tracked.touched = true;
        ++it;
    }
}

/// Before the first snapshot nothing has moved: what is there was there. The end of a term is told once, with
/// what came to be known of it before it was told.
void ClusterState::tell(ObservedChange change)
{
    m_changed = true;
    if (m_last.number == 0)
        return;
    if (change.kind == ChangeKind::LeaderLost) {
        const auto told = std::ranges::find_if(m_changes, [&change](const ObservedChange &other) {
            return other.kind == ChangeKind::LeaderLost && other.key == change.key
                && other.session == change.session && other.token == change.token;
        });
        if (told != m_changes.end()) {
            told->end = change.end;
            told->evidence = change.evidence;
            return;
        }
        const auto &ended = m_toldEnds.constFind(change.key);
        if (ended != m_toldEnds.cend() && *ended == change.token)
            return;
        m_toldEnds.insert(change.key, change.token);
    }
    if (m_changes.size() >= ClusterObserver::MaxChanges) {
        ++m_changesDropped;
        return;
    }
    change.number = ++m_changeNumber;
    const auto wall = std::chrono::floor<std::chrono::milliseconds>(change.at.by + m_wallOffset);
    change.seenAt = QDateTime::fromMSecsSinceEpoch(wall.count(), Qt::UTC);
    m_changes.append(change);
}

} // namespace Baton::Observe
