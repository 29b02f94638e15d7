// SPDX-License-Identifier: MIT
#include "views/overviewpage.h"

#include "actions.h"
#include "models/electiontext.h"
#include "models/format.h"
#include "models/verdict.h"
#include "views/electiondetails.h"
#include "views/tableview.h"

#include <QtGui/QAction>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
OverviewPage::OverviewPage(Feed &feed, Actions &actions, QWidget *parent)
    : Page(feed, actions, new TableFilter, parent), m_details(new ElectionDetails(feed, actions, this))
{
    using Scope = TableFilter::Scope;
    filter().setKnownStates(stateTags());
    Setup setup;
    setup.name = u"overview"_s;
    setup.accessibleName = tr("Elections");
    setup.model = &feed.elections();
    setup.scopes = {Scope::All, Scope::Problems, Scope::Baton, Scope::Other};
    setup.elasticColumn = ElectionModel::Leader;
    setup.firstHiddenColumn = ElectionModel::Key;
    setup.sortColumn = ElectionModel::State;
    build(setup, m_details);
    connect(&table(), &TableView::opened, actions.openSession, &QAction::trigger);
    connect(&feed.selection(), &Selection::electionsChanged, this, [this] {
        followSelection(true);
        refresh();
    });
}

void OverviewPage::refresh()
{
    m_details->refresh();
    Page::refresh();
}

void OverviewPage::tick()
{
    Page::tick();
    m_details->tick();
}

bool OverviewPage::countsFast() const
{
    return feed().elections().countsFast();
}

QString OverviewPage::chosen() const
{
    return feed().selection().current();
}

void OverviewPage::choose(const QString &key)
{
    feed().selection().choose(key);
}

bool OverviewPage::hasDetails() const
{
    return feed().snapshot().election(chosen()) != nullptr;
}

Message OverviewPage::emptyMessage(QList<QAction *> *buttons) const
{
    QStringList prefixes;
    for (const PrefixReport &prefix : feed().snapshot().prefixes)
        prefixes += prefix.prefix.isEmpty() ? tr("the whole store") : Format::safe(prefix.prefix);
    Message message;
    message.title = tr("No elections");
    message.cause = tr("There are no lock keys under %1.").arg(prefixes.join(u", "_s));
    message.advice =
        tr("One appears by itself as soon as its first candidate takes the lock. Elections under another "
           "prefix need that prefix in the connection.");
    for (const PrefixReport &prefix : feed().snapshot().prefixes) {
        if (!prefix.read.error.isOk()) {
            const TroubleText trouble = troubleText(prefix.read.error);
            message = {Glyph::Hidden, Role::Vacant,   tr("The elections cannot be read"),
                       trouble.cause, trouble.remedy, trouble.detail};
            break;
        }
        if (prefix.visibility == Visibility::Everything)
            continue;
        message.glyph = Glyph::Hidden;
        message.title = tr("No elections to be seen");
        message.cause =
            tr("Consul shows no lock keys under %1, and an ACL may hide them.").arg(prefixes.join(u", "_s));
        message.advice =
            tr("The token needs key_prefix \"%1\" { policy = \"read\" }.").arg(Format::safe(prefix.prefix));
        break;
    }
    *buttons += actions().connection;
    return message;
}

QString OverviewPage::hiddenText(int count) const
{
    return count == 1 ? tr("The filter hides the only election.")
                      : tr("The filter hides all %n elections.", nullptr, count);
}

} // namespace Baton::Monitor
