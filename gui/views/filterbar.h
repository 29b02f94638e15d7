// SPDX-License-Identifier: MIT
#pragma once

#include "models/tablefilter.h"

#include <QtWidgets/QWidget>

class QLabel;
class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace Baton::Monitor {

class TableView;

/// The line above a table: what is typed to filter it, quick scopes with their counts, and which columns it
/// has.
class FilterBar : public QWidget
{
    Q_OBJECT
public:
    FilterBar(TableFilter &filter, TableView &table, const QList<TableFilter::Scope> &scopes,
              QWidget *parent = nullptr);

    void focusFilter();
    void clearFilter();
    /// Puts \a widget between the scopes and the columns.
    void addWidget(QWidget *widget);

private:
    void showScopes();
    void showFilter();
    [[nodiscard]] static QString scopeText(TableFilter::Scope scope);

    TableFilter &m_filter;
    QHBoxLayout *m_row;
    QLineEdit *m_edit;
    QLabel *m_note;
    QList<std::pair<TableFilter::Scope, QToolButton *>> m_scopes;
};

} // namespace Baton::Monitor
