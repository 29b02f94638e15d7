// SPDX-License-Identifier: MIT
#include "views/verdictstrip.h"

#include "views/elidedlabel.h"
#include "views/widgets.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
constexpr int GlyphSide = 22;
} // namespace

VerdictStrip::VerdictStrip(QWidget *parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_headline(new ElidedLabel(this)),
      m_note(new ElidedLabel(this))
{
    setObjectName(u"strip"_s);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Select the worst election (Alt+1)"));
    m_headline->setFont(verdictFont(font()));
    m_headline->setObjectName(u"headline"_s);
    setTextRole(m_note, Role::Muted);
    m_note->setObjectName(u"note"_s);

    auto *lines = new QVBoxLayout;
    lines->setSpacing(2);
    lines->addWidget(m_headline);
    lines->addWidget(m_note);
    m_row->setContentsMargins(BarWidth + 2 * Grid + GlyphSide + Grid, Grid + 2, 2 * Grid, Grid + 2);
    m_row->setSpacing(Grid);
    m_row->addLayout(lines, 1);
    m_row->addSpacing(Grid);
}

void VerdictStrip::setText(const StripText &text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_headline->setText(text.headline);
    m_note->setText(text.note);
    setAccessibleName(text.headline);
    setAccessibleDescription(text.note);
    update();
}

void VerdictStrip::addButton(QWidget *button)
{
    m_row->addWidget(button, 0, Qt::AlignVCenter);
}

QRect VerdictStrip::glyphRect() const
{
    const QPoint middle(BarWidth + 2 * Grid + GlyphSide / 2, m_headline->geometry().center().y() + 1);
    return {middle - QPoint(GlyphSide / 2, GlyphSide / 2), QSize(GlyphSide, GlyphSide)};
}

void VerdictStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor state = colorFor(m_text.role, palette());
    painter.fillRect(rect(), colorFor(Role::Panel, palette()));
    painter.fillRect(QRect(0, height() - 1, width(), 1), colorFor(Role::Line, palette()));
    painter.fillRect(QRect(0, 0, BarWidth, height()), state);
    paintGlyph(&painter, glyphRect(), m_text.glyph, state);
    if (hasFocus()) {
        painter.setPen(colorFor(Role::Led, palette()));
        painter.drawRoundedRect(QRectF(rect()).adjusted(BarWidth + 3.5, 3.5, -3.5, -4.5), 4, 4);
    }
}

void VerdictStrip::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT activated();
}

void VerdictStrip::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        Q_EMIT activated();
    else
        QWidget::keyPressEvent(event);
}

void VerdictStrip::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void VerdictStrip::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace Baton::Monitor
