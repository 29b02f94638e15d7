// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/leaderinfo.h>
#include <core/lockvalue.h>

namespace Baton::Shell {

/// What a lock key says of its leader. \a value counts only where it names \a session, which is empty where
/// nobody holds the lock.
[[nodiscard]] LeaderInfo leaderFrom(const QString &key, const QString &session, quint64 index,
                                    const std::optional<Core::LockValue> &value);

} // namespace Baton::Shell
