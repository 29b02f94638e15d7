// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>

#include <QtCore/QString>

class QDebug;

namespace Baton {

/*!
 * What went wrong, as a value: nothing in Baton throws. An error says which step of the campaign failed and
 * why. It does not say that leadership is lost: only LeaseProvider::leadershipLost() does, and most errors
 * pass without it.
 *
 * The texts are English and meant for logs; a program that shows errors to people translates code and step.
 * No text ever contains a token, a password or the value of a key.
 *
 * \code
 * QObject::connect(&provider, &Baton::LeaseProvider::errorOccurred, [](const Baton::LeaseError &error) {
 *     if (error.code == Baton::ErrorCode::Denied)
 *         qWarning("%s", qUtf8Printable(error.message())); // Names the ACL rule that is missing.
 * });
 * \endcode
 *
 * A value: cheap to copy, usable from any thread.
 *
 * Pinned by tst_leaseerror.
 */
struct BATON_EXPORT LeaseError
{
    /// What it is about; ErrorCode::None where nothing went wrong.
    ErrorCode code = ErrorCode::None;
    /// The step in which it happened.
    Step step = Step::Configure;
    /// The HTTP status Consul answered with; 0 where no answer came.
    int status = 0;
    /// Consul's or the network layer's own words: one line, cut to a sane length, possibly empty.
    QString detail{};
    /// The lock key concerned; names the missing rule in message().
    QString key{};

    /// True where nothing went wrong.
    [[nodiscard]] bool isOk() const { return code == ErrorCode::None; }

    /// One English sentence that names the step, the cause and, for ErrorCode::Denied, the ACL rule to add.
    [[nodiscard]] QString message() const;

    bool operator==(const LeaseError &) const = default;
};

/// Prints message() with the tags of code and step.
BATON_EXPORT QDebug operator<<(QDebug debug, const LeaseError &error);

} // namespace Baton

Q_DECLARE_METATYPE(Baton::LeaseError)
