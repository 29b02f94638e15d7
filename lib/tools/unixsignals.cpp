// SPDX-License-Identifier: MIT
#include "unixsignals.h"

#include "exitcodes.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace Baton::Tools {

namespace {
int g_pipe[2];
volatile std::sig_atomic_t g_seen = 0;

/// Only what is safe in a signal handler: write() and _exit().
void onTermination(int signal)
{
    if (g_seen)
        ::_exit(ExitSignal + signal);
    g_seen = 1;
    const char byte = 0;
    [[maybe_unused]] const auto ignored = ::write(g_pipe[1], &byte, 1);
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
    for (const int signal : {SIGTERM, SIGINT})
        std::signal(signal, onTermination);
    std::signal(SIGPIPE, SIG_IGN);
}

} // namespace Baton::Tools
