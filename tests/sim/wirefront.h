// SPDX-License-Identifier: MIT
#pragma once

#include <consul/messages.h>
#include <testing/consulrecords.h>

/*!
 * Baton's typed messages to the model's operations and back: what encode(), an agent and decode() do
 * together, without bytes. Only answers that are no plain success go through decode() itself, with Consul's
 * own text.
 */
namespace Baton::Sim {

/// Whether \a request goes through Consul's log; the others are answered at once, or parked.
[[nodiscard]] bool isWrite(const Wire::Request &request);
/// What a write asks of Consul. \a node is the agent's.
[[nodiscard]] Testing::Command commandFor(const Wire::Request &request, const QString &node);
[[nodiscard]] Testing::Query queryFor(const Wire::Request &request);

[[nodiscard]] Wire::Reply replyTo(const Wire::Request &request, const Testing::Outcome &outcome);
[[nodiscard]] Wire::Reply replyTo(const Wire::Request &request, const Testing::Reading &reading);
/// A server's 500 with \a text.
[[nodiscard]] Wire::Reply serverError(const Wire::Request &request, const QString &text);

} // namespace Baton::Sim
