// SPDX-License-Identifier: MIT
#include "views/page.h"

#include "actions.h"
#include "models/itemroles.h"
#include "views/filterbar.h"
#include "views/tableview.h"

#include <QtCore/QScopedValueRollback>
#include <QtCore/QSettings>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {

Page::Page(Feed &feed, Actions &actions, TableFilter *filter, QWidget *parent)
    : QWidget(parent), m_feed(feed), m_actions(actions), m_filter(filter), m_table(new TableView(this)),
      m_message(new MessagePage(this)), m_splitter(new QSplitter(Qt::Vertical, this)),
      m_stack(new QStackedLayout)
{
    m_filter->setParent(this);
}

void Page::build(const Setup &setup, QWidget *details)
{
    m_name = setup.name;
    m_details = details;
    m_filter->setSourceModel(setup.model);
    m_table->setAccessibleName(setup.accessibleName);
    m_table->setElasticColumn(setup.elasticColumn);
    m_table->setModel(m_filter);
    m_table->hideColumnsFrom(setup.firstHiddenColumn);
    m_table->sortByColumn(setup.sortColumn, setup.sortOrder);
    m_bar = new FilterBar(*m_filter, *m_table, setup.scopes, this);

    auto *upper = new QWidget(this);
    m_stack->addWidget(m_table);
    m_message->setMinimumHeight(1); // It asks for no room while the table is shown.
    m_stack->addWidget(m_message);
    upper->setLayout(m_stack);
    m_splitter->addWidget(upper);
    m_splitter->addWidget(details);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_splitter, 1);
    setTabOrder(m_bar, m_table);

    connect(m_table, &TableView::touched, m_filter, &TableFilter::touch);
    connect(m_table, &TableView::currentKeyChanged, this, [this](const QString &key) {
        if (!m_following && !key.isEmpty())
            choose(key);
    });
    connect(m_filter, &TableFilter::countsChanged, this, &Page::showTableOrMessage);
    connect(m_filter, &TableFilter::filterTextChanged, this, &Page::showTableOrMessage);
    connect(m_filter, &TableFilter::scopeChanged, this, &Page::showTableOrMessage);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, [this] { followSelection(false); });
    connect(&m_feed.selection(), &Selection::pinnedChanged, this, &Page::showPinned);
    showPinned();
    followSelection(true);
    refresh();
}

QWidget *Page::details() const
{
    return m_details->isVisible() ? m_details : nullptr;
}

void Page::focusFilter()
{
    m_bar->focusFilter();
}

void Page::clearFilter()
{
    m_bar->clearFilter();
}

void Page::refresh()
{
    m_table->setMuted(m_feed.isStale());
    if (choosesFirst() && chosen().isEmpty() && m_filter->rowCount() > 0)
        choose(m_filter->index(0, 0).data(KeyRole).toString());
    followSelection(false);
    showTableOrMessage();
    m_table->growColumns();
}

void Page::tick()
{
    m_table->growColumns();
    m_table->viewport()->update();
}

void Page::followSelection(bool reveal)
{
    const QString key = chosen();
    if (key.isEmpty() || (key == m_table->currentKey() && m_table->selectionModel()->hasSelection()))
        return;
    const QScopedValueRollback following(m_following, true);
    m_table->selectKey(key, reveal);
}

void Page::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fitDetails();
}

void Page::fitDetails()
{
    if (m_detailsFit || !m_details->isVisible())
        return;
    m_detailsFit = true;
    // How high they have to be depends on how wide they have become.
    QMetaObject::invokeMethod(
        this,
        [this] {
            const int height = m_details->sizeHint().height();
            m_splitter->setSizes({qMax(m_splitter->height() - height, 0), height});
        },
        Qt::QueuedConnection);
}

void Page::showPinned()
{
    m_filter->setPinned(m_feed.selection().pinned());
    m_table->cells().setPinned(m_feed.selection().pinned());
    m_table->viewport()->update();
}

void Page::showTableOrMessage()
{
    const bool anything = m_filter->rowCount() > 0 || !m_feed.hasData();
    // Details of a row that is not shown would take the message its room.
    m_details->setVisible(anything && hasDetails());
    fitDetails();
    if (anything) {
        m_stack->setCurrentWidget(m_table);
        return;
    }
    QList<QAction *> buttons;
    Message message;
    const int all = m_filter->count(TableFilter::Scope::All);
    if (all > 0) {
        message.glyph = Glyph::Search;
        message.title = tr("Nothing matches");
        message.cause = hiddenText(all);
        buttons += m_actions.clearFilter;
    } else {
        message = emptyMessage(&buttons);
    }
    m_message->show(message, buttons);
    m_stack->setCurrentWidget(m_message);
}

void Page::saveTo(QSettings &settings) const
{
    m_table->saveTo(settings, m_name);
    settings.setValue(m_name + u"/splitter"_s, m_splitter->saveState());
}

void Page::restoreFrom(const QSettings &settings)
{
    m_table->restoreFrom(settings, m_name);
    m_detailsFit = m_splitter->restoreState(settings.value(m_name + u"/splitter"_s).toByteArray());
}

} // namespace Baton::Monitor
