// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

namespace Baton::Monitor {
Q_NAMESPACE

/// How a state is drawn: the theme gives each its colour, glyph and pattern. A word always stands beside it.
enum class StateKind {
    Led,
    AtRisk,
    LockDelay,
    Vacant,
    Alarm, ///< Led twice, token fell, orphaned, vacant for longer than predicted.
    Refused,
    Accepted,
    NeverExpires,
    Hidden,
    Stale, ///< Not the present any more, or nothing known yet.
};
Q_ENUM_NS(StateKind)

} // namespace Baton::Monitor
