// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton_global.h>

#include <QtCore/QDateTime>
#include <QtCore/QMap>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace Baton {

/*!
 * Who leads, as the lock key said when it was last read. It is a report, not a promise: the leader it names
 * may have stood down since, and no decision about the resource may rest on it.
 *
 * What the key's value says (instance, host, pid, version, since, ttl, lockDelay, metadata) is the leader's
 * own word. It is there only where \c isBaton is true: a lock held by another program has a session and an
 * index, nothing more.
 *
 * \c since is wall-clock time of the leader's machine, for display only.
 *
 * \code
 * QObject::connect(&provider, &Baton::LeaseProvider::leaderChanged, [](const Baton::LeaderInfo &leader) {
 *     qInfo("%s", leader.isNull() ? "nobody leads" : qUtf8Printable(leader.instance));
 * });
 * \endcode
 *
 * A value: cheap to copy, usable from any thread. Texts are as somebody wrote them into the key, so a program
 * that shows them does so as plain text.
 *
 * Pinned by tst_lockvalue.
 */
struct BATON_EXPORT LeaderInfo
{
    /// The lock key this is about.
    QString key;
    /// The session that holds the lock; empty where nobody leads.
    QString session;
    /// The key's ModifyIndex: while the leader's program is Baton and nobody else writes to the key, its
    /// fencing token.
    quint64 index = 0;
    /// The value follows Baton's contract and names the session that holds the lock.
    bool isBaton = false;

    /// LeaseOptions::instanceId of the leader.
    QString instance;
    /// Name of the leader's machine.
    QString host;
    /// Process id on that machine.
    std::optional<qint64> pid;
    /// Version of Baton that the leader runs.
    QString version;
    /// When the term began, UTC.
    QDateTime since;
    /// TTL of the leader's session as it asked for it.
    std::optional<std::chrono::milliseconds> ttl;
    /// Lock-delay of the leader's session as it asked for it.
    std::optional<std::chrono::milliseconds> lockDelay;
    /// LeaseOptions::metadata of the leader.
    QMap<QString, QString> metadata;

    /// Nobody leads.
    [[nodiscard]] bool isNull() const { return session.isEmpty(); }

    bool operator==(const LeaderInfo &) const = default;
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::LeaderInfo)
