// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <functional>

namespace Baton::Testing {

// Stops a process in its tracks (SIGSTOP) and returns when every thread of it stands still; false if it does
// not, or is not there. thawProcess() lets it go on.
[[nodiscard]] bool freezeProcess(qint64 processId);
void thawProcess(qint64 processId);

// For QProcess::setChildProcessModifier(): the kernel kills the child when the thread that started it ends,
// so that it also goes with a test that is killed before any destructor runs.
[[nodiscard]] std::function<void()> endWithParent();

} // namespace Baton::Testing
