// SPDX-License-Identifier: MIT
#include "fakecluster.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {
using Headers = Baton::Testing::Headers;

QByteArray quoted(const QString &text)
{
    const QByteArray object = QJsonDocument(QJsonObject{{u"t"_s, text}}).toJson(QJsonDocument::Compact);
    return object.sliced(qstrlen("{\"t\":")).chopped(1);
}
} // namespace

FakeCluster::FakeCluster()
    : m_face([this](const Request &request, const Responder &responder) { handle(request, responder); })
{
    if (!m_face.listen())
        qFatal("No free port");
    m_port = m_face.port();
}

void FakeCluster::setSession(const QString &id, const QString &name, const QString &ttl)
{
    ++m_index;
    m_sessions.insert(id,
                      "{\"ID\":" + quoted(id) + ",\"Name\":" + quoted(name)
                          + R"(,"Node":"n1","LockDelay":3000000000,)"
                            R"("Behavior":"release","TTL":)"
                          + quoted(ttl)
                          + R"(,"NodeChecks":[],"ServiceChecks":null,)"
                            R"("CreateIndex":7,"ModifyIndex":7})");
    changed();
}

void FakeCluster::removeSession(const QString &id)
{
    ++m_index;
    m_sessions.remove(id);
    for (Key &key : m_keys) {
        if (key.session == id) {
            key.session.clear();
            key.index = m_index;
        }
    }
    changed();
}

void FakeCluster::setKey(const QString &name, const QString &session, const QByteArray &value)
{
    Key &key = m_keys[name];
    key.index = ++m_index;
    key.lockIndex += !session.isEmpty() && key.session != session;
    key.session = session;
    key.value = value;
    changed();
}

void FakeCluster::removeKey(const QString &key)
{
    ++m_index;
    m_keys.remove(key);
    changed();
}

void FakeCluster::setIndex(quint64 index)
{
    m_index = index;
    changed();
}

void FakeCluster::goDown()
{
    m_face.stopListening();
    m_face.resetConnections();
    m_polls.clear();
}

void FakeCluster::comeUp()
{
    if (!m_face.listen(QHostAddress::LocalHost, m_port))
        qFatal("The port is taken");
}

int FakeCluster::count(const QByteArray &target) const
{
    return int(
        std::ranges::count_if(m_seen, [&](const QByteArray &seen) { return seen.startsWith(target); }));
}

void FakeCluster::changed()
{
    const QList<Poll> polls = std::exchange(m_polls, {});
    for (const Poll &poll : polls)
        answer(poll.request, poll.responder);
}

void FakeCluster::handle(const Request &request, const Responder &responder)
{
    m_seen.append(request.target);
    if (intercept && intercept(request, responder))
        return;
    if (request.query.queryItemValue(u"index"_s).toULongLong() == m_index)
        m_polls.append({request, responder});
    else
        answer(request, responder);
}

QByteArray FakeCluster::keyJson(const QString &name) const
{
    const Key key = m_keys.value(name);
    QByteArray json = "{\"LockIndex\":" + QByteArray::number(key.lockIndex) + ",\"Key\":" + quoted(name)
        + ",\"Flags\":0,\"Value\":" + (key.value.isEmpty() ? "null" : '"' + key.value.toBase64() + '"');
    if (!key.session.isEmpty())
        json += ",\"Session\":" + quoted(key.session);
    return json + ",\"CreateIndex\":5,\"ModifyIndex\":" + QByteArray::number(key.index) + '}';
}

void FakeCluster::answer(const Request &request, const Responder &responder) const
{
    const Headers headers = {{"Content-Type", "application/json"},
                             {"X-Consul-Index", QByteArray::number(m_index)},
                             {"X-Consul-Knownleader", "true"},
                             {"X-Consul-Lastcontact", "0"}};
    const auto list = [&](const QByteArrayList &items) {
        responder.reply(200, '[' + items.join(',') + ']', headers);
    };
    const QString last = request.path.section(u'/', -1);
    if (request.path == "/v1/status/leader"_L1) {
        responder.reply(200, "\"127.0.0.1:8300\"", headers);
    } else if (request.path == "/v1/acl/token/self"_L1) {
        const Headers plain = {{"Content-Type", "text/plain; charset=utf-8"}};
        m_acls ? responder.reply(403, "ACL not found", plain)
               : responder.reply(401, "ACL support disabled", plain);
    } else if (request.path == "/v1/session/list"_L1) {
        list(m_sessions.values());
    } else if (request.path.startsWith("/v1/session/info/"_L1)) {
        list(m_sessions.contains(last) ? QByteArrayList{m_sessions.value(last)} : QByteArrayList());
    } else if (request.path.startsWith("/v1/session/destroy/"_L1)) {
        responder.reply(200, "true", headers);
    } else if (request.path.startsWith("/v1/kv/"_L1)) {
        const QString name = request.path.sliced(qstrlen("/v1/kv/"));
        QByteArrayList items;
        for (auto it = m_keys.cbegin(); it != m_keys.cend(); ++it) {
            if (request.query.hasQueryItem(u"recurse"_s) ? it.key().startsWith(name) : it.key() == name)
                items += keyJson(it.key());
        }
        items.isEmpty() ? responder.reply(404, {}, {{"X-Consul-Index", QByteArray::number(m_index)}})
                        : list(items);
    } else {
        responder.reply(404);
    }
}
