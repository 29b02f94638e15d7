// SPDX-License-Identifier: MIT
#include "views/glyph.h"

#include <QtGui/QGuiApplication>
#include <QtGui/QIconEngine>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include <optional>

namespace Baton::Monitor {
namespace {

// All glyphs are drawn on a square of this side.
constexpr qreal Side = 16;
constexpr qreal Stroke = 1.6;
constexpr QPointF Middle{8, 8};

QPen pen(const QColor &color, qreal width = Stroke)
{
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

void polyline(QPainter *p, const QList<QPointF> &points)
{
    p->setBrush(Qt::NoBrush);
    p->drawPolyline(points.data(), int(points.size()));
}

void fill(QPainter *p, const QPainterPath &path, const QColor &color)
{
    p->fillPath(path, color);
}

QPainterPath disc(const QPointF &centre, qreal radius)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path;
}

void paintAtRisk(QPainter *p, const QColor &color)
{
    QPainterPath notch;
    notch.moveTo(Middle);
    notch.lineTo(9.6, 0);
    notch.lineTo(16, 0);
    notch.lineTo(16, 6.4);
    notch.closeSubpath();
    fill(p, disc(Middle, 6) - notch, color);
}

void paintLockDelay(QPainter *p, const QColor &color)
{
    p->setBrush(Qt::NoBrush);
    p->drawEllipse(Middle, 5.6, 5.6);
    QPainterPath quarter;
    quarter.moveTo(Middle);
    quarter.arcTo(QRectF(4.4, 4.4, 7.2, 7.2), 90, -90);
    quarter.closeSubpath();
    fill(p, quarter, color);
}

void paintAlarm(QPainter *p, const QColor &color)
{
    QPainterPath triangle;
    triangle.moveTo(8, 2);
    triangle.lineTo(14.6, 13.6);
    triangle.lineTo(1.4, 13.6);
    triangle.closeSubpath();
    QPainterPath mark = disc({8, 11.6}, 0.95);
    mark.addRoundedRect(QRectF(7.15, 5.9, 1.7, 4.2), 0.8, 0.8);
    fill(p, triangle - mark, color);
    p->setPen(pen(color, 1));
    p->setBrush(Qt::NoBrush);
    p->drawPath(triangle);
}

void paintNeverExpires(QPainter *p)
{
    QPainterPath path;
    path.moveTo(8, 8);
    path.cubicTo(6, 4.4, 1.6, 4.2, 1.6, 8);
    path.cubicTo(1.6, 11.8, 6, 11.6, 8, 8);
    path.cubicTo(10, 4.4, 14.4, 4.2, 14.4, 8);
    path.cubicTo(14.4, 11.8, 10, 11.6, 8, 8);
    p->setBrush(Qt::NoBrush);
    p->drawPath(path);
}

void paintHidden(QPainter *p, const QColor &color)
{
    QPainterPath eye;
    eye.moveTo(1.6, 8);
    eye.quadTo(8, 0.8, 14.4, 8);
    eye.quadTo(8, 15.2, 1.6, 8);
    p->setBrush(Qt::NoBrush);
    p->drawPath(eye);
    fill(p, disc(Middle, 2), color);
    p->drawLine(QPointF(3.2, 13.2), QPointF(12.8, 2.8));
}

void paintStale(QPainter *p, const QColor &color)
{
    QPen dashed = pen(color);
    dashed.setCapStyle(Qt::FlatCap);
    dashed.setDashPattern({1.9, 1.75});
    p->setPen(dashed);
    p->setBrush(Qt::NoBrush);
    p->drawEllipse(Middle, 5.6, 5.6);
}

void paintHelp(QPainter *p, const QColor &color)
{
    p->setBrush(Qt::NoBrush);
    p->drawEllipse(Middle, 6.4, 6.4);
    QPainterPath hook;
    hook.moveTo(6, 6.4);
    hook.cubicTo(6, 3.8, 10, 3.8, 10, 6.4);
    hook.cubicTo(10, 7.8, 8, 7.8, 8, 9.4);
    p->drawPath(hook);
    fill(p, disc({8, 11.6}, 0.95), color);
}

void paintPadlock(QPainter *p, const QColor &color, bool open)
{
    QPainterPath shackle;
    shackle.moveTo(5, 7.6);
    shackle.lineTo(5, 5.2);
    shackle.arcTo(QRectF(5, 2.2, 6, 6), 180, -180);
    if (!open)
        shackle.lineTo(11, 7.6);
    p->setBrush(Qt::NoBrush);
    p->drawPath(shackle);
    QPainterPath body;
    body.addRoundedRect(QRectF(3.2, 7.4, 9.6, 6.6), 1.4, 1.4);
    fill(p, body, color);
}

void paintOverview(QPainter *p, const QColor &color)
{
    // One leads, two wait.
    fill(p, disc({8, 4.6}, 3), color);
    p->setBrush(Qt::NoBrush);
    p->drawEllipse(QPointF(3.8, 12), 2, 2);
    p->drawEllipse(QPointF(12.2, 12), 2, 2);
}

void paintSessions(QPainter *p, const QColor &color)
{
    p->setBrush(Qt::NoBrush);
    p->drawRoundedRect(QRectF(1.8, 3, 12.4, 10), 1.6, 1.6);
    p->drawLine(QPointF(1.8, 6.4), QPointF(14.2, 6.4));
    fill(p, disc({4.6, 9.7}, 1.1), color);
    p->drawLine(QPointF(7.4, 9.7), QPointF(11.6, 9.7));
}

void paintJournal(QPainter *p, const QColor &color)
{
    for (const qreal y : {3.8, 8.0, 12.2}) {
        fill(p, disc({3, y}, 1.15), color);
        p->drawLine(QPointF(6.4, y), QPointF(14, y));
    }
}

void paintExport(QPainter *p)
{
    p->drawLine(QPointF(8, 2.4), QPointF(8, 9.8));
    polyline(p, {{5, 7}, {8, 10}, {11, 7}});
    polyline(p, {{2.6, 10.6}, {2.6, 13.6}, {13.4, 13.6}, {13.4, 10.6}});
}

void paintConnect(QPainter *p, const QColor &color)
{
    fill(p, disc({3.6, 8}, 2.2), color);
    p->setBrush(Qt::NoBrush);
    p->drawEllipse(QPointF(12.4, 8), 2.2, 2.2);
    p->drawLine(QPointF(5.8, 8), QPointF(10.2, 8));
}

void paintColumns(QPainter *p)
{
    p->setBrush(Qt::NoBrush);
    p->drawRoundedRect(QRectF(2, 3, 12, 10), 1.4, 1.4);
    p->drawLine(QPointF(6, 3), QPointF(6, 13));
    p->drawLine(QPointF(10, 3), QPointF(10, 13));
}

void paintControl(QPainter *p, Glyph glyph, const QColor &color)
{
    switch (glyph) {
    case Glyph::Overview:
        return paintOverview(p, color);
    case Glyph::Sessions:
        return paintSessions(p, color);
    case Glyph::Journal:
        return paintJournal(p, color);
    case Glyph::Menu:
        for (const qreal y : {4.2, 8.0, 11.8})
            p->drawLine(QPointF(2.4, y), QPointF(13.6, y));
        return;
    case Glyph::Pause:
        p->setPen(pen(color, 2.4));
        p->drawLine(QPointF(5.4, 4), QPointF(5.4, 12));
        p->drawLine(QPointF(10.6, 4), QPointF(10.6, 12));
        return;
    case Glyph::Resume:
        p->setBrush(color);
        p->drawPolygon(QPolygonF{{QPointF(4.8, 3.4), QPointF(12.4, 8), QPointF(4.8, 12.6)}});
        return;
    case Glyph::Locked:
    case Glyph::Unlocked:
        return paintPadlock(p, color, glyph == Glyph::Unlocked);
    case Glyph::Help:
        return paintHelp(p, color);
    case Glyph::Connect:
        return paintConnect(p, color);
    case Glyph::Columns:
        return paintColumns(p);
    case Glyph::Export:
        return paintExport(p);
    case Glyph::Search:
        p->setBrush(Qt::NoBrush);
        p->drawEllipse(QPointF(6.8, 6.8), 4.2, 4.2);
        p->drawLine(QPointF(10, 10), QPointF(13.6, 13.6));
        return;
    case Glyph::ChevronRight:
        return polyline(p, {{6, 4}, {10, 8}, {6, 12}});
    case Glyph::ChevronDown:
        return polyline(p, {{4, 6}, {8, 10}, {12, 6}});
    default:
        Q_UNREACHABLE();
    }
}

void paintOnSquare(QPainter *p, Glyph glyph, const QColor &color)
{
    p->setPen(pen(color));
    switch (glyph) {
    case Glyph::Led:
        return fill(p, disc(Middle, 6), color);
    case Glyph::AtRisk:
        return paintAtRisk(p, color);
    case Glyph::LockDelay:
        return paintLockDelay(p, color);
    case Glyph::Vacant:
        p->setBrush(Qt::NoBrush);
        p->drawEllipse(Middle, 5.2, 5.2);
        return;
    case Glyph::Alarm:
        return paintAlarm(p, color);
    case Glyph::Refused:
        p->setPen(pen(color, 2));
        p->drawLine(QPointF(3.6, 3.6), QPointF(12.4, 12.4));
        p->drawLine(QPointF(12.4, 3.6), QPointF(3.6, 12.4));
        return;
    case Glyph::Accepted:
        return fill(p, disc(Middle, 3.4), color);
    case Glyph::NeverExpires:
        return paintNeverExpires(p);
    case Glyph::Hidden:
        return paintHidden(p, color);
    case Glyph::Stale:
        return paintStale(p, color);
    default:
        return paintControl(p, glyph, color);
    }
}

/// Pictures that are painted anew in the present theme each time, at any resolution.
class PathEngine : public QIconEngine
{
public:
    PathEngine(Glyph glyph, std::optional<Role> role) : m_glyph(glyph), m_role(role) { }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const Role role = mode == QIcon::Disabled ? Role::Muted : m_role.value_or(Role::Text);
        paintGlyph(painter, rect, m_glyph, colorFor(role, QGuiApplication::palette()));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new PathEngine(*this); }

private:
    Glyph m_glyph;
    std::optional<Role> m_role;
};

/// The same colours in both themes: a desktop's panel may be light or dark, whatever this window is.
class ApplicationIconEngine : public QIconEngine
{
public:
    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        constexpr qreal Grid = 64;
        const qreal side = qMin(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center());
        painter->scale(side / Grid, side / Grid);
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColor(Role::Led, Shade::Light));
        painter->drawRoundedRect(QRectF(-30, -30, 60, 60), 14, 14);
        painter->rotate(-45);
        painter->setBrush(themeColor(Role::Canvas, Shade::Light));
        painter->drawRoundedRect(QRectF(-24, -7, 48, 14), 7, 7);
        painter->setBrush(themeColor(Role::LockDelay, Shade::Dark));
        painter->drawRect(QRectF(6, -7, 8, 14));
        painter->restore();
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new ApplicationIconEngine(*this); }
};

} // namespace

