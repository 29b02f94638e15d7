// SPDX-License-Identifier: MIT
#include "agentstate.h"

#include "gotext.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QUuid>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

QByteArray array(const QJsonArray &values)
{
    return QJsonDocument(values).toJson(QJsonDocument::Compact);
}

QByteArray entryJson(const QString &key, const AgentState::Entry &entry, bool withValue)
{
    const QByteArray value =
        withValue && !entry.value.isEmpty() ? '"' + entry.value.toBase64() + '"' : "null";
    const QByteArray session = entry.session.isEmpty() ? "" : ",\"Session\":" + goJson(entry.session);
    return "{\"LockIndex\":" + QByteArray::number(entry.lockIndex) + ",\"Key\":" + goJson(key)
        + ",\"Flags\":0,\"Value\":" + value + session
        + ",\"CreateIndex\":" + QByteArray::number(entry.createIndex)
        + ",\"ModifyIndex\":" + QByteArray::number(entry.modifyIndex) + '}';
}

/// "9s" or "9000ms" in nanoseconds: the units that Baton sends.
qint64 nanoseconds(const QString &duration)
{
    if (duration.endsWith("ms"_L1))
        return duration.chopped(2).toLongLong() * 1'000'000;
    return duration.chopped(1).toLongLong() * 1'000'000'000;
}

} // namespace

AgentAnswer AgentState::create(const QByteArray &body)
{
    const QJsonObject asked = QJsonDocument::fromJson(body).object();
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_sessions[id] = {asked["Name"_L1].toString(), asked["TTL"_L1].toString(),
                      nanoseconds(asked["LockDelay"_L1].toString(u"15s"_s)), asked["NodeChecks"_L1].toArray(),
                      ++m_index};
    return jsonAnswer("{\"ID\":" + goJson(id) + '}');
}

QByteArray AgentState::sessionList(const QString &id) const
{
    const auto found = m_sessions.find(id);
    if (found == m_sessions.end())
        return "[]";
    const Session &session = found->second;
    const QByteArray index = QByteArray::number(session.index);
    return "[{\"ID\":" + goJson(id) + ",\"Name\":" + goJson(session.name) + ",\"Node\":\"n1\",\"LockDelay\":"
        + QByteArray::number(session.lockDelay) + ",\"Behavior\":\"release\",\"TTL\":" + goJson(session.ttl)
        + ",\"NodeChecks\":" + array(session.nodeChecks) + ",\"ServiceChecks\":null,\"CreateIndex\":" + index
        + ",\"ModifyIndex\":" + index + "}]";
}

AgentAnswer AgentState::renew(const QString &session) const
{
    if (!m_sessions.contains(session))
        return textAnswer(404, u"Session id '%1' not found"_s.arg(session));
    return jsonAnswer(sessionList(session));
}

Headers AgentState::queryHeaders(quint64 index) const
{
    return {{"X-Consul-Index", QByteArray::number(index)},
            {"X-Consul-Knownleader", "true"},
            {"X-Consul-Lastcontact", "0"}};
}

AgentAnswer AgentState::info(const QString &session) const
{
    return withHeaders(jsonAnswer(sessionList(session)), queryHeaders(m_index));
}

AgentAnswer AgentState::destroy(const QString &session)
{
    ++m_index;
    m_sessions.erase(session);
    for (auto &[key, entry] : m_entries) {
        if (entry.session != session)
            continue;
        entry.session.clear();
        entry.modifyIndex = m_index;
    }
    return jsonAnswer("true");
}

AgentAnswer AgentState::read(const QString &key) const
{
    const Headers headers = queryHeaders(indexOf(key));
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return withHeaders(AgentAnswer{404, {}, {}}, headers);
    return withHeaders(jsonAnswer('[' + entryJson(key, found->second, true) + ']'), headers);
}

AgentAnswer AgentState::release(const QString &key, const QString &session)
{
    const std::optional<Entry> held = entry(key);
    if (session.isEmpty() || !held || held->session != session) {
        ++m_index;
        return jsonAnswer("false");
    }
    unlock(key, {});
    return jsonAnswer("true");
}

AgentAnswer AgentState::transaction(const QByteArray &body)
{
    ++m_index;
    const QJsonArray operations = QJsonDocument::fromJson(body).array();
    Entries entries = m_entries;
    QByteArrayList results;
    QByteArrayList errors;
    for (qsizetype i = 0; i < operations.size(); ++i) {
        const QJsonObject operation = operations[i].toObject()["KV"_L1].toObject();
        const bool delayed = m_lockDelay && operation["Verb"_L1] == "lock"_L1;
        const QByteArray key = '"' + operation["Key"_L1].toString().toUtf8() + '"';
        const Problem problem =
            delayed ? "failed to lock key " + key + " due to lock delay" : apply(entries, operation, results);
        const QByteArray what = "{\"OpIndex\":" + QByteArray::number(i)
            + ",\"What\":" + goJson(QString::fromUtf8(problem.value_or(QByteArray()))) + '}';
        // The lock-delay is looked up before anything else, so it is the only error then.
        if (delayed)
            return jsonAnswer("{\"Results\":null,\"Errors\":[" + what + "]}", 409);
        if (problem)
            errors.append(what);
    }
    if (!errors.isEmpty())
        return jsonAnswer("{\"Results\":null,\"Errors\":[" + errors.join(',') + "]}", 409);
    m_entries = entries;
    return jsonAnswer("{\"Results\":[" + results.join(',') + "],\"Errors\":null}");
}

