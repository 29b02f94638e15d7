// SPDX-License-Identifier: MIT
#pragma once

#include "consulrecords.h"
#include "gotext.h"

namespace Baton::Testing {

/*!
 * What Consul's log makes: keys, sessions and checks, as every server keeps them and a snapshot contains
 * them. It knows no time. Each change names the index of the log entry that makes it; refusals leave
 * everything as it was.
 *
 * Source: agent/consul/state/kvs.go, txn.go and session.go of Consul 1.8; consul-facts as measured.
 */
class ConsulStore
{
public:
    /// What became of one operation on a key.
    struct Attempt
    {
        bool done = false;
        QString error; ///< Consul's text; empty where `false` is all it says.
        KvEntry entry; ///< As it is afterwards; without meaning unless done.
    };

    // Keys
    [[nodiscard]] const KvEntry *find(const QString &key) const;
    KvEntry set(KvEntry entry, quint64 at);
    Attempt setIfIndex(KvEntry entry, quint64 expected, quint64 at);
    Attempt lock(KvEntry entry, quint64 at);
    Attempt unlock(KvEntry entry, quint64 at);
    void remove(const QString &key, quint64 at);
    Attempt removeIfIndex(const QString &key, quint64 expected, quint64 at);
    void removeTree(const QString &prefix, quint64 at);
    Outcome apply(const Transaction &transaction, quint64 at);

    // Sessions and what they are bound to
    [[nodiscard]] const SessionRecord *session(const QString &id) const;
    [[nodiscard]] SessionRecord *session(const QString &id);
    [[nodiscard]] std::map<QString, SessionRecord> &sessions() { return m_sessions; }
    [[nodiscard]] const std::map<QString, SessionRecord> &sessions() const { return m_sessions; }
    Outcome create(const MakeSession &request, const QString &id, quint64 at);
    /// Ends it and returns the keys that it held.
    QStringList end(const QString &id, quint64 at);

    // Nodes and checks
    void addNode(const QString &node, quint64 at);
    [[nodiscard]] const QStringList &nodes() const { return m_nodes; }
    void setCheck(CheckRecord check, quint64 at);
    [[nodiscard]] CheckRecord *check(const QString &node, const QString &id);
    [[nodiscard]] const CheckRecord *check(const QString &node, const QString &id) const;
    [[nodiscard]] std::vector<CheckRecord> &checks() { return m_checks; }
    [[nodiscard]] const std::vector<CheckRecord> &checks() const { return m_checks; }
    void setCheckStatus(CheckRecord &check, CheckStatus status, quint64 at);
    void removeCheck(const QString &node, const QString &id, quint64 at);
    void setService(ServiceRecord service, quint64 at);
    [[nodiscard]] const std::vector<ServiceRecord> &services() const { return m_services; }
    /// With its checks.
    void removeService(const QString &node, const QString &id, quint64 at);
    void removeNode(const QString &node, quint64 at);
    /// The sessions that cannot live with their checks as they are now.
    [[nodiscard]] QStringList unhealthySessions() const;

    // Reading
    [[nodiscard]] Reading read(const Query &query) const;
    [[nodiscard]] quint64 indexOf(const Query &query) const;

private:
    class Undo;

    [[nodiscard]] std::optional<QString> lockerProblem(const std::optional<QString> &session) const;
    KvEntry store(KvEntry entry, quint64 at);
    void perform(const Operation &operation, quint64 at, std::vector<KvEntry> &results, QString &error);
    void performCheck(const Operation &operation, std::vector<KvEntry> &results, QString &error) const;
    [[nodiscard]] std::optional<QString> checkProblem(const QString &node, const QString &id) const;
    [[nodiscard]] std::vector<KvEntry> tree(const QString &prefix) const;
    [[nodiscard]] quint64 treeIndex(const QString &prefix) const;

    std::map<QString, KvEntry> m_keys;
    std::map<QString, quint64> m_graves; ///< Index at which a key was deleted.
    std::map<QString, SessionRecord> m_sessions;
    QStringList m_nodes;
    std::vector<CheckRecord> m_checks;
    std::vector<ServiceRecord> m_services;
    quint64 m_catalogIndex = 0; ///< Of the last change of a node, service or check.
    quint64 m_keysIndex = 0; ///< Of the last change of any key.
    quint64 m_sessionsIndex = 0;
};

/// Nothing where \a id looks like a session's, else Consul's text.
[[nodiscard]] std::optional<QString> idProblem(const QString &id);

} // namespace Baton::Testing
