// SPDX-License-Identifier: MIT
#include "views/historyband.h"

#include "models/electiontext.h"
#include "models/format.h"
#include "views/widgets.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QToolTip>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int BarHeight = 20;
constexpr int BarGap = 4; // Between bar and axis.
constexpr qreal Corner = 3;
constexpr qreal LeastWidth = 3; // A term of a second is seen, too.
constexpr int TextMargin = 6;
constexpr std::chrono::minutes Tick{10};

using Part = HistoryBand::Part;

Role roleOf(Part::Kind kind)
{
    switch (kind) {
    case Part::Kind::Led:
        return Role::Led;
    case Part::Kind::Vacant:
        return Role::Vacant;
    case Part::Kind::LockDelay:
        return Role::LockDelay;
    case Part::Kind::Orphaned:
        return Role::Alarm;
    }
    Q_UNREACHABLE();
}

void addVacancy(QList<Part> *parts, const ElectionRecord &election, Nanoseconds from, Nanoseconds to)
{
    if (to <= from)
        return;
    const auto &delay = election.lockDelay;
    const bool delayed =
        delay && delay->latestEnd() > from && delay->began.by <= from + std::chrono::seconds(1);
    const Nanoseconds delayEnd = delayed ? qMin(to, delay->latestEnd()) : from;
    if (delayEnd > from)
        parts->append({Part::Kind::LockDelay, from, delayEnd, Format::duration(delayEnd - from)});
    if (to > delayEnd)
        parts->append({Part::Kind::Vacant, delayEnd, to, Format::duration(to - delayEnd)});
}

} // namespace

