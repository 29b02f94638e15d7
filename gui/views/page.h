// SPDX-License-Identifier: MIT
#pragma once

#include "feed.h"
#include "models/tablefilter.h"
#include "views/messagepage.h"

#include <QtWidgets/QWidget>

class QSettings;
class QSplitter;
class QStackedLayout;

namespace Baton::Monitor {

class Actions;
class FilterBar;
class TableView;

/*!
 * A page: a filtered table, the details of its current row below it, and a message where the table is empty.
 * Which table that is, and what its current row means for the shared selection, is the business of the
 * classes derived from it; they call build() once in their constructor.
 */
class Page : public QWidget
{
    Q_OBJECT
public:
    [[nodiscard]] TableView &table() const { return *m_table; }
    [[nodiscard]] TableFilter &filter() const { return *m_filter; }
    /// What follows the table when the focus is moved on; null where nothing does.
    [[nodiscard]] QWidget *details() const;
    void focusFilter();
    virtual void clearFilter();

    /// Another snapshot, or another connection.
    virtual void refresh();
    /// Ages moved on: paints what shows them.
    virtual void tick();
    /// Some cell runs in tenths of a second.
    [[nodiscard]] virtual bool countsFast() const { return false; }

    void saveTo(QSettings &settings) const;
    void restoreFrom(const QSettings &settings);

protected:
    void showEvent(QShowEvent *event) override;

    struct Setup
    {
        /// Of its settings.
        QString name;
        QString accessibleName;
        QAbstractItemModel *model = nullptr;
        QList<TableFilter::Scope> scopes;
        int elasticColumn = 0;
        /// From here on columns are hidden until they are asked for.
        int firstHiddenColumn = 0;
        int sortColumn = 0;
        Qt::SortOrder sortOrder = Qt::DescendingOrder;
    };

    /// \a filter becomes its child.
    Page(Feed &feed, Actions &actions, TableFilter *filter, QWidget *parent);
    void build(const Setup &setup, QWidget *details);

    [[nodiscard]] Feed &feed() const { return m_feed; }
    [[nodiscard]] Actions &actions() const { return m_actions; }
    [[nodiscard]] FilterBar &bar() const { return *m_bar; }

    /// Identity of the row that the shared selection means; empty for none.
    [[nodiscard]] virtual QString chosen() const = 0;
    virtual void choose(const QString &key) = 0;
    /// The details have something to show.
    [[nodiscard]] virtual bool hasDetails() const = 0;
    /// Without a choice of the user's, the first row is chosen: the worst one.
    [[nodiscard]] virtual bool choosesFirst() const { return true; }
    /// What is said where there are no rows; \a actions are the buttons below it.
    [[nodiscard]] virtual Message emptyMessage(QList<QAction *> *actions) const = 0;
    /// What is said where the filter hides all \a count rows.
    [[nodiscard]] virtual QString hiddenText(int count) const = 0;

    /// The shared selection has changed elsewhere.
    void followSelection(bool reveal);
    void showTableOrMessage();

private:
    void showPinned();
    void fitDetails();

    Feed &m_feed;
    Actions &m_actions;
    QString m_name;
    TableFilter *m_filter;
    TableView *m_table;
    FilterBar *m_bar = nullptr;
    MessagePage *m_message;
    QWidget *m_details = nullptr;
    QSplitter *m_splitter;
    QStackedLayout *m_stack;
    bool m_following = false;
    /// The details have got the height that they need, or that somebody has given them.
    bool m_detailsFit = false;
};

} // namespace Baton::Monitor
