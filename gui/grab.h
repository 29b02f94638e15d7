// SPDX-License-Identifier: MIT
#pragma once

#include "commandline.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace Baton::Monitor {

class Window;

/// Waits until a window shows everything of its page, draws it into a file, and ends the program with its
/// exit code.
class Grab : public QObject
{
    Q_OBJECT
public:
    /// \a window must outlive it.
    Grab(Window &window, const CommandLine &line, QObject *parent = nullptr);

private:
    void look();
    void draw();
    void giveUp();

    Window &m_window;
    CommandLine m_line;
    QTimer m_bound;
    QTimer m_looking;
};

} // namespace Baton::Monitor
