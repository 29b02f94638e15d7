// SPDX-License-Identifier: MIT
#pragma once

#include "views/glyph.h"

#include <QtCore/QString>

class QAction;
class QComboBox;
class QLabel;
class QLayout;
class QPushButton;
class QWidget;

/// Small parts that every page is put together from, so that they look and speak alike.
namespace Baton::Monitor {

/// The grid of all distances, in logical pixels.
inline constexpr int Grid = 8;
/// Nothing that can be hit is lower than this.
inline constexpr int HitHeight = 24;
inline constexpr int IconSide = 16;

/// A label that shows its text as it is, whatever it looks like.
[[nodiscard]] QLabel *plainLabel(const QString &text, QWidget *parent = nullptr);
/// ... in the colour of side notes.
[[nodiscard]] QLabel *mutedLabel(const QString &text, QWidget *parent = nullptr);
/// ... over as many lines as it needs.
[[nodiscard]] QLabel *wrappedLabel(const QString &text, QWidget *parent = nullptr);

/// Draws \a widget's text in \a role, also after the theme has changed.
void setTextRole(QWidget *widget, Role role);

/// \a text for a tool tip, which takes for mark-up whatever looks like it.
[[nodiscard]] QString toolTipText(const QString &text);

/// A button that does what \a action does, and looks as the action is: enabled, checked, with its text and
/// picture.
[[nodiscard]] QPushButton *actionButton(QAction *action, QWidget *parent);
/// ... without a frame, for use within text.
[[nodiscard]] QPushButton *linkButton(QAction *action, QWidget *parent);

/// A list to choose from, with an arrow of ours.
[[nodiscard]] QComboBox *choiceBox(QWidget *parent);

} // namespace Baton::Monitor
