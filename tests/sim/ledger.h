// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <QtCore/QString>

#include <optional>
#include <vector>

namespace Baton::Testing {
class ConsulStore;
}

namespace Baton::Sim {

/// Why the lock key has lost its holder.
enum class Cause {
    Released, ///< By the holder itself.
    Expired, ///< Nobody renewed the session.
    Ended, ///< Something else ended the session: destroyed, a check, its node. The lock-delay runs.
    Deleted, ///< An operator deleted the key: no lock-delay.
    Unlocked, ///< An operator released it in the holder's name: no lock-delay.
    Restored, ///< An older state came back, or none.
    Written, ///< Not at all: somebody wrote to it.
};

struct Freedom
{
    QString of; ///< The session that lost it.
    Cause cause = Cause::Released;
};

/// What really happened to the lock key, in Consul's own order: the truth that claims are judged by.
class Ledger
{
public:
    struct Grant
    {
        QString session;
        quint64 index = 0; ///< ModifyIndex of the write that gave the lock.
        int order = 0;
        int cluster = 0; ///< Indexes of different ones cannot be compared.
        bool lost = false;
        bool lostOnce = false; ///< … and came back by a restore, perhaps.
        Cause cause = Cause::Released; ///< Of the loss.
        int foreignWrites = 0; ///< By then, to the key.
    };

    explicit Ledger(QString key) : m_key(std::move(key)) { }
    /// Looks at the key after something of \a cause happened to Consul.
    void observe(const Testing::ConsulStore &store, Cause cause);

    /// From now on it is another cluster, made from nothing.
    void startAnew() { ++m_cluster; }

    [[nodiscard]] const std::optional<QString> &holder() const { return m_holder; }
    /// The lock that \a session took and that \a token belongs to: the last one not above it, else the first;
    /// nothing where it never had one.
    [[nodiscard]] const Grant *grantOf(const QString &session, quint64 token) const;
    [[nodiscard]] const Grant *firstGrantOf(const QString &session) const { return grantOf(session, 0); }
    [[nodiscard]] Freedom freedom() const { return m_freedom; }
    [[nodiscard]] int foreignWrites() const { return m_foreignWrites; }
    [[nodiscard]] int cluster() const { return m_cluster; }

private:
    const QString m_key;
    std::optional<QString> m_holder;
    Freedom m_freedom;
    int m_foreignWrites = 0;
    int m_cluster = 0;
    std::vector<Grant> m_grants; ///< In their order.
    size_t m_current = 0; ///< The holder's.
};

} // namespace Baton::Sim
