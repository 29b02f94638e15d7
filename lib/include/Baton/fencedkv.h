// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <Baton/lease.h>
#include <Baton/leaseerror.h>

#include <QtCore/QByteArray>
#include <QtCore/QFuture>
#include <QtCore/QList>
#include <QtCore/QString>

namespace Baton {

/// What became of a fenced write, and why. A value.
struct BATON_EXPORT WriteResult
{
    /// Whether it is written; Unknown is an answer, too.
    WriteOutcome outcome = WriteOutcome::Unknown;
    /// What stood in the way; isOk() where the lease was void or the lock not ours any more.
    LeaseError error;
    bool operator==(const WriteResult &) const = default;
};

/*!
 * Writes into Consul's KV that take effect only while the lock is still this term's: one transaction checks
 * the lock key's session and writes, so a late write of an earlier term is refused by Consul itself.
 *
 * It protects keys of the same Consul cluster and datacenter, nothing else; other stores need the token.
 *
 * \code
 * const Baton::FencedKv kv(provider.lease());
 * kv.write(QStringLiteral("invoices/last"), "4711").then(&context, [](const Baton::WriteResult &result) {
 *     if (result.outcome != Baton::WriteOutcome::Written)
 *         qWarning("%s", qUtf8Printable(result.error.message()));
 * });
 * \endcode
 *
 * Limits: at most MaxWrites keys a call, and 512 KiB for the whole request, where values travel in base64:
 * about 380 KiB of values.
 *
 * Errors: a write is Refused where nothing was written, and Unknown where the answer was lost: then it was
 * written while the lock was ours, or not at all. It is not repeated. A void lease sends nothing.
 *
 * Threads: any. Continuations without a context run on a thread of Baton's, one after the other.
 *
 * Ownership: holds a copy of the lease, and may outlive provider and application object.
 *
 * Pinned by tst_live_fencedkv and tst_rows_write.
 */
class BATON_EXPORT FencedKv
{
public:
    /// Keys of one write(). Consul takes 64 operations in a transaction, and three of them are the check.
    static constexpr int MaxWrites = 61;

    /// One key and what it is to hold.
    struct Write
    {
        /// Not empty, without a slash at either end; the same rules as for LeaseOptions::key.
        QString key;
        /// Any bytes.
        QByteArray value;
    };

    /// For the term of \a lease; a null one refuses every write.
    explicit FencedKv(const Lease &lease) : m_lease(lease) { }

    /// Sets \a key to \a value while the lock is ours.
    [[nodiscard]] QFuture<WriteResult> write(const QString &key, const QByteArray &value) const;
    /// All of \a writes or none of them.
    [[nodiscard]] QFuture<WriteResult> write(const QList<Write> &writes) const;

private:
    Lease m_lease;
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::WriteResult)
