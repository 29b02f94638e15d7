// SPDX-License-Identifier: MIT
#include <Baton/clustersnapshot.h>

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace Baton {
namespace {

// String-based queued connections look the types up by name, so they must be known before the first of them.
void registerSnapshotTypes()
{
    qRegisterMetaType<ObserveError>();
    qRegisterMetaType<ClusterSnapshot>();
    qRegisterMetaType<ClusterDelta>();
    qRegisterMetaType<ConnectionReport>();
}
Q_CONSTRUCTOR_FUNCTION(registerSnapshotTypes)

const QString &identity(const ElectionPtr &election)
{
    return election->key;
}
const QString &identity(const SessionPtr &session)
{
    return session->id;
}

template <typename Pointer>
Pointer find(const QList<Pointer> &sorted, QStringView wanted)
{
    const auto found = std::ranges::lower_bound(sorted, wanted, {},
                                                [](const Pointer &p) { return QStringView(identity(p)); });
    return found != sorted.end() && identity(*found) == wanted ? *found : nullptr;
}

/// Both lists are sorted, so one walk along the two finds everything. Equal pointers are equal records.
template <typename Pointer>
void compare(const QList<Pointer> &before, const QList<Pointer> &after, QStringList &added,
             QStringList &changed, QStringList &removed)
{
    auto was = before.begin();
    auto is = after.begin();
    while (was != before.end() || is != after.end()) {
        if (was == before.end() || (is != after.end() && identity(*is) < identity(*was))) {
            added += identity(*is++);
        } else if (is == after.end() || identity(*was) < identity(*is)) {
            removed += identity(*was++);
        } else {
            if (*was != *is && **was != **is)
                changed += identity(*is);
            ++was;
            ++is;
        }
    }
}

} // namespace

ElectionPtr ClusterSnapshot::election(QStringView key) const
{
    return find(elections, key);
}

SessionPtr ClusterSnapshot::session(QStringView id) const
{
    return find(sessions, id);
}

QDateTime ClusterSnapshot::wallTime(std::chrono::nanoseconds instant) const
{
    const auto utc = std::chrono::floor<std::chrono::milliseconds>(instant + wallOffset);
    return QDateTime::fromMSecsSinceEpoch(utc.count(), Qt::UTC);
}

bool ClusterDelta::isEmpty() const
{
    return electionsAdded.isEmpty() && electionsChanged.isEmpty() && electionsRemoved.isEmpty()
        && sessionsAdded.isEmpty() && sessionsChanged.isEmpty() && sessionsRemoved.isEmpty();
}

ClusterDelta ClusterDelta::between(const ClusterSnapshot &before, const ClusterSnapshot &after)
{
    ClusterDelta delta;
    compare(before.elections, after.elections, delta.electionsAdded, delta.electionsChanged,
            delta.electionsRemoved);
    compare(before.sessions, after.sessions, delta.sessionsAdded, delta.sessionsChanged,
            delta.sessionsRemoved);
    return delta;
}

} // namespace Baton