HistoryBand::HistoryBand(const Clock &clock, QWidget *parent) : QWidget(parent), m_clock(clock)
{
    setAccessibleName(tr("Last hour"));
    setAccessibleDescription(tr("Who led in the last hour; the table below lists it."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistoryBand::show(const ElectionPtr &election)
{
    m_election = election;
    update();
}

void HistoryBand::setMuted(bool muted)
{
    m_muted = muted;
    update();
}

QList<Part> HistoryBand::partsOf(const ElectionRecord &election, Nanoseconds now)
{
    QList<Part> parts;
    const Nanoseconds begin = now - Span;
    std::optional<Nanoseconds> free; // Since when nobody led.
    for (const TermRecord &term : election.history) {
        const Nanoseconds to = term.to ? term.to->by : now;
        if (free)
            addVacancy(&parts, election, qMax(*free, begin), term.from.by);
        if (to > begin)
            parts.append({Part::Kind::Led, qMax(term.from.by, begin), to, leaderName(term)});
        free = to;
    }
    if (election.isHeld()) {
        if (free)
            addVacancy(&parts, election, qMax(*free, begin), election.since.by);
        const bool orphaned = election.state == ElectionState::Orphaned;
        const QString text = orphaned ? tr("! orphaned") : leaderName(election);
        parts.append(
            {orphaned ? Part::Kind::Orphaned : Part::Kind::Led, qMax(election.since.by, begin), now, text});
    } else {
        addVacancy(&parts, election, qMax(free.value_or(election.since.by), begin), now);
    }
    return parts;
}

QSize HistoryBand::sizeHint() const
{
    return {240, BarHeight + BarGap + QFontMetrics(mutedFont(font())).height()};
}

QRectF HistoryBand::barRect() const
{
    return {0.5, 0.5, width() - 1.0, BarHeight - 1.0};
}

qreal HistoryBand::xOf(Nanoseconds instant) const
{
    const double share =
        double((instant - (m_clock.now() - Span)).count()) / double(Nanoseconds(Span).count());
    return barRect().left() + barRect().width() * share;
}

void HistoryBand::paintAxis(QPainter &painter) const
{
    const QFont font = mutedFont(this->font());
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const qreal base = BarHeight + BarGap;
    const QDateTime now = m_clock.date(m_clock.now());
    const qint64 tickMs = std::chrono::milliseconds(Tick).count();
    const qint64 startMs = now.toMSecsSinceEpoch() - std::chrono::milliseconds(Span).count();
    qreal free = 0; // Labels that would run into each other are left out.
    for (qint64 ms = (startMs / tickMs + 1) * tickMs; ms <= now.toMSecsSinceEpoch(); ms += tickMs) {
        const QDateTime date = QDateTime::fromMSecsSinceEpoch(ms);
        const qreal x = xOf(m_clock.now() + std::chrono::milliseconds(ms - now.toMSecsSinceEpoch()));
        painter.setPen(colorFor(Role::Line, palette()));
        painter.drawLine(QPointF(x, 0), QPointF(x, base));
        const QString text = date.toString(u"HH:mm"_s);
        const qreal wide = metrics.horizontalAdvance(text);
        const qreal left = qMin(x - wide / 2, width() - wide);
        if (left < free)
            continue;
        painter.setPen(colorFor(Role::Muted, palette()));
        painter.drawText(QPointF(left, base + metrics.ascent()), text);
        free = left + wide + TextMargin;
    }
}

void HistoryBand::paintPart(QPainter &painter, const Part &part) const
{
    const qreal left = xOf(part.from);
    const qreal width = qMax(xOf(part.to) - left, LeastWidth);
    const QRectF bar(left, barRect().top(), width, barRect().height());
    const QColor color = colorFor(m_muted ? Role::Muted : roleOf(part.kind), palette());
    const bool outlined = part.kind == Part::Kind::Vacant;
    if (outlined) {
        QPen dashed(color, 1);
        dashed.setDashPattern({4, 3});
        painter.setPen(dashed);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(bar, Corner, Corner);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(bar, Corner, Corner);
    }
    const QRectF inside = bar.adjusted(TextMargin, 0, -TextMargin, 0);
    const QString text = painter.fontMetrics().elidedText(part.text, Qt::ElideRight, int(inside.width()));
    constexpr int LeastText = 3; // Fewer characters say nothing.
    if (text.size() < qMin(LeastText, int(part.text.size())))
        return;
    const Shade shade = shadeOf(palette());
    painter.setPen(outlined      ? colorFor(Role::Muted, palette())
                       : m_muted ? colorFor(Role::Canvas, palette())
                                 : barTextColor(roleOf(part.kind), shade));
    painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
}

void HistoryBand::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colorFor(Role::Panel, palette()));
    painter.drawRoundedRect(barRect(), Corner, Corner);
    paintAxis(painter);
    if (!m_election)
        return;
    painter.setFont(mutedFont(font()));
    for (const Part &part : partsOf(*m_election, m_clock.now()))
        paintPart(painter, part);
}

bool HistoryBand::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !m_election)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text = tr("Not watched at that time");
    for (const Part &part : partsOf(*m_election, m_clock.now())) {
        if (help->pos().x() < xOf(part.from)
            || help->pos().x() > qMax(xOf(part.to), xOf(part.from) + LeastWidth))
            continue;
        const QString from = Format::timeOfDay(m_clock.date(part.from), m_clock.date(m_clock.now()));
        const QString length = Format::duration(part.to - part.from);
        switch (part.kind) {
        case Part::Kind::Led:
            text = tr("Led by %1 from %2, %3").arg(part.text, from, length);
            break;
        case Part::Kind::Vacant:
            text = tr("Vacant from %1, %2").arg(from, length);
            break;
        case Part::Kind::LockDelay:
            text = tr("Lock-delay from %1, %2").arg(from, length);
            break;
        case Part::Kind::Orphaned:
            text = tr("Held by a session that does not exist from %1, %2").arg(from, length);
            break;
        }
    }
    QToolTip::showText(help->globalPos(), toolTipText(text), this);
    return true;
}

} // namespace Baton::Monitor
