// SPDX-License-Identifier: MIT
#pragma once

#include "theme.h"

#include <QtGui/QIcon>

class QPainter;

namespace Baton::Monitor {

/// What is drawn as paths: the states, and the pictures of controls. Never characters of a font, which may
/// lack them.
enum class Glyph {
    Led, ///< Filled disc.
    AtRisk, ///< Disc with a notch.
    LockDelay, ///< A quarter of a clock.
    Vacant, ///< Ring.
    Alarm, ///< Triangle with an exclamation mark.
    Refused, ///< Cross.
    Accepted, ///< Dot.
    NeverExpires, ///< Infinity.
    Hidden, ///< Crossed eye.
    Stale, ///< Dashed ring.
    Overview,
    Sessions,
    Journal,
    Menu,
    Pause,
    Resume,
    Locked,
    Unlocked,
    Help,
    Connect,
    Columns,
    Export,
    Search,
    ChevronRight,
    ChevronDown,
};

/// Draws \a glyph into the square that fits into \a where.
void paintGlyph(QPainter *painter, const QRectF &where, Glyph glyph, const QColor &color);

/// The role whose colour a glyph of a state has; Role::Text for the others.
[[nodiscard]] Role roleOf(Glyph glyph);

/// A picture for a control that follows the theme by itself.
[[nodiscard]] QIcon glyphIcon(Glyph glyph);
/// The same in one role's colour, also in menus.
[[nodiscard]] QIcon glyphIcon(Glyph glyph, Role role);

/// The program's own picture: a relay baton.
[[nodiscard]] QIcon applicationIcon();

} // namespace Baton::Monitor
