// SPDX-License-Identifier: MIT
#pragma once

#include "httpparser.h"

namespace Baton::Testing {

/// An answer as it will be sent.
struct AgentAnswer
{
    int status = 200;
    QByteArray body;
    Headers headers;
};

/// Consul's answers in JSON.
[[nodiscard]] AgentAnswer jsonAnswer(const QByteArray &body, int status = 200);
/// Consul's answers in words.
[[nodiscard]] AgentAnswer textAnswer(int status, const QString &text);
[[nodiscard]] AgentAnswer withHeaders(AgentAnswer answer, const Headers &headers);

} // namespace Baton::Testing
