// SPDX-License-Identifier: MIT
#include "models/electiontext.h"

#include "models/format.h"

#include <QtCore/QCoreApplication>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Election)
};

/// Consul applies no longer one. Where a lock-delay may run unseen, that long is not called overdue.
constexpr std::chrono::milliseconds LongestLockDelay = 60s;

/// The flags of keys that Consul's own lock library takes; they stay when the lock is given up.
constexpr quint64 ConsulLockFlags = 0x2ddccbc058a50c18;

std::chrono::milliseconds takeoverSlack(const ElectionRecord &election)
{
    return election.flags == ConsulLockFlags ? ForeignTakeoverSlack : TakeoverSlack;
}

/// For how long it is no wonder that nobody leads, counted from the beginning of the state Vacant.
std::optional<std::chrono::milliseconds> patience(const ElectionRecord &election)
{
    // Vacant since before anybody looked, or never led: nobody was to be expected.
    if (!election.since.isExact() || !election.previous)
        return std::nullopt;
    const auto slack = takeoverSlack(election);
    switch (election.previous->end) {
    case TermEnd::Released:
    case TermEnd::SessionEnded: // Vacant begins when the lock-delay is over.
        return slack;
    default:
        return LongestLockDelay + slack;
    }
}

Concern concernOfVacancy(const ElectionRecord &election, Visibility keys, Nanoseconds now)
{
    if (!election.exists && keys != Visibility::Everything)
        return Concern::Hidden;
    const auto limit = patience(election);
    return limit && now - election.since.by > *limit ? Concern::Overdue : Concern::Vacant;
}

QString shortLeader(const TermRecord &term)
{
    return term.leader.isEmpty() ? Format::sessionId(term.session) : term.leader;
}

std::optional<std::chrono::milliseconds> lockDelayOf(const ElectionRecord &election)
{
    if (election.session)
        return std::min(election.session->lockDelay, LongestLockDelay);
    return election.leader.lockDelay;
}

/// `api-5  node-7 pid 4242`; what the instance's name says already is not said again.
QString batonLeader(const LeaderInfo &leader, int most)
{
    QString where;
    if (!leader.host.isEmpty() && !leader.instance.startsWith(leader.host))
        where = Format::safe(leader.host, most);
    if (leader.pid && !leader.instance.endsWith(QString::number(*leader.pid)))
        where += (where.isEmpty() ? QString() : u" "_s) + Text::tr("pid %1").arg(*leader.pid);
    const QString name = Format::safe(leader.instance, most);
    return where.isEmpty() ? name : u"%1  %2"_s.arg(name, where);
}

QString foreignLeader(const ElectionRecord &election, int most)
{
    QStringList parts;
    if (!election.foreignValue.isEmpty())
        parts += u"\"%1\""_s.arg(Format::safe(election.foreignValue, most));
    if (election.session) {
        if (parts.isEmpty() && !election.session->name.isEmpty())
            parts += Format::safe(election.session->name, most);
        if (!election.session->node.isEmpty())
            parts += Format::safe(election.session->node, most);
    }
    if (parts.isEmpty())
        parts += Format::sessionId(election.leader.session);
    return parts.join(u"  "_s);
}

} // namespace

Concern concernOf(const ElectionRecord &election, Visibility keys, Nanoseconds now,
                  const CandidateClaims &claims)
{
    if (claims.ledTwice.contains(election.key))
        return Concern::LedTwice;
    if (election.tokenFell && election.isHeld())
        return Concern::TokenFell;
    switch (election.state) {
    case ElectionState::Led:
        return claims.atRisk.contains(election.key) ? Concern::AtRisk : Concern::Fine;
    case ElectionState::NeverExpires:
        return claims.atRisk.contains(election.key) ? Concern::AtRisk : Concern::NeverExpires;
    case ElectionState::Vacant:
        return concernOfVacancy(election, keys, now);
    case ElectionState::LockDelay: {
        const bool isLate =
            election.lockDelay && now > election.lockDelay->latestEnd() + takeoverSlack(election);
        return isLate ? Concern::Overdue : Concern::LockDelay;
    }
    case ElectionState::Orphaned:
        return Concern::Orphaned;
    case ElectionState::HolderHidden:
    case ElectionState::Hidden:
        return Concern::Hidden;
    }
    Q_UNREACHABLE();
}

