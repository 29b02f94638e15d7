// SPDX-License-Identifier: MIT
#include "wirefront.h"

#include <consul/codec.h>

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

using namespace Qt::StringLiterals;

namespace Baton::Sim {

namespace {

using Testing::Operation;
using Testing::Outcome;
using Testing::Reading;
using Testing::Verb;

Operation operation(Verb verb, const QString &key, const QByteArray &value = {}, const QString &session = {},
                    quint64 index = 0)
{
    return {verb, key, value, 0, index, session};
}

Operation guardOf(const Wire::LockKey &request)
{
    if (const auto *free = std::get_if<Wire::IfIndex>(&request.guard))
        return operation(Verb::CheckIndex, request.key, {}, {}, free->index);
    if (std::holds_alternative<Wire::IfOurs>(request.guard))
        return operation(Verb::CheckSession, request.key, {}, request.session);
    return operation(Verb::CheckNotExists, request.key);
}

/// The answer as bytes, read as the product reads it.
Wire::Reply decoded(const Wire::Request &request, int status, const QByteArray &type, const QByteArray &body)
{
    Wire::HttpAnswer answer;
    answer.exchange = Wire::Exchange::Complete;
    answer.status = status;
    answer.contentType = type;
    answer.lengthKnown = true;
    answer.body = body;
    return Wire::decode(request, answer);
}

Wire::Reply decodedText(const Wire::Request &request, int status, const QString &text)
{
    return decoded(request, status, "text/plain; charset=utf-8", text.toUtf8());
}

Wire::Reply decodedConflict(const Wire::Request &request, const Outcome &outcome)
{
    QJsonArray errors;
    for (const Testing::TxnError &error : outcome.errors)
        errors += QJsonObject{{u"OpIndex"_s, error.operation}, {u"What"_s, error.what}};
    const QJsonObject body{{u"Results"_s, QJsonValue::Null}, {u"Errors"_s, errors}};
    return decoded(request, outcome.status, "application/json",
                   QJsonDocument(body).toJson(QJsonDocument::Compact));
}

Wire::SessionInfo infoOf(const Testing::SessionRecord &session)
{
    using std::chrono::duration_cast;
    Wire::SessionInfo info;
    info.id = session.id;
    info.name = session.name;
    info.node = session.node;
    if (session.ttl)
        info.ttl = duration_cast<Wire::Milliseconds>(*session.ttl);
    info.lockDelay = duration_cast<Wire::Milliseconds>(session.lockDelay);
    info.nodeChecks = session.nodeChecks;
    info.serviceChecks = session.serviceChecks;
    info.createIndex = session.createIndex;
    return info;
}

Wire::KeyEntry entryOf(const Testing::KvEntry &entry)
{
    return {entry.createIndex, entry.modifyIndex, entry.lockIndex, entry.flags, entry.session, entry.value};
}

} // namespace

bool isWrite(const Wire::Request &request)
{
    return !std::holds_alternative<Wire::ReadKey>(request) && !std::holds_alternative<Wire::WatchKey>(request)
        && !std::holds_alternative<Wire::InspectSession>(request)
        && !std::holds_alternative<Wire::RenewSession>(request);
}

Testing::Command commandFor(const Wire::Request &request, const QString &node)
{
    if (const auto *create = std::get_if<Wire::CreateSession>(&request))
        return Testing::MakeSession{create->name,         node, create->ttl,
                                    create->lockDelay,    {},   create->nodeChecks,
                                    create->serviceChecks};
    if (const auto *destroy = std::get_if<Wire::DestroySession>(&request))
        return Testing::EndSession{destroy->session};
    if (const auto *release = std::get_if<Wire::ReleaseKey>(&request))
        return Testing::PutKey{release->key, {}, 0, {}, {}, release->session};
    if (const auto *lock = std::get_if<Wire::LockKey>(&request))
        return Testing::Transaction{{guardOf(*lock),
                                     operation(Verb::Lock, lock->key, lock->value, lock->session),
                                     operation(Verb::Get, lock->key)}};
    const auto &write = std::get<Wire::FencedWrite>(request);
    Testing::Transaction transaction;
    transaction.operations.push_back(operation(Verb::CheckSession, write.lockKey, {}, write.session));
    for (const Wire::KeyValue &pair : write.writes)
        transaction.operations.push_back(operation(Verb::Set, pair.key, pair.value));
    return transaction;
}

Testing::Query queryFor(const Wire::Request &request)
{
    if (const auto *read = std::get_if<Wire::ReadKey>(&request))
        return Testing::KeyQuery{read->key};
    if (const auto *watch = std::get_if<Wire::WatchKey>(&request))
        return Testing::KeyQuery{watch->key};
    return Testing::SessionQuery{std::get<Wire::InspectSession>(request).session};
}

Wire::Reply replyTo(const Wire::Request &request, const Outcome &outcome)
{
    if (outcome.status == 409)
        return decodedConflict(request, outcome);
    if (!outcome.ok())
        return decodedText(request, outcome.status, outcome.text);
    if (std::holds_alternative<Wire::CreateSession>(request))
        return Wire::SessionCreated{outcome.session->id};
    if (std::holds_alternative<Wire::RenewSession>(request))
        return Wire::SessionRenewed{infoOf(*outcome.session)};
    if (std::holds_alternative<Wire::DestroySession>(request))
        return Wire::SessionDestroyed{};
    if (std::holds_alternative<Wire::ReleaseKey>(request))
        return Wire::KeyReleased{outcome.done};
    if (outcome.results.empty())
        return decoded(request, 200, "application/json", R"({"Results":[],"Errors":null})");
    if (std::holds_alternative<Wire::LockKey>(request))
        return Wire::LockWon{outcome.results.back().modifyIndex};
    return Wire::Written{outcome.results.back().modifyIndex};
}

Wire::Reply replyTo(const Wire::Request &request, const Reading &reading)
{
    if (reading.status != 200 && reading.status != 404)
        return decodedText(request, reading.status, reading.text);
    if (std::holds_alternative<Wire::InspectSession>(request)) {
        if (reading.sessions.empty())
            return Wire::SessionGone{u"the session is gone, or hidden by an ACL"_s};
        return Wire::SessionShown{infoOf(reading.sessions.front())};
    }
    Wire::KeyRead read;
    if (!reading.entries.empty())
        read.entry = entryOf(reading.entries.front());
    read.index = reading.index;
    return read;
}

Wire::Reply serverError(const Wire::Request &request, const QString &text)
{
    return decodedText(request, 500, text);
}

} // namespace Baton::Sim
