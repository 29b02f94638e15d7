// SPDX-License-Identifier: MIT
#pragma once

#include "observe/clusterstate.h"

#include <QtCore/QMap>

/// Reads of a cluster as they are handed to a ClusterState, and a plain map that they are made from.
namespace ObserveReads {

using namespace Baton;
using namespace Baton::Observe;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

inline Core::Instant at(std::chrono::nanoseconds time)
{
    return Core::Instant(time);
}

/// A read that was asked \a time after the beginning and took 2 ms.
inline ReadTimes readAt(std::chrono::nanoseconds time)
{
    return {at(time), at(time + 2ms), 0ns, 2ms};
}

inline QByteArray lockValue(const QString &session, const QString &instance, const QString &nonce = u"n1"_s)
{
    Core::LockValue value;
    value.instance = instance;
    value.host = u"host"_s;
    value.pid = 1;
    value.session = session;
    value.ttl = 10s;
    value.lockDelay = 9s;
    value.nonce = nonce;
    return value.toJson();
}

inline Wire::ListedKey key(const QString &name, quint64 index, const QString &session = {},
                           const QByteArray &value = {}, quint64 lockIndex = 1)
{
    Wire::KeyEntry entry;
    entry.createIndex = 1;
    entry.modifyIndex = index;
    entry.lockIndex = lockIndex;
    entry.session = session.isEmpty() ? std::nullopt : std::optional(session);
    entry.value = value;
    return {name, entry};
}

inline Wire::SessionInfo session(const QString &id, std::chrono::milliseconds lockDelay = 3s,
                                 std::optional<std::chrono::milliseconds> ttl = 10s)
{
    Wire::SessionInfo info;
    info.id = id;
    info.name = u"name of "_s + id;
    info.node = u"node"_s;
    info.ttl = ttl;
    info.lockDelay = lockDelay;
    info.createIndex = 5;
    return info;
}

inline Wire::ListHeader header(quint64 index = 100)
{
    return {index, true, 0ms, false};
}

/// A state that reads one prefix, `service/`, with the time in its hand.
struct World
{
    explicit World(bool aclsHide = false) { state.aclsKnown(aclsHide); }

    void sessions(const QList<Wire::SessionInfo> &list) { state.sessionsRead({header(), list}, readAt(now)); }
    void keys(const QList<Wire::ListedKey> &list, quint64 index = 100)
    {
        state.keysRead(0, {header(index), list}, readAt(now));
    }
    ClusterSnapshot take()
    {
        const ClusterSnapshot snapshot = state.takeSnapshot(at(now));
        delta = state.takeDelta();
        return snapshot;
    }
    /// The next question and its answer.
    void answer(const Wire::Reply &reply)
    {
        const auto request = state.wanted(at(now));
        if (request)
            state.confirmed(*request, reply, readAt(now));
    }
    [[nodiscard]] QList<ChangeKind> kinds() const
    {
        QList<ChangeKind> result;
        for (const ObservedChange &change : delta.changes)
            result += change.kind;
        return result;
    }

    ClusterState state{{u"service/"_s}};
    std::chrono::nanoseconds now = 1000s;
    ClusterDelta delta;
};

} // namespace ObserveReads
