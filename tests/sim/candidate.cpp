// SPDX-License-Identifier: MIT
#include "candidate.h"

#include "world.h"

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

Candidate::Candidate(World &world, quint8 number, const CandidatePlan &plan)
    : m_world(world), m_number(number), m_plan(plan), m_clock(plan.clock, plan.drift)
{
}

Instant Candidate::localNow() const
{
    return m_clock.at(m_world.now());
}

bool Candidate::isPaused() const
{
    return m_world.now() < m_pausedUntil;
}

bool Candidate::hasValidLease() const
{
    return m_lease && !m_lease->isVoid && m_lease->deadline > localNow();
}

// ---- What is done to it --------------------------------------------------------------------------------

void Candidate::start()
{
    m_campaigns = true;
    if (!m_machine) {
        Core::Settings settings = m_plan.settings;
        settings.seed += ++m_life; // No two processes draw the same.
        m_machine = std::make_unique<Core::CandidateMachine>(settings);
    }
    input(Core::Start{m_plan.habits.campaignsAgain});
}

void Candidate::stop()
{
    m_campaigns = false;
    if (m_machine)
        input(Core::Stop{});
}

void Candidate::crash()
{
    m_world.judge().died(m_number);
    m_machine.reset();
    m_outstanding.clear();
    m_lease.reset();
    m_campaigns = false;
    m_pausedUntil = {};
    m_clock.goOn(m_world.now());
    m_alarmAt.reset();
    ++m_alarmStamp;
    ++m_life;
}

void Candidate::release()
{
    if (m_machine && m_lease)
        input(Core::Release{});
}

void Candidate::pause(Duration length, bool clockStandsStill)
{
    if (!m_machine)
        return;
    m_pausedUntil = std::max(m_pausedUntil, m_world.now() + length);
    if (!clockStandsStill)
        return;
    m_world.judge().clockStandsStill(m_number);
    m_clock.standStill(m_world.now(), m_pausedUntil);
    m_alarmAt.reset();
    setAlarm();
}

void Candidate::setDrift(int partsPerMillion)
{
    m_clock.setDrift(partsPerMillion, m_world.now());
    m_alarmAt.reset();
    setAlarm();
}

/// From now on the application does as it is told, at once.
void Candidate::becomeCalm()
{
    m_plan.habits = {};
    m_plan.habits.handOverWithin = 1ms;
}

// ---- The shell -----------------------------------------------------------------------------------------

void Candidate::input(const Core::Input &input)
{
    m_machine->handle(input, localNow());
    pump();
}

void Candidate::ring(quint32 stamp)
{
    if (stamp != m_alarmStamp || !m_machine)
        return;
    m_alarmAt.reset();
    const auto next = m_machine->nextTimeout();
    if (next && *next <= localNow()) {
        m_world.judge().rang(m_number);
        m_machine->handleTimeout(localNow());
        pump();
    } else {
        setAlarm();
    }
}

void Candidate::setAlarm()
{
    if (!m_machine)
        return;
    // An alarm that comes too early costs nothing: it is set anew when it rings.
    const auto next = m_machine->nextTimeout();
    if (!next || (m_alarmAt && *m_alarmAt <= *next))
        return;
    constexpr Duration LeastLateness = 1us;
    m_alarmAt = next;
    const Duration late = m_world.chance().between(LeastLateness, World::TimerTick);
    const Instant at = std::max(m_clock.when(*next), m_world.now()) + late;
    m_world.add({at, 0, Event::Kind::Alarm, m_number, ++m_alarmStamp, 0});
}

void Candidate::pump()
{
    constexpr int TooMany = 10'000;
    int count = 0;
    while (auto output = m_machine->poll()) {
        carryOut(*output);
        if (!m_machine)
            return;
        if (++count > TooMany) {
            m_world.judge().giveUp(u"%1 outputs at once"_s.arg(count));
            return;
        }
    }
    setAlarm();
}

