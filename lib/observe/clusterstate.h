// SPDX-License-Identifier: MIT
#pragma once

#include "electionfold.h"

#include <Baton/clustersnapshot.h>
#include <consul/queries.h>

#include <map>
#include <vector>

namespace Baton::Observe {

/*!
 * All that is known of one Consul: takes answers in any order and makes snapshots and deltas of them. Pure:
 * no QObject, no clock, no network.
 *
 * It says by wanted() what has to be asked to tell apart what lists cannot tell: whether a key that is not
 * listed any more was deleted or hidden, whether a holder that is not listed exists, whether anything under a
 * prefix may be read. These questions are asked one after the other, and again after ConfirmAgain while the
 * doubt stays.
 */
class ClusterState
{
public:
    static constexpr std::chrono::seconds ConfirmAgain{30};
    /// The first snapshot waits no longer than this for the answers to such questions.
    static constexpr std::chrono::seconds FirstDoubts{2};
    /// Sessions that ended are remembered for this long, to tell how the terms of their keys ended.
    static constexpr std::chrono::minutes GoneSessionsKept{2};

    explicit ClusterState(const QStringList &prefixes);

    // What came:
    void sessionsRead(const Wire::SessionsListed &list, const ReadTimes &times);
    void keysRead(int prefix, const Wire::KeysListed &list, const ReadTimes &times);
    void aclsKnown(bool mayHide);
    /// A part was not answered, or refused. \a prefix: which, where part is Keys.
    void failed(ObservedPart part, int prefix, const ObserveError &error);
    /// The answer to what wanted() said.
    void confirmed(const Wire::Request &request, const Wire::Reply &reply, const ReadTimes &times);

    // What to do:
    [[nodiscard]] std::optional<Wire::Request> wanted(Core::Instant now);
    /// When wanted() or handleTimeout() may have something new.
    [[nodiscard]] std::optional<Core::Instant> nextTimeout() const;
    void handleTimeout(Core::Instant now);

    // What there is:
    /// Everything was read, and what was doubtful at the first look has been asked for.
    [[nodiscard]] bool isComplete(Core::Instant now) const;
    /// A snapshot that was taken now would differ from the last one.
    [[nodiscard]] bool isChanged() const { return m_changed; }
    [[nodiscard]] ClusterSnapshot takeSnapshot(Core::Instant now);
    /// From the snapshot before the last one taken to that; with the changes in between.
    [[nodiscard]] ClusterDelta takeDelta();
    /// As it is now, without the records: for a report.
    [[nodiscard]] const Provenance &sessionsProvenance() const { return m_sessionsRead; }
    [[nodiscard]] const std::vector<PrefixReport> &prefixReports() const { return m_prefixes; }

private:
    struct Tracked
    {
        ElectionFold fold;
        int prefix = 0;
        ElectionPtr published = nullptr;
        bool touched = true;
        bool missing = false; ///< Not listed any more, and not confirmed.
        std::optional<Core::Instant> askAgain = std::nullopt; ///< A doubt was asked about.
    };
    using Election = std::map<QString, Tracked>::value_type;

    static bool isElection(const Wire::ListedKey &listed);
    void note(Provenance &read, const Wire::ListHeader &header, const ReadTimes &times, const QString &what);
    void fold(const Wire::ListedKey &listed, int prefix, const ObservedTime &at, bool first);
    void noteSession(const Wire::SessionInfo &info, const ObservedTime &at, bool first);
    void noteGone(const QStringList &ids, const ObservedTime &at);
    void settleAll(const ObservedTime &at);
    void tell(ObservedChange change);
    void keyConfirmed(Tracked &tracked, const Wire::Reply &reply, const ObservedTime &at);
    void holderConfirmed(Tracked &tracked, const Wire::Reply &reply);
    [[nodiscard]] bool mayReadNodeOf(const QString &session) const;
    [[nodiscard]] bool isDoubtful(const Tracked &tracked) const;
    void assignKeys();

    std::map<QString, Tracked> m_elections;
    SessionBook m_sessions;
    QHash<QString, int> m_sessionsOfNode;
    Provenance m_sessionsRead;
    std::vector<PrefixReport> m_prefixes;
    std::vector<std::optional<ReadTimes>> m_keyTimes;
    std::optional<ReadTimes> m_sessionTimes;
    Visibility m_visible = Visibility::Unknown;
    std::optional<int> m_probing; ///< The prefix that is probed.
    std::vector<bool> m_probed;
    std::chrono::nanoseconds m_wallOffset{};

    ClusterSnapshot m_last;
    ClusterSnapshot m_beforeLast;
    QList<ObservedChange> m_changes;
    QHash<QString, std::optional<quint64>> m_toldEnds; ///< Token of the last term whose end was told, by key.
    quint64 m_changeNumber = 0;
    quint64 m_changesDropped = 0;
    bool m_changed = false;
};

} // namespace Baton::Observe
