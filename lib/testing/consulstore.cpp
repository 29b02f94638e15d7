// SPDX-License-Identifier: MIT
#include "consulstore.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

std::optional<QString> idProblem(const QString &id)
{
    constexpr qsizetype UuidLength = 36;
    if (id.size() != UuidLength)
        return u"failed session lookup: index error: UUID must be 36 characters"_s;
    for (const QChar c : id) {
        const bool isHex = (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
        if (!isHex && c != u'-')
            return u"failed session lookup: index error: Invalid UUID: encoding/hex: invalid byte: U+%1 '%2'"_s
                .arg(QString::number(c.unicode(), 16).toUpper().rightJustified(4, u'0'), c);
    }
    return std::nullopt;
}

// ---- Keys ----------------------------------------------------------------------------------------------

const KvEntry *ConsulStore::find(const QString &key) const
{
    const auto found = m_keys.find(key);
    return found == m_keys.end() ? nullptr : &found->second;
}

/// What every write ends in. A write that changes nothing keeps the old index.
KvEntry ConsulStore::store(KvEntry entry, quint64 at)
{
    entry.createIndex = entry.modifyIndex = at;
    auto &slot = m_keys[entry.key];
    const bool exists = slot.modifyIndex != 0;
    if (exists) {
        entry.createIndex = slot.createIndex;
        if (slot.lockIndex == entry.lockIndex && slot.flags == entry.flags && slot.value == entry.value
            && slot.session == entry.session) {
            return slot;
        }
    }
    m_keysIndex = at;
    slot = entry;
    return entry;
}

/// A plain write keeps the session, and resets LockIndex to what it brings: zero.
KvEntry ConsulStore::set(KvEntry entry, quint64 at)
{
    const KvEntry *existing = find(entry.key);
    entry.session = existing ? existing->session : std::nullopt;
    entry.lockIndex = 0;
    return store(std::move(entry), at);
}

ConsulStore::Attempt ConsulStore::setIfIndex(KvEntry entry, quint64 expected, quint64 at)
{
    const KvEntry *existing = find(entry.key);
    if ((existing ? existing->modifyIndex : 0) != expected)
        return {};
    return {true, {}, set(std::move(entry), at)};
}

std::optional<QString> ConsulStore::lockerProblem(const std::optional<QString> &session) const
{
    if (!session || session->isEmpty())
        return u"missing session"_s;
    if (const auto problem = idProblem(*session))
        return problem;
    if (!m_sessions.contains(*session))
        return u"invalid session "_s + goQuoted(*session);
    return std::nullopt;
}

ConsulStore::Attempt ConsulStore::lock(KvEntry entry, quint64 at)
{
    if (const auto problem = lockerProblem(entry.session))
        return {false, *problem, {}};
    const KvEntry *existing = find(entry.key);
    if (!existing)
        entry.lockIndex = 1;
    else if (existing->session == entry.session)
        entry.lockIndex = existing->lockIndex;
    else if (existing->session)
        return {};
    else
        entry.lockIndex = existing->lockIndex + 1;
    return {true, {}, store(std::move(entry), at)};
}

ConsulStore::Attempt ConsulStore::unlock(KvEntry entry, quint64 at)
{
    if (!entry.session || entry.session->isEmpty())
        return {false, u"missing session"_s, {}};
    const KvEntry *existing = find(entry.key);
    if (!existing || existing->session != entry.session)
        return {};
    entry.session.reset();
    entry.lockIndex = existing->lockIndex;
    return {true, {}, store(std::move(entry), at)};
}

void ConsulStore::remove(const QString &key, quint64 at)
{
    if (m_keys.erase(key) == 0)
        return;
    m_graves[key] = at;
    m_keysIndex = at;
}

ConsulStore::Attempt ConsulStore::removeIfIndex(const QString &key, quint64 expected, quint64 at)
{
    const KvEntry *existing = find(key);
    if (existing && existing->modifyIndex != expected)
        return {};
    remove(key, at);
    return {true, {}, {}};
}

void ConsulStore::removeTree(const QString &prefix, quint64 at)
{
    for (const KvEntry &entry : tree(prefix))
        remove(entry.key, at);
}

// ---- Sessions and checks -------------------------------------------------------------------------------

const SessionRecord *ConsulStore::session(const QString &id) const
{
    const auto found = m_sessions.find(id);
    return found == m_sessions.end() ? nullptr : &found->second;
}

SessionRecord *ConsulStore::session(const QString &id)
{
    const auto found = m_sessions.find(id);
    return found == m_sessions.end() ? nullptr : &found->second;
}

Outcome ConsulStore::create(const MakeSession &request, const QString &id, quint64 at)
{
    if (!m_nodes.contains(request.node))
        return {.status = 500, .text = u"Missing node registration"_s};
    SessionRecord session;
    session.nodeChecks = request.nodeChecks.value_or(QStringList{u"serfHealth"_s});
    session.serviceChecks = request.serviceChecks;
    for (const QString &check : request.checks) {
        if (!session.nodeChecks.contains(check))
            session.checks += check;
    }
    for (const QString &check : session.nodeChecks + session.serviceChecks + session.checks) {
        if (const auto problem = checkProblem(request.node, check))
            return {.status = 500, .text = *problem};
    }
    session.id = id;
    session.name = request.name;
    session.node = request.node;
    session.ttl = request.ttl;
    session.ttlText = request.ttlText;
    session.lockDelay = request.lockDelay;
    session.behavior = request.behavior;
    session.createIndex = at;
    m_sessions[id] = session;
    m_sessionsIndex = at;
    Outcome outcome;
    outcome.session = session;
    return outcome;
}

QStringList ConsulStore::end(const QString &id, quint64 at)
{
    const auto found = m_sessions.find(id);
    if (found == m_sessions.end())
        return {};
    const Behavior behavior = found->second.behavior;
    m_sessions.erase(found);
    m_sessionsIndex = at;
    QStringList held;
    for (const auto &[key, entry] : m_keys) {
        if (entry.session == id)
            held += key;
    }
    for (const QString &key : std::as_const(held)) {
        if (behavior == Behavior::Delete) {
            remove(key, at);
        } else {
            KvEntry free = m_keys[key];
            free.session.reset();
            store(free, at);
        }
    }
    return held;
}

void ConsulStore::addNode(const QString &node, quint64 at)
{
    if (m_nodes.contains(node))
        return;
    m_nodes += node;
    CheckRecord check{node, u"serfHealth"_s, {}, CheckStatus::Passing, {}, {}};
    check.name = u"Serf Health Status"_s;
    check.output = u"Agent alive and reachable"_s;
    setCheck(check, at);
}

void ConsulStore::setCheck(CheckRecord record, quint64 at)
{
    record.createIndex = record.modifyIndex = m_catalogIndex = at;
    if (CheckRecord *known = check(record.node, record.id)) {
        record.createIndex = known->createIndex;
        *known = record;
    } else {
        m_checks.push_back(record);
    }
}

const CheckRecord *ConsulStore::check(const QString &node, const QString &id) const
{
    const auto found = std::find_if(m_checks.begin(), m_checks.end(), [&](const CheckRecord &check) {
        return check.node == node && check.id == id;
    });
    return found == m_checks.end() ? nullptr : &*found;
}

CheckRecord *ConsulStore::check(const QString &node, const QString &id)
{
    return const_cast<CheckRecord *>(std::as_const(*this).check(node, id));
}

void ConsulStore::setCheckStatus(CheckRecord &check, CheckStatus status, quint64 at)
{
    check.status = status;
    check.modifyIndex = m_catalogIndex = at;
}

void ConsulStore::removeCheck(const QString &node, const QString &id, quint64 at)
{
    std::erase_if(m_checks, [&](const CheckRecord &check) { return check.node == node && check.id == id; });
    m_catalogIndex = at;
}

void ConsulStore::setService(ServiceRecord service, quint64 at)
{
    service.createIndex = service.modifyIndex = m_catalogIndex = at;
    const auto known = std::find_if(m_services.begin(), m_services.end(), [&](const ServiceRecord &other) {
        return other.node == service.node && other.id == service.id;
    });
    if (known == m_services.end()) {
        m_services.push_back(service);
    } else {
        service.createIndex = known->createIndex;
        *known = service;
    }
}

void ConsulStore::removeService(const QString &node, const QString &id, quint64 at)
{
    std::erase_if(m_services,
                  [&](const ServiceRecord &other) { return other.node == node && other.id == id; });
    std::erase_if(m_checks,
                  [&](const CheckRecord &check) { return check.node == node && check.service == id; });
    m_catalogIndex = at;
}

void ConsulStore::removeNode(const QString &node, quint64 at)
{
    m_nodes.removeAll(node);
    std::erase_if(m_services, [&](const ServiceRecord &service) { return service.node == node; });
    std::erase_if(m_checks, [&](const CheckRecord &check) { return check.node == node; });
    m_catalogIndex = at;
}

std::optional<QString> ConsulStore::checkProblem(const QString &node, const QString &id) const
{
    const CheckRecord *found = check(node, id);
    if (!found)
        return u"Missing check '%1' registration"_s.arg(id);
    if (found->status == CheckStatus::Critical)
        return u"Check '%1' is in critical state"_s.arg(id);
    return std::nullopt;
}

QStringList ConsulStore::unhealthySessions() const
{
    QStringList ids;
    for (const auto &[id, session] : m_sessions) {
        const QStringList checks = session.nodeChecks + session.serviceChecks + session.checks;
        const bool healthy = m_nodes.contains(session.node)
            && std::none_of(checks.begin(), checks.end(),
                            [&](const QString &check) { return checkProblem(session.node, check); });
        if (!healthy)
            ids += id;
    }
    return ids;
}

} // namespace Baton::Testing
