// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace Baton::Core {

/*!
 * What stands under a lock key while it is held: a JSON object, the contract between candidates. A waiter
 * often may not see the holder's session, so the value carries what it needs to know: above all the
 * lock-delay.
 */
struct LockValue
{
    static constexpr int Version = 1;
    /// Consul applies no more, whatever a session says.
    static constexpr std::chrono::milliseconds MaxLockDelay{60'000};

    QString instance;
    QString host;
    qint64 pid = 0;
    QString version; ///< Of Baton.
    QString since; ///< ISO 8601, UTC; for display only.
    QString session;
    std::chrono::milliseconds ttl{};
    std::chrono::milliseconds lockDelay{};
    QString nonce; ///< Fresh for every term, so that the token rises even if a session is used again.
    QMap<QString, QString> metadata; ///< The application's own.

    [[nodiscard]] QByteArray toJson() const;
    /// Nothing where \a value is not Baton's: foreign clients write what they like.
    [[nodiscard]] static std::optional<LockValue> fromJson(const QByteArray &value);
};

} // namespace Baton::Core
