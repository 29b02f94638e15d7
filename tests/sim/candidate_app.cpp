// SPDX-License-Identifier: MIT
#include "candidate.h"

#include "world.h"

using namespace std::chrono_literals;

/* The application of a candidate: leads for a while, writes to the store, gives up, hands over. */
namespace Baton::Sim {

namespace {
constexpr int StepBits = 8; ///< The lower bits of a step's event are the kind, the rest is the term.
}

void Candidate::later(Step step, quint64 term, Duration delay)
{
    const quint64 what = (term << StepBits) | quint64(step);
    m_world.add({m_world.now() + delay, 0, Event::Kind::App, m_number, m_life, what});
}

void Candidate::appStep(quint64 what)
{
    if (!m_machine)
        return;
    const quint64 term = what >> StepBits;
    const bool leads = m_lease && m_lease->term == term;
    switch (Step(what & ((1U << StepBits) - 1))) {
    case Step::HandOver:
        handsOver(term);
        break;
    case Step::GiveUp:
        if (leads)
            input(Core::Release{});
        break;
    case Step::Write:
        if (leads)
            writes(term);
        break;
    case Step::StartAgain:
        if (m_campaigns)
            input(Core::Start{m_plan.habits.campaignsAgain});
        break;
    }
}

void Candidate::takesOver()
{
    const Habits &habits = m_plan.habits;
    Chance &chance = m_world.chance();
    if (habits.leadsFor > Duration::zero())
        later(Step::GiveUp, m_lease->term, chance.around(habits.leadsFor));
    if (habits.writesEvery > Duration::zero())
        later(Step::Write, m_lease->term, chance.around(habits.writesEvery));
}

/// The write is on its way from now on, whatever becomes of the lease meanwhile; an application that does not
/// ask first makes it worse.
void Candidate::writes(quint64 term)
{
    const Habits &habits = m_plan.habits;
    if (habits.writesEvery == Duration::zero())
        return; // It has become calm since.
    Chance &chance = m_world.chance();
    const bool asked = !chance.hits(habits.writesUnasked);
    if (!asked || asksIsHeld())
        m_world.writeToStore(m_number, *m_lease, chance.around(habits.writeDelay));
    later(Step::Write, term, chance.around(habits.writesEvery));
}

void Candidate::handsOver(quint64 term)
{
    // Time first, so that what follows is the hand-over's doing and no deadline's.
    m_machine->handleTimeout(localNow());
    pump();
    if (m_machine->state() == Core::State::Yielding && term == m_lastTerm)
        m_world.judge().handedOver(m_number);
    input(Core::HandedOver{term});
}

} // namespace Baton::Sim
