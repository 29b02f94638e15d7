// SPDX-License-Identifier: MIT
#include "act.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Sim {

std::span<const DeedName> deedNames()
{
    using enum Deed;
    static constexpr DeedName Names[] = {
        {Start, "start"_L1, true, false},
        {Stop, "stop"_L1, true, false},
        {Crash, "crash"_L1, true, false},
        {Release, "release"_L1, true, false},
        {Pause, "pause"_L1, true, true},
        {Suspend, "suspend"_L1, true, true},
        {Drift, "drift"_L1, true, false},
        {Freeze, "freeze-agent"_L1, true, true},
        {Cut, "cut"_L1, true, true},
        {Blind, "blind"_L1, true, true},
        {Lag, "lag-polls"_L1, true, true},
        {Deafen, "deafen"_L1, true, true},
        {Drop, "drop-lock-answer"_L1, true, false},
        {Fail, "fail-check"_L1, true, true},
        {Leave, "leave"_L1, true, true},
        {Revoke, "revoke"_L1, true, true},
        {Restart, "restart-server"_L1, false, true},
        {LoseLeader, "lose-leader"_L1, false, true},
        {Destroy, "destroy-session"_L1, false, false},
        {Strike, "strike-leader"_L1, false, true},
        {Delete, "delete-key"_L1, false, false},
        {Put, "put-key"_L1, false, false},
        {Unlock, "release-key"_L1, false, false},
        {Write, "write-other-key"_L1, false, false},
        {Snapshot, "snapshot"_L1, false, false},
        {SnapshotFree, "snapshot-between-terms"_L1, false, false},
        {Restore, "restore"_L1, false, false},
        {Rebuild, "rebuild"_L1, false, false},
    };
    return Names;
}

const DeedName &nameOf(Deed deed)
{
    const auto names = deedNames();
    return *std::find_if(names.begin(), names.end(), [deed](const DeedName &n) { return n.deed == deed; });
}

} // namespace Baton::Sim
