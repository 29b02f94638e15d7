// SPDX-License-Identifier: MIT
#pragma once

#include "json.h"
#include "messages.h"

namespace Baton::Wire {

/// A session as it is listed; nothing where \a json is anything else.
[[nodiscard]] std::optional<SessionInfo> sessionFrom(const Json &json);
/// The entry of \a key as `kv` and `txn` write it; nothing where \a json is anything else.
[[nodiscard]] std::optional<KeyEntry> entryFrom(const Json &json, const QString &key);

} // namespace Baton::Wire
