// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

/*!
 * Typed requests to HTTP and HTTP to typed replies. Pure: no network, no clock, no logging. decode() accepts
 * an answer only if status, content type, length and JSON are complete and exactly what the request expects;
 * everything else becomes a Failure, so nothing but a confirmed answer can be read as state.
 */
namespace Baton::Wire {

/// Where requests go, beyond the address. Empty members are not sent.
struct Scope
{
    QString datacenter;
    QString nameSpace;
    QString partition;
};

/// The manager a call goes through: long polls never queue in front of a renewal.
enum class Role { Work, Watch };

struct HttpCall
{
    QByteArray method; ///< "GET" or "PUT".
    QByteArray target; ///< Path and query, percent-encoded exactly once.
    QByteArray body; ///< JSON, or empty.
    Role role = Role::Work;
    bool once = false; ///< Must not be repeated by the network layer (session/create, txn).
    qint64 answerLimit = 0; ///< Bytes; a longer answer is cut off and reported as NotConsul.
};

/// How the exchange itself went.
enum class Exchange {
    Complete, ///< A whole answer, of its announced length.
    Unreachable, ///< Refused or not resolvable.
    TimedOut, ///< The total time was used up.
    Interrupted, ///< Cut, reset, or the network layer would have had to send it again.
    TooLarge, ///< Longer than HttpCall::answerLimit.
};

struct HttpAnswer
{
    Exchange exchange = Exchange::Unreachable;
    int status = 0;
    QByteArray contentType;
    QByteArray consulIndex; ///< X-Consul-Index as sent; null where missing.
    QByteArray consulKnownLeader; ///< X-Consul-Knownleader as sent.
    QByteArray consulLastContact; ///< X-Consul-Lastcontact as sent.
    QByteArray consulFiltered; ///< X-Consul-Results-Filtered-By-ACLs as sent.
    bool lengthKnown = false; ///< Content-Length or chunked: a cut would have been noticed.
    QByteArray body;
    QString errorText; ///< The network layer's own words where exchange is not Complete.
};

/// Bytes; no answer to these requests is longer: Consul's largest value, 512 KiB, takes 683 KiB in base64.
inline constexpr qint64 MaxAnswer = 1024 * 1024;
inline constexpr int MaxDetail = 200; ///< Characters of foreign text kept in a Failure.
inline constexpr int MaxTransaction = 512 * 1024; ///< Bytes: Consul's own limit (txn_max_req_len).

/*!
 * Nothing where \a key can be sent as it is, else the reason in the user's terms: empty, over 512 bytes of
 * UTF-8, a slash at either end, a part that is empty, "." or "..", an unprintable character (control, format,
 * any blank but the space), or invalid Unicode. Keys of [A-Za-z0-9._-] and slashes are recommended: newer
 * versions of Consul refuse more than this function does, among others most punctuation and endings such as
 * ".json".
 */
[[nodiscard]] std::optional<QString> keyProblem(const QString &key);

/// Keys must be free of keyProblem(), and a FencedWrite must have 1 to MaxWrites writes. Tokens are headers
/// and not known here, so no call contains one.
[[nodiscard]] HttpCall encode(const Request &request, const Scope &scope = {});
/// The reply is one of those that the request's type names, or a Failure.
[[nodiscard]] Reply decode(const Request &request, const HttpAnswer &answer);

/// Whole decimal number, exactly, without sign; nothing for anything else or beyond 64 bits.
[[nodiscard]] std::optional<quint64> parseIndex(QByteArrayView text);
/// Go's durations as Consul writes them: "10s", "1m30s", "500ms", "1.5s"; nothing for anything else, a
/// negative one or one beyond 64 bits of nanoseconds.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parseDuration(QStringView text);
/// Text with a unit that Consul takes: "10s", "1500ms", "0s".
[[nodiscard]] QString formatDuration(Milliseconds duration);
/// \a text on one line, control and bidi characters replaced, cut to \a limit characters.
[[nodiscard]] QString plainLine(QStringView text, int limit = MaxDetail);

} // namespace Baton::Wire
