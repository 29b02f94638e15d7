// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <atomic>

namespace Baton::Sim {

/// The one mutant that is at work in this process; negative: none, and the copy behaves as the original.
inline int mutantAtWork = -1;
/// How often its mutated text was executed.
inline std::atomic<quint64> mutantExecutions = 0;

/// What MUTATED stands for in a mutant's text.
inline bool isMutated(int mutant)
{
    if (mutant != mutantAtWork)
        return false;
    mutantExecutions.fetch_add(1, std::memory_order_relaxed);
    return true;
}

} // namespace Baton::Sim
