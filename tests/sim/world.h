// SPDX-License-Identifier: MIT
#pragma once

#include "agenda.h"
#include "candidate.h"
#include "judge.h"
#include "network.h"
#include "server.h"
#include "trace.h"

namespace Baton::Sim {

/*!
 * A whole world in virtual time, made from one seed: candidates with their clocks, the network, Consul, and a
 * judge who sees everything. The same plan gives the same world, event by event.
 */
class World
{
public:
    /// How late a timer may ring.
    static constexpr Duration TimerTick = std::chrono::milliseconds{5};

    explicit World(const Plan &plan, Trace *trace = nullptr);
    ~World();
    Q_DISABLE_COPY_MOVE(World)

    /// Trouble, then healing, then the end, with what must hold in each. See lifecycle.cpp.
    void live();
    /// Lets things happen up to \a until, or until something is violated.
    void run(Instant until);
    void perform(const Act &act);
    void performAt(Instant at, const Act &act);
    /// From now on nothing goes wrong any more.
    void heal();

    [[nodiscard]] Instant now() const { return m_now; }
    [[nodiscard]] const Plan &plan() const { return m_plan; }
    [[nodiscard]] const Weather &weather() const { return m_weather; }
    [[nodiscard]] Chance &chance() { return m_chance; }
    [[nodiscard]] Mailroom &mail() { return m_mail; }
    [[nodiscard]] Network &network() { return m_network; }
    [[nodiscard]] Server &server() { return m_server; }
    [[nodiscard]] const Server &server() const { return m_server; }
    [[nodiscard]] Judge &judge() { return m_judge; }
    [[nodiscard]] Candidate &candidate(size_t number) { return *m_candidates[number]; }
    [[nodiscard]] size_t candidates() const { return m_candidates.size(); }
    [[nodiscard]] quint64 events() const { return m_eventsDone; }

    void add(const Event &event) { m_agenda.add(event); }
    void writeToStore(quint8 from, const Lease &lease, Duration delay);

    // The trace costs nothing where there is none.
    template <typename Text>
    void note(const QString &who, Text text)
    {
        if (m_trace)
            m_trace->add(m_now, who, text());
    }
    void noteOutput(quint8 who, const Core::Output &output);
    void noteAnswer(quint8 who, const Message &message, bool late);
    void noteTimeOut(quint8 who, quint64 request);
    void noteHolder(const std::optional<QString> &before, const std::optional<QString> &after, Cause cause);

private:
    struct StoreWrite
    {
        quint8 from = 0;
        quint64 token = 0;
        QString session;
    };

    /// Instead of the number of an act: whatever chance says.
    static constexpr quint64 NextTrouble = ~quint64(0);

    void dispatch(const Event &event);
    [[nodiscard]] bool waitsForProcess(const Event &event) const;
    void makeTrouble();

    // The last part of a life (lifecycle.cpp)
    [[nodiscard]] std::optional<size_t> leader() const;
    [[nodiscard]] Duration recoveryBound() const;
    [[nodiscard]] Duration longestPoll() const;
    [[nodiscard]] Duration climb() const;
    bool awaitLeader(Duration bound, const char *what);
    void judgeHandOver();
    void judgeCrash();
    void judgeStop();

    const Plan m_plan;
    Weather m_weather;
    Trace *m_trace;
    Chance m_chance;
    Instant m_now;
    Agenda m_agenda;
    Mailroom m_mail;
    Network m_network;
    Server m_server;
    Judge m_judge;
    std::vector<std::unique_ptr<Candidate>> m_candidates;
    std::vector<Act> m_acts;
    std::vector<StoreWrite> m_writes;
    bool m_troubled = false;
    quint64 m_eventsDone = 0;
};

} // namespace Baton::Sim
