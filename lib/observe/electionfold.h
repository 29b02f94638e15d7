// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>
#include <consul/messages.h>
#include <core/instant.h>
#include <core/lockvalue.h>

#include <QtCore/QHash>

#include <functional>
#include <optional>

namespace Baton::Observe {

/// When an answer was asked for and when it came, on the boot clock.
struct ReadTimes
{
    Core::Instant asked;
    Core::Instant answered;
    /// UTC less boot time.
    std::chrono::nanoseconds wallOffset{};
    /// How long a question that is answered at once takes. A long poll tells what is true at its end, not
    /// when it was asked.
    Core::Duration slack{};

    /// What the answer says was true no earlier than this.
    [[nodiscard]] Core::Instant sampledAfter() const { return std::max(asked, answered - slack); }
};

/// Something that happened after \a previous was sampled, unless that is unset, and before \a now was.
[[nodiscard]] ObservedTime between(const std::optional<ReadTimes> &previous, const ReadTimes &now);

/// A session that is not listed any more.
struct GoneSession
{
    SessionRecord record;
    ObservedTime at;
};

/// What an election needs to know of sessions.
struct SessionBook
{
    QHash<QString, SessionPtr> listed;
    /// Those that vanished in the last few minutes.
    QHash<QString, GoneSession> gone;
    /// The list was read at least once.
    bool known = false;
};

/*!
 * One election as it is read again and again: turns what two reads of its key differ by into terms and
 * changes. Pure: no clock and no network; time comes with the reads.
 *
 * The term: it begins where a session is on the key that was not, where another one is, or where LockIndex
 * has grown (the same session let go and took the lock again, unseen). It ends where that session is not
 * there any more. How it ended is told from the value (Baton empties it on release) and from whether the
 * session is still listed; since sessions and keys are read apart, that may come a little later, and the
 * record is amended then.
 */
class ElectionFold
{
public:
    using Tell = std::function<void(ObservedChange change)>;

    ElectionFold(const QString &key, const QString &prefix);

    [[nodiscard]] const ElectionRecord &record() const { return m_record; }

    /// The key as read. \a first: there was no read before it, so nothing is known to have happened just now.
    void seen(const Wire::KeyEntry &entry, const ObservedTime &at, bool first, const SessionBook &sessions,
              const Tell &tell);
    /// The key is not in the store.
    void absent(const ObservedTime &at, const SessionBook &sessions, const Tell &tell);
    /// The key may not be read any more.
    void denied(const ObservedTime &at, const Tell &tell);
    /// The list of sessions was read anew at \a at, or time has passed.
    void settle(const ObservedTime &at, const SessionBook &sessions, const Tell &tell);

    /// What asking for the holder's session by itself has shown; nothing where it is to be asked.
    enum class HolderDoubt { None, Asked, HiddenOrGone, Gone };
    void setDoubt(HolderDoubt doubt) { m_doubt = doubt; }
    [[nodiscard]] HolderDoubt doubt() const { return m_doubt; }

    /// When the state changes by itself: the lock-delay ends, or a deleted key is forgotten.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> nextTimeout() const;
    /// Deleted for so long that it need not be kept.
    [[nodiscard]] bool isForgotten(std::chrono::nanoseconds now) const;

private:
    void beginTerm(const Wire::KeyEntry &entry, const ObservedTime &at, bool first,
                   const SessionBook &sessions, const Tell &tell);
    void endTerm(TermEnd end, const QString &evidence, const ObservedTime &at, const Tell &tell);
    void endByRead(const Wire::KeyEntry *entry, const ObservedTime &at, const SessionBook &sessions,
                   const Tell &tell);
    void continueTerm(const Wire::KeyEntry &entry, const ObservedTime &at, const Tell &tell);
    void amendEnd(const ObservedTime &at, const SessionBook &sessions, const Tell &tell);
    void delay(const GoneSession &gone);
    void enter(ElectionState state, const QString &evidence, const ObservedTime &at, const Tell &tell);
    void judge(const ObservedTime &at, const SessionBook &sessions, const Tell &tell);
    void noteName();
    [[nodiscard]] ObservedChange change(ChangeKind kind, const ObservedTime &at) const;

    ElectionRecord m_record;
    std::optional<Core::LockValue> m_value; ///< Of the present term, where it is Baton's.
    ObservedTime m_termFrom;
    QString m_leaderName; ///< Of the present term; its session may be gone before the key is read.
    QByteArray m_rawValue; ///< Of the last read, to notice a foreign write and a release.
    bool m_known = false; ///< There was a read.
    bool m_howIsOpen = false; ///< The last term ended, and the list of sessions has yet to tell how.
    HolderDoubt m_doubt = HolderDoubt::None;
};

} // namespace Baton::Observe
