// SPDX-License-Identifier: MIT
#pragma once

#include <core/candidatemachine.h>

#include <array>
#include <utility>

/* The spelling of states and events in the tests' text files. */
namespace Baton::Core {

inline constexpr auto StateNames = std::to_array<std::pair<State, const char *>>({
    {State::Idle, "Idle"},
    {State::Opening, "Opening"},
    {State::Verifying, "Verifying"},
    {State::Reading, "Reading"},
    {State::Waiting, "Waiting"},
    {State::Locking, "Locking"},
    {State::Leading, "Leading"},
    {State::Diagnosing, "Diagnosing"},
    {State::Yielding, "Yielding"},
    {State::Closing, "Closing"},
    {State::Over, "Over"},
});

inline constexpr auto EventNames = std::to_array<std::pair<Event, const char *>>({
    {Event::Start, "Start"},
    {Event::Stop, "Stop"},
    {Event::Release, "Release"},
    {Event::HandedOver, "HandedOver"},
    {Event::Abandon, "Abandon"},
    {Event::Retry, "Retry"},
    {Event::Deadline, "Deadline"},
    {Event::Bound, "Bound"},
    {Event::Created, "Created"},
    {Event::CreateFailed, "CreateFailed"},
    {Event::Renewed, "Renewed"},
    {Event::Unfit, "Unfit"},
    {Event::RenewFailed, "RenewFailed"},
    {Event::SessionGone, "SessionGone"},
    {Event::SessionSeen, "SessionSeen"},
    {Event::SessionUnseen, "SessionUnseen"},
    {Event::KeyAbsent, "KeyAbsent"},
    {Event::KeyFree, "KeyFree"},
    {Event::KeyDelayed, "KeyDelayed"},
    {Event::KeyHeld, "KeyHeld"},
    {Event::KeyOurs, "KeyOurs"},
    {Event::KeyDoubtful, "KeyDoubtful"},
    {Event::KeyFailed, "KeyFailed"},
    {Event::Won, "Won"},
    {Event::WonLate, "WonLate"},
    {Event::WonLow, "WonLow"},
    {Event::WonHopeless, "WonHopeless"},
    {Event::Contended, "Contended"},
    {Event::Delayed, "Delayed"},
    {Event::Stale, "Stale"},
    {Event::LockDenied, "LockDenied"},
    {Event::LockUnknown, "LockUnknown"},
});

template <typename Value, size_t Size>
const char *nameOf(const std::array<std::pair<Value, const char *>, Size> &names, Value value)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == value)
            return name;
    }
    return "?";
}

} // namespace Baton::Core