void paintGlyph(QPainter *painter, const QRectF &where, Glyph glyph, const QColor &color)
{
    const qreal side = qMin(where.width(), where.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(where.center());
    painter->scale(side / Side, side / Side);
    painter->translate(-Middle);
    paintOnSquare(painter, glyph, color);
    painter->restore();
}

Role roleOf(Glyph glyph)
{
    switch (glyph) {
    case Glyph::Led:
    case Glyph::AtRisk:
        return Role::Led;
    case Glyph::LockDelay:
        return Role::LockDelay;
    case Glyph::Vacant:
    case Glyph::NeverExpires:
    case Glyph::Hidden:
    case Glyph::Stale:
        return Role::Vacant;
    case Glyph::Alarm:
        return Role::Alarm;
    case Glyph::Refused:
        return Role::Refused;
    case Glyph::Accepted:
        return Role::Accepted;
    default:
        return Role::Text;
    }
}

QIcon glyphIcon(Glyph glyph)
{
    return QIcon(new PathEngine(glyph, {}));
}

QIcon glyphIcon(Glyph glyph, Role role)
{
    return QIcon(new PathEngine(glyph, role));
}

QIcon applicationIcon()
{
    return QIcon(new ApplicationIconEngine);
}

} // namespace Baton::Monitor
