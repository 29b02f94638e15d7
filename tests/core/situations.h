// SPDX-License-Identifier: MIT
#pragma once

#include "harness.h"

/* Where a candidate can stand, and all that can come up to it there. Named as in situations.txt. */
namespace Baton::Core {

struct Situation
{
    const char *name;
    void (*bringAbout)(Harness &);
};

struct Stimulus
{
    const char *name;
    std::optional<Kind> answers; ///< Nothing: a command, or time.
    Wire::Reply (*reply)();
    void (*act)(Harness &) = nullptr;
};

const std::vector<Situation> &situations();
const std::vector<Stimulus> &stimuli();
/// Balanced, with a token floor of 60.
Settings situationSettings();

} // namespace Baton::Core
