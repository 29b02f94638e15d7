// SPDX-License-Identifier: MIT
#include "models/verdict.h"

#include "models/format.h"

#include <QtCore/QCoreApplication>

#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Verdict)
};

/// What the elections have together.
struct Survey
{
    std::array<int, size_t(Concern::LedTwice) + 1> counts{};
    Concern worst = Concern::Fine;
    ElectionPtr worstElection;
    /// The prefix that may not be read, where one may not.
    QString hiddenPrefix;
    bool prefixHidden = false;
    /// Nothing is hidden anywhere.
    bool allVisible = true;

    [[nodiscard]] int count(Concern concern) const { return counts[size_t(concern)]; }
    [[nodiscard]] int leaderless() const
    {
        return count(Concern::Vacant) + count(Concern::LockDelay) + count(Concern::Overdue);
    }
};

Survey survey(const ClusterSnapshot &snapshot, Nanoseconds now, const CandidateClaims &claims)
{
    Survey result;
    for (const PrefixReport &prefix : snapshot.prefixes) {
        result.allVisible = result.allVisible && prefix.visibility == Visibility::Everything;
        if (prefix.visibility != Visibility::Nothing || result.prefixHidden)
            continue;
        result.prefixHidden = true;
        result.hiddenPrefix = prefix.prefix;
        result.worst = Concern::Hidden;
    }
    for (const ElectionPtr &election : snapshot.elections) {
        const Concern concern = concernOf(*election, visibilityOf(snapshot.prefixes, *election), now, claims);
        ++result.counts[size_t(concern)];
        const bool first = !result.worstElection || concern > result.worst;
        const bool longer = concern == result.worst && result.worstElection
            && election->since.by < result.worstElection->since.by;
        if (concern < result.worst || !(first || longer))
            continue;
        result.worst = concern;
        result.worstElection = election;
    }
    return result;
}

QString nameOf(const ElectionRecord &election)
{
    return Format::inSentence(election.name);
}

QString hiddenSentence(const Survey &all, int total)
{
    if (total == 1 && all.worstElection)
        return Text::tr("%1 may be hidden by ACL").arg(nameOf(*all.worstElection));
    if (const int hidden = all.count(Concern::Hidden); hidden > 0)
        return Text::tr("%1 of %n elections may be hidden by ACL", nullptr, total).arg(hidden);
    return Text::tr("What is under %1 may be hidden by ACL").arg(Format::inSentence(all.hiddenPrefix));
}

/// `1 of 12 elections has no leader`.
QString leaderlessSentence(const Survey &all, int total)
{
    const int count = all.leaderless();
    QString sentence;
    if (total == 1)
        sentence = Text::tr("%1 has no leader").arg(nameOf(*all.worstElection));
    else if (count == 1)
        sentence = Text::tr("1 of %n elections has no leader", nullptr, total);
    else
        sentence = Text::tr("%1 of %n elections have no leader", nullptr, total).arg(count);
    return all.worst == Concern::Overdue ? Text::tr("%1, longer than predicted").arg(sentence) : sentence;
}

QString ledSentence(const Survey &all, int total)
{
    if (total == 1)
        return Text::tr("%1 is led").arg(nameOf(*all.worstElection));
    return all.allVisible ? Text::tr("All %n elections are led", nullptr, total)
                          : Text::tr("All %n elections that can be seen are led", nullptr, total);
}

QString sentenceOf(const Survey &all, int total)
{
    const int count = all.count(all.worst);
    const QString name = all.worstElection ? nameOf(*all.worstElection) : QString();
    switch (all.worst) {
    case Concern::LedTwice:
        return count == 1 ? Text::tr("%1 is led twice").arg(name)
                          : Text::tr("%n elections are led twice", nullptr, count);
    case Concern::TokenFell:
        return count == 1 ? Text::tr("The token of %1 fell").arg(name)
                          : Text::tr("The tokens of %n elections fell", nullptr, count);
    case Concern::Orphaned:
        return count == 1 ? Text::tr("%1 is held by a session that does not exist").arg(name)
                          : Text::tr("%n elections are held by sessions that do not exist", nullptr, count);
    case Concern::Overdue:
    case Concern::LockDelay:
    case Concern::Vacant:
        return leaderlessSentence(all, total);
    case Concern::AtRisk:
        return count == 1 ? Text::tr("The leader of %1 is at risk").arg(name)
                          : Text::tr("The leaders of %n elections are at risk", nullptr, count);
    case Concern::Hidden:
        return hiddenSentence(all, total);
    case Concern::NeverExpires:
        return count == 1
            ? Text::tr("%1, 1 by a session that never expires").arg(ledSentence(all, total))
            : Text::tr("%1, %n by sessions that never expire", nullptr, count).arg(ledSentence(all, total));
    case Concern::Fine:
        return ledSentence(all, total);
    }
    Q_UNREACHABLE();
}

QString itemText(const ElectionRecord &election, Concern concern, Nanoseconds now)
{
    const QString text = u"%1: %2"_s.arg(nameOf(election), stateSentence(election, concern, now));
    return concern == Concern::LockDelay ? Text::tr("%1, as predicted").arg(text) : text;
}

