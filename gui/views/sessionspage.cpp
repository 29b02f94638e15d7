// SPDX-License-Identifier: MIT
#include "views/sessionspage.h"

#include "actions.h"
#include "views/sessiondetails.h"
#include "views/tableview.h"

#include <QtGui/QAction>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {

SessionsPage::SessionsPage(Feed &feed, Actions &actions, QWidget *parent)
    : Page(feed, actions, new TableFilter, parent), m_details(new SessionDetails(feed, actions, this))
{
    using Scope = TableFilter::Scope;
    filter().setKnownStates(SessionModel::stateTags());
    table().cells().setMonospaceColumns({SessionModel::Id});
    table().cells().setMiddleCutColumn(SessionModel::Name);
    Setup setup;
    setup.name = u"sessions"_s;
    setup.accessibleName = tr("Sessions");
    setup.model = &feed.sessions();
    setup.scopes = {Scope::All, Scope::Problems, Scope::Baton, Scope::Other};
    setup.elasticColumn = SessionModel::Name;
    setup.firstHiddenColumn = SessionModel::Checks;
    setup.sortColumn = SessionModel::State;
    build(setup, m_details);
    connect(&table(), &TableView::opened, actions.openElection, &QAction::trigger);
    connect(&feed.selection(), &Selection::sessionChanged, this, [this] {
        followSelection(true);
        refresh();
    });
}

void SessionsPage::refresh()
{
    m_details->refresh();
    Page::refresh();
}

void SessionsPage::tick()
{
    Page::tick();
    m_details->tick();
}

QString SessionsPage::chosen() const
{
    return feed().selection().session();
}

void SessionsPage::choose(const QString &key)
{
    feed().selection().setSession(key);
}

bool SessionsPage::hasDetails() const
{
    return feed().snapshot().session(chosen()) != nullptr;
}

Message SessionsPage::emptyMessage(QList<QAction *> *) const
{
    Message message;
    if (feed().snapshot().sessionsVisible == Visibility::Everything) {
        message.title = tr("No sessions");
        message.cause = tr("Consul has no session in this datacenter.");
        message.advice = tr("One appears by itself as soon as a candidate makes it.");
    } else {
        message.glyph = Glyph::Hidden;
        message.title = tr("No sessions to be seen");
        message.cause = tr("Consul lists none, and an ACL may hide them.");
        message.advice = tr("The token needs session_prefix \"\" { policy = \"read\" }.");
    }
    return message;
}

QString SessionsPage::hiddenText(int count) const
{
    return count == 1 ? tr("The filter hides the only session.")
                      : tr("The filter hides all %n sessions.", nullptr, count);
}

} // namespace Baton::Monitor
