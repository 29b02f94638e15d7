// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"

#include <QtCore/QList>
#include <QtCore/QObject>

#include <optional>

namespace Baton::Monitor {

/// A stretch of time; instants of Clock. Never empty.
struct TimeRange
{
    Nanoseconds from{};
    Nanoseconds to{};

    [[nodiscard]] Nanoseconds span() const { return to - from; }
    [[nodiscard]] bool contains(Nanoseconds instant) const { return from <= instant && instant <= to; }

    bool operator==(const TimeRange &) const = default;
};

/*!
 * The visible stretch of time, for all pages, with an undo stack. While it follows now its end is the clock's
 * now, and range() moves by itself without a signal: pages ask for it when they paint. Panning or zooming
 * into the past stops that; going to now begins it again.
 *
 * Steps of one gesture (a wheel, a drag) that come within Gesture of each other are one step of undo.
 */
class TimeWindow : public QObject
{
    Q_OBJECT
    Q_PROPERTY(bool following READ isFollowing WRITE setFollowing NOTIFY changed)
    Q_PROPERTY(bool canUndo READ canUndo NOTIFY changed)
public:
    static constexpr std::chrono::milliseconds LeastSpan{10};
    static constexpr std::chrono::hours MostSpan{30 * 24};
    static constexpr std::chrono::minutes FirstSpan{10};
    static constexpr std::chrono::milliseconds Gesture{500};
    static constexpr int MaxUndo = 100;

    /// Follows now with FirstSpan. \a clock must outlive it.
    explicit TimeWindow(const Clock &clock, QObject *parent = nullptr);

    [[nodiscard]] TimeRange range() const;
    /// Shows \a range; ends that are the wrong way round are swapped, spans clamped.
    void setRange(TimeRange range);
    /// Makes the span \a factor times as long, with \a anchor at its place; at the end while it follows now.
    void zoom(double factor, Nanoseconds anchor);
    /// Moves by \a distance, not beyond now.
    void pan(Nanoseconds distance);

    [[nodiscard]] bool isFollowing() const { return m_state.following; }
    void setFollowing(bool following);

    [[nodiscard]] bool canUndo() const { return !m_undo.isEmpty(); }
    [[nodiscard]] bool canRedo() const { return !m_redo.isEmpty(); }

public Q_SLOTS:
    void undo();
    void redo();

Q_SIGNALS:
    /// Another range, another following, or another undo stack.
    void changed();

private:
    struct State
    {
        TimeRange range;
        bool following = true;

        bool operator==(const State &) const = default;
    };
    enum class Step { Single, Gesture };

    void go(State next, Step step);
    [[nodiscard]] State present() const;

    const Clock &m_clock;
    State m_state;
    QList<State> m_undo;
    QList<State> m_redo;
    std::optional<Nanoseconds> m_gestureAt;
};

} // namespace Baton::Monitor
