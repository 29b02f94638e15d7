// SPDX-License-Identifier: MIT
#include "forkguard.h"

#include <QtCore/qglobal.h>

#include <atomic>

#if defined(Q_OS_UNIX)
#include <pthread.h>
#endif

namespace Baton::Shell {

namespace {
std::atomic<bool> g_forked = false;
}

void watchForks()
{
#if defined(Q_OS_UNIX)
    [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] { g_forked = true; });
#endif
}

bool inForkedChild() noexcept
{
    return g_forked.load(std::memory_order_relaxed);
}

} // namespace Baton::Shell
