// SPDX-License-Identifier: MIT
#include "views/firstrunpage.h"

#include "views/connectionform.h"
#include "views/widgets.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

namespace Baton::Monitor {
namespace {

constexpr int PictureSide = 56;
constexpr int ColumnWidth = 520;

class Picture : public QWidget
{
public:
    explicit Picture(QWidget *parent) : QWidget(parent) { setFixedSize(PictureSide, PictureSide); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        applicationIcon().paint(&painter, rect());
    }
};

} // namespace

FirstRunPage::FirstRunPage(QWidget *parent) : QWidget(parent), m_form(new ConnectionForm(this))
{
    auto *title = plainLabel(tr("Which Consul shall be watched?"), this);
    title->setFont(verdictFont(font()));
    auto *cause =
        wrappedLabel(tr("This window only reads, until Read-only is lifted. It shows the elections of any "
                        "Consul, also where candidates do not use Baton."),
                     this);
    setTextRole(cause, Role::Muted);
    auto *go = new QPushButton(tr("Connect"), this);
    go->setDefault(true);

    auto *column = new QVBoxLayout;
    column->setSpacing(Grid);
    column->addWidget(new Picture(this));
    column->addSpacing(Grid);
    column->addWidget(title);
    column->addWidget(cause);
    column->addSpacing(Grid);
    column->addWidget(m_form);
    column->addWidget(go, 0, Qt::AlignTrailing);
    for (QWidget *wide :
         {static_cast<QWidget *>(title), static_cast<QWidget *>(cause), static_cast<QWidget *>(m_form)})
        wide->setFixedWidth(ColumnWidth);
    auto *middle = new QHBoxLayout;
    middle->addStretch();
    middle->addLayout(column);
    middle->addStretch();
    auto *all = new QVBoxLayout(this);
    all->addStretch(2);
    all->addLayout(middle);
    all->addStretch(3);

    connect(go, &QPushButton::clicked, this, &FirstRunPage::submit);
    connect(m_form, &ConnectionForm::submitted, this, &FirstRunPage::submit);
    connect(m_form, &ConnectionForm::edited, go, [this, go] { go->setEnabled(m_form->isValid()); });
    m_form->setProfile(ConnectionProfile::fromEnvironment());
}

void FirstRunPage::focusForm()
{
    m_form->setFocus();
    focusNextChild();
}

void FirstRunPage::submit()
{
    if (m_form->isValid())
        Q_EMIT submitted(m_form->profile());
}

} // namespace Baton::Monitor
