// SPDX-License-Identifier: MIT
#include "plan.h"

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

namespace {

using Core::Milliseconds;

struct Timings
{
    Milliseconds ttl = 10s;
    Milliseconds margin = 2s;
    Milliseconds lockDelay = 9s;
};

/// What LeaseOptions makes of an application's timings.
void apply(Core::Settings &settings, const Timings &timings)
{
    constexpr Milliseconds ShortestTimeout = 100ms;
    settings.ttl = timings.ttl;
    settings.margin = timings.margin;
    settings.lockDelay = timings.lockDelay;
    const Milliseconds third = timings.ttl / 3;
    settings.renewInterval = timings.lockDelay == 0ms ? third : std::min(third, timings.lockDelay / 4);
    settings.requestTimeout = std::max(settings.renewInterval, ShortestTimeout);
}

Timings randomTimings(Chance &chance)
{
    Timings timings;
    timings.lockDelay = chance.oneOf<Milliseconds>({9s, 9s, 9s, 15s, 15s, 5s, 5s, 2s, 2s, 500ms, 0ms});
    timings.ttl = chance.oneOf<Milliseconds>({10s, 10s, 10s, 10s, 15s, 30s});
    timings.margin = chance.oneOf<Milliseconds>({2s, 2s, 1s, 3s});
    return timings;
}

Weather randomWeather(Chance &chance)
{
    Weather weather;
    weather.mostDelay = chance.oneOf<Duration>({1ms, 5ms, 50ms});
    weather.mostCommit = chance.oneOf<Duration>({1ms, 5ms, 100ms, 400ms});
    if (chance.hits(0.3))
        return weather; // Only what is done to the world disturbs it.
    weather.delayed = chance.oneOf({0.01, 0.05, 0.2});
    weather.longDelay = chance.oneOf<Duration>({100ms, 1s, 5s, 12s});
    weather.lostRequests = chance.oneOf({0.0, 0.01, 0.05, 0.2});
    weather.lostAnswers = chance.oneOf({0.0, 0.01, 0.05, 0.2});
    weather.doubled = chance.oneOf({0.0, 0.02, 0.1});
    weather.resets = chance.oneOf({0.0, 0.5, 1.0});
    return weather;
}

Habits randomHabits(Chance &chance)
{
    Habits habits;
    habits.leadsFor = chance.oneOf<Duration>({500ms, 1s, 2s, 4s, 20s});
    habits.writesEvery = chance.oneOf<Duration>({200ms, 1s, 3s});
    habits.writeDelay = chance.oneOf<Duration>({1ms, 50ms, 2s});
    habits.handOverWithin = chance.oneOf<Duration>({1ms, 100ms, 6s});
    habits.neverHandsOver = chance.oneOf({0.0, 0.02});
    habits.writesUnasked = chance.oneOf({0.0, 0.2});
    habits.campaignsAgain = !chance.hits(0.1);
    return habits;
}

} // namespace

CandidatePlan balancedCandidate(const QString &name)
{
    CandidatePlan plan;
    Core::Settings &settings = plan.settings;
    settings.key = u"service/x/leader"_s;
    settings.sessionName = u"baton "_s + name;
    settings.instance = name;
    settings.host = u"host"_s;
    settings.pid = 1;
    settings.version = u"0"_s;
    settings.watchWait = 50s;
    settings.stopTimeout = 5s;
    settings.seed = 1;
    apply(settings, {});
    plan.habits.handOverWithin = 1ms;
    return plan;
}

Plan planFor(quint64 seed)
{
    Chance chance(seed);
    Plan plan;
    plan.seed = seed;
    plan.weather = randomWeather(chance);
    plan.troubleFor = chance.oneOf<Duration>({60s, 120s, 240s});
    plan.actEvery = chance.oneOf<Duration>({2s, 5s, 15s});
    plan.outsideAssumptions = chance.hits(0.1);
    plan.crashAtEnd = chance.hits(0.3);

    const Timings common = randomTimings(chance);
    const bool sameTimings = chance.hits(0.8);
    const bool nodeChecks = chance.hits(0.3);
    const bool drifts = chance.hits(0.7);
    const auto watchWait = chance.oneOf<Milliseconds>({5s, 10s, 10s, 50s});
    const int count = chance.oneOf({1, 2, 2, 2, 3, 3, 3, 4, 5});
    for (int i = 0; i < count; ++i) {
        CandidatePlan candidate = balancedCandidate(QString(QChar(u'a' + i)));
        Core::Settings &settings = candidate.settings;
        apply(settings, sameTimings ? common : randomTimings(chance));
        settings.watchWait = watchWait;
        settings.stopTimeout = chance.oneOf<Milliseconds>({5s, 5s, 1s, 15s});
        settings.tokenFloor = chance.hits(0.1) ? quint64(chance.below(200)) : 0;
        settings.seed = chance.next();
        if (nodeChecks)
            settings.nodeChecks = {u"serfHealth"_s};
        candidate.habits = randomHabits(chance);
        candidate.clock = Instant{chance.between(1h, 10'000h)};
        candidate.drift = drifts ? chance.between(-MostDrift, MostDrift) : 0;
        plan.candidates.push_back(candidate);
    }
    return plan;
}

Act randomAct(const Plan &plan, Chance &chance)
{
    using enum Deed;
    struct Weight
    {
        Deed deed;
        int weight;
        Duration most{};
    };
    static constexpr Weight Weights[] = {
        {Stop, 6},         {Crash, 8},           {Pause, 8, 40s},
        {Drift, 3},        {Freeze, 8, 30s},     {Cut, 10, 40s},
        {Blind, 8, 60s},   {Deafen, 6, 15s},     {Drop, 6},
        {Fail, 4, 10s},    {Leave, 3, 10s},      {Revoke, 6, 20s},
        {Restart, 3, 5s},  {LoseLeader, 4, 20s}, {Destroy, 8},
        {Strike, 8, 15s},  {Delete, 4},          {Put, 4},
        {Unlock, 3},       {Write, 6},           {Snapshot, 2},
        {SnapshotFree, 3}, {Lag, 6, 60s},        {Restore, 3},
        {Suspend, 3, 40s},
    };
    static constexpr int Sum = [] {
        int sum = 0;
        for (const Weight &weight : Weights)
            sum += weight.weight;
        return sum;
    }();
    constexpr double RebuildsPerAct = 0.005; // Each costs hundreds of writes to climb over the old tokens.
    if (chance.hits(RebuildsPerAct))
        return {Rebuild, 0, {}, true};
    int pick = chance.below(Sum);
    const Weight *chosen = Weights;
    while (pick >= chosen->weight)
        pick -= chosen++->weight;
    const Deed deed = chosen->deed == Suspend && !plan.outsideAssumptions ? Pause : chosen->deed;
    const Duration most = chosen->most == Duration::zero() ? Duration{1s} : chosen->most;
    return {deed, chance.below(int(plan.candidates.size())), chance.between(10ms, most), true};
}

} // namespace Baton::Sim
