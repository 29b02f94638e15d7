// SPDX-License-Identifier: MIT
// What the window's actions do.
#include "window.h"

#include "models/electiontext.h"
#include "models/exporttable.h"
#include "models/format.h"
#include "models/profiles.h"
#include "models/verdict.h"
#include "theme.h"
#include "views/confirmdialog.h"
#include "views/connectiondialog.h"
#include "views/helpdialog.h"
#include "views/page.h"
#include "views/provenanceline.h"
#include "views/rail.h"
#include "views/tableview.h"
#include "views/verdictstrip.h"
#include "views/widgets.h"

#include <QtCore/QSaveFile>
#include <QtCore/QSettings>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

const QString ThemeKey = u"window/theme"_s;
const QString CompactKey = u"window/compact"_s;

QString standDownText(const ElectionRecord &election)
{
    return Window::tr("%1 stops leading %2.").arg(leaderName(election), Format::safe(election.name));
}

} // namespace

void Window::connectActions()
{
    const auto on = [this](QAction *action, auto &&function) {
        connect(action, &QAction::triggered, this, std::forward<decltype(function)>(function));
    };
    on(m_actions.overview, [this] { showPage(PageId::Overview); });
    on(m_actions.sessions, [this] { showPage(PageId::Sessions); });
    on(m_actions.journal, [this] { showPage(PageId::Journal); });
    on(m_actions.connection, [this] { chooseConnection(); });
    for (QAction *anew : {m_actions.refresh, m_actions.retry}) {
        on(anew, [this] {
            if (m_link)
                m_link->refresh();
        });
    }
    on(m_actions.pause, [this](bool paused) { m_feed->setPaused(paused); });
    on(m_actions.readOnly, [this](bool readOnly) { setReadOnly(readOnly); });
    const auto chooseWorst = [this] {
        if (!m_feed || m_worstKey.isEmpty())
            return;
        m_feed->selection().choose(m_worstKey);
        showPage(PageId::Overview);
    };
    on(m_actions.worst, chooseWorst);
    connect(m_strip, &VerdictStrip::activated, this, chooseWorst);
    on(m_actions.back, [this] {
        if (m_places.canGoBack())
            travel(m_places.back());
    });
    on(m_actions.forward, [this] {
        if (m_places.canGoForward())
            travel(m_places.forward());
    });
    on(m_actions.nextArea, [this] { focusNextArea(); });
    on(m_actions.openSession, [this] { openSession(); });
    on(m_actions.openElection, [this] { openElection(); });
    on(m_actions.destroySession, [this] { destroySession(); });
    on(m_actions.releaseLock, [this] { releaseLock(); });
    on(m_actions.themeSystem, [this] { chooseTheme(ThemeChoice::System); });
    on(m_actions.themeLight, [this] { chooseTheme(ThemeChoice::Light); });
    on(m_actions.themeDark, [this] { chooseTheme(ThemeChoice::Dark); });
    m_actions.themes->actions().at(int(m_services.theme.choice()))->setChecked(true);
    m_actions.compact->setChecked(m_services.settings.value(CompactKey).toBool());
    on(m_actions.compact, [this](bool compact) {
        m_services.settings.setValue(CompactKey, compact);
        for (Page *page : m_pages) {
            if (page)
                page->table().setCompact(compact);
        }
    });
    on(m_actions.help, [this] { HelpDialog(m_actions, this).exec(); });
    on(m_actions.about, [this] {
        QMessageBox::about(this, tr("About Baton Monitor"),
                           tr("Baton Monitor %1\nWho leads, what is odd, what moved.\nMIT licence")
                               .arg(QCoreApplication::applicationVersion()));
    });
    on(m_actions.quit, [this] { close(); });
}

void Window::chooseTheme(ThemeChoice choice)
{
    m_services.theme.setChoice(choice);
    m_services.settings.setValue(ThemeKey, int(choice));
}

