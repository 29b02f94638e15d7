// SPDX-License-Identifier: MIT
#include "lockvalue.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

using namespace Qt::StringLiterals;

namespace Baton::Core {

namespace {
constexpr qint64 MaxTtlMs = 24LL * 3600 * 1000;
} // namespace

QByteArray LockValue::toJson() const
{
    QJsonObject object{
        {u"v"_s, Version},
        {u"instance"_s, instance},
        {u"host"_s, host},
        {u"pid"_s, pid},
        {u"version"_s, version},
        {u"since"_s, since},
        {u"session"_s, session},
        {u"ttl_ms"_s, qint64(ttl.count())},
        {u"lock_delay_ms"_s, qint64(lockDelay.count())},
        {u"nonce"_s, nonce},
    };
    if (!metadata.isEmpty()) {
        QJsonObject own;
        for (auto it = metadata.cbegin(); it != metadata.cend(); ++it)
            own.insert(it.key(), it.value());
        object.insert(u"metadata"_s, own);
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<LockValue> LockValue::fromJson(const QByteArray &value)
{
    const QJsonObject object = QJsonDocument::fromJson(value).object();
    const qint64 lockDelayMs = object["lock_delay_ms"_L1].toInteger(-1);
    const qint64 ttlMs = object["ttl_ms"_L1].toInteger(-1);
    if (object["v"_L1].toInteger() < Version || object["session"_L1].toString().isEmpty() || lockDelayMs < 0
        || lockDelayMs > MaxLockDelay.count() || ttlMs <= 0 || ttlMs > MaxTtlMs)
        return std::nullopt;

    LockValue result;
    result.instance = object["instance"_L1].toString();
    result.host = object["host"_L1].toString();
    result.pid = object["pid"_L1].toInteger();
    result.version = object["version"_L1].toString();
    result.since = object["since"_L1].toString();
    result.session = object["session"_L1].toString();
    result.ttl = std::chrono::milliseconds{ttlMs};
    result.lockDelay = std::chrono::milliseconds{lockDelayMs};
    result.nonce = object["nonce"_L1].toString();
    const QJsonObject own = object["metadata"_L1].toObject();
    for (auto it = own.begin(); it != own.end(); ++it)
        result.metadata.insert(it.key(), it->toString());
    return result;
}

} // namespace Baton::Core
