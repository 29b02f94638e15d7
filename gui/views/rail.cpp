// SPDX-License-Identifier: MIT
#include "views/rail.h"

#include "views/widgets.h"

#include <QtGui/QAction>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
constexpr int RailIconSide = 20;
} // namespace

Rail::Rail(QWidget *parent) : QWidget(parent), m_pages(new QVBoxLayout(this))
{
    setObjectName(u"railArea"_s);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Pages"));
    m_pages->setContentsMargins(0, Grid, 1, Grid);
    m_pages->setSpacing(2);
    m_pages->addStretch();
}

void Rail::addPage(QAction *page)
{
    auto *button = new QToolButton(this);
    button->setObjectName(u"rail"_s);
    button->setDefaultAction(page);
    button->setIconSize({RailIconSide, RailIconSide});
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setFont(mutedFont(font()));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_pages->insertWidget(m_pages->count() - 1, button);
}

} // namespace Baton::Monitor
