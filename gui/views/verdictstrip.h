// SPDX-License-Identifier: MIT
#pragma once

#include "views/glyph.h"

#include <QtWidgets/QWidget>

class QHBoxLayout;

namespace Baton::Monitor {

class ElidedLabel;

/// What a window says about everything it watches.
struct StripText
{
    Glyph glyph = Glyph::Stale;
    Role role = Role::Vacant;
    QString headline;
    QString note;

    bool operator==(const StripText &) const = default;
};

/*!
 * The first thing to be read: one sentence with its glyph, a bar in the state's colour, and a second line for
 * the worst item and the last move. A click, or Return on it, asks for the worst election.
 */
class VerdictStrip : public QWidget
{
    Q_OBJECT
public:
    /// Width of the bar, in logical pixels.
    static constexpr int BarWidth = 6;

    explicit VerdictStrip(QWidget *parent = nullptr);

    void setText(const StripText &text);
    [[nodiscard]] const StripText &text() const { return m_text; }
    /// Puts \a button at the right end.
    void addButton(QWidget *button);

Q_SIGNALS:
    void activated();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] QRect glyphRect() const;

    StripText m_text;
    QHBoxLayout *m_row;
    ElidedLabel *m_headline;
    ElidedLabel *m_note;
};

} // namespace Baton::Monitor
