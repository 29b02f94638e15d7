// SPDX-License-Identifier: MIT
#include "views/filterbar.h"

#include "models/format.h"
#include "views/tableview.h"
#include "views/widgets.h"

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QStyle>
#include <QtWidgets/QToolButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int LeastEditWidth = 200;
constexpr int MostEditWidth = 420;

/// Escape empties it first and leaves it then; the arrow down goes to the rows.
class FilterEdit : public QLineEdit
{
public:
    FilterEdit(QWidget *table, QWidget *parent) : QLineEdit(parent), m_table(table) { }

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->key() == Qt::Key_Escape && !text().isEmpty())
            clear();
        else if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Down
                 || event->key() == Qt::Key_Return)
            m_table->setFocus(Qt::OtherFocusReason);
        else
            QLineEdit::keyPressEvent(event);
    }

private:
    QWidget *m_table;
};

} // namespace

FilterBar::FilterBar(TableFilter &filter, TableView &table, const QList<TableFilter::Scope> &scopes,
                     QWidget *parent)
    : QWidget(parent), m_filter(filter), m_row(new QHBoxLayout(this)), m_edit(new FilterEdit(&table, this)),
      m_note(mutedLabel({}, this))
{
    m_edit->setProperty("leading", true);
    m_edit->setPlaceholderText(tr("Filter   /"));
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setToolTip(tr("Words that must all occur. !word must not. state:vacant compares the state. "
                          "re: begins a regular expression."));
    m_edit->setClearButtonEnabled(false);
    m_edit->setMinimumWidth(LeastEditWidth);
    m_edit->setMaximumWidth(MostEditWidth);
    m_edit->addAction(glyphIcon(Glyph::Search, Role::Muted), QLineEdit::LeadingPosition);
    m_row->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    m_row->setSpacing(4);
    m_row->addWidget(m_edit, 1);
    m_row->addSpacing(Grid);
    auto *group = new QButtonGroup(this);
    for (const TableFilter::Scope scope : scopes) {
        auto *button = new QToolButton(this);
        button->setObjectName(u"scope"_s);
        button->setCheckable(true);
        button->setChecked(scope == filter.scope());
        button->setMinimumHeight(HitHeight);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button);
        connect(button, &QToolButton::clicked, this, [this, scope] { m_filter.setScope(scope); });
        m_scopes.append({scope, button});
        m_row->addWidget(button);
    }
    m_row->addWidget(m_note);
    m_row->addStretch();

    auto *columns = new QToolButton(this);
    columns->setObjectName(u"framed"_s);
    columns->setIcon(glyphIcon(Glyph::Columns));
    columns->setIconSize({IconSide, IconSide});
    columns->setText(tr("Columns"));
    columns->setToolTip(tr("Show and hide columns"));
    columns->setAccessibleName(tr("Columns"));
    columns->setFocusPolicy(Qt::StrongFocus);
    columns->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(columns);
    connect(menu, &QMenu::aboutToShow, this, [menu, &table] {
        menu->clear();
        table.fillColumnMenu(menu);
    });
    columns->setMenu(menu);
    m_row->addWidget(columns);

    connect(m_edit, &QLineEdit::textChanged, &m_filter, &TableFilter::setFilterText);
    connect(&m_filter, &TableFilter::filterTextChanged, this, &FilterBar::showFilter);
    connect(&m_filter, &TableFilter::countsChanged, this, &FilterBar::showScopes);
    connect(&m_filter, &TableFilter::scopeChanged, this, &FilterBar::showScopes);
    connect(&m_filter, &TableFilter::orderHeldChanged, this, &FilterBar::showFilter);
    showScopes();
    showFilter();
}

void FilterBar::focusFilter()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::clearFilter()
{
    m_edit->clear();
    m_filter.setScope(TableFilter::Scope::All);
}

void FilterBar::addWidget(QWidget *widget)
{
    m_row->insertWidget(m_row->count() - 1, widget);
}

QString FilterBar::scopeText(TableFilter::Scope scope)
{
    switch (scope) {
    case TableFilter::Scope::All:
        return tr("All");
    case TableFilter::Scope::Problems:
        return tr("Problems");
    case TableFilter::Scope::Baton:
        return tr("Baton");
    case TableFilter::Scope::Other:
        return tr("Other");
    }
    Q_UNREACHABLE();
}

void FilterBar::showScopes()
{
    for (const auto &[scope, button] : m_scopes) {
        const int count = m_filter.count(scope);
        button->setText(u"%1 %2"_s.arg(scopeText(scope), Format::number(quint64(count))));
        button->setChecked(scope == m_filter.scope());
    }
}

void FilterBar::showFilter()
{
    if (m_edit->text() != m_filter.filterText())
        m_edit->setText(m_filter.filterText());
    const QString error = m_filter.filterError();
    const QString look = error.isEmpty() ? QString() : u"invalid"_s;
    if (m_edit->objectName() != look) {
        m_edit->setObjectName(look);
        m_edit->style()->unpolish(m_edit);
        m_edit->style()->polish(m_edit);
    }
    m_note->setText(!error.isEmpty() ? error : m_filter.isOrderHeld() ? tr("order held") : QString());
}

} // namespace Baton::Monitor