void Candidate::carryOut(Core::Output &output)
{
    Judge &judge = m_world.judge();
    m_world.noteOutput(m_number, output);
    if (auto *request = std::get_if<Core::Send>(&output)) {
        send(*request);
    } else if (const auto *cancelled = std::get_if<Core::Cancel>(&output)) {
        cancel(cancelled->request);
    } else if (const auto *acquired = std::get_if<Core::Acquired>(&output)) {
        begin(*acquired);
    } else if (const auto *renewed = std::get_if<Core::Renewed>(&output)) {
        extend(*renewed);
    } else if (const auto *down = std::get_if<Core::StoodDown>(&output)) {
        judge.stoodDown(m_number, *down);
        if (m_lease)
            m_lease->isVoid = true;
    } else if (const auto *lost = std::get_if<Core::Lost>(&output)) {
        end(*lost);
    } else if (const auto *changed = std::get_if<Core::StateChanged>(&output)) {
        if (changed->state == Core::State::Idle)
            judge.becameIdle(m_number);
    } else if (std::holds_alternative<Core::Stopped>(output)) {
        if (m_campaigns)
            later(Step::StartAgain, 0, 500ms);
    }
}

void Candidate::send(Core::Send &send)
{
    m_world.judge().sent(m_number, send);
    m_outstanding.push_back({send.request, localNow(), send.term});
    const Instant until = m_clock.when(localNow() + send.timeout);
    m_world.add({until, 0, Event::Kind::TimeOut, m_number, m_life, send.request});
    Message message;
    message.from = m_number;
    message.life = m_life;
    message.request = send.request;
    message.body = std::move(send.message);
    m_world.network().send(std::move(message));
}

void Candidate::cancel(quint64 request)
{
    std::erase_if(m_outstanding, [request](const Outstanding &o) { return o.request == request; });
    m_world.server().forget(m_number, m_life, request);
}

void Candidate::begin(const Core::Acquired &acquired)
{
    m_world.judge().acquired(m_number, acquired);
    m_lease = Lease{acquired.term, acquired.token, acquired.session, acquired.deadline, false};
    takesOver();
}

void Candidate::extend(const Core::Renewed &renewed)
{
    m_world.judge().renewed(m_number, renewed);
    if (m_lease && !m_lease->isVoid)
        m_lease->deadline = renewed.deadline;
    else
        m_machine->handle(Core::Abandon{LostReason::LocalDeadlineExceeded}, localNow());
}

void Candidate::end(const Core::Lost &lost)
{
    m_world.judge().lost(m_number, lost);
    m_lease.reset();
    m_lastTerm = lost.term;
    if (lost.reason == LostReason::Released && !m_world.chance().hits(m_plan.habits.neverHandsOver))
        later(Step::HandOver, lost.term,
              m_world.chance().between(Duration::zero(), m_plan.habits.handOverWithin));
}

bool Candidate::asksIsHeld()
{
    if (!m_lease)
        return false;
    m_lease->isVoid = m_lease->isVoid || m_lease->deadline <= localNow();
    return !m_lease->isVoid;
}

// ---- What reaches it -----------------------------------------------------------------------------------

void Candidate::receive(const Message &message)
{
    if (!m_machine || message.life != m_life)
        return;
    if (m_machine->state() == Core::State::Waiting) {
        // A lock that is due by now goes out before the news are known; what follows is judged by them.
        m_machine->handleTimeout(localNow());
        pump();
    }
    const auto waits = std::find_if(m_outstanding.begin(), m_outstanding.end(),
                                    [&](const Outstanding &o) { return o.request == message.request; });
    if (waits == m_outstanding.end()) {
        // Nobody waits for it any more. The product drops it; the machine must not need that.
        m_world.noteAnswer(m_number, message, true);
        input(Core::Answer{message.request, message.reply});
        return;
    }
    const Outstanding outstanding = *waits;
    m_outstanding.erase(waits);
    m_world.noteAnswer(m_number, message, false);
    Judge &judge = m_world.judge();
    judge.answered(m_number, outstanding, message);
    const Judge::News news = judge.newsFor(m_number, outstanding, message);
    input(Core::Answer{message.request, message.reply});
    judge.reacted(m_number, news);
}

void Candidate::timeOut(quint64 request)
{
    const auto waits = std::find_if(m_outstanding.begin(), m_outstanding.end(),
                                    [&](const Outstanding &o) { return o.request == request; });
    if (!m_machine || waits == m_outstanding.end())
        return;
    m_outstanding.erase(waits);
    m_world.server().forget(m_number, m_life, request);
    m_world.noteTimeOut(m_number, request);
    input(Core::Answer{request, Wire::Failure{Wire::FailureKind::TimedOut, 0, u"no answer in time"_s}});
}

} // namespace Baton::Sim
