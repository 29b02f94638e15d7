// SPDX-License-Identifier: MIT
#include "views/fieldlist.h"

#include "views/elidedlabel.h"
#include "views/widgets.h"

#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>

namespace Baton::Monitor {
namespace {
/// A pair of name and value needs this much to be read at ease.
constexpr int PairWidth = 380;
constexpr int MostColumns = 3;
} // namespace

FieldList::FieldList(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2 * Grid);
    m_grid->setVerticalSpacing(Grid - 2);
}

void FieldList::show(const QList<Field> &fields)
{
    if (fields == m_fields)
        return;
    m_fields = fields;
    while (m_rows.size() < fields.size()) {
        auto *value = new ElidedLabel(this);
        value->setFixedHeight(fontMetrics().height()); // Another font may be higher.
        m_rows.append({mutedLabel({}, this), value});
        m_columns = 0;
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const auto &[name, value] = m_rows.at(i);
        const bool shown = i < fields.size();
        name->setVisible(shown);
        value->setVisible(shown);
        if (!shown)
            continue;
        name->setText(fields.at(i).name);
        value->setFont(fields.at(i).monospace ? monospaceFont(font()) : font());
        value->setText(fields.at(i).value);
    }
    place();
}

void FieldList::setMuted(bool muted)
{
    for (const auto &[name, value] : m_rows)
        value->setForegroundRole(muted ? QPalette::PlaceholderText : QPalette::WindowText);
}

void FieldList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void FieldList::place()
{
    const int columns = qBound(1, width() / PairWidth, MostColumns);
    if (columns == m_columns)
        return;
    m_columns = columns;
    const int rows = (int(m_rows.size()) + columns - 1) / columns;
    for (int i = 0; i < m_rows.size(); ++i) {
        const int column = i / rows * 2;
        m_grid->addWidget(m_rows.at(i).first, i % rows, column);
        m_grid->addWidget(m_rows.at(i).second, i % rows, column + 1);
    }
    for (int column = 0; column < 2 * MostColumns; ++column)
        m_grid->setColumnStretch(column, column < 2 * columns && column % 2 == 1 ? 1 : 0);
}

} // namespace Baton::Monitor
