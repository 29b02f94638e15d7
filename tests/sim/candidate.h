// SPDX-License-Identifier: MIT
#pragma once

#include "driftingclock.h"
#include "plan.h"

#include <core/candidatemachine.h>

#include <memory>

namespace Baton::Sim {

class World;
struct Message;

/// A term as the application sees it: what lib/qt/term.cpp is to the product.
struct Lease
{
    quint64 term = 0;
    quint64 token = 0;
    QString session;
    Instant deadline; ///< On the candidate's clock.
    bool isVoid = false; ///< Seen void once, void for good.
};

/// A request that waits for its answer.
struct Outstanding
{
    quint64 request = 0;
    Instant sent; ///< On the candidate's clock.
    quint64 term = 0; ///< 0: it concerns a session of the past.
};

/*!
 * One process of the election: the real machine in a shell like lib/qt/driver.cpp, and an application with
 * its habits. Its clock drifts; it can stand still, crash and start again.
 */
class Candidate
{
public:
    Candidate(World &world, quint8 number, const CandidatePlan &plan);

    // What is done to it
    void start();
    void stop();
    void crash();
    void release();
    void pause(Duration length, bool clockStandsStill);
    void setDrift(int partsPerMillion);
    void becomeCalm();

    // What reaches it
    void ring(quint32 stamp);
    void receive(const Message &message);
    void timeOut(quint64 request);
    void appStep(quint64 step);

    [[nodiscard]] const QString &name() const { return m_plan.settings.instance; }
    [[nodiscard]] const Core::Settings &settings() const { return m_plan.settings; }
    [[nodiscard]] const DriftingClock &clock() const { return m_clock; }
    [[nodiscard]] Instant localNow() const;
    [[nodiscard]] quint32 life() const { return m_life; }
    [[nodiscard]] bool isRunning() const { return m_machine != nullptr; }
    [[nodiscard]] bool isIdle() const { return !m_machine || m_machine->state() == Core::State::Idle; }
    [[nodiscard]] bool isPaused() const;
    [[nodiscard]] Instant pausedUntil() const { return m_pausedUntil; }
    [[nodiscard]] bool campaigns() const { return m_campaigns; }
    /// The announced term, from its beginning to its one end, valid or not.
    [[nodiscard]] const std::optional<Lease> &lease() const { return m_lease; }
    /// What isHeld() would say, without the trace that asking leaves.
    [[nodiscard]] bool hasValidLease() const;

private:
    enum class Step : quint8 { HandOver, GiveUp, Write, StartAgain };

    // The shell
    void input(const Core::Input &input);
    void answer(quint64 request, const Wire::Request &message, const Wire::Reply &reply);
    void pump();
    void carryOut(Core::Output &output);
    void send(Core::Send &send);
    void begin(const Core::Acquired &acquired);
    void extend(const Core::Renewed &renewed);
    void end(const Core::Lost &lost);
    void cancel(quint64 request);
    void setAlarm();
    bool asksIsHeld();

    // The application
    void later(Step step, quint64 term, Duration delay);
    void takesOver();
    void writes(quint64 term);
    void handsOver(quint64 term);

    World &m_world;
    const quint8 m_number;
    CandidatePlan m_plan;
    DriftingClock m_clock;
    std::unique_ptr<Core::CandidateMachine> m_machine; ///< None: there is no process.
    quint32 m_life = 0;
    bool m_campaigns = false;
    Instant m_pausedUntil;
    std::vector<Outstanding> m_outstanding;
    std::optional<Lease> m_lease;
    quint64 m_lastTerm = 0; ///< The last one that ended.

    quint32 m_alarmStamp = 0;
    std::optional<Instant> m_alarmAt; ///< On its clock; what the pending event was set for.
};

} // namespace Baton::Sim
