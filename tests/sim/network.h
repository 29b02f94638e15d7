// SPDX-License-Identifier: MIT
#pragma once

#include "message.h"
#include "plan.h"

#include <vector>

namespace Baton::Sim {

class World;

/// The way of one candidate to Consul, through its agent.
struct Link
{
    Instant cutUntil;
    Instant blindUntil; ///< Answers to long polls are lost.
    Instant laggedUntil; ///< Answers to long polls come late.
    Instant deafUntil; ///< All answers are lost.
    Instant frozenUntil; ///< The agent stands still: what passes waits.
    bool dropsLockAnswer = false; ///< The next one.
};

/// Carries messages: late, twice, out of order, or not at all.
class Network
{
public:
    Network(World &world, size_t candidates) : m_world(world), m_links(candidates) { }

    void send(Message message);
    /// The answer to the message of that number, which is with Consul.
    void answer(quint32 number, Wire::Reply reply, Duration after = {});
    /// By so much answers to long polls are late at most.
    static constexpr Duration LongestLag = std::chrono::seconds{2};
    [[nodiscard]] Link &link(int candidate) { return m_links[size_t(candidate)]; }
    void heal();

private:
    [[nodiscard]] Instant arrival(const Link &link);
    void lose(quint32 number, bool sent);
    [[nodiscard]] bool losesAnswer(Link &link, const Message &message);

    World &m_world;
    std::vector<Link> m_links;
};

} // namespace Baton::Sim