/// When the election last moved; nothing where it has not under anybody's eyes.
std::optional<Nanoseconds> movedAt(const ElectionRecord &election)
{
    if (election.isHeld())
        return election.since.isExact() ? std::optional(election.since.by) : std::nullopt;
    if (!election.previous || !election.previous->to)
        return std::nullopt;
    return election.previous->to->by;
}

QString moveText(const ElectionRecord &election)
{
    const QString name = nameOf(election);
    const QString before = election.previous ? Format::inSentence(leaderName(*election.previous)) : QString();
    if (!election.isHeld())
        return Text::tr("%1 lost %2, %3").arg(name, before, endText(election.previous->end));
    const QString after = Format::inSentence(leaderName(election));
    if (before.isEmpty())
        return Text::tr("%1 led by %2").arg(name, after);
    const QString text = u"%1 %2 → %3"_s.arg(name, before, after);
    const auto summary = lastFailover(election);
    if (!summary)
        return text;
    const QString length = (summary->isUpperBound ? u"≤ "_s : QString()) + Format::duration(summary->length);
    const QString fit = fitText(summary->fit);
    const QString whole = Text::tr("%1, vacant %2").arg(text, length);
    return fit.isEmpty() ? whole : u"%1, %2"_s.arg(whole, fit);
}

QString lastMoveOf(const ClusterSnapshot &snapshot, Nanoseconds now)
{
    ElectionPtr last;
    Nanoseconds lastAt{};
    for (const ElectionPtr &election : snapshot.elections) {
        const auto moved = movedAt(*election);
        if (!moved || (last && *moved <= lastAt))
            continue;
        last = election;
        lastAt = *moved;
    }
    if (!last)
        return {};
    const auto local = [&](Nanoseconds instant) { return snapshot.wallTime(instant).toLocalTime(); };
    return Text::tr("Last move %1: %2").arg(Format::timeOfDay(local(lastAt), local(now)), moveText(*last));
}

QString emptySentence(const ClusterSnapshot &snapshot, const Survey &all)
{
    if (!all.allVisible || snapshot.prefixes.isEmpty())
        return Text::tr("No elections can be seen: they may be hidden by ACL");
    QStringList prefixes;
    for (const PrefixReport &prefix : snapshot.prefixes)
        prefixes += prefix.prefix.isEmpty() ? u"/"_s : Format::inSentence(prefix.prefix);
    return Text::tr("There are no elections under %1").arg(prefixes.join(u", "_s));
}

/// Before anything was read.
Verdict blank(const ConnectionReport &connection)
{
    Verdict result;
    if (!connection.error.isOk())
        result.sentence = troubleText(connection.error).cause;
    else if (connection.state == ConnectionState::Idle)
        result.sentence = Text::tr("Not connected");
    else
        result.sentence = Text::tr("Connecting to Consul");
    if (!connection.error.isOk())
        result.worst = troubleText(connection.error).remedy;
    return result;
}

} // namespace

QString Verdict::secondLine() const
{
    if (worst.isEmpty() || lastMove.isEmpty())
        return worst + lastMove;
    return u"%1   %2"_s.arg(worst, lastMove);
}

Verdict verdict(const ClusterSnapshot &snapshot, const ConnectionReport &connection, Nanoseconds now,
                const CandidateClaims &claims)
{
    if (snapshot.number == 0)
        return blank(connection);
    const bool isPresent = connection.state == ConnectionState::Live;
    const Nanoseconds asOf = isPresent ? now : connection.dataFrom.value_or(snapshot.made);
    const Survey all = survey(snapshot, asOf, claims);

    Verdict result;
    result.total = int(snapshot.elections.size());
    result.concern = all.worst;
    result.affected = all.count(all.worst);
    result.kind = stateKind(all.worst);
    if (result.total == 0) {
        if (all.allVisible && !snapshot.prefixes.isEmpty()) {
            result.kind = StateKind::Vacant;
        } else {
            result.concern = Concern::Hidden;
            result.kind = StateKind::Hidden;
        }
        result.sentence = emptySentence(snapshot, all);
    } else {
        result.sentence = sentenceOf(all, result.total);
        if (all.worst != Concern::Fine && all.worstElection) {
            result.key = all.worstElection->key;
            result.worst = itemText(*all.worstElection, all.worst, asOf);
        }
        result.lastMove = lastMoveOf(snapshot, asOf);
    }
    if (!isPresent) {
        result.kind = StateKind::Stale;
        const auto local = [&](Nanoseconds instant) { return snapshot.wallTime(instant).toLocalTime(); };
        result.sentence =
            Text::tr("As of %1: %2").arg(Format::timeOfDay(local(asOf), local(now)), result.sentence);
    }
    // That Consul does not answer explains more than any item; a part that fails is worth saying where all is
    // well.
    if (!connection.error.isOk() && (!isPresent || result.worst.isEmpty()))
        result.worst = troubleText(connection.error).cause;
    return result;
}

} // namespace Baton::Monitor
