// SPDX-License-Identifier: MIT
#include "mutants.h"
#include "mutation.h"
#include "runner.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QTextStream>

#include <algorithm>
#include <thread>

using namespace Qt::StringLiterals;
using namespace Baton::Sim;

namespace {

QTextStream &out()
{
    static QTextStream stream(stdout);
    return stream;
}

std::optional<size_t> invariantCalled(QLatin1StringView name)
{
    const auto found = std::find_if(InvariantTexts.begin(), InvariantTexts.end(),
                                    [name](const InvariantText &text) { return text.name == name; });
    if (found == InvariantTexts.end())
        return std::nullopt;
    return size_t(found - InvariantTexts.begin());
}

/// Lets the mutant live in world after world until \a invariant is violated.
bool isCaught(int number, QLatin1StringView name, quint64 base, const RunLimits &limits, bool traces)
{
    const auto invariant = invariantCalled(name);
    if (!invariant) {
        out() << mutants()[size_t(number)].name << ": there is no invariant \"" << name << "\"\n";
        return false;
    }
    mutantAtWork = number;
    mutantExecutions = 0;
    const RunTotals totals = runWorlds(base, limits, Judge::Invariants().set(*invariant));
    const quint64 executions = mutantExecutions;
    const bool caught = totals.failure && executions > 0;
    out() << u"%1 %2 %3 %4  %5\n"_s.arg(QLatin1StringView(mutants()[size_t(number)].name), -34)
                 .arg(name, -19)
                 .arg(executions, 9)
                 .arg(totals.failure ? QString::number(totals.failedAt + 1) : u"-"_s, 7)
                 .arg(caught           ? u"caught"_s
                          : executions ? u"SURVIVED"_s
                                       : u"NEVER EXECUTED"_s);
    out().flush();
    if (traces && totals.failure) {
        replay(out(), totals.failure->seed, false, Judge::Invariants().set(*invariant));
        out() << "BATON_SEED=" << totals.failure->seed << " is its seed\n";
    }
    mutantAtWork = -1;
    return caught;
}

/// A mutant must violate every invariant that it is said to break, each seen alone.
bool kill(int number, quint64 base, const RunLimits &limits, bool traces)
{
    bool caught = true;
    for (const QByteArray &name : QByteArray(mutants()[size_t(number)].breaks).split(' '))
        caught = isCaught(number, QLatin1StringView(name), base, limits, traces) && caught;
    return caught;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Puts one deliberate fault after the other into the candidate and has the simulator find it."_s);
    parser.addHelpOption();
    const QCommandLineOption base(u"base"_s, u"Base seed."_s, u"N"_s, u"1"_s);
    const QCommandLineOption seeds(u"seeds"_s, u"Worlds in which a mutant must be caught."_s, u"N"_s,
                                   u"3000"_s);
    const QCommandLineOption only(u"only"_s, u"Just this mutant."_s, u"NAME"_s);
    const QCommandLineOption list(u"list"_s, u"Tell what is wrong with each."_s);
    const QCommandLineOption trace(u"trace"_s, u"Show how each was caught."_s);
    parser.addOptions({base, seeds, only, list, trace});
    parser.process(application);

    RunLimits limits;
    limits.seeds = parser.value(seeds).toULongLong();
    limits.threads = int(std::max(1U, std::thread::hardware_concurrency()));
    if (!parser.isSet(list))
        out() << u"%1 %2 %3 %4\n"_s.arg(u"mutant"_s, -34)
                     .arg(u"breaks"_s, -19)
                     .arg(u"executed"_s, 9)
                     .arg(u"worlds"_s, 7);
    int survivors = 0;
    bool found = false;
    for (int i = 0; i < int(mutants().size()); ++i) {
        const Mutant &mutant = mutants()[size_t(i)];
        if (parser.isSet(only) && parser.value(only) != QLatin1StringView(mutant.name))
            continue;
        found = true;
        if (parser.isSet(list))
            out() << mutant.name << ": " << mutant.fault << '\n';
        else
            survivors += !kill(i, parser.value(base).toULongLong(), limits, parser.isSet(trace));
    }
    out() << (survivors ? u"%1 mutants survived\n"_s.arg(survivors) : QString());
    return found && survivors == 0 ? 0 : 1;
}
