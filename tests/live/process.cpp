// SPDX-License-Identifier: MIT
#include "process.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>

#include <csignal>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr std::chrono::milliseconds standsStillWithin = 5s;

bool standsStill(qint64 processId)
{
    const QDir tasks(u"/proc/%1/task"_s.arg(processId));
    const QStringList threads = tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &thread : threads) {
        QFile stat(tasks.filePath(thread + u"/stat"_s));
        // The state follows the name, which is in parentheses and may contain anything.
        if (stat.open(QIODevice::ReadOnly)) {
            const QByteArray line = stat.readAll();
            if (line.mid(line.lastIndexOf(')') + 2, 1) != "T")
                return false;
        }
    }
    return !threads.isEmpty();
}
} // namespace

bool freezeProcess(qint64 processId)
{
    if (processId <= 0 || ::kill(pid_t(processId), SIGSTOP) != 0)
        return false;
    const QDeadlineTimer deadline(standsStillWithin);
    while (!standsStill(processId)) {
        if (deadline.hasExpired())
            return false;
        std::this_thread::yield();
    }
    return true;
}

void thawProcess(qint64 processId)
{
    if (processId > 0)
        ::kill(pid_t(processId), SIGCONT);
}

std::function<void()> endWithParent()
{
    return [parent = ::getpid()] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        // The parent may be gone already when the child asks for that.
        if (::getppid() != parent)
            ::_exit(1);
    };
}

} // namespace Baton::Testing
