// SPDX-License-Identifier: MIT
#include <Baton/fencedkv.h>

#include "driverlink.h"

#include <consul/codec.h>

using namespace Qt::StringLiterals;

namespace Baton {

static_assert(FencedKv::MaxWrites == Wire::FencedWrite::MaxWrites);

namespace {
/// Nothing where \a writes can be sent, else why not.
std::optional<QString> problem(const QList<FencedKv::Write> &writes)
{
    if (writes.isEmpty() || writes.size() > FencedKv::MaxWrites)
        return u"a fenced write takes 1 to %1 keys, not %2"_s.arg(FencedKv::MaxWrites).arg(writes.size());
    for (const auto &write : writes) {
        if (const auto why = Wire::keyProblem(write.key))
            return u"key: "_s + *why;
    }
    return std::nullopt;
}
} // namespace

QFuture<WriteResult> FencedKv::write(const QString &key, const QByteArray &value) const
{
    return write(QList<Write>{{key, value}});
}

QFuture<WriteResult> FencedKv::write(const QList<Write> &writes) const
{
    auto promise = std::make_shared<QPromise<WriteResult>>();
    promise->start();
    const auto refuse = [&](const LeaseError &error) {
        promise->addResult(WriteResult{WriteOutcome::Refused, error});
        promise->finish();
        return promise->future();
    };
    if (const auto why = problem(writes))
        return refuse({ErrorCode::Rejected, Step::Write, 0, *why, m_lease.key()});
    const auto driver = m_lease.isNull() ? nullptr : m_lease.m_term->driver();
    if (!driver || !m_lease.isHeld())
        return refuse({});
    QList<Wire::KeyValue> values;
    for (const auto &write : writes)
        values.append({write.key, write.value});
    driver->write({m_lease.m_term, values, promise});
    return promise->future();
}

} // namespace Baton
