// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtGui/QColor>
#include <QtGui/QFont>
#include <QtGui/QPalette>

namespace Baton::Monitor {

/// What a colour says. Red is Role::Alarm and nothing else.
enum class Role {
    Canvas,
    Panel,
    Line,
    Text,
    Muted,
    Selection,
    Band, ///< Behind a measured time: what was predicted.
    Led,
    LockDelay,
    Vacant,
    Alarm,
    Refused, ///< A stale write that was refused: good news, so never red.
    Accepted,
};

enum class Shade { Light, Dark };
enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] QColor themeColor(Role role, Shade shade);
/// Text on a bar that is filled with \a bar.
[[nodiscard]] QColor barTextColor(Role bar, Shade shade);
[[nodiscard]] QPalette themePalette(Shade shade);

/// Which shade a widget with this palette is drawn in.
[[nodiscard]] Shade shadeOf(const QPalette &palette);
/// The colour of \a role for a widget with this palette.
[[nodiscard]] QColor colorFor(Role role, const QPalette &palette);

/// Side notes: 0.92 of the body's size.
[[nodiscard]] QFont mutedFont(QFont body);
/// The verdict: 1.5 of the body's size, semibold.
[[nodiscard]] QFont verdictFont(QFont body);
/// Names of elections, headings of a details pane.
[[nodiscard]] QFont headingFont(QFont body);
/// Session ids. As large as the body, whatever the system's fixed font would like to be.
[[nodiscard]] QFont monospaceFont(const QFont &body);

/*!
 * Gives the application its palette and style, light, dark or as the system has it. Only one may exist.
 *
 * Qt 6.4 does not say whether the desktop is dark, so System goes by the lightness of the palette that the
 * platform brings; on bare X11 that is always light, which is why there is a choice.
 */
class Theme : public QObject
{
    Q_OBJECT
public:
    explicit Theme(ThemeChoice choice, QObject *parent = nullptr);

    [[nodiscard]] ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);
    [[nodiscard]] Shade shade() const { return m_shade; }

    /// The desktop's own theme changed: looks again. The window calls it at QEvent::ThemeChange.
    void followSystem();

Q_SIGNALS:
    void changed(Baton::Monitor::Shade shade);

private:
    void apply();

    ThemeChoice m_choice;
    Shade m_shade = Shade::Light;
};

} // namespace Baton::Monitor