void Window::connectTableActions()
{
    const auto onPage = [this](QAction *action, auto function) {
        connect(action, &QAction::triggered, this, [this, function] {
            if (Page *shown = page())
                function(*shown);
        });
    };
    onPage(m_actions.filter, [](Page &page) { page.focusFilter(); });
    onPage(m_actions.clearFilter, [](Page &page) { page.clearFilter(); });
    onPage(m_actions.copyCell, [](Page &page) { page.table().copyCell(); });
    onPage(m_actions.copyRow, [](Page &page) { page.table().copyRow(); });
    onPage(m_actions.copyJson, [](Page &page) { page.table().copyJson(); });
    onPage(m_actions.pin, [this](Page &page) {
        if (!page.table().currentKey().isEmpty())
            m_feed->selection().togglePinned(page.table().currentKey());
    });
    onPage(m_actions.exportTable, [this](Page &) { exportTable(); });
}

void Window::addMenu()
{
    auto *menu = new QMenu(this);
    menu->addActions({m_actions.connection, m_actions.refresh, m_actions.exportTable});
    menu->addSeparator();
    QMenu *theme = menu->addMenu(tr("Theme"));
    theme->addActions(m_actions.themes->actions());
    menu->addAction(m_actions.compact);
    menu->addSeparator();
    menu->addActions({m_actions.help, m_actions.about, m_actions.quit});
    auto *button = new QToolButton(m_strip);
    button->setObjectName(u"framed"_s);
    button->setIcon(glyphIcon(Glyph::Menu));
    button->setIconSize({IconSide, IconSide});
    button->setAccessibleName(tr("Menu"));
    button->setToolTip(tr("Menu"));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    m_strip->addButton(actionButton(m_actions.pause, m_strip));
    m_strip->addButton(actionButton(m_actions.readOnly, m_strip));
    m_strip->addButton(button);
}

void Window::updateActions()
{
    Actions::Situation situation;
    situation.connected = m_feed != nullptr;
    situation.readOnly = m_actions.readOnly->isChecked();
    if (m_feed) {
        const ElectionPtr election = targetElection();
        situation.hasData = m_feed->hasData();
        situation.stale = m_feed->isStale() || m_feed->isPaused();
        situation.electionChosen = election != nullptr;
        situation.electionHeld = election && election->isHeld();
        situation.sessionKnown = targetSession() != nullptr;
    }
    m_actions.update(situation);
    m_actions.back->setEnabled(m_places.canGoBack());
    m_actions.forward->setEnabled(m_places.canGoForward());
}

ElectionPtr Window::targetElection() const
{
    return m_feed->snapshot().election(m_feed->selection().current());
}

SessionPtr Window::targetSession() const
{
    if (m_pageId == PageId::Sessions)
        return m_feed->snapshot().session(m_feed->selection().session());
    const ElectionPtr election = targetElection();
    return election ? election->session : nullptr;
}

void Window::openSession()
{
    const ElectionPtr election = m_feed ? targetElection() : nullptr;
    if (!election || !election->session)
        return;
    m_feed->selection().setSession(election->session->id);
    showPage(PageId::Sessions);
}

void Window::openElection()
{
    const SessionPtr session = m_feed ? m_feed->snapshot().session(m_feed->selection().session()) : nullptr;
    if (!session || session->keys.isEmpty())
        return;
    m_feed->selection().choose(session->keys.first());
    showPage(PageId::Overview);
}

void Window::chooseConnection()
{
    ConnectionDialog dialog(m_services.profiles, this);
    connect(&dialog, &ConnectionDialog::chosen, this, [this](const QString &id) {
        m_services.profiles.setCurrent(id);
        if (const auto profile = m_services.profiles.profile(id))
            open(*profile);
    });
    dialog.exec();
}

void Window::setReadOnly(bool readOnly)
{
    m_actions.readOnly->setChecked(readOnly);
    m_actions.readOnly->setIcon(glyphIcon(readOnly ? Glyph::Locked : Glyph::Unlocked));
    updateActions();
}

void Window::focusNextArea()
{
    QList<QWidget *> areas{m_rail, m_strip};
    if (Page *shown = page()) {
        areas += &shown->table();
        if (QWidget *details = shown->details())
            areas += details;
    } else {
        areas += m_trouble;
    }
    areas += m_provenance;
    QWidget *focused = QApplication::focusWidget();
    qsizetype at = -1;
    for (qsizetype i = 0; i < areas.size(); ++i) {
        if (focused && (areas.at(i) == focused || areas.at(i)->isAncestorOf(focused)))
            at = i;
    }
    QWidget *next = areas.at((at + 1) % areas.size());
    if (next->focusPolicy() == Qt::NoFocus) {
        for (QWidget *child : next->findChildren<QWidget *>()) {
            if (child->focusPolicy() & Qt::TabFocus && child->isVisible() && child->isEnabled()) {
                next = child;
                break;
            }
        }
    }
    next->setFocus(Qt::TabFocusReason);
}

