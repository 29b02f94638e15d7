// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"
#include "models/statekind.h"

#include <Baton/clustersnapshot.h>

#include <QtCore/QSet>

namespace Baton::Monitor {

/// What there is to say about an election, from fine to worst: a verdict names the worst one.
enum class Concern {
    Fine, ///< Led.
    NeverExpires, ///< Its leader's session has no TTL.
    Hidden, ///< Key or holder may be hidden by an ACL.
    AtRisk, ///< Its leader says that its renewals fail.
    Vacant, ///< Nobody leads, and for no longer than predicted, or nobody knows for how long.
    LockDelay, ///< Nobody may lead yet.
    Overdue, ///< Nobody leads, for longer than predicted.
    Orphaned, ///< Its holder does not exist.
    TokenFell, ///< Its token is not greater than one before.
    LedTwice, ///< Two candidates say that they lead.
};

/// What candidates say of themselves over their feed; Consul cannot tell either. Empty without a feed.
struct CandidateClaims
{
    QSet<QString> ledTwice;
    QSet<QString> atRisk;
};

/// From when to when the next leader was to be expected, counted from the end of the term before as Consul
/// showed it.
struct VacancyBand
{
    std::chrono::milliseconds earliest{};
    std::chrono::milliseconds latest{};
};

/// How long nobody leads once Consul has freed the lock: what candidates of Baton need at most to notice and
/// to lock.
inline constexpr std::chrono::milliseconds TakeoverSlack{1'000};
/// ... and what those that use Consul's own lock library need: it looks again 5 s after a refusal.
inline constexpr std::chrono::milliseconds ForeignTakeoverSlack{6'000};

/*!
 * What is the matter with \a election at \a now. Never claims that nobody leads where the key is missing and
 * an ACL may hide it (\a keys is the visibility of its prefix).
 *
 * A vacancy is Overdue only where its beginning was seen, and only once TakeoverSlack has passed since Consul
 * would have given the lock again: 36 s after a SIGKILL with TTL 10 s and lock-delay 15 s.
 */
[[nodiscard]] Concern concernOf(const ElectionRecord &election, Visibility keys, Nanoseconds now,
                                const CandidateClaims &claims = {});
[[nodiscard]] StateKind stateKind(Concern concern);
/// Worth a look: shown by the quick filter "Problems".
[[nodiscard]] bool isProblem(Concern concern);
/// Worth a notice.
[[nodiscard]] bool isAlarm(Concern concern);
/// The untranslated word: that of ElectionState, or "overdue", "token_fell", "led_twice", "at_risk".
[[nodiscard]] QString stateTag(Concern concern);
/// All of them.
[[nodiscard]] QStringList stateTags();

/// A few words for the State column: `led`, `delay 1.3 s`, `vacant`, `hidden (ACL)`.
[[nodiscard]] QString stateText(const ElectionRecord &election, Concern concern, Nanoseconds now);
/// The same as a sentence, for verdict, tool tip and details: `lock-delay, free in 1.0 to 1.3 s`. Safe to
/// show.
[[nodiscard]] QString stateSentence(const ElectionRecord &election, Concern concern, Nanoseconds now);
/// The Leader column: `api-5  node-7 pid 4242`, `"legacy text value"`, `(none)  was worker-1`. Safe to show.
[[nodiscard]] QString leaderText(const ElectionRecord &election, int most = 120);
/// The leader's shortest name: instance, else session's name, node, or session id; empty where nobody leads.
/// As it is in Consul: make it safe before showing it.
[[nodiscard]] QString leaderName(const ElectionRecord &election);
/// Likewise, of a term that ended.
[[nodiscard]] QString leaderName(const TermRecord &term);
/// How a term ended, in words: `released`, `session ended`, `released or session ended`.
[[nodiscard]] QString endText(TermEnd end);

/// The band of the vacancy before the present term. The lock-delay is taken to be that of the present holder,
/// since candidates of one election have the same settings. Nothing where it cannot be told.
[[nodiscard]] std::optional<VacancyBand> vacancyBand(const ElectionRecord &election);
/// How long nobody led before the present term: least and most. Nothing where that was not seen.
[[nodiscard]] std::optional<VacancyBand> vacancy(const ElectionRecord &election);

/// How what was seen stands to what was predicted.
enum class PredictionFit { Unknown, InBand, Longer, Shorter };

/// The last time that leadership moved, as far as Consul shows it: from the end of a term to the next one.
/// Its origin is not the leader's last renewal, which nobody but the candidate knows.
struct FailoverSummary
{
    VacancyBand seen;
    /// The figure to show: the middle of what is possible, or the most where it may have been no time at all.
    std::chrono::milliseconds length{};
    bool isUpperBound = false;
    std::optional<VacancyBand> predicted;
    PredictionFit fit = PredictionFit::Unknown;
};
[[nodiscard]] std::optional<FailoverSummary> lastFailover(const ElectionRecord &election);
/// `as predicted`, `longer than predicted`; empty for Unknown.
[[nodiscard]] QString fitText(PredictionFit fit);
/// The Last failover column: `vacant 15.1 s  as predicted`, `vacant ≤ 0.3 s  as predicted`; empty for none.
[[nodiscard]] QString failoverText(const ElectionRecord &election);

/// Visibility of the prefix that \a election was found under.
[[nodiscard]] Visibility visibilityOf(const QList<PrefixReport> &prefixes, const ElectionRecord &election);

} // namespace Baton::Monitor
