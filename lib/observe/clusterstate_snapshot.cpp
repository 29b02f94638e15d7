// SPDX-License-Identifier: MIT
#include "clusterstate.h"

#include <algorithm>

/* Records to snapshots and deltas. */
namespace Baton::Observe {

bool ClusterState::isComplete(Core::Instant now) const
{
    // A prefix that Consul refuses is not waited for: it will not come by itself.
    const auto isSettled = [](const Provenance &read) {
        return read.answered || read.error.trouble == ObserveTrouble::Denied
            || read.error.trouble == ObserveTrouble::TooLarge;
    };
    const bool anything = m_sessionsRead.answered
        || std::ranges::any_of(m_prefixes,
                               [](const PrefixReport &report) { return report.read.answered.has_value(); });
    const bool read = anything && isSettled(m_sessionsRead)
        && std::ranges::all_of(m_prefixes,
                               [&](const PrefixReport &report) { return isSettled(report.read); });
    if (!read)
        return false;
    if (m_last.number > 0)
        return true;
    const auto latest = m_sessionsRead.answered.value_or(std::chrono::nanoseconds::zero());
    if (now.time_since_epoch() >= latest + FirstDoubts)
        return true;
    const bool asking = std::ranges::any_of(m_elections, [this](const Election &election) {
        return isDoubtful(election.second) && election.second.fold.doubt() != ElectionFold::HolderDoubt::Gone
            && election.second.fold.doubt() != ElectionFold::HolderDoubt::HiddenOrGone;
    });
    return m_visible != Visibility::Unknown && !asking;
}

std::optional<Core::Instant> ClusterState::nextTimeout() const
{
    std::optional<Core::Instant> next;
    const auto consider = [&next](Core::Instant instant) {
        next = std::min(next.value_or(instant), instant);
    };
    for (const auto &[key, tracked] : m_elections) {
        if (const auto due = tracked.fold.nextTimeout())
            consider(Core::Instant(*due));
        if (tracked.askAgain && isDoubtful(tracked))
            consider(*tracked.askAgain);
    }
    if (m_last.number == 0 && m_sessionsRead.answered)
        consider(Core::Instant(*m_sessionsRead.answered + FirstDoubts));
    return next;
}

/// Each session's record names the keys that it holds; those whose holdings changed are made anew.
void ClusterState::assignKeys()
{
    QHash<QString, QStringList> held;
    for (const auto &[key, tracked] : m_elections) {
        const ElectionRecord &record = tracked.fold.record();
        if (record.exists && record.isHeld())
            held[record.leader.session] += key;
    }
    for (SessionPtr &session : m_sessions.listed) {
        const auto keys = held.constFind(session->id);
        const bool none = keys == held.cend();
        if (none ? session->keys.isEmpty() : session->keys == *keys)
            continue;
        auto renewed = std::make_shared<SessionRecord>(*session);
        renewed->keys = none ? QStringList() : *keys;
        session = renewed;
    }
}

ClusterSnapshot ClusterState::takeSnapshot(Core::Instant now)
{
    assignKeys();
    ClusterSnapshot snapshot;
    snapshot.number = m_last.number + 1;
    snapshot.complete = true;
    snapshot.made = now.time_since_epoch();
    snapshot.wallOffset = m_wallOffset;
    snapshot.elections.reserve(qsizetype(m_elections.size()));
    for (auto &[key, tracked] : m_elections) {
        // The session's record may have been made anew although nothing of the election has moved.
        if (tracked.touched || !tracked.published
            || tracked.published->session != m_sessions.listed.value(tracked.published->leader.session)) {
            tracked.touched = false;
            ElectionRecord record = tracked.fold.record();
            if (record.session)
                record.session = m_sessions.listed.value(record.session->id);
            if (!tracked.published || *tracked.published != record)
                tracked.published = std::make_shared<const ElectionRecord>(std::move(record));
        }
        snapshot.elections.append(tracked.published);
    }
    snapshot.sessions = m_sessions.listed.values();
    std::ranges::sort(snapshot.sessions, {},
                      [](const SessionPtr &session) { return QStringView(session->id); });
    snapshot.sessionsRead = m_sessionsRead;
    snapshot.sessionsVisible = m_visible;
    snapshot.prefixes = QList<PrefixReport>(m_prefixes.begin(), m_prefixes.end());
    m_beforeLast = std::exchange(m_last, snapshot);
    m_changed = false;
    return snapshot;
}

ClusterDelta ClusterState::takeDelta()
{
    ClusterDelta delta = ClusterDelta::between(m_beforeLast, m_last);
    delta.changes = std::exchange(m_changes, {});
    delta.changesDropped = std::exchange(m_changesDropped, 0);
    return delta;
}

} // namespace Baton::Observe
