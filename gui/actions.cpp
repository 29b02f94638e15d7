// SPDX-License-Identifier: MIT
#include "actions.h"

#include "views/glyph.h"

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QWidget>

namespace Baton::Monitor {

Actions::Actions(QWidget *window)
    : QObject(window), overview(addCheckable(Glyph::Overview, tr("Overview"), {Qt::CTRL | Qt::Key_1})),
      sessions(addCheckable(Glyph::Sessions, tr("Sessions"), {Qt::CTRL | Qt::Key_2})),
      journal(addCheckable(Glyph::Journal, tr("Journal"), {Qt::CTRL | Qt::Key_5})),
      connection(add(Glyph::Connect, tr("Connections…"), {Qt::CTRL | Qt::Key_L})),
      refresh(add(tr("Read anew"), {Qt::Key_F5, Qt::CTRL | Qt::Key_R})), retry(add(tr("Try again"))),
      pause(addCheckable(Glyph::Pause, tr("Pause"), {Qt::CTRL | Qt::Key_P})),
      readOnly(addCheckable(Glyph::Locked, tr("Read-only"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E})),
      worst(add(tr("Select the worst election"), {Qt::ALT | Qt::Key_1})),
      filter(add(Glyph::Search, tr("Filter"), {Qt::Key_Slash, Qt::CTRL | Qt::Key_F})),
      clearFilter(add(tr("Clear filter"))), back(add(tr("Back"), {Qt::ALT | Qt::Key_Left})),
      forward(add(tr("Forward"), {Qt::ALT | Qt::Key_Right})), nextArea(add(tr("Next area"), {Qt::Key_F6})),
      pin(add(tr("Pin row"), {Qt::Key_Space})), copyCell(add(tr("Copy cell"), {Qt::CTRL | Qt::Key_C})),
      copyRow(add(tr("Copy row"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C})),
      copyJson(add(tr("Copy as JSON"), {Qt::CTRL | Qt::ALT | Qt::Key_C})),
      exportTable(add(Glyph::Export, tr("Export…"), {Qt::CTRL | Qt::Key_E})),
      openSession(add(tr("Open session"), {Qt::CTRL | Qt::Key_O})),
      openElection(add(tr("Open election"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O})),
      destroySession(add(tr("Destroy session…"))), releaseLock(add(tr("Release lock…"))),
      themeSystem(add(tr("System"))), themeLight(add(tr("Light"))), themeDark(add(tr("Dark"))),
      compact(add(tr("Compact rows"))), help(add(Glyph::Help, tr("Help"), {Qt::Key_Question, Qt::Key_F1})),
      about(add(tr("About Baton Monitor"))), quit(add(tr("Quit"), {Qt::CTRL | Qt::Key_Q})),
      pages(new QActionGroup(this)), themes(new QActionGroup(this)), m_window(window)
{
    for (QAction *page : {overview, sessions, journal})
        pages->addAction(page);
    for (QAction *theme : {themeSystem, themeLight, themeDark}) {
        theme->setCheckable(true);
        themes->addAction(theme);
    }
    compact->setCheckable(true);
    readOnly->setChecked(true);
    readOnly->setToolTip(tr("While this is on, nothing in here can change Consul"));
    // Plain keys belong to whoever has the focus; the pages listen for these within their tables.
    pin->setShortcutContext(Qt::WidgetShortcut);
    update({});
}

QAction *Actions::add(const QString &text, const QList<QKeyCombination> &shortcuts)
{
    auto *window = static_cast<QWidget *>(parent());
    auto *action = new QAction(text, window);
    QList<QKeySequence> sequences;
    for (const QKeyCombination &key : shortcuts)
        sequences += QKeySequence(key);
    action->setShortcuts(sequences);
    if (!sequences.isEmpty())
        action->setToolTip(
            QStringLiteral("%1 (%2)").arg(text, sequences.first().toString(QKeySequence::NativeText)));
    window->addAction(action);
    return action;
}

QAction *Actions::add(Glyph glyph, const QString &text, const QList<QKeyCombination> &shortcuts)
{
    QAction *action = add(text, shortcuts);
    action->setIcon(glyphIcon(glyph));
    return action;
}

QAction *Actions::addCheckable(Glyph glyph, const QString &text, const QList<QKeyCombination> &shortcuts)
{
    QAction *action = add(glyph, text, shortcuts);
    action->setCheckable(true);
    return action;
}

void Actions::update(const Situation &situation)
{
    for (QAction *action : {overview, sessions, journal, pause, readOnly, refresh})
        action->setEnabled(situation.connected);
    for (QAction *action : {worst, filter, exportTable, copyCell, copyRow, copyJson, pin})
        action->setEnabled(situation.hasData);
    openSession->setEnabled(situation.sessionKnown);
    openElection->setEnabled(situation.hasData);
    const bool mayAct = situation.hasData && !situation.stale && !situation.readOnly;
    destroySession->setEnabled(mayAct && situation.sessionKnown);
    releaseLock->setEnabled(mayAct && situation.electionChosen && situation.electionHeld);
    const QString why = situation.readOnly ? tr("Lift Read-only first")
        : situation.stale                  ? tr("Not while the data are old")
                                           : QString();
    destroySession->setToolTip(why.isEmpty() ? tr("End the session and free its locks") : why);
    releaseLock->setToolTip(why.isEmpty() ? tr("Take the lock away in its holder's name") : why);
}

QList<Actions::Group> Actions::groups() const
{
    return {
        {tr("Pages"), {overview, sessions, journal, back, forward, nextArea}},
        {tr("Tables"), {filter, pin, copyCell, copyRow, copyJson, exportTable}},
        {tr("Elections"), {worst, openSession, openElection, pause, refresh}},
        {tr("Window"), {connection, readOnly, help, quit}},
    };
}

QString Actions::plainText(const QAction &action)
{
    QString text = action.text();
    text.remove(u'…');
    return text;
}

} // namespace Baton::Monitor
