// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <Baton/leaderinfo.h>

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>
#include <optional>

namespace Baton {

/*!
 * When something happened that was not seen itself, only its effect at the next look: after \c after and not
 * later than \c by. Both are instants of bootTime(); ClusterSnapshot::wallTime() turns them into dates. Where
 * \c after is unset it was there at the first look: show "seen >= ...".
 */
struct ObservedTime
{
    std::optional<std::chrono::nanoseconds> after;
    std::chrono::nanoseconds by{};

    /// It happened under the observer's eyes.
    [[nodiscard]] bool isExact() const { return after.has_value(); }

    bool operator==(const ObservedTime &) const = default;
};

/*!
 * A session of Consul, as it is listed. Consul keeps neither its age nor the time of its last renewal, so a
 * record says nothing of either. All that follows about its end: alive when the sessions were last read
 * (ClusterSnapshot::sessionsRead), and gone 2 x \c ttl later unless it is renewed.
 *
 * Texts come from whoever made the session: show them as plain text only.
 */
struct SessionRecord
{
    /// A UUID; the record's identity.
    QString id;
    QString name;
    QString node;
    /// Nothing: it never expires.
    std::optional<std::chrono::milliseconds> ttl;
    /// As it is listed. Consul applies at most 60 s.
    std::chrono::milliseconds lockDelay{};
    /// Keys that it holds are deleted at its end, not released.
    bool deletesKeys = false;
    QStringList nodeChecks;
    QStringList serviceChecks;
    /// Sort by this: it is the order in which sessions were made.
    quint64 createIndex = 0;
    ObservedTime created;
    /// Lock keys under the watched prefixes that it holds, sorted. There may be others.
    QStringList keys;

    /// Nothing ends it but its checks, or somebody.
    [[nodiscard]] bool neverExpires() const { return !ttl; }

    bool operator==(const SessionRecord &) const = default;
};

/// One leader's time, as far as it was seen.
struct TermRecord
{
    /// The session that held the lock.
    QString session;
    /// The leader's instance; else the session's name or its node, where they were known; else empty.
    QString leader;
    /// See ElectionRecord::token.
    quint64 token = 0;
    ObservedTime from;
    /// Nothing while it runs.
    std::optional<ObservedTime> to;
    TermEnd end = TermEnd::Running;
    /// What \c end rests on, one English line.
    QString evidence;

    bool operator==(const TermRecord &) const = default;
};

/// From when to when Consul refuses the lock, both ends with the little that is known of them.
struct LockDelayWindow
{
    /// When the session that held the lock vanished.
    ObservedTime began;
    /// As the session or the lock's value had it, at most 60 s.
    std::chrono::milliseconds length{};

    /// The lock is free no earlier than this.
    [[nodiscard]] std::chrono::nanoseconds earliestEnd() const
    {
        return began.after.value_or(began.by) + length;
    }
    /// ... and no later than this, unless a restarted server imposes the delay anew.
    [[nodiscard]] std::chrono::nanoseconds latestEnd() const { return began.by + length; }

    bool operator==(const LockDelayWindow &) const = default;
};

/*!
 * One election: a key under a watched prefix that carries a session, has carried one (`LockIndex` above 0),
 * or ends in `/leader`. It is kept for GoneKept after its key was deleted, as Vacant with \c exists false.
 *
 * It says what the store says: who holds the lock, not whether that process acts. What cannot be known is not
 * claimed: see ElectionState and Visibility. Texts come from whoever wrote the key: show them as plain text
 * only.
 */
struct ElectionRecord
{
    /// Past terms kept for an election.
    static constexpr int MaxHistory = 50;
    /// Bytes of a foreign value that are kept for display.
    static constexpr int MaxForeignValue = 512;

    /// The lock key; the record's identity.
    QString key;
    /// What stands between `service/` and `/leader`; else the key.
    QString name;
    /// The watched prefix under which it was found.
    QString prefix;
    ElectionState state = ElectionState::Vacant;
    /// What the state rests on, one English line; empty where the state says it all.
    QString evidence;
    /// When the state began.
    ObservedTime since;

    /// The key is in the store.
    bool exists = true;
    /// Who holds the lock, and what the value says where it is Baton's. Null where nobody does.
    LeaderInfo leader;
    /// The holder's session; null where nobody holds the lock, or that session is not listed (to us).
    std::shared_ptr<const SessionRecord> session;
    /// The value where it is not Baton's, cut to MaxForeignValue.
    QByteArray foreignValue;
    /// The application's own flags of the key.
    quint64 flags = 0;
    quint64 createIndex = 0;
    quint64 modifyIndex = 0;
    quint64 lockIndex = 0;

    /*!
     * The fencing token of the present term: ModifyIndex of the key as it was when the term was first seen,
     * or when the leader took the lock anew with another nonce. A later foreign write does not change it.
     * Nothing where nobody leads. Where the term was there at the first look and somebody wrote to the key
     * before, it is too great: \c tokenIsSure is false unless the value is Baton's own.
     */
    std::optional<quint64> token;
    bool tokenIsSure = false;
    /// The greatest token ever seen for this key.
    quint64 highestToken = 0;
    /// A term began with a token that is not greater than highestToken was: a resource that fences refuses
    /// it. Stays until the next term that is in order.
    bool tokenFell = false;
    /// Somebody wrote to the key under the present leader.
    bool foreignWrite = false;

    /// Set in ElectionState::LockDelay.
    std::optional<LockDelayWindow> lockDelay;
    /// The last term that ended, if one was seen.
    std::optional<TermRecord> previous;
    /// Terms that ended, oldest first, at most MaxHistory.
    QList<TermRecord> history;
    /// Terms that ended and are not in \c history any more.
    quint64 historyDropped = 0;

    /// Somebody holds the lock, whatever else is known of it.
    [[nodiscard]] bool isHeld() const { return !leader.isNull(); }

    bool operator==(const ElectionRecord &) const = default;
};

using SessionPtr = std::shared_ptr<const SessionRecord>;
using ElectionPtr = std::shared_ptr<const ElectionRecord>;

} // namespace Baton
