// SPDX-License-Identifier: MIT
#include "server.h"

#include "wirefront.h"
#include "world.h"

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

namespace {
/// Without a leader an agent waits for one before it gives up (measured: 7.1 s).
constexpr Duration LongestSearch = 7s;

Cause causeOf(const Wire::Request &request)
{
    return std::holds_alternative<Wire::DestroySession>(request) ? Cause::Ended : Cause::Released;
}
} // namespace

Server::Server(World &world, size_t candidates, const QString &key, quint64 seed)
    : m_world(world), m_model(seed), m_ledger(key), m_key(key)
{
    for (size_t i = 0; i < candidates; ++i) {
        Node node;
        node.name = u"n%1"_s.arg(i);
        m_model.addNode(node.name);
        m_nodes.push_back(node);
    }
}

void Server::settle(Cause cause)
{
    const std::optional<QString> before = m_ledger.holder();
    m_ledger.observe(m_model.store(), cause);
    if (m_ledger.holder() != before) {
        m_world.noteHolder(before, m_ledger.holder(), cause);
        const bool isReleased = !m_ledger.holder() && cause == Cause::Released;
        if (isReleased && std::exchange(m_snapshotAtRelease, false))
            m_snapshot = m_model.snapshot();
    }
    answerParked();
    if (const auto next = m_model.nextTimeout())
        callAt(*next);
}

void Server::answerParked()
{
    while (const auto answer = m_model.takeAnswer()) {
        const auto parked = std::find_if(m_parked.begin(), m_parked.end(),
                                         [&](const Parked &p) { return p.watch == answer->watch; });
        if (parked == m_parked.end())
            continue;
        const quint32 number = parked->message;
        m_parked.erase(parked);
        Message &message = m_world.mail()[number];
        message.freedom = m_ledger.freedom();
        m_world.network().answer(number, replyTo(message.body, answer->reading));
    }
}

void Server::callAt(Instant at)
{
    const Instant now = m_world.now();
    if (m_nextCall > now && m_nextCall <= at)
        return;
    m_nextCall = std::max(at, now);
    m_world.add({m_nextCall, 0, Event::Kind::Due, 0, 0, 0});
}

void Server::attend()
{
    m_model.advance(m_world.now());
    settle(Cause::Expired);
    endTroubles();
}

// ---- Requests ------------------------------------------------------------------------------------------

void Server::arrive(quint32 number)
{
    if (m_down) {
        m_world.network().answer(number,
                                 Wire::Failure{Wire::FailureKind::Unreachable, 0, u"connection refused"_s});
        return;
    }
    m_model.advance(m_world.now());
    settle(Cause::Expired);
    take(number);
}

void Server::take(quint32 number)
{
    Message &message = m_world.mail()[number];
    const Instant now = m_world.now();
    const Node &node = m_nodes[message.from];
    Network &network = m_world.network();
    const Duration search =
        m_model.hasLeader() ? Duration::zero() : m_world.chance().between(Duration::zero(), LongestSearch);
    if (const auto *watch = std::get_if<Wire::WatchKey>(&message.body)) {
        const quint64 id = m_model.watch(queryFor(message.body), watch->after, watch->wait, node.rights, now);
        m_parked.push_back({id, number});
        settle(Cause::Expired);
    } else if (std::holds_alternative<Wire::RenewSession>(message.body)) {
        takeRenewal(number, search);
    } else if (!isWrite(message.body)) {
        message.freedom = m_ledger.freedom();
        network.answer(number, replyTo(message.body, m_model.read(queryFor(message.body), node.rights, now)),
                       search);
    } else {
        message.command = commandFor(message.body, node.name);
        if (const auto refusal = m_model.admit(message.command, node.rights, now)) {
            network.answer(number, replyTo(message.body, *refusal), search);
            return;
        }
        message.reign = m_reign;
        const Weather &weather = m_world.weather();
        m_lastCommit =
            std::max(m_lastCommit, now + m_world.chance().between(weather.leastCommit, weather.mostCommit));
        m_world.add({m_lastCommit, 0, Event::Kind::Commit, message.from, 0, number});
    }
}

void Server::takeRenewal(quint32 number, Duration search)
{
    const Message &message = m_world.mail()[number];
    const quint8 from = message.from;
    const QString session = std::get<Wire::RenewSession>(message.body).session;
    const Testing::Outcome outcome = m_model.renew(session, m_nodes[from].rights, m_world.now());
    const bool isStruck = m_strike > Duration::zero() && outcome.ok() && m_ledger.holder() == session;
    // So late that the next renewal may be under way when it comes.
    const Duration latest = 2 * m_world.candidate(from).settings().requestTimeout;
    const Duration late = isStruck ? m_world.chance().between(Duration::zero(), latest) : Duration::zero();
    m_world.network().answer(number, replyTo(message.body, outcome), search + late);
    if (isStruck)
        strike(from);
}

Testing::Outcome Server::apply(quint32 number)
{
    Message &message = m_world.mail()[number];
    Testing::Outcome outcome = m_model.apply(message.command, m_world.now());
    if (const auto &made = outcome.session; made && outcome.ok())
        m_world.judge().sessionMade(made->id, message.from, message.life);
    settle(causeOf(message.body));
    if (!m_nodes[message.from].rights.keyRead)
        outcome.results.clear();
    return outcome;
}

void Server::commit(quint32 number)
{
    m_model.advance(m_world.now());
    settle(Cause::Expired);
    Message &message = m_world.mail()[number];
    if (m_down || message.reign != m_reign) {
        commitUnderNewLeader(number);
        return;
    }
    const Testing::Outcome outcome = apply(number);
    m_world.network().answer(number, replyTo(message.body, outcome));
}

/// The log may have had it or not; nobody can tell whoever asked.
void Server::commitUnderNewLeader(quint32 number)
{
    Message &message = m_world.mail()[number];
    if (m_world.chance().hits(0.5))
        apply(number);
    m_world.network().answer(number, serverError(message.body, u"leadership lost while committing log"_s));
}

void Server::forget(int candidate, quint32 life, quint64 request)
{
    const auto parked = std::find_if(m_parked.begin(), m_parked.end(), [&](const Parked &p) {
        const Message &message = m_world.mail()[p.message];
        return message.from == candidate && message.life == life && message.request == request;
    });
    if (parked == m_parked.end())
        return;
    m_model.unwatch(parked->watch);
    m_world.mail().drop(parked->message);
    m_parked.erase(parked);
}

void Server::dropParked()
{
    for (const Parked &parked : std::exchange(m_parked, {})) {
        m_model.unwatch(parked.watch);
        m_world.network().answer(
            parked.message,
            Wire::Failure{Wire::FailureKind::Interrupted, 0, u"the connection ended early"_s});
    }
}

} // namespace Baton::Sim