void Window::exportTable()
{
    const QString jsonFilter = tr("JSON Lines (*.jsonl)");
    const QString csvFilter = tr("CSV (*.csv)");
    QString chosenFilter;
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the rows that are shown"), {},
                                                      jsonFilter + u";;"_s + csvFilter, &chosenFilter);
    if (path.isEmpty())
        return;
    const bool csv = path.endsWith(u".csv"_s, Qt::CaseInsensitive)
        || (chosenFilter == csvFilter && !path.endsWith(u".jsonl"_s, Qt::CaseInsensitive));
    QSaveFile file(path);
    const TableFilter &rows = page()->filter();
    const bool written = file.open(QIODevice::WriteOnly)
        && (csv ? exportCsv(rows, file) : exportJsonLines(rows, file)) && file.commit();
    m_provenance->say(
        written ? tr("%1 written, rows: %2").arg(Format::safe(path), Format::number(quint64(rows.rowCount())))
                : tr("Cannot write %1: %2").arg(Format::safe(path), file.errorString()));
}

void Window::destroySession()
{
    const SessionPtr session = m_feed ? targetSession() : nullptr;
    if (!session || !m_link)
        return;
    ConfirmDialog::Question question;
    question.title = tr("Destroy session");
    question.object = Format::safe(session->id, Format::DetailLength);
    const QString name = Format::safe(session->name.isEmpty() ? session->id : session->name);
    question.effects += tr("The session %1 of node %2 ends.").arg(name, Format::safe(session->node));
    for (const QString &key : session->keys) {
        const ElectionPtr election = m_feed->snapshot().election(key);
        question.effects += session->deletesKeys
            ? tr("Deleted: %1.").arg(Format::safe(key))
            : tr("Freed: %1, locked for another %2.")
                  .arg(Format::safe(key), Format::setting(session->lockDelay));
        if (election)
            question.effects += standDownText(*election);
    }
    if (session->keys.isEmpty())
        question.effects += tr("It holds no lock key under the watched prefixes; it may hold others.");
    question.deed = tr("Destroy session");
    if (session->keys.size() > 1)
        question.typed = name;
    if (ConfirmDialog(question, this).exec() == QDialog::Accepted)
        m_link->destroySession(*session, this, [this, name](const AdminResult &result) {
            say(result, tr("%1 has ended").arg(name));
        });
}

void Window::releaseLock()
{
    const ElectionPtr election = m_feed ? targetElection() : nullptr;
    if (!election || !election->isHeld() || !m_link)
        return;
    const QString name = Format::safe(election->name);
    ConfirmDialog::Question question;
    question.title = tr("Release lock");
    question.object = Format::safe(election->key, Format::DetailLength);
    question.effects = {
        tr("The lock of %1 is released in its holder's name; its session lives on.").arg(name),
        standDownText(*election),
        tr("Consul imposes no lock-delay then: another candidate may lead before the present leader knows. "
           "Destroying the session is safer."),
    };
    question.deed = tr("Release lock");
    if (ConfirmDialog(question, this).exec() == QDialog::Accepted)
        m_link->releaseKey(*election, this, [this, name](const AdminResult &result) {
            say(result, tr("%1 is free").arg(name));
        });
}

void Window::say(const AdminResult &result, const QString &done)
{
    switch (result.outcome) {
    case AdminOutcome::Done:
        return m_provenance->say(done);
    case AdminOutcome::Changed:
        return m_provenance->say(
            tr("Nothing was done: it has changed meanwhile. %1").arg(Format::safe(result.detail)));
    case AdminOutcome::Refused:
        return m_provenance->say(tr("Nothing was done. %1").arg(troubleText(result.error).cause));
    case AdminOutcome::Unknown:
        return m_provenance->say(
            tr("Sent, but the answer was lost. %1").arg(troubleText(result.error).cause));
    }
}

} // namespace Baton::Monitor
