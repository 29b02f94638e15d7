// SPDX-License-Identifier: MIT
#pragma once

#include "models/statekind.h"

#include <QtCore/QList>
#include <QtCore/QObject>

class QAction;
class QActionGroup;
class QWidget;

namespace Baton::Monitor {

enum class Glyph;

/*!
 * Every action of the window: text, picture, shortcut and when it can be used. Who does the work connects to
 * it.
 */
class Actions : public QObject
{
    Q_OBJECT
public:
    /// What the rules for enabling go by.
    struct Situation
    {
        bool connected = false; ///< Some Consul is watched.
        bool hasData = false;
        bool stale = false; ///< What is shown is not the present, so nothing may be done on its grounds.
        bool readOnly = true;
        bool electionChosen = false;
        bool electionHeld = false;
        bool sessionKnown = false; ///< The chosen election's session, or the chosen session.
    };

    /// \a window owns them and gives them their shortcuts.
    explicit Actions(QWidget *window);

    void update(const Situation &situation);

    QAction *overview;
    QAction *sessions;
    QAction *journal;
    QAction *connection;
    QAction *refresh;
    QAction *retry;
    QAction *pause; ///< Checkable.
    QAction *readOnly; ///< Checkable.
    QAction *worst;
    QAction *filter;
    QAction *clearFilter;
    QAction *back;
    QAction *forward;
    QAction *nextArea;
    QAction *pin;
    QAction *copyCell;
    QAction *copyRow;
    QAction *copyJson;
    QAction *exportTable;
    QAction *openSession;
    QAction *openElection;
    QAction *destroySession;
    QAction *releaseLock;
    QAction *themeSystem;
    QAction *themeLight;
    QAction *themeDark;
    QAction *compact; ///< Checkable.
    QAction *help;
    QAction *about;
    QAction *quit;

    QActionGroup *pages;
    QActionGroup *themes;

    /// For the help: all that have a shortcut, in groups with a title.
    struct Group
    {
        QString title;
        QList<QAction *> actions;
    };
    [[nodiscard]] QList<Group> groups() const;
    /// Text without the mark of its key.
    [[nodiscard]] static QString plainText(const QAction &action);

private:
    QAction *add(const QString &text, const QList<QKeyCombination> &shortcuts = {});
    QAction *add(Glyph glyph, const QString &text, const QList<QKeyCombination> &shortcuts = {});
    QAction *addCheckable(Glyph glyph, const QString &text, const QList<QKeyCombination> &shortcuts = {});

    QWidget *m_window;
};

} // namespace Baton::Monitor