StateKind stateKind(Concern concern)
{
    switch (concern) {
    case Concern::Fine:
        return StateKind::Led;
    case Concern::NeverExpires:
        return StateKind::NeverExpires;
    case Concern::Hidden:
        return StateKind::Hidden;
    case Concern::AtRisk:
        return StateKind::AtRisk;
    case Concern::Vacant:
        return StateKind::Vacant;
    case Concern::LockDelay:
        return StateKind::LockDelay;
    case Concern::Overdue:
    case Concern::Orphaned:
    case Concern::TokenFell:
    case Concern::LedTwice:
        return StateKind::Alarm;
    }
    Q_UNREACHABLE();
}

bool isProblem(Concern concern)
{
    return concern != Concern::Fine;
}

bool isAlarm(Concern concern)
{
    return stateKind(concern) == StateKind::Alarm;
}

QString stateTag(Concern concern)
{
    switch (concern) {
    case Concern::Fine:
        return u"led"_s;
    case Concern::NeverExpires:
        return u"never_expires"_s;
    case Concern::Hidden:
        return u"hidden"_s;
    case Concern::AtRisk:
        return u"at_risk"_s;
    case Concern::Vacant:
        return u"vacant"_s;
    case Concern::LockDelay:
        return u"lock_delay"_s;
    case Concern::Overdue:
        return u"overdue"_s;
    case Concern::Orphaned:
        return u"orphaned"_s;
    case Concern::TokenFell:
        return u"token_fell"_s;
    case Concern::LedTwice:
        return u"led_twice"_s;
    }
    Q_UNREACHABLE();
}

QStringList stateTags()
{
    QStringList tags;
    for (int concern = int(Concern::Fine); concern <= int(Concern::LedTwice); ++concern)
        tags += stateTag(Concern(concern));
    return tags;
}

QString stateText(const ElectionRecord &election, Concern concern, Nanoseconds now)
{
    switch (concern) {
    case Concern::Fine:
        return Text::tr("led");
    case Concern::NeverExpires:
        return Text::tr("never expires");
    case Concern::Hidden:
        return election.state == ElectionState::HolderHidden ? Text::tr("holder hidden")
                                                             : Text::tr("hidden (ACL)");
    case Concern::AtRisk:
        return Text::tr("at risk");
    case Concern::Vacant:
        return Text::tr("vacant");
    case Concern::LockDelay:
        if (!election.lockDelay || election.lockDelay->latestEnd() <= now)
            return Text::tr("delay over");
        return Text::tr("delay %1").arg(Format::countdown(election.lockDelay->latestEnd() - now));
    case Concern::Overdue:
        return Text::tr("overdue");
    case Concern::Orphaned:
        return Text::tr("orphaned");
    case Concern::TokenFell:
        return Text::tr("token fell");
    case Concern::LedTwice:
        return Text::tr("led twice");
    }
    Q_UNREACHABLE();
}

QString stateSentence(const ElectionRecord &election, Concern concern, Nanoseconds now)
{
    switch (concern) {
    case Concern::Fine:
        return Text::tr("led by %1").arg(Format::inSentence(leaderName(election)));
    case Concern::NeverExpires:
        return Text::tr("led by %1, whose session never expires")
            .arg(Format::inSentence(leaderName(election)));
    case Concern::Hidden:
        return election.state == ElectionState::HolderHidden
            ? Text::tr("held by session %1, which is hidden by an ACL or gone")
                  .arg(Format::sessionId(election.leader.session))
            : Text::tr("may be hidden by an ACL");
    case Concern::AtRisk:
        return Text::tr("%1 says that its renewals fail").arg(Format::inSentence(leaderName(election)));
    case Concern::Vacant:
        if (!election.since.isExact())
            return Text::tr("vacant, seen %1").arg(Format::atLeast(now - election.since.by));
        return Text::tr("vacant for %1").arg(Format::age(now - election.since.by));
    case Concern::LockDelay:
        if (!election.lockDelay)
            return Text::tr("lock-delay");
        return Text::tr("lock-delay, %1").arg(Format::freeIn(*election.lockDelay, now));
    case Concern::Overdue: {
        const Nanoseconds from = election.lockDelay ? election.lockDelay->latestEnd() : election.since.by;
        return Text::tr("vacant for %1, longer than predicted").arg(Format::age(now - from));
    }
    case Concern::Orphaned:
        return Text::tr("held by session %1, which does not exist")
            .arg(Format::sessionId(election.leader.session));
    case Concern::TokenFell:
        return Text::tr("token fell: %1 after %2")
            .arg(Format::token(election.token), Format::number(election.highestToken));
    case Concern::LedTwice:
        return Text::tr("two candidates say that they lead");
    }
    Q_UNREACHABLE();
}

