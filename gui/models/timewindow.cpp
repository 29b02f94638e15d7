// SPDX-License-Identifier: MIT
#include "models/timewindow.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace Baton::Monitor {
namespace {

Nanoseconds clamped(Nanoseconds span)
{
    return std::clamp(span, Nanoseconds(TimeWindow::LeastSpan), Nanoseconds(TimeWindow::MostSpan));
}

} // namespace

TimeWindow::TimeWindow(const Clock &clock, QObject *parent)
    : QObject(parent), m_clock(clock), m_state{{clock.now() - FirstSpan, clock.now()}, true}
{
}

TimeRange TimeWindow::range() const
{
    if (!m_state.following)
        return m_state.range;
    const Nanoseconds now = m_clock.now();
    return {now - m_state.range.span(), now};
}

TimeWindow::State TimeWindow::present() const
{
    return {range(), m_state.following};
}

void TimeWindow::setRange(TimeRange range)
{
    if (range.from > range.to)
        std::swap(range.from, range.to);
    // Around the middle, so that what is looked at stays in sight.
    const Nanoseconds middle = range.from + range.span() / 2;
    const Nanoseconds span = clamped(range.span());
    if (span != range.span())
        range = {middle - span / 2, middle - span / 2 + span};
    go({range, false}, Step::Single);
}

void TimeWindow::zoom(double factor, Nanoseconds anchor)
{
    if (!std::isfinite(factor) || factor <= 0)
        return;
    const TimeRange old = range();
    const double wanted =
        std::min(double(old.span().count()) * factor, double(Nanoseconds(MostSpan).count()));
    const Nanoseconds span = clamped(Nanoseconds(qint64(wanted)));
    if (m_state.following) {
        go({{old.to - span, old.to}, true}, Step::Gesture);
        return;
    }
    const double place = double((anchor - old.from).count()) / double(old.span().count());
    const Nanoseconds from = anchor - Nanoseconds(qint64(place * double(span.count())));
    go({{from, from + span}, false}, Step::Gesture);
}

void TimeWindow::pan(Nanoseconds distance)
{
    const TimeRange old = range();
    const Nanoseconds now = m_clock.now();
    const Nanoseconds to = old.to + distance;
    if (distance > Nanoseconds(0) && to >= now)
        go({{now - old.span(), now}, true}, Step::Gesture);
    else if (distance != Nanoseconds(0))
        go({{to - old.span(), to}, false}, Step::Gesture);
}

void TimeWindow::setFollowing(bool following)
{
    if (following != m_state.following)
        go({range(), following}, Step::Single);
}

void TimeWindow::go(State next, Step step)
{
    if (next.following == m_state.following && next.range == range())
        return;
    // Frozen data do not stop the user's hand.
    const Nanoseconds at = m_clock.running();
    const bool sameGesture = step == Step::Gesture && m_gestureAt && at - *m_gestureAt < Gesture;
    if (!sameGesture) {
        m_undo.append(present());
        if (m_undo.size() > MaxUndo)
            m_undo.removeFirst();
    }
    m_redo.clear();
    m_gestureAt = step == Step::Gesture ? std::optional(at) : std::nullopt;
    m_state = next;
    Q_EMIT changed();
}

void TimeWindow::undo()
{
    if (m_undo.isEmpty())
        return;
    m_redo.append(present());
    m_state = m_undo.takeLast();
    m_gestureAt.reset();
    Q_EMIT changed();
}

void TimeWindow::redo()
{
    if (m_redo.isEmpty())
        return;
    m_undo.append(present());
    m_state = m_redo.takeLast();
    m_gestureAt.reset();
    Q_EMIT changed();
}

} // namespace Baton::Monitor
