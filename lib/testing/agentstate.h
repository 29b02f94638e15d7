// SPDX-License-Identifier: MIT
#pragma once

#include "agentanswer.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

#include <map>
#include <optional>

namespace Baton::Testing {

/*!
 * The sessions and keys of a scripted agent, and Consul's answers about them in the exact words and shapes of
 * Consul 1.8.7 (compact JSON, members in its order). Pure. Nothing happens by itself: sessions do not expire
 * and there is a lock-delay only while the script says so.
 */
class AgentState
{
public:
    struct Entry
    {
        quint64 lockIndex = 0;
        QByteArray value;
        QString session; ///< Empty: not locked.
        quint64 createIndex = 0;
        quint64 modifyIndex = 0;
    };

    AgentAnswer create(const QByteArray &body);
    [[nodiscard]] AgentAnswer renew(const QString &session) const;
    [[nodiscard]] AgentAnswer info(const QString &session) const;
    AgentAnswer destroy(const QString &session);
    [[nodiscard]] AgentAnswer read(const QString &key) const;
    AgentAnswer release(const QString &key, const QString &session);
    AgentAnswer transaction(const QByteArray &body);

    /// X-Consul-Index of read(): for an absent key that of the store, which any write moves.
    [[nodiscard]] quint64 indexOf(const QString &key) const;
    [[nodiscard]] std::optional<Entry> entry(const QString &key) const;
    [[nodiscard]] QStringList sessions() const;

    /// A foreign hand: whoever may write the key.
    void hold(const QString &key, const QString &session, const QByteArray &value);
    void put(const QString &key, const QByteArray &value);
    void unlock(const QString &key, const QByteArray &value);
    void remove(const QString &key);
    void setLockDelay(bool running) { m_lockDelay = running; }
    void setIndex(quint64 index) { m_index = index; }

private:
    struct Session
    {
        QString name;
        QString ttl;
        qint64 lockDelay = 0; ///< Nanoseconds.
        QJsonArray nodeChecks;
        quint64 index = 0;
    };
    using Entries = std::map<QString, Entry>;
    using Problem = std::optional<QByteArray>;

    [[nodiscard]] QByteArray sessionList(const QString &id) const;
    [[nodiscard]] Headers queryHeaders(quint64 index) const;
    Entry &written(const QString &key);
    Problem apply(Entries &entries, const QJsonObject &operation, QByteArrayList &results) const;
    Problem lock(Entry &entry, const QString &session, const QByteArray &value, const QByteArray &key) const;

    std::map<QString, Session> m_sessions;
    Entries m_entries;
    quint64 m_index = 10; ///< Of the last write.
    bool m_lockDelay = false;
};

} // namespace Baton::Testing
