// SPDX-License-Identifier: MIT
#include "views/connectiondialog.h"

#include "models/format.h"
#include "models/profiles.h"
#include "views/connectionform.h"
#include "views/widgets.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
constexpr int ListWidth = 200;
} // namespace

ConnectionDialog::ConnectionDialog(Profiles &profiles, QWidget *parent)
    : QDialog(parent), m_profiles(profiles), m_list(new QListWidget(this)), m_form(new ConnectionForm(this)),
      m_remove(new QPushButton(tr("Remove"), this)), m_connect(new QPushButton(tr("Connect"), this))
{
    setWindowTitle(tr("Connections"));
    m_list->setObjectName(u"boxed"_s);
    m_list->setAccessibleName(tr("Connections"));
    m_list->setFixedWidth(ListWidth);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_connect->setDefault(true);
    auto *add = new QPushButton(tr("New"), this);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    for (QPushButton *button : {add, m_remove, cancel})
        button->setAutoDefault(false);

    auto *under = new QHBoxLayout;
    under->setSpacing(Grid);
    under->addWidget(add);
    under->addWidget(m_remove);
    under->addStretch();
    auto *left = new QVBoxLayout;
    left->setSpacing(Grid);
    left->addWidget(m_list, 1);
    left->addLayout(under);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(Grid);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_connect);
    auto *right = new QVBoxLayout;
    right->setSpacing(Grid);
    right->addWidget(m_form);
    right->addStretch();
    right->addLayout(buttons);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    row->setSpacing(3 * Grid);
    row->addLayout(left);
    row->addLayout(right, 1);

    connect(m_list, &QListWidget::currentRowChanged, this, &ConnectionDialog::showCurrent);
    connect(m_list, &QListWidget::itemDoubleClicked, this, &ConnectionDialog::connectToIt);
    connect(m_form, &ConnectionForm::edited, this, [this] { m_connect->setEnabled(m_form->isValid()); });
    connect(add, &QPushButton::clicked, this, &ConnectionDialog::addNew);
    connect(m_remove, &QPushButton::clicked, this, &ConnectionDialog::removeCurrent);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_connect, &QPushButton::clicked, this, &ConnectionDialog::connectToIt);
    const auto current = profiles.current();
    fill(current ? current->id : QString());
}

void ConnectionDialog::fill(const QString &current)
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const ConnectionProfile &profile : m_profiles.all()) {
        auto *item = new QListWidgetItem(Format::safe(profile.name), m_list);
        item->setData(Qt::UserRole, profile.id);
        if (profile.id == current)
            m_list->setCurrentItem(item);
    }
    if (!m_list->currentItem() && m_list->count() > 0)
        m_list->setCurrentRow(0);
    showCurrent();
}

void ConnectionDialog::showCurrent()
{
    const QListWidgetItem *item = m_list->currentItem();
    const auto profile = item ? m_profiles.profile(item->data(Qt::UserRole).toString()) : std::nullopt;
    m_form->setProfile(profile.value_or(ConnectionProfile::fromEnvironment()));
    m_remove->setEnabled(profile.has_value());
}

void ConnectionDialog::addNew()
{
    const QSignalBlocker blocker(m_list);
    m_list->setCurrentItem(nullptr);
    m_list->clearSelection();
    m_form->setProfile(ConnectionProfile::make({}, {}));
    m_remove->setEnabled(false);
}

void ConnectionDialog::removeCurrent()
{
    if (const QListWidgetItem *item = m_list->currentItem())
        m_profiles.remove(item->data(Qt::UserRole).toString());
    fill({});
}

void ConnectionDialog::connectToIt()
{
    if (!m_form->isValid())
        return;
    const ConnectionProfile profile = m_form->profile();
    m_profiles.save(profile);
    Q_EMIT chosen(profile.id);
    accept();
}

} // namespace Baton::Monitor
