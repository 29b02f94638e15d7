// SPDX-License-Identifier: MIT
#include "views/widgets.h"

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

/// Keeps the text of a widget in one role's colour.
class TextRole : public QObject
{
public:
    TextRole(QWidget *widget, Role role) : QObject(widget), m_widget(widget), m_role(role)
    {
        widget->installEventFilter(this);
        apply();
    }

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange && !m_applying)
            apply();
        return false;
    }

private:
    void apply()
    {
        m_applying = true;
        QPalette palette = m_widget->palette();
        // The shade is the application's: the widget's own palette may still be the one of before.
        const QColor color = colorFor(m_role, QApplication::palette());
        if (palette.color(QPalette::WindowText) != color) {
            palette.setColor(QPalette::WindowText, color);
            m_widget->setPalette(palette);
        }
        m_applying = false;
    }

    QWidget *m_widget;
    Role m_role;
    bool m_applying = false;
};

/// A style sheet takes a combo box its arrow, and could give it a picture in a file only.
class ChoiceBox : public QComboBox
{
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QComboBox::paintEvent(event);
        QPainter painter(this);
        const QRect where(width() - IconSide - 6, (height() - IconSide) / 2, IconSide, IconSide);
        paintGlyph(&painter, where.adjusted(2, 2, -2, -2), Glyph::ChevronDown,
                   colorFor(isEnabled() ? Role::Text : Role::Muted, palette()));
    }
};

void follow(QPushButton *button, const QAction *action)
{
    button->setText(action->text());
    button->setIcon(action->icon());
    button->setToolTip(action->toolTip());
    button->setEnabled(action->isEnabled());
    button->setCheckable(action->isCheckable());
    button->setChecked(action->isChecked());
}

} // namespace

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setFont(mutedFont(label->font()));
    setTextRole(label, Role::Muted);
    return label;
}

QLabel *wrappedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

void setTextRole(QWidget *widget, Role role)
{
    new TextRole(widget, role);
}

QString toolTipText(const QString &text)
{
    return u"<p style='white-space:pre-wrap'>"_s + text.toHtmlEscaped() + u"</p>"_s;
}

QPushButton *actionButton(QAction *action, QWidget *parent)
{
    auto *button = new QPushButton(parent);
    button->setAutoDefault(false);
    button->setIconSize({IconSide, IconSide});
    button->setMinimumHeight(HitHeight);
    follow(button, action);
    QObject::connect(action, &QAction::changed, button, [button, action] { follow(button, action); });
    // The action decides what is checked; it tells the button when it has changed.
    QObject::connect(button, &QPushButton::clicked, action, [button, action] {
        button->setChecked(action->isChecked());
        action->trigger();
    });
    return button;
}

QPushButton *linkButton(QAction *action, QWidget *parent)
{
    QPushButton *button = actionButton(action, parent);
    button->setObjectName(u"link"_s);
    return button;
}

QComboBox *choiceBox(QWidget *parent)
{
    auto *box = new ChoiceBox(parent);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setMinimumHeight(HitHeight);
    return box;
}

} // namespace Baton::Monitor
