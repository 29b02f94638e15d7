// SPDX-License-Identifier: MIT
#include "runner.h"

#include "world.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace Qt::StringLiterals;

namespace Baton::Sim {

namespace {
thread_local quint64 seedUnderWay = 0;
thread_local const Trace *traceUnderWay = nullptr;

/// An assertion of the machine is a finding like any other: it must name its seed, and show its trace.
void explainAssertion(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (type == QtFatalMsg && traceUnderWay) {
        for (const QString &line : traceUnderWay->lines())
            fprintf(stderr, "%s\n", qPrintable(line));
    }
    fprintf(stderr, "%s\n", qPrintable(text));
    if (type == QtFatalMsg)
        fprintf(stderr, "BATON_SEED=%llu replays it\n", seedUnderWay);
}
} // namespace

quint64 seedOf(quint64 base, quint64 number)
{
    return Chance(base + number * 0x9E3779B97F4A7C15ULL).next();
}

Outcome liveWorld(quint64 seed, Judge::Invariants watched)
{
    seedUnderWay = seed;
    World world(planFor(seed));
    world.judge().setWatched(watched);
    world.live();
    return {seed, world.judge().verdict(), world.judge().terms(), world.events(),
            world.now().time_since_epoch()};
}

QStringList traceOf(quint64 seed, Judge::Invariants watched)
{
    seedUnderWay = seed;
    Trace trace(true);
    traceUnderWay = &trace;
    World world(planFor(seed), &trace);
    world.judge().setWatched(watched);
    qInstallMessageHandler(explainAssertion);
    world.live();
    traceUnderWay = nullptr;
    return trace.lines();
}

int replay(QTextStream &out, quint64 seed, bool whole, Judge::Invariants watched)
{
    // What led to a violation is seldom further back.
    constexpr qsizetype ShownLines = 120;
    const QStringList trace = traceOf(seed, watched);
    const qsizetype from = whole ? 0 : std::max<qsizetype>(0, trace.size() - ShownLines);
    for (const QString &line : trace.mid(from))
        out << line << '\n';
    const Outcome outcome = liveWorld(seed, watched);
    out << u"seed %1: %2 terms, %3"_s.arg(seed)
               .arg(outcome.terms)
               .arg(outcome.violation ? u"VIOLATED: "_s + textOf(outcome.violation->invariant).text
                                      : u"nothing violated"_s)
        << '\n';
    return outcome.violation ? 1 : 0;
}

RunTotals runWorlds(quint64 base, const RunLimits &limits, Judge::Invariants watched)
{
    qInstallMessageHandler(explainAssertion);
    RunTotals totals;
    std::mutex mutex;
    std::atomic<quint64> next{0};
    std::atomic<bool> over{false};
    const auto end = std::chrono::steady_clock::now() + limits.time;

    const auto work = [&] {
        while (!over && std::chrono::steady_clock::now() < end) {
            const quint64 number = next++;
            if (number >= limits.seeds)
                return;
            const Outcome outcome = liveWorld(seedOf(base, number), watched);
            const std::lock_guard lock(mutex);
            ++totals.seeds;
            totals.terms += outcome.terms;
            totals.events += outcome.events;
            totals.lived += std::chrono::duration_cast<std::chrono::seconds>(outcome.lived);
            // Of several failures that of the lowest number, whatever the threads do.
            if (outcome.violation && (!totals.failure || number < totals.failedAt)) {
                totals.failure = outcome;
                totals.failedAt = number;
            }
            over = over || outcome.violation || totals.terms >= limits.terms;
        }
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < limits.threads; ++i)
        threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
        thread.join();
    return totals;
}

} // namespace Baton::Sim
