// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>

/// Snapshots made by hand, for the tests of the dashboard's models.
namespace Baton::Monitor::Testing {

using Nanoseconds = std::chrono::nanoseconds;

/// UTC less boot time: instant 0 is 2026-11-30 14:00:00 UTC.
[[nodiscard]] Nanoseconds wallOffset();

/// Seen happening, between two reads 300 ms apart.
[[nodiscard]] ObservedTime seen(Nanoseconds by);
/// There at the first look.
[[nodiscard]] ObservedTime thereAt(Nanoseconds by);

[[nodiscard]] SessionRecord session(const QString &id, const QString &name = QStringLiteral("worker"));

/// An election of Baton, led by \a leader since \a since.
[[nodiscard]] ElectionRecord ledBy(const QString &name, const QString &leader, const ObservedTime &since);
/// One that nobody leads since \a since; \a leader led before, and its term ended as \a end says.
[[nodiscard]] ElectionRecord lostBy(const QString &name, const QString &leader, const ObservedTime &since,
                                    TermEnd end);
/// One that nobody ever led.
[[nodiscard]] ElectionRecord neverLed(const QString &name, const ObservedTime &since);
/// The term of \a leader that ended at \a to.
[[nodiscard]] TermRecord termOf(const QString &leader, const ObservedTime &to, TermEnd end);

/// Everything may be read, and was.
[[nodiscard]] ClusterSnapshot snapshotOf(const QList<ElectionRecord> &elections,
                                         const QList<SessionRecord> &sessions = {});
[[nodiscard]] ConnectionReport live(Nanoseconds at);
[[nodiscard]] ConnectionReport failing(ConnectionState state, ObserveTrouble trouble, Nanoseconds dataFrom);

} // namespace Baton::Monitor::Testing
