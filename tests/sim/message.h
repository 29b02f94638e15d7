// SPDX-License-Identifier: MIT
#pragma once

#include "ledger.h"

#include <consul/messages.h>
#include <testing/consulrecords.h>

#include <deque>

namespace Baton::Sim {

/// A request on its way, and its answer on the way back.
struct Message
{
    quint8 from = 0; ///< Number of the candidate.
    quint32 life = 0; ///< Of the process that sent it; it may have died since.
    quint64 request = 0;
    Wire::Request body;
    Wire::Reply reply;
    Testing::Command command; ///< What a write is in Consul's terms.
    quint64 watch = 0; ///< Of Consul's, while a long poll is parked.
    quint32 reign = 0; ///< Of the Consul leader that admitted the command.
    Freedom freedom; ///< Why the key is free, where the answer shows it so.
};

/// Messages live in one place, so that an event needs only a number.
class Mailroom
{
public:
    quint32 add(Message message)
    {
        if (m_free.empty()) {
            m_messages.push_back(std::move(message));
            return quint32(m_messages.size() - 1);
        }
        const quint32 number = m_free.back();
        m_free.pop_back();
        m_messages[number] = std::move(message);
        return number;
    }
    [[nodiscard]] Message &operator[](quint32 number) { return m_messages[number]; }
    void drop(quint32 number) { m_free.push_back(number); }

private:
    std::deque<Message> m_messages; ///< A deque: a message stays where it is while others are added.
    std::vector<quint32> m_free;
};

} // namespace Baton::Sim
