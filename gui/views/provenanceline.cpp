// SPDX-License-Identifier: MIT
#include "views/provenanceline.h"

#include "actions.h"
#include "models/format.h"
#include "views/elidedlabel.h"
#include "views/widgets.h"

#include <Baton/boottime.h>

#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int DotSide = 12;
constexpr std::chrono::seconds SaidFor{8};
const QString Gap = u"   "_s;

QString timeText(const Feed &feed, Nanoseconds instant)
{
    return Format::timeOfDay(feed.clock().date(instant), feed.clock().date(feed.present()));
}

QString stateText(const Feed &feed)
{
    const ConnectionReport &report = feed.connection();
    if (feed.isPaused())
        return ProvenanceLine::tr("paused since %1").arg(timeText(feed, *feed.pausedAt()));
    const QString asOf = report.dataFrom ? timeText(feed, *report.dataFrom) : QString();
    switch (report.state) {
    case ConnectionState::Idle:
        return ProvenanceLine::tr("not connected");
    case ConnectionState::Connecting:
        return ProvenanceLine::tr("connecting");
    case ConnectionState::Live:
        return report.degraded ? ProvenanceLine::tr("live, some requests fail") : ProvenanceLine::tr("live");
    case ConnectionState::Stale:
        return asOf.isEmpty() ? ProvenanceLine::tr("no answer") : ProvenanceLine::tr("as of %1").arg(asOf);
    case ConnectionState::Refused:
        return asOf.isEmpty() ? ProvenanceLine::tr("refused")
                              : ProvenanceLine::tr("refused, as of %1").arg(asOf);
    }
    Q_UNREACHABLE();
}

QString consistencyText(Consistency consistency)
{
    switch (consistency) {
    case Consistency::Default:
        return ProvenanceLine::tr("default consistency");
    case Consistency::Consistent:
        return ProvenanceLine::tr("consistent");
    case Consistency::Stale:
        return ProvenanceLine::tr("stale reads");
    }
    Q_UNREACHABLE();
}

} // namespace

ProvenanceLine::ProvenanceLine(Actions &actions, QWidget *parent)
    : QWidget(parent), m_name(new ElidedLabel(this)), m_text(new ElidedLabel(this))
{
    setObjectName(u"provenance"_s);
    setAccessibleName(tr("Where the data come from"));
    QFont bold = mutedFont(font());
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_text->setFont(mutedFont(font()));
    setTextRole(m_text, Role::Muted);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(2 * Grid + DotSide + Grid, 3, Grid, 2);
    row->setSpacing(2 * Grid);
    row->addWidget(m_name);
    row->addWidget(m_text, 1);
    for (QAction *action : {actions.connection, actions.help}) {
        QPushButton *button = linkButton(action, this);
        button->setFont(mutedFont(font()));
        row->addWidget(button);
    }
}

QStringList ProvenanceLine::partsOf(const Feed &feed)
{
    const ConnectionReport &report = feed.connection();
    QStringList parts{stateText(feed)};
    if (feed.hasData() && report.heard) {
        const Nanoseconds age = qMax(Nanoseconds(0), feed.present() - *report.heard);
        parts +=
            tr("answered %1 ago").arg(age < std::chrono::seconds(1) ? tr("under 1 s") : Format::age(age));
        parts += tr("index %1").arg(Format::number(report.index));
        parts += consistencyText(report.consistency);
        if (!report.knownLeader)
            parts += tr("Consul has no leader");
        parts +=
            report.connections == 1 ? tr("1 connection") : tr("%n connections", nullptr, report.connections);
    }
    if (feed.isPaused() && feed.waitingChanges() > 0)
        parts += feed.waitingChanges() == 1 ? tr("1 change waiting")
                                            : tr("%n changes waiting", nullptr, feed.waitingChanges());
    return parts;
}

void ProvenanceLine::say(const QString &text)
{
    m_said = text;
    m_saidUntil = bootTime() + SaidFor;
    m_text->setText(text);
}

void ProvenanceLine::show(const Feed &feed)
{
    if (m_saidUntil && bootTime() > *m_saidUntil)
        m_saidUntil.reset();
    m_name->setText(m_profile);
    m_text->setText(m_saidUntil ? m_said : partsOf(feed).join(Gap));
    const bool live = feed.connection().state == ConnectionState::Live && !feed.isPaused();
    const Role role = live ? Role::Accepted : Role::Vacant;
    if (live == m_live && role == m_role)
        return;
    m_live = live;
    m_role = role;
    update();
}

void ProvenanceLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colorFor(Role::Panel, palette()));
    painter.fillRect(QRect(0, 0, width(), 1), colorFor(Role::Line, palette()));
    const QRect dot(2 * Grid, (height() - DotSide) / 2 + 1, DotSide, DotSide);
    paintGlyph(&painter, dot, m_live ? Glyph::Accepted : Glyph::Stale, colorFor(m_role, palette()));
}

} // namespace Baton::Monitor
