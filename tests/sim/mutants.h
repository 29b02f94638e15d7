// SPDX-License-Identifier: MIT
#pragma once

#include "invariant.h"

#include <span>

namespace Baton::Sim {

/// A deliberate fault that the simulator must find: the files *.mutant, made into a table by mutate.cpp.
struct Mutant
{
    const char *name;
    const char *fault; ///< What is wrong, in a sentence.
    const char *breaks; ///< The invariants that must be violated by it, with a space between.
};
[[nodiscard]] std::span<const Mutant> mutants();

} // namespace Baton::Sim
