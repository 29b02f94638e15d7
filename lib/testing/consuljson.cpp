// SPDX-License-Identifier: MIT
#include "consuljson.h"

#include "gotext.h"

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

QByteArray serviceChecksJson(const QStringList &checks)
{
    if (checks.isEmpty())
        return "null";
    QByteArrayList items;
    for (const QString &check : checks)
        items += "{\"ID\":" + goJson(check) + ",\"Namespace\":\"\"}";
    return listJson(items);
}

} // namespace

QString statusName(CheckStatus status)
{
    switch (status) {
    case CheckStatus::Passing:
        return u"passing"_s;
    case CheckStatus::Warning:
        return u"warning"_s;
    case CheckStatus::Critical:
        break;
    }
    return u"critical"_s;
}

QByteArray listJson(const QByteArrayList &items)
{
    return '[' + items.join(',') + ']';
}

QByteArray textsJson(const QStringList &texts)
{
    QByteArrayList items;
    for (const QString &text : texts)
        items += goJson(text);
    return listJson(items);
}

QByteArray mapJson(const std::map<QString, QString> &map)
{
    QByteArrayList items;
    for (const auto &[name, value] : map)
        items += goJson(name) + ':' + goJson(value);
    return '{' + items.join(',') + '}';
}

QByteArray indexesJson(quint64 createIndex, quint64 modifyIndex)
{
    return ",\"CreateIndex\":" + QByteArray::number(createIndex)
        + ",\"ModifyIndex\":" + QByteArray::number(modifyIndex);
}

QByteArray entryJson(const KvEntry &entry)
{
    const QByteArray value =
        entry.value.isEmpty() ? QByteArray("null") : QByteArray('"' + entry.value.toBase64() + '"');
    return "{\"LockIndex\":" + QByteArray::number(entry.lockIndex) + ",\"Key\":" + goJson(entry.key)
        + ",\"Flags\":" + QByteArray::number(entry.flags) + ",\"Value\":" + value
        + (entry.session ? ",\"Session\":" + goJson(*entry.session) : QByteArray())
        + indexesJson(entry.createIndex, entry.modifyIndex) + '}';
}

QByteArray sessionJson(const SessionRecord &session)
{
    return "{\"ID\":" + goJson(session.id) + ",\"Name\":" + goJson(session.name) + ",\"Node\":"
        + goJson(session.node) + ",\"LockDelay\":" + QByteArray::number(qint64(session.lockDelay.count()))
        + ",\"Behavior\":" + (session.behavior == Behavior::Delete ? "\"delete\"" : "\"release\"")
        + ",\"TTL\":" + goJson(session.ttlText) + ",\"NodeChecks\":" + textsJson(session.nodeChecks)
        + ",\"ServiceChecks\":" + serviceChecksJson(session.serviceChecks)
        + (session.checks.isEmpty() ? QByteArray() : ",\"Checks\":" + textsJson(session.checks))
        + indexesJson(session.createIndex, session.createIndex) + '}';
}

QByteArray transactionJson(const Outcome &outcome, const QByteArray &tail)
{
    QByteArrayList results;
    for (const KvEntry &entry : outcome.results)
        results += "{\"KV\":" + entryJson(entry) + '}';
    QByteArrayList errors;
    for (const TxnError &error : outcome.errors)
        errors +=
            "{\"OpIndex\":" + QByteArray::number(error.operation) + ",\"What\":" + goJson(error.what) + '}';
    return "{\"Results\":" + (outcome.errors.empty() ? listJson(results) : QByteArray("null"))
        + ",\"Errors\":" + (errors.isEmpty() ? QByteArray("null") : listJson(errors)) + tail + '}';
}

QByteArray checkJson(const CheckRecord &check, const ServiceRecord *service)
{
    return "{\"Node\":" + goJson(check.node) + ",\"CheckID\":" + goJson(check.id)
        + ",\"Name\":" + goJson(check.name) + ",\"Status\":" + goJson(statusName(check.status))
        + ",\"Notes\":" + goJson(check.notes) + ",\"Output\":" + goJson(check.output)
        + ",\"ServiceID\":" + goJson(check.service.value_or(QString()))
        + ",\"ServiceName\":" + goJson(service ? service->name : QString()) + ",\"ServiceTags\":"
        + textsJson(service ? service->tags : QStringList()) + ",\"Type\":" + (check.ttl ? "\"ttl\"" : "\"\"")
        + ",\"Definition\":{}" + indexesJson(check.createIndex, check.modifyIndex) + '}';
}

} // namespace Baton::Testing
