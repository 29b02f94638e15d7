// SPDX-License-Identifier: MIT
#include "replies.h"

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

/// Bytes of a foreign body that are looked at for a detail; far more than MaxDetail characters need.
constexpr qsizetype DetailBytes = 4096;

/// The media type without its parameters, in lower case.
QByteArray mediaType(const HttpAnswer &answer)
{
    return answer.contentType.split(';').first().trimmed().toLower();
}

QString beginningOf(const HttpAnswer &answer)
{
    const QString text = plainLine(QString::fromUtf8(answer.body.left(DetailBytes)));
    return text.isEmpty() ? u"no text"_s : text;
}

Failure brokenExchange(const HttpAnswer &answer, FailureKind kind, const QString &meaning)
{
    const QString detail = plainLine(answer.errorText);
    return {kind, answer.status, detail.isEmpty() ? meaning : detail};
}

FailureKind kindOfServerError(const HttpAnswer &answer)
{
    switch (meaningOf(plainBody(answer), {})) {
    case Meaning::Denied:
        return FailureKind::Denied; // Consul says 403; an agent in front of an older server may not.
    case Meaning::NodeUnhealthy:
        return FailureKind::NodeUnhealthy;
    case Meaning::BadArgument:
        return FailureKind::Rejected;
    default:
        return FailureKind::ServerError;
    }
}

/// 404 is NotConsul: what Baton asks for exists in every Consul since 1.7, so the address leads somewhere
/// else.
FailureKind kindOfStatus(const HttpAnswer &answer)
{
    if (answer.status >= StatusServerError)
        return kindOfServerError(answer);
    if (answer.status == StatusForbidden)
        return FailureKind::Denied;
    if (answer.status == StatusTooManyRequests)
        return FailureKind::RateLimited;
    const bool foreign = !answer.body.isEmpty() && plainBody(answer).isEmpty();
    if (answer.status >= StatusBadRequest && answer.status != StatusNotFound && !foreign)
        return FailureKind::Rejected;
    return FailureKind::NotConsul;
}

Reply replyToComplete(const Request &request, const HttpAnswer &answer)
{
    if (answer.body.size() > MaxAnswer)
        return Failure{FailureKind::NotConsul, answer.status, u"longer than any answer of Consul"_s};
    Reply reply = std::visit([&answer](const auto &typed) { return replyTo(typed, answer); }, request);
    // What may have been cut without notice is no evidence of anything but trouble.
    if (!answer.lengthKnown && !std::holds_alternative<Failure>(reply))
        return Failure{FailureKind::Interrupted, answer.status, u"the answer does not say how long it is"_s};
    return reply;
}

} // namespace

Failure failureFor(const HttpAnswer &answer)
{
    if (answer.status >= StatusRedirect && answer.status < StatusBadRequest)
        return unexpected(answer, u"a redirect, which is never followed"_s);
    return {kindOfStatus(answer), answer.status, beginningOf(answer)};
}

Failure unexpected(const HttpAnswer &answer, const QString &why)
{
    return {FailureKind::NotConsul, answer.status, plainLine(why + u": "_s + beginningOf(answer))};
}

bool isJson(const HttpAnswer &answer)
{
    return mediaType(answer) == "application/json";
}

std::optional<Json> jsonBody(const HttpAnswer &answer)
{
    return isJson(answer) ? Json::parse(answer.body) : std::nullopt;
}

QString plainBody(const HttpAnswer &answer)
{
    return mediaType(answer) == "text/plain" ? QString::fromUtf8(answer.body.left(DetailBytes)) : QString();
}

Reply decode(const Request &request, const HttpAnswer &answer)
{
    switch (answer.exchange) {
    case Exchange::Complete:
        return replyToComplete(request, answer);
    case Exchange::Unreachable:
        return brokenExchange(answer, FailureKind::Unreachable, u"no connection"_s);
    case Exchange::TimedOut:
        return brokenExchange(answer, FailureKind::TimedOut, u"no complete answer in time"_s);
    case Exchange::Interrupted:
        return brokenExchange(answer, FailureKind::Interrupted, u"the connection ended early"_s);
    case Exchange::TooLarge:
        return brokenExchange(answer, FailureKind::NotConsul, u"longer than any answer of Consul"_s);
    }
    return brokenExchange(answer, FailureKind::Interrupted, u"the connection ended early"_s);
}

} // namespace Baton::Wire
