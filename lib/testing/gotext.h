// SPDX-License-Identifier: MIT
#pragma once

#include "core/instant.h"

#include <QtCore/QString>

#include <variant>

/// Text as Go writes and reads it, since Consul's answers contain Go's own words.
namespace Baton::Testing {

/// %q, for the error texts that name a key or a session.
[[nodiscard]] QString goQuoted(const QString &text);

/// A JSON string with its quotes. Go escapes what could be markup.
[[nodiscard]] QByteArray goJson(const QString &text);

/// time.Duration.String(): 24h0m0s, 1m30s, 1.5s, 100ms, 0s.
[[nodiscard]] QString goDuration(Core::Duration duration);

/// time.ParseDuration(): the duration, or Go's error text.
[[nodiscard]] std::variant<Core::Duration, QString> parseGoDuration(const QString &text);

} // namespace Baton::Testing
