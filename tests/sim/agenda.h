// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <algorithm>
#include <vector>

namespace Baton::Sim {

/// What is to happen at an instant of virtual time. Small on purpose: millions of them go through the heap.
struct Event
{
    enum class Kind : quint8 {
        Arrive, ///< A message reaches Consul.
        Commit, ///< A command leaves the log.
        Reply, ///< An answer reaches its candidate.
        TimeOut, ///< A request has not been answered in time.
        Alarm, ///< The candidate's own timer.
        App, ///< The application does its next step.
        Store, ///< A write reaches the fenced store.
        Audit, ///< The judge looks at a deadline.
        Due, ///< Consul's own timers.
        Act, ///< Something is done to the world.
    };
    Instant at;
    quint64 order = 0; ///< Events of the same instant keep their order.
    Kind kind{};
    quint8 who = 0; ///< Number of the candidate.
    quint32 stamp = 0; ///< Of the process or timer that it was meant for.
    quint64 what = 0; ///< Message, request, step or act.
};

/// All that is still to happen, soonest first: a binary heap.
class Agenda
{
public:
    void add(Event event)
    {
        event.order = m_nextOrder++;
        m_events.push_back(event);
        std::push_heap(m_events.begin(), m_events.end(), later);
    }
    [[nodiscard]] bool isEmpty() const { return m_events.empty(); }
    [[nodiscard]] Instant next() const { return m_events.front().at; }
    Event take()
    {
        std::pop_heap(m_events.begin(), m_events.end(), later);
        const Event first = m_events.back();
        m_events.pop_back();
        return first;
    }

private:
    static bool later(const Event &a, const Event &b)
    {
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
    std::vector<Event> m_events;
    quint64 m_nextOrder = 0;
};

} // namespace Baton::Sim
