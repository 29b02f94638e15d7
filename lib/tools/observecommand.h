// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/observeroptions.h>

#include <QtCore/QProcessEnvironment>
#include <QtCore/QStringList>

#include <chrono>

namespace Baton::Tools {

/// What `baton ls` or `baton watch` was asked to do.
struct ObserveCommand
{
    ObserverOptions options;
    QString key; ///< `watch --service`: only this one.
    bool json = false;
    bool sessions = false; ///< `watch --sessions`.
    std::chrono::milliseconds timeout{10'000}; ///< `ls`: for the first snapshot.

    QString error; ///< One line that names the option or variable; empty where all is well.
    QString answer; ///< To be printed instead: help or version.
};

/// Reads the words after `ls` or `watch`; options win over the environment. Reads no file.
[[nodiscard]] ObserveCommand parseLs(const QStringList &words, const QProcessEnvironment &environment);
[[nodiscard]] ObserveCommand parseWatch(const QStringList &words, const QProcessEnvironment &environment);

} // namespace Baton::Tools
