// SPDX-License-Identifier: MIT
#include "network.h"

#include "world.h"

using namespace Qt::StringLiterals;

namespace Baton::Sim {

Instant Network::arrival(const Link &link)
{
    const Weather &weather = m_world.weather();
    Chance &chance = m_world.chance();
    Duration delay = chance.between(weather.leastDelay, weather.mostDelay);
    if (chance.hits(weather.delayed))
        delay += chance.between(Duration::zero(), weather.longDelay);
    return std::max(m_world.now(), link.frozenUntil) + delay;
}

void Network::send(Message message)
{
    const Weather &weather = m_world.weather();
    Link &link = m_links[message.from];
    const quint8 from = message.from;
    const bool doubled = m_world.chance().hits(weather.doubled);
    if (doubled) {
        m_world.judge().doubled(message);
        const quint32 copy = m_world.mail().add(message);
        m_world.add({arrival(link), 0, Event::Kind::Arrive, from, 0, copy});
    }
    const quint32 number = m_world.mail().add(std::move(message));
    if (m_world.now() < link.cutUntil || m_world.chance().hits(weather.lostRequests))
        lose(number, doubled);
    else
        m_world.add({arrival(link), 0, Event::Kind::Arrive, from, 0, number});
}

bool Network::losesAnswer(Link &link, const Message &message)
{
    const Instant now = m_world.now();
    if (link.dropsLockAnswer && std::holds_alternative<Wire::LockWon>(message.reply)) {
        link.dropsLockAnswer = false;
        return true;
    }
    const bool blind = now < link.blindUntil && std::holds_alternative<Wire::WatchKey>(message.body);
    return blind || now < link.cutUntil || now < link.deafUntil
        || m_world.chance().hits(m_world.weather().lostAnswers);
}

void Network::answer(quint32 number, Wire::Reply reply, Duration after)
{
    Message &message = m_world.mail()[number];
    message.reply = std::move(reply);
    Link &link = m_links[message.from];
    if (m_world.now() < link.laggedUntil && std::holds_alternative<Wire::WatchKey>(message.body))
        after += m_world.chance().between(Duration::zero(), LongestLag);
    if (losesAnswer(link, message))
        lose(number, true);
    else
        m_world.add({arrival(link) + after, 0, Event::Kind::Reply, message.from, message.life, number});
}

/// Noticed at once where the connection is reset, else only by the time-out of whoever waits.
void Network::lose(quint32 number, bool sent)
{
    Message &message = m_world.mail()[number];
    if (!m_world.chance().hits(m_world.weather().resets)) {
        m_world.mail().drop(number);
        return;
    }
    message.reply = sent ? Wire::Failure{Wire::FailureKind::Interrupted, 0, u"the connection ended early"_s}
                         : Wire::Failure{Wire::FailureKind::Unreachable, 0, u"no connection"_s};
    m_world.add({arrival(m_links[message.from]), 0, Event::Kind::Reply, message.from, message.life, number});
}

void Network::heal()
{
    for (Link &link : m_links) {
        const Instant frozenUntil = link.frozenUntil; // What it holds comes when it goes on.
        link = {};
        link.frozenUntil = frozenUntil;
    }
}

} // namespace Baton::Sim
