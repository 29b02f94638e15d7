// SPDX-License-Identifier: MIT
#pragma once

#include "codec.h"
#include "errortext.h"
#include "json.h"
#include "queries.h"

/// The parts of decode(): one replyTo() a request, for an exchange that was complete, and what they share.
namespace Baton::Wire {

[[nodiscard]] Reply replyTo(const CreateSession &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const RenewSession &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const InspectSession &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const DestroySession &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const ReadKey &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const WatchKey &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const LockKey &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const ReleaseKey &request, const HttpAnswer &answer);
[[nodiscard]] Reply replyTo(const FencedWrite &request, const HttpAnswer &answer);

[[nodiscard]] QueryReply unlockReply(const UnlockKey &query, const HttpAnswer &answer);

inline constexpr int StatusOk = 200;
inline constexpr int StatusRedirect = 300;
inline constexpr int StatusBadRequest = 400;
inline constexpr int StatusForbidden = 403;
inline constexpr int StatusNotFound = 404;
inline constexpr int StatusConflict = 409;
inline constexpr int StatusTooManyRequests = 429;
inline constexpr int StatusServerError = 500;

/// What an answer means that is none of those which the request expects.
[[nodiscard]] Failure failureFor(const HttpAnswer &answer);
/// A failure in whose detail the beginning of the body follows \a why.
[[nodiscard]] Failure unexpected(const HttpAnswer &answer, const QString &why);
/// What the headers say of a list or a key.
[[nodiscard]] ListHeader listHeader(const HttpAnswer &answer);
/// It says that its body is JSON.
[[nodiscard]] bool isJson(const HttpAnswer &answer);
/// The body of an answer that says it is JSON and is.
[[nodiscard]] std::optional<Json> jsonBody(const HttpAnswer &answer);
/// The body of an answer in Consul's plain text; empty for any other.
[[nodiscard]] QString plainBody(const HttpAnswer &answer);

} // namespace Baton::Wire
