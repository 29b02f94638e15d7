// SPDX-License-Identifier: MIT
#include "unixsignals.h"

#include "exitcodes.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace Baton::Tools {

namespace {
int g_pipe[2];
std::atomic_flag g_seen; // Free of locks, and handlers may run in two threads at once.

/// Only what is safe in a signal handler: write() and _exit().
void onTermination(int signal)
{
    if (g_seen.test_and_set())
        ::_exit(ExitSignal + signal);
    const int error = errno;
    const char byte = 0;
    [[maybe_unused]] const auto ignored = ::write(g_pipe[1], &byte, 1);
    errno = error;
}

void handle(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

/// As `nohup` leaves SIGHUP.
bool isIgnored(int signal)
{
    struct sigaction action = {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}
} // namespace

UnixSignals::UnixSignals(QObject *parent) : QObject(parent)
{
    if (::pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe: out of descriptors");
    m_notifier = std::make_unique<QSocketNotifier>(g_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        Q_EMIT termination();
    });
    // A shell starts background jobs with SIGINT ignored; it ends them all the same.
    for (const int signal : {SIGTERM, SIGINT})
        handle(signal, onTermination);
    if (!isIgnored(SIGHUP))
        handle(SIGHUP, onTermination);
    for (const int signal : {SIGPIPE, SIGTTIN, SIGTTOU, SIGXFSZ})
        handle(signal, SIG_IGN);
}

} // namespace Baton::Tools
