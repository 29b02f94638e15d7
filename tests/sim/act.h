// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <QtCore/QString>

#include <optional>
#include <span>

namespace Baton::Sim {

/// What can be done to a world, by chance or by a scenario.
enum class Deed {
    // To a candidate
    Start,
    Stop,
    Crash, ///< The process is gone; what it had sent is not.
    Release, ///< The application gives the lease up.
    Pause, ///< The process stands still; its clock does not.
    Suspend, ///< A virtual machine is paused: its clock stands still too. Outside the assumptions.
    Drift, ///< The clock changes its speed, within the bound.
    // To the way between a candidate and Consul
    Freeze, ///< The agent stands still, and what passes through it with it.
    Cut, ///< Nothing gets through, either way.
    Blind, ///< Only the answers to long polls are lost.
    Lag, ///< Answers to long polls come late.
    Deafen, ///< Requests get through, answers do not.
    Drop, ///< The next answer to a lock is lost.
    Fail, ///< The health check of the candidate's node turns critical.
    Leave, ///< The agent leaves: its node and whatever is bound to it are gone.
    Revoke, ///< The candidate's token loses rights.
    // To Consul
    Restart,
    LoseLeader,
    Destroy, ///< An operator ends the session that holds the lock.
    Strike, ///< … just after its next renewal, whose answer is late; its owner hears no other.
    Delete, ///< … deletes the key.
    Put, ///< … writes to the key.
    Unlock, ///< … releases the key in the holder's name.
    Write, ///< Somebody writes another key.
    Snapshot,
    SnapshotFree, ///< … as soon as the key is free between two terms.
    Restore, ///< … of the last snapshot, in place.
    Rebuild, ///< From nothing.
};

struct Act
{
    Deed deed{};
    int who = 0; ///< The candidate, where the deed concerns one.
    Duration length{}; ///< Where the deed lasts.
    bool ofTrouble = false; ///< Only trouble wants it: not done any more once all is healed.
};

struct DeedName
{
    Deed deed;
    QLatin1StringView name;
    bool concernsCandidate;
    bool lasts;
};
/// How scenarios and traces spell them.
[[nodiscard]] std::span<const DeedName> deedNames();
[[nodiscard]] const DeedName &nameOf(Deed deed);

} // namespace Baton::Sim
