// SPDX-License-Identifier: MIT
#include "world.h"

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/*
 * The life of a world: everybody starts, trouble comes and goes, then all is healed, and what the
 * documentation predicts must come true: one leader, a hand-over at once, the next leader after a crash, and
 * nothing left behind in the end.
 */
namespace Baton::Sim {

namespace {
/// A slow clock counts this much more true time than it shows: 1 / 0.95.
Duration slowly(Duration time)
{
    return time + time / 19;
}
} // namespace

void World::live()
{
    constexpr Duration LastStart = 3s;
    m_troubled = true;
    for (size_t i = 0; i < m_candidates.size(); ++i)
        performAt(m_now + m_chance.between(Duration::zero(), LastStart), {Deed::Start, int(i), {}});
    m_agenda.add({m_now + m_chance.around(m_plan.actEvery), 0, Event::Kind::Act, 0, 0, NextTrouble});
    run(m_now + m_plan.troubleFor);
    if (m_judge.isOver())
        return;
    heal();

    // What stands still or is under way still comes.
    Instant quiet = m_now;
    for (size_t i = 0; i < m_candidates.size(); ++i)
        quiet = std::max({quiet, m_candidates[i]->pausedUntil(), m_network.link(int(i)).frozenUntil});
    run(quiet + std::max(m_plan.weather.longDelay, Network::LongestLag) + 1s);
    if (awaitLeader(recoveryBound(), "after healing"))
        judgeHandOver();
    if (m_plan.crashAtEnd)
        judgeCrash();
    judgeStop();
}

/// The only one that holds a valid lease; and it has the lock, which a deletion may have taken from it.
std::optional<size_t> World::leader() const
{
    std::optional<size_t> found;
    for (size_t i = 0; i < m_candidates.size(); ++i) {
        if (!m_candidates[i]->hasValidLease())
            continue;
        if (found)
            return std::nullopt;
        found = i;
    }
    const bool hasLock = found && m_candidates[*found]->lease()->session == m_server.ledger().holder();
    return hasLock ? found : std::nullopt;
}

/// A poll whose answer was lost is noticed only when its time is over.
Duration World::longestPoll() const
{
    Duration longest{};
    for (const CandidatePlan &candidate : m_plan.candidates) {
        const Core::Settings &s = candidate.settings;
        longest = std::max<Duration>(longest, s.watchWait + s.watchWait / 16 + s.writeTimeout());
    }
    return slowly(longest);
}

/// A session that nobody renews ends, or a poll that was lost does; then the lock-delay; then a retry.
Duration World::recoveryBound() const
{
    constexpr Duration Retries = 12s;
    Duration bound = longestPoll();
    Duration delay{};
    for (const CandidatePlan &candidate : m_plan.candidates) {
        bound = std::max<Duration>(bound, 2 * candidate.settings.ttl);
        delay = std::max<Duration>(delay, candidate.settings.lockDelay);
    }
    return bound + slowly(delay) + Retries + climb();
}

/// Who knows higher tokens than Consul gives now climbs over them before it leads, a write each.
Duration World::climb() const
{
    const Duration aWrite = 2 * m_weather.mostDelay + m_weather.mostCommit;
    const quint64 given = m_server.model().logIndex();
    const quint64 known = m_judge.highestKnown();
    return known > given ? aWrite * Duration::rep(known - given) : Duration::zero();
}

/// True once one candidate has led alone for a while; a violation where that does not come.
bool World::awaitLeader(Duration bound, const char *what)
{
    constexpr Duration Look = 200ms;
    constexpr Duration Stable = 5s;
    const Instant end = m_now + bound;
    std::optional<size_t> leads;
    Instant since = m_now;
    while (!m_judge.isOver()) {
        const auto now = leader();
        if (now != leads || m_judge.lastLoss() > since)
            since = m_now;
        leads = now;
        if (leads && m_now - since >= Stable)
            return true;
        if (m_now > end) {
            m_judge.fail(Invariant::Recovery,
                         u"no single leader %1 s %2"_s.arg(secondsText(bound), QLatin1StringView(what)));
            return false;
        }
        run(m_now + Look);
    }
    return false;
}

void World::judgeHandOver()
{
    constexpr Duration Usual = 1s;
    constexpr Duration Look = 20ms;
    // A server that was restarted has imposed an old lock-delay anew, also on a key that is held.
    run(m_server.model().lockDelayUntil(m_candidates.front()->settings().key).value_or(m_now));
    const auto leads = leader();
    if (m_judge.isOver() || !leads)
        return;
    const size_t old = *leads;
    const quint64 oldToken = m_candidates[old]->lease()->token;
    perform({Deed::Release, int(old), {}});
    const Duration bound = Usual + climb();
    const Instant end = m_now + bound;
    while (m_now <= end && !m_judge.isOver()) {
        run(m_now + Look);
        const auto next = leader();
        if (next && m_candidates[*next]->lease()->token != oldToken)
            return;
    }
    m_judge.fail(Invariant::Recovery, u"no leader %1 s after a hand-over"_s.arg(secondsText(bound)));
}

/// Polls that were lost before the healing have been replaced by then, so the prediction holds to the letter.
void World::judgeCrash()
{
    constexpr Duration Slack = 1500ms;
    run(m_now + longestPoll());
    const auto old = leader();
    if (m_judge.isOver() || !old || m_candidates.size() < 2)
        return;
    const Core::Settings &settings = m_candidates[*old]->settings();
    const Duration bound = 2 * Duration{settings.ttl} + slowly(settings.lockDelay) + Slack + climb();
    perform({Deed::Crash, int(*old), {}});
    const Instant end = m_now + bound;
    while (!leader() && !m_judge.isOver()) {
        if (m_now > end) {
            m_judge.fail(Invariant::Recovery, u"no leader %1 s after a crash"_s.arg(secondsText(bound)));
            return;
        }
        run(m_now + 100ms);
    }
}

void World::judgeStop()
{
    constexpr Duration Slack = 1s;
    Duration stopBound{};
    Duration ttl{};
    for (size_t i = 0; i < m_candidates.size() && !m_judge.isOver(); ++i) {
        perform({Deed::Stop, int(i), {}});
        stopBound = std::max<Duration>(stopBound, m_candidates[i]->settings().stopTimeout);
        ttl = std::max<Duration>(ttl, m_candidates[i]->settings().ttl);
    }
    const Instant stopped = m_now;
    run(stopped + slowly(stopBound) + Slack);
    for (const auto &candidate : m_candidates) {
        if (!candidate->isIdle())
            m_judge.fail(Invariant::NothingLeft, u"%1 does not stop"_s.arg(candidate->name()));
    }
    run(std::max(m_now, stopped + 2 * ttl + Slack));
    if (m_judge.isOver())
        return;
    if (!m_server.model().store().sessions().empty())
        m_judge.fail(Invariant::NothingLeft, u"a session"_s);
    if (m_server.ledger().holder())
        m_judge.fail(Invariant::NothingLeft, u"a lock"_s);
}

} // namespace Baton::Sim
