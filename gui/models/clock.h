// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDateTime>

#include <chrono>
#include <functional>

namespace Baton::Monitor {

using Nanoseconds = std::chrono::nanoseconds;

/*!
 * The one "now" of a window: an instant of Baton::bootTime(), which models and pages compute ages and
 * countdowns from. It can be frozen, because a countdown that runs on over stale data is worse than none.
 *
 * One thread. Owned by the window; it outlives the models that refer to it.
 */
class Clock
{
public:
    using Source = std::function<Nanoseconds()>;

    /// Reads bootTime() unless a test brings its own source.
    explicit Clock(Source source = {});

    /// The instant at which it was frozen, else the present one.
    [[nodiscard]] Nanoseconds now() const;
    /// The present instant, frozen or not.
    [[nodiscard]] Nanoseconds running() const { return m_source(); }

    /// Stops at \a instant: that of the newest data (ConnectionReport::dataFrom).
    void freeze(Nanoseconds instant);
    void thaw();
    [[nodiscard]] bool isFrozen() const { return m_frozen; }

    /// UTC less boot time, as the newest snapshot has it (ClusterSnapshot::wallOffset).
    [[nodiscard]] Nanoseconds wallOffset() const { return m_wallOffset; }
    void setWallOffset(Nanoseconds offset) { m_wallOffset = offset; }

    /// \a instant as a date in local time. For display only: this machine's clock may be set meanwhile.
    [[nodiscard]] QDateTime date(Nanoseconds instant) const;
    /// The instant at which this machine's clock showed \a date, also before this boot (negative).
    [[nodiscard]] Nanoseconds instant(const QDateTime &date) const;

private:
    Source m_source;
    Nanoseconds m_frozenAt{};
    Nanoseconds m_wallOffset{};
    bool m_frozen = false;
};

} // namespace Baton::Monitor
