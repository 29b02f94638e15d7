// SPDX-License-Identifier: MIT
#include "views/confirmdialog.h"

#include "views/widgets.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

namespace Baton::Monitor {
namespace {
constexpr int TextWidth = 480;
} // namespace

ConfirmDialog::ConfirmDialog(const Question &question, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(question.title);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * Grid, 3 * Grid, 3 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    QLabel *title = plainLabel(question.title, this);
    title->setFont(headingFont(font()));
    column->addWidget(title);
    QLabel *object = wrappedLabel(question.object, this);
    object->setFont(monospaceFont(font()));
    object->setFixedWidth(TextWidth);
    column->addWidget(object);
    for (const QString &effect : question.effects) {
        QLabel *label = wrappedLabel(effect, this);
        label->setFixedWidth(TextWidth);
        column->addWidget(label);
    }
    auto *deed = new QPushButton(question.deed, this);
    deed->setAutoDefault(false);
    if (!question.typed.isEmpty()) {
        auto *edit = new QLineEdit(this);
        edit->setAccessibleName(tr("Name to confirm"));
        column->addSpacing(Grid);
        column->addWidget(mutedLabel(tr("To confirm, type %1").arg(question.typed), this));
        column->addWidget(edit);
        deed->setEnabled(false);
        connect(edit, &QLineEdit::textChanged, deed,
                [deed, typed = question.typed](const QString &text) { deed->setEnabled(text == typed); });
    }
    // What does nothing is the default.
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(Grid);
    buttons->addStretch();
    buttons->addWidget(deed);
    buttons->addWidget(cancel);
    column->addSpacing(Grid);
    column->addLayout(buttons);
    connect(deed, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

} // namespace Baton::Monitor
