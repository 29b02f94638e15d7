// SPDX-License-Identifier: MIT
#pragma once

#include "instant.h"

#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <algorithm>

namespace Baton::Core {

using Milliseconds = std::chrono::milliseconds;

/// What a candidate needs to know, resolved: no defaults are left to fill in here (LeaseOptions does that).
struct Settings
{
    QString key;
    QString sessionName;
    QStringList nodeChecks;
    QStringList serviceChecks;

    Milliseconds ttl{};
    Milliseconds lockDelay{};
    Milliseconds margin{};
    Milliseconds renewInterval{};
    Milliseconds requestTimeout{};
    Milliseconds watchWait{};
    Milliseconds stopTimeout{};

    QString instance;
    QString host;
    qint64 pid = 0;
    QString version;
    QMap<QString, QString> metadata;

    quint64 tokenFloor = 0; ///< Tokens announced are greater.
    quint64 seed = 0; ///< For jitter and nonces.
    Duration wallOffset{}; ///< UTC minus boot time, for display only.

    /// How long a lease is valid from the instant before its last acknowledged renewal was sent. Bounded by
    /// the lock-delay: whatever ends the session after that renewal, a successor gets in no earlier than
    /// lockDelay after it.
    [[nodiscard]] Duration window() const
    {
        const Duration byTtl = ttl - margin;
        return lockDelay == lockDelay.zero() ? byTtl : std::min(byTtl, Duration{lockDelay} * 9 / 10);
    }

    /// Everything but a renewal may take this long: a write goes through Raft, a renewal does not.
    [[nodiscard]] Milliseconds writeTimeout() const { return std::max(requestTimeout, Milliseconds{1000}); }
    /// A session that could not be destroyed has ended by itself after this, and its lock is free.
    [[nodiscard]] Duration sessionEnd() const { return 2 * Duration{ttl} + lockDelay; }
};

} // namespace Baton::Core
