// SPDX-License-Identifier: MIT
#include "world.h"

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

World::World(const Plan &plan, Trace *trace)
    : m_plan(plan), m_weather(plan.weather), m_trace(trace), m_chance(plan.seed ^ 0x5EED),
      m_network(*this, plan.candidates.size()),
      m_server(*this, plan.candidates.size(), plan.candidates.front().settings.key, plan.seed),
      m_judge(*this, plan.candidates.size())
{
    for (size_t i = 0; i < plan.candidates.size(); ++i)
        m_candidates.push_back(std::make_unique<Candidate>(*this, quint8(i), plan.candidates[i]));
}

World::~World() = default;

void World::run(Instant until)
{
    constexpr int MostAtOnce = 100'000;
    int atOnce = 0;
    while (!m_agenda.isEmpty() && m_agenda.next() <= until && !m_judge.isOver()) {
        const Event event = m_agenda.take();
        atOnce = event.at == m_now ? atOnce + 1 : 0;
        m_now = event.at;
        if (atOnce > MostAtOnce)
            m_judge.giveUp(u"time stands still"_s);
        dispatch(event);
        ++m_eventsDone;
    }
    if (!m_judge.isOver())
        m_now = std::max(m_now, until);
}

/// What concerns a process that stands still waits until it goes on.
bool World::waitsForProcess(const Event &event) const
{
    using enum Event::Kind;
    const bool concerns =
        event.kind == Reply || event.kind == TimeOut || event.kind == Alarm || event.kind == App;
    return concerns && m_candidates[event.who]->isPaused();
}

void World::dispatch(const Event &event)
{
    if (waitsForProcess(event)) {
        // In any order: whatever has gathered is there at once when the process goes on.
        Event later = event;
        later.at = m_candidates[event.who]->pausedUntil() + m_chance.between(Duration::zero(), 1ms);
        m_agenda.add(later);
        return;
    }
    Candidate &candidate = *m_candidates[event.who];
    switch (event.kind) {
    case Event::Kind::Arrive:
        m_server.arrive(quint32(event.what));
        break;
    case Event::Kind::Commit:
        m_server.commit(quint32(event.what));
        break;
    case Event::Kind::Reply:
        candidate.receive(m_mail[quint32(event.what)]);
        m_mail.drop(quint32(event.what));
        break;
    case Event::Kind::TimeOut:
        if (event.stamp == candidate.life())
            candidate.timeOut(event.what);
        break;
    case Event::Kind::Alarm:
        candidate.ring(event.stamp);
        break;
    case Event::Kind::App:
        if (event.stamp == candidate.life())
            candidate.appStep(event.what);
        break;
    case Event::Kind::Store: {
        const StoreWrite &write = m_writes[event.what];
        m_judge.storeReached(write.from, write.token, write.session);
        break;
    }
    case Event::Kind::Audit:
        m_judge.audit(event.who, event.stamp);
        break;
    case Event::Kind::Due:
        m_server.attend();
        break;
    case Event::Kind::Act:
        if (event.what == NextTrouble)
            makeTrouble();
        else
            perform(Act(m_acts[event.what]));
        break;
    }
}

void World::writeToStore(quint8 from, const Lease &lease, Duration delay)
{
    m_writes.push_back({from, lease.token, lease.session});
    m_agenda.add({m_now + delay, 0, Event::Kind::Store, from, 0, m_writes.size() - 1});
}

// ---- What is done to it --------------------------------------------------------------------------------

void World::performAt(Instant at, const Act &act)
{
    m_acts.push_back(act);
    m_agenda.add({at, 0, Event::Kind::Act, quint8(act.who), 0, m_acts.size() - 1});
}

void World::makeTrouble()
{
    if (!m_troubled)
        return;
    const Act act = randomAct(m_plan, m_chance);
    perform(act);
    constexpr Duration UsualAbsence = 3s;
    if (act.deed == Deed::Stop || act.deed == Deed::Crash)
        performAt(m_now + m_chance.around(UsualAbsence), {Deed::Start, act.who, {}, true});
    m_agenda.add({m_now + m_chance.around(m_plan.actEvery), 0, Event::Kind::Act, 0, 0, NextTrouble});
}

void World::perform(const Act &act)
{
    using enum Deed;
    if (act.ofTrouble && !m_troubled)
        return;
    const DeedName &deed = nameOf(act.deed);
    Candidate &candidate = *m_candidates[size_t(act.who)];
    Link &link = m_network.link(act.who);
    const Instant end = m_now + act.length;
    const bool needsProcess = act.deed == Start || act.deed == Stop || act.deed == Release;
    if (needsProcess && candidate.isPaused()) {
        performAt(candidate.pausedUntil(), act);
        return;
    }
    note(deed.concernsCandidate ? candidate.name() : u"*"_s, [&] {
        return deed.lasts ? u"! %1 for %2"_s.arg(deed.name, secondsText(act.length)) : u"! "_s + deed.name;
    });
    switch (act.deed) {
    case Start:
        candidate.start();
        break;
    case Stop:
        candidate.stop();
        break;
    case Crash:
        candidate.crash();
        break;
    case Release:
        candidate.release();
        break;
    case Pause:
    case Suspend:
        candidate.pause(act.length, act.deed == Suspend);
        break;
    case Drift:
        candidate.setDrift(m_chance.between(-MostDrift, MostDrift));
        break;
    case Freeze:
        link.frozenUntil = std::max(link.frozenUntil, end);
        break;
    case Cut:
        link.cutUntil = std::max(link.cutUntil, end);
        break;
    case Blind:
        link.blindUntil = std::max(link.blindUntil, end);
        break;
    case Lag:
        link.laggedUntil = std::max(link.laggedUntil, end);
        break;
    case Deafen:
        link.deafUntil = std::max(link.deafUntil, end);
        break;
    case Drop:
        link.dropsLockAnswer = true;
        break;
    default:
        m_server.perform(act);
    }
}

void World::heal()
{
    note(u"*"_s, [] { return u"! heal"_s; });
    m_troubled = false;
    m_weather = {};
    m_network.heal();
    m_server.heal();
    for (size_t i = 0; i < m_candidates.size(); ++i) {
        m_candidates[i]->becomeCalm();
        perform({Deed::Start, int(i), {}});
    }
}

} // namespace Baton::Sim
