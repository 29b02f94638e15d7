// SPDX-License-Identifier: MIT
#include "views/sessiondetails.h"

#include "actions.h"
#include "models/format.h"
#include "views/elidedlabel.h"
#include "views/fieldlist.h"
#include "views/widgets.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

QString listed(const QStringList &items, const QString &none)
{
    return items.isEmpty() ? none : Format::safe(items.join(u", "_s), Format::DetailLength);
}

} // namespace

SessionDetails::SessionDetails(Feed &feed, Actions &actions, QWidget *parent)
    : QWidget(parent), m_feed(feed), m_name(new ElidedLabel(this)), m_note(new ElidedLabel(this)),
      m_fields(new FieldList(this))
{
    setAccessibleName(tr("Details of the session"));
    m_name->setFont(headingFont(font()));
    setTextRole(m_note, Role::Muted);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(Grid);
    heading->addWidget(m_name);
    heading->addWidget(m_note, 1);
    heading->addWidget(actionButton(actions.openElection, this));
    heading->addWidget(actionButton(actions.destroySession, this));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    column->addLayout(heading);
    column->addWidget(m_fields);
    column->addStretch();
}

void SessionDetails::refresh()
{
    m_fields->setMuted(m_feed.isStale());
    tick();
}

void SessionDetails::tick()
{
    const SessionPtr session = m_feed.snapshot().session(m_feed.selection().session());
    if (!session)
        return;
    const int row = m_feed.sessions().rowOf(session->id);
    const auto cell = [this, row](SessionModel::Column column) {
        return m_feed.sessions().index(row, column).data().toString();
    };
    m_name->setText(session->name.isEmpty() ? Format::sessionId(session->id) : Format::safe(session->name));
    m_note->setText(SessionModel::oddities(*session).join(u"; "_s));
    m_fields->show({
        {tr("Session"), Format::safe(session->id), true},
        {tr("Node"), Format::safe(session->node)},
        {tr("Created"), cell(SessionModel::Created)},
        {tr("Lock keys"), listed(session->keys, tr("none under the watched prefixes"))},
        {tr("TTL"), session->ttl ? Format::setting(*session->ttl) : tr("none: it never expires")},
        {tr("Time left"), cell(SessionModel::Left)},
        {tr("Lock-delay"), Format::setting(session->lockDelay)},
        {tr("Node checks"), listed(session->nodeChecks, tr("none"))},
        {tr("Service checks"), listed(session->serviceChecks, tr("none"))},
        {tr("At its end"), session->deletesKeys ? tr("its keys are deleted") : tr("its keys are released")},
        {tr("Create index"), Format::number(session->createIndex)},
    });
}

} // namespace Baton::Monitor
