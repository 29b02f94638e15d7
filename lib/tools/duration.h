// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QStringView>

#include <chrono>
#include <optional>

namespace Baton::Tools {

/// `500ms`, `10s`, `1m30s`, `2h`: whole numbers, each with its unit, larger units first. Nothing for anything
/// else.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(QStringView text);

} // namespace Baton::Tools
