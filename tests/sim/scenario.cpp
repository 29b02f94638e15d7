// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <QtCore/QHash>
#include <QtCore/QRegularExpression>

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

namespace {

constexpr QLatin1StringView Separator("----");

std::chrono::milliseconds millisecondsIn(const QString &word)
{
    bool ok = false;
    const int value = word.toInt(&ok);
    if (!ok || value < 0)
        throw u"\"%1\" is no number of milliseconds"_s.arg(word);
    return std::chrono::milliseconds{value};
}

/// Sessions by the names of their makers and their number instead of what chance called them.
QStringList withNames(const QStringList &trace)
{
    static const QRegularExpression opening(u"^ *[0-9.]+  (\\w+) +opens session ([0-9a-f]{8})$"_s);
    static const QRegularExpression id(
        u"\\b([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\b[0-9a-f]{8}\\b"_s);
    QHash<QString, QString> names;
    QHash<QString, int> made;
    for (const QString &line : trace) {
        if (const auto match = opening.match(line); match.hasMatch())
            names[match.captured(2)] = match.captured(1) + QString::number(++made[match.captured(1)]);
    }
    QStringList result;
    for (const QString &line : trace) {
        QString named;
        qsizetype from = 0;
        for (auto matches = id.globalMatch(line); matches.hasNext();) {
            const auto match = matches.next();
            const QString found = match.captured(0);
            named += line.mid(from, match.capturedStart() - from) + names.value(found.left(8), found);
            from = match.capturedEnd();
        }
        result += named + line.mid(from);
    }
    return result;
}

} // namespace

Scenario::Scenario(const QString &text)
{
    m_plan.seed = 1;
    m_plan.weather.leastDelay = m_plan.weather.mostDelay = 1ms;
    m_plan.weather.leastCommit = m_plan.weather.mostCommit = 1ms;
    QStringList lines = text.split(u'\n');
    while (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    const qsizetype separator = lines.indexOf(Separator);
    m_script = lines.mid(0, separator);
    m_expected = separator < 0 ? QStringList() : lines.mid(separator + 1);
    for (const QString &line : m_script)
        readLine(line);
    if (m_plan.candidates.empty() || m_end == Instant{})
        throw u"a scenario has candidates and an end"_s;
}

void Scenario::readLine(const QString &line)
{
    const QStringList words = line.simplified().split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty() || words[0].startsWith(u'#'))
        return;
    if (words[0] == u"candidates") {
        for (const QString &name : words.mid(1)) {
            m_plan.candidates.push_back(balancedCandidate(name));
            m_plan.candidates.back().settings.seed = m_plan.candidates.size();
        }
    } else if (words[0] == u"log" && words.size() == 2) {
        m_plan.weather.leastCommit = m_plan.weather.mostCommit = millisecondsIn(words[1]);
    } else if (words.size() == 2 && words[1] == u"end") {
        m_end = Instant{millisecondsIn(words[0])};
    } else if (words.size() >= 3) {
        readAct(words);
    } else {
        throw u"what is \"%1\"?"_s.arg(line);
    }
}

void Scenario::readAct(const QStringList &words)
{
    const auto names = deedNames();
    const auto name =
        std::find_if(names.begin(), names.end(), [&](const DeedName &n) { return n.name == words[2]; });
    if (name == names.end())
        throw u"there is no deed \"%1\""_s.arg(words[2]);
    if (words.size() != (name->lasts ? 4 : 3))
        throw name->lasts ? u"%1 lasts a while"_s.arg(words[2]) : u"%1 is done at once"_s.arg(words[2]);
    Act act{name->deed, name->concernsCandidate ? numberOf(words[1]) : 0};
    if (name->lasts)
        act.length = millisecondsIn(words[3]);
    m_acts.push_back({Instant{millisecondsIn(words[0])}, act});
}

int Scenario::numberOf(const QString &candidate) const
{
    for (size_t i = 0; i < m_plan.candidates.size(); ++i) {
        if (m_plan.candidates[i].settings.instance == candidate)
            return int(i);
    }
    throw u"there is no candidate \"%1\""_s.arg(candidate);
}

QStringList Scenario::live() const
{
    Trace trace(false);
    World world(m_plan, &trace);
    for (const Line &line : m_acts)
        world.performAt(line.at, line.act);
    world.run(m_end);
    return withNames(trace.lines());
}

QString Scenario::withTrace(const QStringList &trace) const
{
    return (m_script + QStringList{Separator} + trace).join(u'\n') + u'\n';
}

} // namespace Baton::Sim
