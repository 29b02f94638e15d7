// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>

namespace Baton::Tools {

/// What `baton agent` was asked to do.
struct AgentCommand
{
    QString bind = QStringLiteral("127.0.0.1");
    quint16 port = 0; ///< 0: any that is free.
    QString node = QStringLiteral("embedded");
    QString datacenter = QStringLiteral("dc1");
    std::chrono::milliseconds sessionTtlMin = std::chrono::seconds{10};

    QString error; ///< One line that names the option; empty where all is well.
    QString answer; ///< To be printed instead of running: help or version.
};

/// Reads the words after `agent`.
[[nodiscard]] AgentCommand parseAgent(const QStringList &words);

/// Runs the embedded agent until a signal ends it; the exit code of the process. Turns the event loop.
[[nodiscard]] int runAgent(const AgentCommand &command);

} // namespace Baton::Tools
