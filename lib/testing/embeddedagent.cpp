// SPDX-License-Identifier: MIT
#include <Baton/embeddedagent.h>

#include "consulfront.h"
#include "httpface.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QTimer>
#include <QtCore/QUuid>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {

namespace {

void send(const Responder &responder, const AgentAnswer &answer)
{
    responder.reply(answer.status, answer.body, answer.headers);
}

} // namespace

class EmbeddedAgent::Private
{
public:
    Private()
    {
        timer.setSingleShot(true);
        timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&timer, &QTimer::timeout, &timer, [this] {
            model().advance(now());
            settle();
        });
    }

    [[nodiscard]] ConsulModel &model() { return front->model(); }
    [[nodiscard]] static Instant now()
    {
        return Instant(std::chrono::steady_clock::now().time_since_epoch());
    }

    bool start();
    void ensureFront();
    void serve(const Request &request, const Responder &responder);
    void commit();
    void settle();
    void dropConnections();

    ConsulFront::Identity identity{u"embedded"_s, {}, u"dc1"_s, u"127.0.0.1"_s, 0, 10s};
    quint16 port = 0;
    QString error;
    std::optional<ConsulFront> front; ///< From the first need on, when it is clear who it is.
    HttpFace face{[this](const Request &request, const Responder &responder) { serve(request, responder); }};
    QTimer timer;

    /// Blocking queries that wait, by the model's number.
    struct Waiting
    {
        Responder responder;
        ConsulFront::Parked parked;
    };
    std::map<quint64, Waiting> waiting;
    /// Writes on their way through the log, in order.
    struct Pending
    {
        ConsulFront::Logged write;
        Responder responder;
    };
    std::vector<Pending> log;
    /// What was asked while it was frozen.
    struct Asked
    {
        Request request;
        Responder responder;
    };
    std::vector<Asked> asked;
    bool isFrozen = false;
};

void EmbeddedAgent::Private::ensureFront()
{
    if (front)
        return;
    identity.nodeId = QUuid::createUuid().toString(QUuid::WithoutBraces);
    identity.seed = QRandomGenerator::system()->generate64();
    front.emplace(identity);
}

bool EmbeddedAgent::Private::start()
{
    ensureFront();
    const QHostAddress address(identity.address);
    if (address.isNull()) {
        error = u"'%1' is not an IP address"_s.arg(identity.address);
        return false;
    }
    if (!face.listen(address, port)) {
        error = u"cannot listen on %1 port %2: %3"_s.arg(identity.address).arg(port).arg(face.errorString());
        return false;
    }
    port = face.port();
    error.clear();
    settle();
    return true;
}

void EmbeddedAgent::Private::serve(const Request &request, const Responder &responder)
{
    if (isFrozen) {
        asked.push_back({request, responder});
        return;
    }
    ConsulFront::Reply result = front->handle(request, now());
    if (auto *parked = std::get_if<ConsulFront::Parked>(&result)) {
        const quint64 watch = parked->watch;
        waiting[watch] = {responder, std::move(*parked)};
        responder.whenGone([this, watch] {
            model().unwatch(watch);
            waiting.erase(watch);
        });
    } else if (auto *write = std::get_if<ConsulFront::Logged>(&result)) {
        // The log takes a turn of the event loop: whoever asks in between is admitted by the state before.
        if (log.empty())
            QMetaObject::invokeMethod(
                &timer, [this] { commit(); }, Qt::QueuedConnection);
        log.push_back({std::move(*write), responder});
    } else {
        send(responder, std::get<AgentAnswer>(result));
    }
    settle();
}

void EmbeddedAgent::Private::commit()
{
    if (isFrozen)
        return;
    for (const Pending &pending : std::exchange(log, {}))
        send(pending.responder, front->commit(pending.write, now()));
    settle();
}

/// After anything was done to the model: answers what has woken, and sleeps until the next thing is due.
void EmbeddedAgent::Private::settle()
{
    if (isFrozen) {
        timer.stop();
        return;
    }
    while (const auto answer = model().takeAnswer()) {
        const auto found = waiting.find(answer->watch);
        if (found == waiting.end())
            continue;
        const Waiting woken = std::move(found->second);
        waiting.erase(found);
        send(woken.responder, woken.parked.render(answer->reading));
    }
    const auto next = model().nextTimeout();
    if (!next) {
        timer.stop();
        return;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - now());
    timer.start(std::clamp<std::chrono::milliseconds>(left, 0ms, 24h));
}

