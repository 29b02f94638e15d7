// SPDX-License-Identifier: MIT
#include "childprocess.h"

#if defined(Q_OS_LINUX)
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
#endif

namespace Baton::Lab {

void endWithThisThread(QProcess &process)
{
#if defined(Q_OS_LINUX)
    process.setChildProcessModifier([parent = getpid()] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // The parent may have gone before the request was made.
        if (getppid() != parent)
            _exit(1);
        // Ctrl-C goes to the whole group of a terminal; the demonstration ends its children itself, in order.
        setpgid(0, 0);
    });
#else
    Q_UNUSED(process);
#endif
}

} // namespace Baton::Lab