/// One operation on \a entries; appends its result, if it has one. Later operations run also after a problem.
AgentState::Problem AgentState::apply(Entries &entries, const QJsonObject &operation,
                                      QByteArrayList &results) const
{
    const QString verb = operation["Verb"_L1].toString();
    const QString key = operation["Key"_L1].toString();
    const QString session = operation["Session"_L1].toString();
    const QByteArray value = QByteArray::fromBase64(operation["Value"_L1].toString().toLatin1());
    const QByteArray name = '"' + key.toUtf8() + '"';
    const auto found = entries.find(key);
    const bool exists = found != entries.end();

    if (verb == "check-not-exists"_L1)
        return exists ? Problem("key " + name + " exists") : std::nullopt;
    if (verb == "lock"_L1 || verb == "set"_L1) {
        Entry entry = exists ? found->second : Entry();
        const Problem problem = verb == "lock"_L1 ? lock(entry, session, value, name) : std::nullopt;
        if (problem)
            return problem;
        if (verb == "set"_L1)
            entry = {0, value, entry.session, entry.createIndex, m_index};
        if (!exists)
            entry.createIndex = m_index;
        entries[key] = entry;
        results.append("{\"KV\":" + entryJson(key, entry, false) + '}');
        return std::nullopt;
    }
    if (verb == "get"_L1 && !exists)
        return "key " + name + " doesn't exist";
    if (!exists)
        return "failed to check " + QByteArray(verb == "check-index"_L1 ? "index" : "session") + ", key "
            + name + " doesn't exist";
    const Entry &entry = found->second;
    const quint64 index = operation["Index"_L1].toVariant().toULongLong();
    if (verb == "check-index"_L1 && entry.modifyIndex != index)
        return "failed index check for key " + name + ", current modify index "
            + QByteArray::number(entry.modifyIndex) + " != " + QByteArray::number(index);
    if (verb == "check-session"_L1 && entry.session != session)
        return "failed session check for key " + name + ", current session \"" + entry.session.toUtf8()
            + "\" != \"" + session.toUtf8() + '"';
    results.append("{\"KV\":" + entryJson(key, entry, verb == "get"_L1) + '}');
    return std::nullopt;
}

AgentState::Problem AgentState::lock(Entry &entry, const QString &session, const QByteArray &value,
                                     const QByteArray &key) const
{
    if (!m_sessions.contains(session))
        return "invalid session \"" + session.toUtf8() + '"';
    if (!entry.session.isEmpty() && entry.session != session)
        return "failed to lock key " + key + ", lock is already held";
    if (entry.session == session && entry.value == value)
        return std::nullopt; // Asked again: nothing changes, the index neither.
    if (entry.session.isEmpty())
        ++entry.lockIndex;
    entry.session = session;
    entry.value = value;
    entry.modifyIndex = m_index;
    return std::nullopt;
}

quint64 AgentState::indexOf(const QString &key) const
{
    const std::optional<Entry> found = entry(key);
    return found ? found->modifyIndex : m_index;
}

std::optional<AgentState::Entry> AgentState::entry(const QString &key) const
{
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? std::nullopt : std::optional(found->second);
}

QStringList AgentState::sessions() const
{
    QStringList ids;
    for (const auto &[id, session] : m_sessions)
        ids.append(id);
    return ids;
}

/// The entry of \a key, made if need be, as one that is being written.
AgentState::Entry &AgentState::written(const QString &key)
{
    Entry &entry = m_entries[key];
    entry.modifyIndex = ++m_index;
    if (entry.createIndex == 0)
        entry.createIndex = m_index;
    return entry;
}

void AgentState::hold(const QString &key, const QString &session, const QByteArray &value)
{
    Entry &entry = written(key);
    ++entry.lockIndex;
    entry.session = session;
    entry.value = value;
}

void AgentState::put(const QString &key, const QByteArray &value)
{
    Entry &entry = written(key);
    entry.lockIndex = 0; // As in Consul, where this does not end the lock.
    entry.value = value;
}

void AgentState::unlock(const QString &key, const QByteArray &value)
{
    Entry &entry = written(key);
    entry.session.clear();
    entry.value = value;
}

void AgentState::remove(const QString &key)
{
    m_entries.erase(key);
    ++m_index;
}

} // namespace Baton::Testing
