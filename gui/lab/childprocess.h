// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QProcess>

namespace Baton::Lab {

/// Makes the kernel end \a process when this thread ends, however it ends. To be called before start(), in
/// the thread that will start it. Linux only; elsewhere an ordinary end cleans up.
void endWithThisThread(QProcess &process);

} // namespace Baton::Lab
