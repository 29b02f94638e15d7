// SPDX-License-Identifier: MIT
#pragma once

#include "models/electiontext.h"

namespace Baton::Monitor {

/*!
 * What the strip at the top says: the answer to "is anything without a leader or led twice, since when, can I
 * trust what I see, what moved last". Texts are translated and safe to show, as plain text.
 */
struct Verdict
{
    /// The worst thing that is the matter with any election.
    Concern concern = Concern::Fine;
    /// How the strip, the window's title and the tray icon are drawn; Stale while the data are not the
    /// present.
    StateKind kind = StateKind::Stale;
    /// One sentence: `1 of 12 elections has no leader`.
    QString sentence;
    /// The worst item: `invoice-worker: lock-delay, free in 1.0 to 1.3 s`; may be empty.
    QString worst;
    /// What moved last: `Last move: billing api-2 → api-5, vacant 15.1 s, as predicted`; may be empty.
    QString lastMove;
    /// The election to select; empty where there is none.
    QString key;
    /// How many elections have that concern, of how many that are shown.
    int affected = 0;
    int total = 0;

    /// worst and lastMove as one line.
    [[nodiscard]] QString secondLine() const;

    bool operator==(const Verdict &) const = default;
};

/*!
 * The verdict on \a snapshot at \a now, worst first: led twice, token fell, orphaned, vacant for longer than
 * predicted, lock-delay, vacant, at risk, hidden by ACL, never expires, all led. Of equal ones that which is
 * so for longest. Data that are not the present are judged as of their own time, and the sentence says so.
 *
 * Pure: the same arguments give the same verdict. Only times of day depend on the local time zone.
 */
[[nodiscard]] Verdict verdict(const ClusterSnapshot &snapshot, const ConnectionReport &connection,
                              Nanoseconds now, const CandidateClaims &claims = {});

/// What keeps Consul from answering, and what to do: two sentences for strip and error page. Empty where all
/// is well.
struct TroubleText
{
    QString cause;
    QString remedy;
    /// Technical detail: status, Consul's own words; safe to show.
    QString detail;

    bool operator==(const TroubleText &) const = default;
};
[[nodiscard]] TroubleText troubleText(const ObserveError &error);

} // namespace Baton::Monitor
