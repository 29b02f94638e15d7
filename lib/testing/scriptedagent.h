// SPDX-License-Identifier: MIT
#pragma once

#include "agentstate.h"
#include "core/instant.h"
#include "responder.h"

#include <QtCore/QThread>
#include <QtCore/QUrl>

#include <chrono>
#include <functional>
#include <limits>

namespace Baton::Testing {

class ScriptedServer;

/*!
 * The agent of the tests: a minimal healthy Consul for one election, on a free port of 127.0.0.1, whose every
 * answer can be replaced, held back or cut, and whose lock key a foreign hand can change. It remembers each
 * request. For real time behaviour (expiry, lock-delay) use a real Consul.
 *
 * Threads: the agent answers in the thread that made it, or in one of its own for tests that block theirs.
 * Calls come from the thread that made it and have taken effect when they return; interceptors run in the
 * thread that answers.
 */
class ScriptedAgent
{
public:
    enum class Kind { Create, Renew, Info, Read, Watch, Txn, Release, Destroy, Other };
    enum class Place { SameThread, OwnThread };
    /// Returns true if it has taken the exchange over, by answering it, keeping it or dropping it.
    using Interceptor = std::function<bool(const Request &request, Responder &responder)>;
    struct Seen
    {
        Kind kind = Kind::Other;
        Request request;
        Core::Instant at; ///< When the whole request had been read.
    };

    /// For interceptors.
    [[nodiscard]] static Kind kindOf(const Request &request);

    static constexpr int Always = std::numeric_limits<int>::max();

    explicit ScriptedAgent(const QString &key = QStringLiteral("service/test/leader"),
                           Place place = Place::SameThread);
    ~ScriptedAgent();
    Q_DISABLE_COPY_MOVE(ScriptedAgent)

    [[nodiscard]] QUrl url() const;

    /// Sees every request first.
    void intercept(Interceptor interceptor);
    /// That answer instead of Consul's, which does nothing.
    void answer(Kind kind, int status, const QByteArray &body,
                const QByteArray &contentType = "text/plain; charset=utf-8", int times = Always);
    /// Nothing is done or answered, parked polls included; connections stay open.
    void blackhole(Kind kind);
    void blackhole();
    /// Everything is done at once and answered that much later.
    void delay(Kind kind, std::chrono::milliseconds delay);
    /// Everything is done, and the connection closed instead of an answer.
    void closeAfterReading(Kind kind, int times = Always);
    /// Takes back all of the above.
    void heal();
    /// Refuses connections and resets those that are open; comeUp() listens on the same port again.
    void goDown();
    void comeUp();

    /// The lock key in foreign hands.
    void setHolder(const QString &session, const QByteArray &value);
    void putValue(const QByteArray &value);
    void releaseKey(const QByteArray &value = {});
    void deleteKey();
    void killSession(const QString &session);
    /// While it runs, a lock is refused with the text for the lock-delay.
    void setLockDelay(bool running);
    /// The next write has the index after this one.
    void setIndex(quint64 index);

    [[nodiscard]] std::optional<AgentState::Entry> key() const;
    [[nodiscard]] QStringList sessions() const;
    [[nodiscard]] int count(Kind kind) const;
    [[nodiscard]] QList<Seen> seen() const;
    [[nodiscard]] QList<Seen> seen(Kind kind) const;

private:
    template <typename Action>
    auto run(Action action) const;
    template <typename Change>
    void change(Change change);

    ScriptedServer *m_server;
    QThread m_thread; ///< Runs only for Place::OwnThread.
};

} // namespace Baton::Testing
