// SPDX-License-Identifier: MIT
#include "views/messagepage.h"

#include "views/widgets.h"

#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
constexpr int PictureSide = 40;
constexpr int TextWidth = 560;
constexpr int DetailHeight = 96;
} // namespace

MessagePage::MessagePage(QWidget *parent)
    : QWidget(parent), m_picture(new QWidget(this)), m_title(plainLabel({}, this)),
      m_cause(wrappedLabel({}, this)), m_advice(wrappedLabel({}, this)), m_buttons(new QHBoxLayout),
      m_fold(new QPushButton(this)), m_detail(new QPlainTextEdit(this))
{
    m_picture->setFixedSize(PictureSide, PictureSide);
    m_title->setFont(verdictFont(font()));
    m_title->setWordWrap(true);
    setTextRole(m_advice, Role::Muted);
    m_buttons->setSpacing(Grid);
    m_fold->setObjectName(u"fold"_s);
    m_fold->setText(tr("Technical detail"));
    m_fold->setAutoDefault(false);
    m_fold->setIconSize({IconSide, IconSide});
    m_fold->setCheckable(true);
    m_fold->setMinimumHeight(HitHeight);
    m_detail->setReadOnly(true);
    m_detail->setFixedHeight(DetailHeight);
    m_detail->setTabChangesFocus(true);
    m_detail->setAccessibleName(tr("Technical detail"));
    connect(m_fold, &QPushButton::toggled, this, &MessagePage::unfold);

    auto *column = new QVBoxLayout;
    column->setSpacing(Grid);
    column->addWidget(m_picture);
    column->addSpacing(Grid);
    for (QLabel *label : {m_title, m_cause, m_advice}) {
        label->setFixedWidth(TextWidth);
        column->addWidget(label);
    }
    column->addSpacing(Grid);
    column->addLayout(m_buttons);
    column->addSpacing(Grid);
    column->addWidget(m_fold, 0, Qt::AlignLeft);
    column->addWidget(m_detail);

    auto *middle = new QHBoxLayout;
    middle->addStretch();
    middle->addLayout(column);
    middle->addStretch();
    auto *all = new QVBoxLayout(this);
    all->addStretch(2);
    all->addLayout(middle);
    all->addStretch(3);
    unfold(false);
}

void MessagePage::show(const Message &message, const QList<QAction *> &actions)
{
    if (message == m_message && actions == m_actions)
        return;
    m_message = message;
    m_title->setText(message.title);
    m_cause->setText(message.cause);
    m_cause->setVisible(!message.cause.isEmpty());
    m_advice->setText(message.advice);
    m_advice->setVisible(!message.advice.isEmpty());
    m_detail->setPlainText(message.detail);
    m_fold->setVisible(!message.detail.isEmpty());
    if (message.detail.isEmpty())
        m_fold->setChecked(false);
    setAccessibleName(message.title);
    setAccessibleDescription(message.cause + u' ' + message.advice);
    update();
    if (actions == m_actions)
        return;
    m_actions = actions;
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        if (QWidget *widget = item->widget())
            widget->deleteLater();
        delete item;
    }
    for (QAction *action : actions) {
        auto *button = new QPushButton(action->text(), this);
        button->setDefault(action == actions.first());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        m_buttons->addWidget(button);
        if (action == actions.first())
            setFocusProxy(button);
    }
    m_buttons->addStretch();
}

bool MessagePage::isUnfolded() const
{
    return m_detail->isVisibleTo(this);
}

void MessagePage::unfold(bool open)
{
    m_fold->setIcon(glyphIcon(open ? Glyph::ChevronDown : Glyph::ChevronRight));
    m_detail->setVisible(open);
}

void MessagePage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintGlyph(&painter, m_picture->geometry(), m_message.glyph, colorFor(m_message.role, palette()));
}

} // namespace Baton::Monitor
