// SPDX-License-Identifier: MIT
#include "bootclock.h"

#include <QtCore/QFile>

#if defined(Q_OS_LINUX) || defined(Q_OS_MACOS)
#include <ctime>
#elif defined(Q_OS_WIN)
#define NOMINMAX
#include <realtimeapiset.h>
#include <windows.h>
#endif

namespace Baton::Core {

#if defined(Q_OS_LINUX) || defined(Q_OS_MACOS)
Instant bootNow() noexcept
{
#ifdef Q_OS_LINUX
    constexpr clockid_t Clock = CLOCK_BOOTTIME;
#else
    constexpr clockid_t Clock = CLOCK_MONOTONIC; // Counts sleep on macOS, unlike on Linux.
#endif
    timespec now{};
    clock_gettime(Clock, &now);
    return Instant(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}
#elif defined(Q_OS_WIN)
Instant bootNow() noexcept
{
    // The biased interrupt time includes sleep; the unbiased one does not. Its unit is 100 ns.
    ULONGLONG ticks = 0;
    QueryInterruptTimePrecise(&ticks);
    return Instant(std::chrono::nanoseconds(qint64(ticks) * 100));
}
#else
#error "No clock that counts suspend is known for this system, and a lease must not rest on any other."
#endif

QString bootId()
{
#ifdef Q_OS_LINUX
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    if (file.open(QIODevice::ReadOnly))
        return QString::fromLatin1(file.readAll().trimmed());
#endif
    return {};
}

} // namespace Baton::Core
