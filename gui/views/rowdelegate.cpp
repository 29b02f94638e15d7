// SPDX-License-Identifier: MIT
#include "views/rowdelegate.h"

#include "models/itemroles.h"
#include "views/widgets.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolTip>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int GlyphGap = 7;
constexpr qreal PinSide = 7;

bool isFirstColumn(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    if (!table)
        return index.column() == 0;
    const QHeaderView *header = table->horizontalHeader();
    return header->sectionPosition(index.column()) == 0;
}

bool hasFocus(const QStyleOptionViewItem &option)
{
    return option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_Active);
}

} // namespace

Glyph glyphOf(StateKind kind)
{
    switch (kind) {
    case StateKind::Led:
        return Glyph::Led;
    case StateKind::AtRisk:
        return Glyph::AtRisk;
    case StateKind::LockDelay:
        return Glyph::LockDelay;
    case StateKind::Vacant:
        return Glyph::Vacant;
    case StateKind::Alarm:
        return Glyph::Alarm;
    case StateKind::Refused:
        return Glyph::Refused;
    case StateKind::Accepted:
        return Glyph::Accepted;
    case StateKind::NeverExpires:
        return Glyph::NeverExpires;
    case StateKind::Hidden:
        return Glyph::Hidden;
    case StateKind::Stale:
        return Glyph::Stale;
    }
    Q_UNREACHABLE();
}

Role roleOf(StateKind kind)
{
    return roleOf(glyphOf(kind));
}

QFont RowDelegate::fontOf(const QModelIndex &index, const QFont &base) const
{
    if (m_monospace.contains(index.column()))
        return monospaceFont(base);
    QFont font = base;
    if (index.column() == m_stateColumn && index.data(ProblemRole).toBool())
        font.setWeight(QFont::DemiBold);
    return font;
}

int RowDelegate::widthOf(const QModelIndex &index, const QFont &font, bool first) const
{
    const QFontMetrics metrics(fontOf(index, font));
    int width =
        metrics.horizontalAdvance(index.data().toString()) + (first ? EdgePadding : Padding) + Padding + 2;
    if (index.column() == m_stateColumn)
        width += GlyphSide + GlyphGap;
    return width;
}

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const auto color = [&option](Role role) { return colorFor(role, option.palette); };
    painter->save();
    painter->fillRect(option.rect, color(selected ? Role::Selection : Role::Canvas));
    const bool first = isFirstColumn(option, index);
    if (first) {
        if (selected)
            painter->fillRect(QRect(option.rect.topLeft(), QSize(BarWidth, option.rect.height())),
                              color(Role::Led));
        if (m_pinned.contains(index.data(KeyRole).toString())) {
            const QPointF corner = option.rect.topLeft();
            painter->setPen(Qt::NoPen);
            painter->setBrush(color(Role::Muted));
            painter->drawPolygon(
                QPolygonF({corner, corner + QPointF(PinSide, 0), corner + QPointF(0, PinSide)}));
        }
    }
    QRect where = option.rect.adjusted(first ? EdgePadding : Padding, 0, -Padding, 0);
    if (index.column() == m_stateColumn) {
        const QVariant kind = index.data(StateKindRole);
        if (kind.isValid()) {
            const auto state = kind.value<StateKind>();
            const QRect glyph(where.left(), where.center().y() - GlyphSide / 2 + 1, GlyphSide, GlyphSide);
            paintGlyph(painter, glyph, glyphOf(state), color(m_muted ? Role::Muted : roleOf(state)));
        }
        where.setLeft(where.left() + GlyphSide + GlyphGap);
    }
    const QString text = index.data().toString();
    painter->setFont(fontOf(index, option.font));
    painter->setPen(color(m_muted || text == u"–" ? Role::Muted : Role::Text));
    const Qt::TextElideMode cut = index.column() == m_middleCut ? Qt::ElideMiddle : Qt::ElideRight;
    auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    if (!(alignment & Qt::AlignHorizontal_Mask))
        alignment |= Qt::AlignLeading;
    painter->drawText(where,
                      int((alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter) | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(text, cut, where.width()));
    if (hasFocus(option)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(color(Role::Led));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(3.5, 2.5, -2.5, -2.5), 3, 3);
    }
    painter->restore();
}

bool RowDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                            const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString text = index.data(Qt::ToolTipRole).toString();
    if (text.isEmpty())
        QToolTip::hideText();
    else // A tool tip that looks like HTML is taken for it, and this text may come from a stranger.
        QToolTip::showText(event->globalPos(), toolTipText(text), view);
    return true;
}

} // namespace Baton::Monitor
