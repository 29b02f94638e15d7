// SPDX-License-Identifier: MIT
#pragma once

#include "places.h"
#include "theme.h"

#include <QtCore/QSize>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace Baton::Monitor {

/// Exit codes of sysexits(3).
inline constexpr int ExitUsage = 64;
inline constexpr int ExitUnavailable = 69; ///< No complete snapshot in time.
inline constexpr int ExitCannotCreate = 73; ///< The picture cannot be written.

/// A smaller window would have to cut its controls.
inline constexpr QSize LeastWindowSize{800, 520};

/// What `baton-monitor` was asked to do.
struct CommandLine
{
    /// The Consul to watch, which is not kept as a profile; empty: the profile used last.
    QString address;
    QString datacenter;
    QString tokenFile;
    QStringList prefixes;

    std::optional<PageId> page;
    std::optional<ThemeChoice> theme;
    std::optional<QSize> size;

    /// A picture is written to this file, instead of opening a window.
    QString grab;
    /// For how long it is watched before, so that the picture shows what moved.
    std::chrono::milliseconds watch{0};
    /// How long a complete snapshot is waited for.
    std::chrono::milliseconds wait{15'000};

    /// One line that names the option; empty where all is well.
    QString error;
    /// To be printed instead: help or version.
    QString answer;
};

/// Reads the program's words, of which the first is its name. Needs no application object, since `--grab`
/// decides on the platform that it is made with.
[[nodiscard]] CommandLine parseCommandLine(const QStringList &words);

} // namespace Baton::Monitor
