// SPDX-License-Identifier: MIT
#include "scriptedagent.h"

#include "scriptedserver.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

template <typename Action>
auto ScriptedAgent::run(Action action) const
{
    using Result = std::invoke_result_t<Action>;
    if (!m_thread.isRunning())
        return action();
    if constexpr (std::is_void_v<Result>) {
        QMetaObject::invokeMethod(m_server, action, Qt::BlockingQueuedConnection);
    } else {
        Result result{};
        QMetaObject::invokeMethod(m_server, action, Qt::BlockingQueuedConnection, &result);
        return result;
    }
}

ScriptedAgent::ScriptedAgent(const QString &key, Place place) : m_server(new ScriptedServer(key))
{
    if (place == Place::OwnThread) {
        m_server->moveToThread(&m_thread);
        m_thread.setObjectName(u"ScriptedAgent"_s);
        m_thread.start();
    }
    run([this] {
        if (!m_server->face.listen(QHostAddress::LocalHost))
            qFatal("No free port on 127.0.0.1");
        m_server->port = m_server->face.port();
    });
}

ScriptedAgent::~ScriptedAgent()
{
    if (!m_thread.isRunning()) {
        delete m_server;
        return;
    }
    m_server->deleteLater();
    m_thread.quit();
    m_thread.wait();
}

QUrl ScriptedAgent::url() const
{
    return QUrl(u"http://127.0.0.1:%1"_s.arg(m_server->port));
}

void ScriptedAgent::intercept(Interceptor interceptor)
{
    run([&] { m_server->interceptor = std::move(interceptor); });
}

void ScriptedAgent::answer(Kind kind, int status, const QByteArray &body, const QByteArray &contentType,
                           int times)
{
    const AgentAnswer answer{status, body, {{"Content-Type", contentType}}};
    run([&] { m_server->faults[kind] = {ScriptedServer::Fault::What::Answer, answer, times}; });
}

void ScriptedAgent::blackhole(Kind kind)
{
    run([&] { m_server->faults[kind] = {ScriptedServer::Fault::What::Silence}; });
}

void ScriptedAgent::blackhole()
{
    for (const Kind kind : {Kind::Create, Kind::Renew, Kind::Info, Kind::Read, Kind::Watch, Kind::Txn,
                            Kind::Release, Kind::Destroy, Kind::Other})
        blackhole(kind);
}

void ScriptedAgent::delay(Kind kind, std::chrono::milliseconds delay)
{
    run([&] { m_server->delays[kind] = delay; });
}

void ScriptedAgent::closeAfterReading(Kind kind, int times)
{
    run([&] { m_server->faults[kind] = {ScriptedServer::Fault::What::Close, {}, times}; });
}

void ScriptedAgent::heal()
{
    run([&] {
        m_server->interceptor = nullptr;
        m_server->faults.clear();
        m_server->delays.clear();
    });
}

void ScriptedAgent::goDown()
{
    run([&] {
        m_server->face.stopListening();
        m_server->face.resetConnections();
    });
}

void ScriptedAgent::comeUp()
{
    run([&] {
        if (!m_server->face.listen(QHostAddress::LocalHost, m_server->port))
            qFatal("The agent's port is taken");
    });
}

template <typename Change>
void ScriptedAgent::change(Change change)
{
    run([&] {
        change(m_server->state, m_server->key);
        m_server->wakePolls();
    });
}

void ScriptedAgent::setHolder(const QString &session, const QByteArray &value)
{
    change([&](AgentState &state, const QString &key) { state.hold(key, session, value); });
}

void ScriptedAgent::putValue(const QByteArray &value)
{
    change([&](AgentState &state, const QString &key) { state.put(key, value); });
}

void ScriptedAgent::releaseKey(const QByteArray &value)
{
    change([&](AgentState &state, const QString &key) { state.unlock(key, value); });
}

void ScriptedAgent::deleteKey()
{
    change([](AgentState &state, const QString &key) { state.remove(key); });
}

void ScriptedAgent::killSession(const QString &session)
{
    change([&](AgentState &state, const QString &) { state.destroy(session); });
}

void ScriptedAgent::setLockDelay(bool running)
{
    change([running](AgentState &state, const QString &) { state.setLockDelay(running); });
}

void ScriptedAgent::setIndex(quint64 index)
{
    change([index](AgentState &state, const QString &) { state.setIndex(index); });
}

std::optional<AgentState::Entry> ScriptedAgent::key() const
{
    return run([&] { return m_server->state.entry(m_server->key); });
}

QStringList ScriptedAgent::sessions() const
{
    return run([&] { return m_server->state.sessions(); });
}

QList<ScriptedAgent::Seen> ScriptedAgent::seen() const
{
    // A copy that shares nothing with the list that the other thread goes on writing.
    return run([&] { return QList<Seen>(m_server->seen.cbegin(), m_server->seen.cend()); });
}

QList<ScriptedAgent::Seen> ScriptedAgent::seen(Kind kind) const
{
    return run([&] {
        QList<Seen> result;
        std::ranges::copy_if(m_server->seen, std::back_inserter(result),
                             [kind](const Seen &one) { return one.kind == kind; });
        return result;
    });
}

int ScriptedAgent::count(Kind kind) const
{
    return int(seen(kind).size());
}

} // namespace Baton::Testing
