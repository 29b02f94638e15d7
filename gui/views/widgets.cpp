// SPDX-License-Identifier: MIT
#include "views/widgets.h"

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

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

class Separator : public QWidget
{
public:
    explicit Separator(QWidget *parent) : QWidget(parent) { setFixedHeight(1); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter(this).fillRect(rect(), colorFor(Role::Line, palette()));
    }
};

QToolButton *button(QAction *action, const QString &look, QWidget *parent)
{
    auto *made = new QToolButton(parent);
    made->setObjectName(look);
    made->setDefaultAction(action);
    made->setIconSize({IconSide, IconSide});
    made->setMinimumHeight(HitHeight);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
    return made;
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

QToolButton *framedButton(QAction *action, QWidget *parent)
{
    return button(action, u"framed"_s, parent);
}

QToolButton *linkButton(QAction *action, QWidget *parent)
{
    return button(action, u"link"_s, parent);
}

QWidget *separator(QWidget *parent)
{
    return new Separator(parent);
}

} // namespace Baton::Monitor
