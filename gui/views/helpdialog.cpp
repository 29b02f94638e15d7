// SPDX-License-Identifier: MIT
#include "views/helpdialog.h"

#include "actions.h"
#include "views/rowdelegate.h"
#include "views/widgets.h"

#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

class GlyphPicture : public QWidget
{
public:
    GlyphPicture(Glyph glyph, QWidget *parent) : QWidget(parent), m_glyph(glyph)
    {
        setFixedSize(IconSide, IconSide);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        paintGlyph(&painter, rect(), m_glyph, colorFor(roleOf(m_glyph), palette()));
    }

private:
    Glyph m_glyph;
};

QLabel *title(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    return label;
}

QGridLayout *legend(QWidget *parent)
{
    struct Meaning
    {
        Glyph glyph;
        QString text;
    };
    const QList<Meaning> meanings{
        {Glyph::Led, HelpDialog::tr("led: somebody holds the lock")},
        {Glyph::AtRisk, HelpDialog::tr("at risk: its leader cannot renew")},
        {Glyph::LockDelay, HelpDialog::tr("lock-delay: nobody may lead yet")},
        {Glyph::Vacant, HelpDialog::tr("vacant: nobody leads")},
        {Glyph::Alarm, HelpDialog::tr("alarm: led twice, token fell, orphaned, vacant too long")},
        {Glyph::NeverExpires, HelpDialog::tr("never expires: the holder's session has no TTL")},
        {Glyph::Hidden, HelpDialog::tr("hidden: an ACL may hide the key or its holder")},
        {Glyph::Stale, HelpDialog::tr("stale: not the present")},
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(Grid);
    grid->setVerticalSpacing(6);
    grid->addWidget(title(HelpDialog::tr("States"), parent), 0, 0, 1, 2);
    int row = 1;
    for (const Meaning &meaning : meanings) {
        grid->addWidget(new GlyphPicture(meaning.glyph, parent), row, 0);
        grid->addWidget(plainLabel(meaning.text, parent), row++, 1);
    }
    const QList<QString> words{
        HelpDialog::tr("two words: both must occur"),
        HelpDialog::tr("!word: must not occur"),
        HelpDialog::tr("state:vacant: compares the state"),
        HelpDialog::tr("re:^pay: a regular expression"),
    };
    grid->setRowMinimumHeight(row++, Grid);
    grid->addWidget(title(HelpDialog::tr("Filter"), parent), row++, 0, 1, 2);
    for (const QString &word : words)
        grid->addWidget(plainLabel(word, parent), row++, 0, 1, 2);
    grid->setRowStretch(row, 1);
    return grid;
}

QGridLayout *keys(const QList<Actions::Group> &groups, QWidget *parent)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(3 * Grid);
    grid->setVerticalSpacing(6);
    int row = 0;
    for (const Actions::Group &group : groups) {
        if (row > 0)
            grid->setRowMinimumHeight(row++, Grid);
        grid->addWidget(title(group.title, parent), row++, 0, 1, 2);
        for (const QAction *action : group.actions) {
            grid->addWidget(plainLabel(Actions::plainText(*action), parent), row, 0);
            QLabel *key = plainLabel(action->shortcut().toString(QKeySequence::NativeText), parent);
            setTextRole(key, Role::Muted);
            grid->addWidget(key, row++, 1, Qt::AlignTrailing);
        }
    }
    grid->setRowStretch(row, 1);
    return grid;
}

} // namespace

HelpDialog::HelpDialog(const Actions &actions, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Help"));
    const QList<Actions::Group> groups = actions.groups();
    auto *columns = new QHBoxLayout;
    columns->setSpacing(5 * Grid);
    columns->addLayout(legend(this));
    columns->addLayout(keys(groups.mid(0, 2), this));
    columns->addLayout(keys(groups.mid(2), this));
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(3 * Grid, 3 * Grid, 3 * Grid, 2 * Grid);
    all->setSpacing(2 * Grid);
    all->addLayout(columns);
    all->addWidget(close, 0, Qt::AlignTrailing);
}

} // namespace Baton::Monitor
