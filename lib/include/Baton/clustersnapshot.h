// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clusterrecords.h>

#include <QtCore/QDateTime>
#include <QtCore/QMetaType>

namespace Baton {

/// What went wrong, as a value. The texts are English and for logs; they never contain a token or a value.
struct BATON_EXPORT ObserveError
{
    ObserveTrouble trouble = ObserveTrouble::None;
    ObservedPart part = ObservedPart::Agent;
    /// The prefix or key that was asked for, where there was one.
    QString subject{};
    /// The HTTP status Consul answered with; 0 where no answer came.
    int status = 0;
    /// Consul's or the network layer's own words: one line, cut to a sane length, possibly empty.
    QString detail{};
    /// For Denied: the ACL rule to add.
    QString missingRule{};

    [[nodiscard]] bool isOk() const { return trouble == ObserveTrouble::None; }
    /// One English sentence that names what was asked for, the cause and the missing rule.
    [[nodiscard]] QString message() const;

    bool operator==(const ObserveError &) const = default;
};

/// Where a part of the snapshot comes from: the last answer that was used. Instants are those of bootTime().
struct Provenance
{
    /// Nothing: never answered.
    std::optional<std::chrono::nanoseconds> asked;
    std::optional<std::chrono::nanoseconds> answered;
    /// UTC by this machine's clock.
    QDateTime answeredAt;
    /// X-Consul-Index; nothing where it was missing or unusable.
    std::optional<quint64> index;
    /// X-Consul-Knownleader.
    bool knownLeader = false;
    /// X-Consul-Lastcontact.
    std::chrono::milliseconds lastContact{};
    Consistency consistency = Consistency::Default;
    /// What is wrong at present, if anything.
    ObserveError error;

    bool operator==(const Provenance &) const = default;
};

/// The keys under one prefix: where they come from and whether some may be hidden.
struct PrefixReport
{
    QString prefix;
    Provenance read;
    Visibility visibility = Visibility::Unknown;
    /// Keys under it that are no elections.
    int otherKeys = 0;

    bool operator==(const PrefixReport &) const = default;
};

/*!
 * What one Consul has, at one moment: an immutable value that is cheap to copy, usable from any thread.
 * Records that did not change are the same objects in the next snapshot, so comparing pointers finds the
 * changes.
 *
 * Sessions and each prefix are read apart, so they may be a few hundred milliseconds apart; the records are
 * made so that this shows as "not known yet", never as a false claim.
 */
struct BATON_EXPORT ClusterSnapshot
{
    /// Counts the snapshots of one observer; 0 is the empty one before the first read.
    quint64 number = 0;
    /// Everything was read at least once.
    bool complete = false;
    /// When it was made; an instant of bootTime().
    std::chrono::nanoseconds made{};
    /// UTC less bootTime() when it was made.
    std::chrono::nanoseconds wallOffset{};

    /// Sorted by key.
    QList<ElectionPtr> elections;
    /// Sorted by id.
    QList<SessionPtr> sessions;

    Provenance sessionsRead;
    /// Whether sessions may be hidden.
    Visibility sessionsVisible = Visibility::Unknown;
    /// In the order of ObserverOptions::prefixes.
    QList<PrefixReport> prefixes;

    /// Null where there is none.
    [[nodiscard]] ElectionPtr election(QStringView key) const;
    [[nodiscard]] SessionPtr session(QStringView id) const;
    /// An instant of bootTime() as a date, UTC. For display only: this machine's clock may be set meanwhile.
    [[nodiscard]] QDateTime wallTime(std::chrono::nanoseconds instant) const;
};

/// Something that moved, as a line of a journal. Which members are set follows from \c kind.
struct BATON_EXPORT ObservedChange
{
    ChangeKind kind = ChangeKind::StateChanged;
    /// Counts the changes of one observer, from 1.
    quint64 number = 0;
    ObservedTime at;
    /// UTC by this machine's clock, when it was seen.
    QDateTime seenAt;
    /// The lock key; empty for changes of sessions alone.
    QString key;
    QString session;
    /// The leader's instance, else the session's name or node, where known.
    QString leader;
    std::optional<quint64> token;
    /// How a term ended.
    TermEnd end = TermEnd::Running;
    /// The election's states before and after.
    std::optional<ElectionState> before;
    std::optional<ElectionState> after;
    /// What it rests on, one English line; may be empty.
    QString evidence;

    bool operator==(const ObservedChange &) const = default;
};

/*!
 * What differs between the snapshot given before and this one, by identity: keys of elections and ids of
 * sessions. Each is in at most one of the three lists, and all are sorted.
 */
struct BATON_EXPORT ClusterDelta
{
    QStringList electionsAdded;
    QStringList electionsChanged;
    QStringList electionsRemoved;
    QStringList sessionsAdded;
    QStringList sessionsChanged;
    QStringList sessionsRemoved;
    /// What happened in between, in order; also what came and went.
    QList<ObservedChange> changes;
    /// Changes that were too many to be kept.
    quint64 changesDropped = 0;

    /// No record differs.
    [[nodiscard]] bool isEmpty() const;
    /// What turns \a before into \a after; the changes are left to be filled in.
    [[nodiscard]] static ClusterDelta between(const ClusterSnapshot &before, const ClusterSnapshot &after);

    bool operator==(const ClusterDelta &) const = default;
};

/// How it stands between a ClusterObserver and its Consul.
struct BATON_EXPORT ConnectionReport
{
    ConnectionState state = ConnectionState::Idle;
    /// When the state began; an instant of bootTime().
    std::chrono::nanoseconds since{};
    /// The worst of what is wrong at present; may be set while Live, where only a part fails.
    ObserveError error;
    /// Some requests failed within the last minute, although others were answered.
    bool degraded = false;
    /// When the part that is behind most was answered; nothing before everything was.
    std::optional<std::chrono::nanoseconds> dataFrom;
    /// When the agent last answered anything.
    std::optional<std::chrono::nanoseconds> heard;
    /// The greatest index seen in an answer that is in use.
    quint64 index = 0;
    bool knownLeader = false;
    Consistency consistency = Consistency::Default;
    /// Requests that are under way, and so connections that are in use.
    int connections = 0;
    /// When what fails is tried again; an instant of bootTime().
    std::optional<std::chrono::nanoseconds> retryAt;

    bool operator==(const ConnectionReport &) const = default;
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::ObserveError)
Q_DECLARE_METATYPE(Baton::ClusterSnapshot)
Q_DECLARE_METATYPE(Baton::ClusterDelta)
Q_DECLARE_METATYPE(Baton::ConnectionReport)