QString leaderText(const ElectionRecord &election, int most)
{
    if (election.state == ElectionState::Hidden)
        return Text::tr("may be hidden by ACL");
    if (!election.isHeld()) {
        if (!election.previous)
            return Text::tr("(none)");
        return Text::tr("(none)  was %1").arg(Format::safe(shortLeader(*election.previous), most));
    }
    const QString who = election.leader.isBaton && !election.leader.instance.isEmpty()
        ? batonLeader(election.leader, most)
        : foreignLeader(election, most);
    return election.state == ElectionState::NeverExpires ? Text::tr("%1 (no TTL)").arg(who) : who;
}

QString leaderName(const ElectionRecord &election)
{
    if (!election.isHeld())
        return {};
    if (election.leader.isBaton && !election.leader.instance.isEmpty())
        return election.leader.instance;
    if (election.session && !election.session->name.isEmpty())
        return election.session->name;
    if (election.session && !election.session->node.isEmpty())
        return election.session->node;
    return Format::sessionId(election.leader.session);
}

QString leaderName(const TermRecord &term)
{
    return shortLeader(term);
}

QString endText(TermEnd end)
{
    switch (end) {
    case TermEnd::Running:
        return Text::tr("running");
    case TermEnd::Released:
        return Text::tr("released");
    case TermEnd::SessionEnded:
        return Text::tr("session ended");
    case TermEnd::ReleasedOrEnded:
        return Text::tr("released or session ended");
    case TermEnd::KeyDeleted:
        return Text::tr("key deleted");
    case TermEnd::Replaced:
        return Text::tr("replaced");
    case TermEnd::Unseen:
        return Text::tr("unseen");
    }
    Q_UNREACHABLE();
}

std::optional<VacancyBand> vacancyBand(const ElectionRecord &election)
{
    if (!election.previous)
        return std::nullopt;
    const auto slack = takeoverSlack(election);
    if (election.previous->end == TermEnd::Released)
        return VacancyBand{0ms, slack};
    if (election.previous->end != TermEnd::SessionEnded)
        return std::nullopt;
    const auto delay = lockDelayOf(election);
    if (!delay)
        return std::nullopt;
    return VacancyBand{*delay, *delay + slack};
}

std::optional<VacancyBand> vacancy(const ElectionRecord &election)
{
    if (!election.isHeld() || !election.since.isExact() || !election.previous || !election.previous->to)
        return std::nullopt;
    const ObservedTime &ended = *election.previous->to;
    if (!ended.isExact() || election.previous->end == TermEnd::Unseen)
        return std::nullopt;
    const auto least = std::max(*election.since.after - ended.by, Nanoseconds(0));
    const auto most = std::max(election.since.by - *ended.after, least);
    return VacancyBand{std::chrono::floor<std::chrono::milliseconds>(least),
                       std::chrono::ceil<std::chrono::milliseconds>(most)};
}

std::optional<FailoverSummary> lastFailover(const ElectionRecord &election)
{
    const auto seen = vacancy(election);
    if (!seen)
        return std::nullopt;
    FailoverSummary summary;
    summary.seen = *seen;
    summary.length = seen->earliest == 0ms ? seen->latest : (seen->earliest + seen->latest) / 2;
    summary.isUpperBound = seen->earliest == 0ms;
    summary.predicted = vacancyBand(election);
    if (summary.predicted) {
        if (seen->earliest > summary.predicted->latest)
            summary.fit = PredictionFit::Longer;
        else if (seen->latest < summary.predicted->earliest)
            summary.fit = PredictionFit::Shorter;
        else
            summary.fit = PredictionFit::InBand;
    }
    return summary;
}

QString fitText(PredictionFit fit)
{
    switch (fit) {
    case PredictionFit::Unknown:
        return {};
    case PredictionFit::InBand:
        return Text::tr("as predicted");
    case PredictionFit::Longer:
        return Text::tr("longer than predicted");
    case PredictionFit::Shorter:
        return Text::tr("shorter than predicted");
    }
    Q_UNREACHABLE();
}

QString failoverText(const ElectionRecord &election)
{
    const auto summary = lastFailover(election);
    if (!summary)
        return {};
    const QString length = (summary->isUpperBound ? u"≤ "_s : QString()) + Format::duration(summary->length);
    const QString text = Text::tr("vacant %1").arg(length);
    const QString fit = fitText(summary->fit);
    return fit.isEmpty() ? text : u"%1  %2"_s.arg(text, fit);
}

Visibility visibilityOf(const QList<PrefixReport> &prefixes, const ElectionRecord &election)
{
    for (const PrefixReport &prefix : prefixes) {
        if (prefix.prefix == election.prefix)
            return prefix.visibility;
    }
    return Visibility::Unknown;
}

} // namespace Baton::Monitor
