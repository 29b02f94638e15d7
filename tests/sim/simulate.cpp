// SPDX-License-Identifier: MIT
#include "runner.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QTextStream>

#include <ctime>
#include <random>
#include <thread>

using namespace Qt::StringLiterals;
using namespace Baton::Sim;

namespace {

QTextStream &out()
{
    static QTextStream stream(stdout);
    return stream;
}

quint64 freshSeed()
{
    std::random_device device;
    return (quint64(device()) << 32) | device();
}

int simulate(quint64 base, const RunLimits &limits)
{
    out() << "base seed " << base << ", " << limits.threads << " threads\n" << Qt::flush;
    const auto began = std::chrono::steady_clock::now();
    const RunTotals totals = runWorlds(base, limits);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const double processor = double(std::clock()) / CLOCKS_PER_SEC; // Of all threads.
    out() << u"%1 terms in %2 worlds, %3 h of virtual time, %4 events, in %5 s (%6 s of processor time)\n"_s
                 .arg(totals.terms)
                 .arg(totals.seeds)
                 .arg(totals.lived.count() / 3600)
                 .arg(totals.events)
                 .arg(took.count(), 0, 'f', 1)
                 .arg(processor, 0, 'f', 1);
    if (!totals.failure)
        return totals.terms > 0 ? 0 : 1;
    out() << Qt::flush;
    replay(out(), totals.failure->seed, false);
    out() << "BATON_SEED=" << totals.failure->seed
          << " replays it, with --whole the trace from its beginning\n";
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Lives whole elections in virtual time, each from one seed, and judges everything that happens.\n"
        "BATON_SEED=N in the environment replays one of them with its trace."_s);
    parser.addHelpOption();
    const QCommandLineOption base(u"base"_s, u"Base seed of the run; fresh where it is not given."_s, u"N"_s);
    const QCommandLineOption seeds(u"seeds"_s, u"Number of worlds."_s, u"N"_s);
    const QCommandLineOption terms(u"terms"_s, u"Number of terms, after which it ends."_s, u"N"_s);
    const QCommandLineOption seconds(u"seconds"_s, u"Time, after which it ends."_s, u"N"_s);
    const QCommandLineOption threads(u"threads"_s, u"In parallel; as many as processors."_s, u"N"_s);
    const QCommandLineOption whole(u"whole"_s, u"Replay: print the whole trace."_s);
    parser.addOptions({base, seeds, terms, seconds, threads, whole});
    parser.process(application);

    if (qEnvironmentVariableIsSet("BATON_SEED"))
        return replay(out(), qEnvironmentVariable("BATON_SEED").toULongLong(), parser.isSet(whole));
    RunLimits limits;
    limits.threads = int(std::max(1U, std::thread::hardware_concurrency()));
    if (parser.isSet(seeds))
        limits.seeds = parser.value(seeds).toULongLong();
    if (parser.isSet(terms))
        limits.terms = parser.value(terms).toULongLong();
    if (parser.isSet(seconds))
        limits.time = std::chrono::seconds{parser.value(seconds).toLongLong()};
    if (parser.isSet(threads))
        limits.threads = parser.value(threads).toInt();
    return simulate(parser.isSet(base) ? parser.value(base).toULongLong() : freshSeed(), limits);
}