void EmbeddedAgent::Private::dropConnections()
{
    face.resetConnections();
    asked.clear();
    for (const auto &[watch, client] : std::exchange(waiting, {}))
        model().unwatch(watch);
}

EmbeddedAgent::EmbeddedAgent(QObject *parent) : QObject(parent), d(std::make_unique<Private>())
{
    // So that they go along when this object is moved to another thread.
    d->face.setParent(this);
    d->timer.setParent(this);
}

EmbeddedAgent::~EmbeddedAgent()
{
    stop();
}

void EmbeddedAgent::setBindAddress(const QString &address)
{
    d->identity.address = address;
}

void EmbeddedAgent::setPort(quint16 port)
{
    d->port = port;
}

void EmbeddedAgent::setNodeName(const QString &name)
{
    d->identity.node = name;
}

void EmbeddedAgent::setDatacenter(const QString &name)
{
    d->identity.datacenter = name;
}

void EmbeddedAgent::setSessionTtlMin(std::chrono::milliseconds ttl)
{
    d->identity.shortestTtl = ttl;
}

bool EmbeddedAgent::start()
{
    return d->start();
}

void EmbeddedAgent::stop()
{
    d->face.stopListening();
    d->dropConnections();
}

QString EmbeddedAgent::errorString() const
{
    return d->error;
}

QString EmbeddedAgent::address() const
{
    if (d->port == 0)
        return {};
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(d->identity.address);
    url.setPort(d->port);
    return url.toString();
}

quint16 EmbeddedAgent::port() const
{
    return d->port;
}

QStringList EmbeddedAgent::sessions() const
{
    QStringList ids;
    if (d->front) {
        for (const auto &[id, session] : d->model().store().sessions())
            ids += id;
    }
    return ids;
}

bool EmbeddedAgent::destroySession(const QString &session)
{
    if (!sessions().contains(session))
        return false;
    d->model().execute(EndSession{session}, {}, Private::now());
    d->settle();
    return true;
}

std::optional<QString> EmbeddedAgent::holder(const QString &key) const
{
    const KvEntry *entry = d->front ? d->model().store().find(key) : nullptr;
    return entry ? entry->session : std::nullopt;
}

std::optional<QByteArray> EmbeddedAgent::value(const QString &key) const
{
    const KvEntry *entry = d->front ? d->model().store().find(key) : nullptr;
    return entry ? std::optional(entry->value) : std::nullopt;
}

void EmbeddedAgent::put(const QString &key, const QByteArray &value)
{
    d->ensureFront();
    d->model().execute(PutKey{key, value, 0, {}, {}, {}}, {}, Private::now());
    d->settle();
}

void EmbeddedAgent::remove(const QString &key)
{
    d->ensureFront();
    d->model().execute(DeleteKey{key, false, {}}, {}, Private::now());
    d->settle();
}

void EmbeddedAgent::freeze()
{
    d->isFrozen = true;
    d->timer.stop();
}

void EmbeddedAgent::thaw()
{
    d->isFrozen = false;
    d->ensureFront();
    d->model().advance(Private::now());
    d->commit();
    for (const auto &[request, responder] : std::exchange(d->asked, {}))
        d->serve(request, responder);
    d->settle();
}

void EmbeddedAgent::loseLeader()
{
    d->ensureFront();
    d->model().loseLeader(Private::now());
    d->settle();
}

void EmbeddedAgent::elect()
{
    d->ensureFront();
    d->model().elect(Private::now());
    d->settle();
}

void EmbeddedAgent::restartServer()
{
    d->ensureFront();
    d->dropConnections();
    d->model().restart(Private::now());
    d->settle();
}

void EmbeddedAgent::setTokenRights(const QByteArray &token, const TokenRights &rights)
{
    d->ensureFront();
    d->front->setRights(token,
                        {true, rights.keyRead, rights.keyWrite, rights.sessionRead, rights.sessionWrite,
                         rights.serviceWrite});
}

} // namespace Baton::Testing
