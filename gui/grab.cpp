// SPDX-License-Identifier: MIT
#include "grab.h"

#include "models/verdict.h"
#include "window.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QPixmap>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {
/// Between two looks at whether everything is there.
constexpr std::chrono::milliseconds LookEvery{50};

void complain(const QString &text)
{
    std::fprintf(stderr, "baton-monitor: %s\n", qPrintable(text));
}
} // namespace

Grab::Grab(Window &window, const CommandLine &line, QObject *parent)
    : QObject(parent), m_window(window), m_line(line)
{
    m_bound.setSingleShot(true);
    connect(&m_bound, &QTimer::timeout, this, &Grab::giveUp);
    m_bound.start(line.wait);
    connect(&m_looking, &QTimer::timeout, this, &Grab::look);
    m_looking.start(LookEvery);
}

void Grab::look()
{
    const Feed *feed = m_window.feed();
    const bool complete =
        feed && feed->snapshot().complete && feed->connection().state == ConnectionState::Live;
    if (!complete || !m_window.link()->isJournalLoaded() || !m_window.page())
        return;
    m_looking.stop();
    m_bound.stop();
    // What the last signals asked for is painted before the picture is taken.
    QTimer::singleShot(qMax(m_line.watch, LookEvery), this, &Grab::draw);
}

void Grab::draw()
{
    // Nothing is to look as if somebody pointed at it.
    for (QWidget *widget : m_window.findChildren<QWidget *>())
        widget->setAttribute(Qt::WA_UnderMouse, false);
    const bool written = m_window.grab().save(m_line.grab, "PNG");
    if (!written)
        complain(u"--grab: cannot write '%1'"_s.arg(m_line.grab));
    QCoreApplication::exit(written ? 0 : ExitCannotCreate);
}

void Grab::giveUp()
{
    m_looking.stop();
    const Feed *feed = m_window.feed();
    const QString cause =
        feed ? troubleText(feed->connection().error).cause : tr("there is no connection yet");
    complain(u"--grab: nothing complete within %1 s%2"_s.arg(m_line.wait.count() / 1000)
                 .arg(cause.isEmpty() ? QString() : u": "_s + cause));
    QCoreApplication::exit(ExitUnavailable);
}

} // namespace Baton::Monitor
