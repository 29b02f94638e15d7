// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

/*!
 * What Consul's error texts mean. Consul has no error codes: the text is all there is, in the spellings of
 * its versions and with the prefixes that each server adds which passed it on. Texts are compared from their
 * begin to their end, so that a page which merely mentions one of them means nothing.
 */
namespace Baton::Wire {

enum class Meaning {
    Unknown,
    Held, ///< Another session holds the lock.
    LockDelay, ///< The lock-delay runs.
    StaleIndex, ///< A check of the key's index, presence or absence failed.
    StaleSession, ///< A check of the key's session failed.
    SessionGone, ///< Our session does not exist.
    Denied, ///< The token is unknown or has not the right.
    NothingToRead, ///< The key is absent; in a transaction only the consequence of another error.
    NodeUnhealthy, ///< A check that a session is to be bound to is missing or critical.
    BadArgument, ///< Refused now and at any other time.
};

/// The meaning of \a text for someone whose session is \a session.
[[nodiscard]] Meaning meaningOf(QStringView text, QStringView session);

} // namespace Baton::Wire
