// SPDX-License-Identifier: MIT
#include "models/journalentry.h"

#include "models/electiontext.h"
#include "models/format.h"
#include "models/verdict.h"

#include <QtCore/QCoreApplication>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Journal)
};

QString stateWord(ElectionState state)
{
    switch (state) {
    case ElectionState::Led:
        return Text::tr("led");
    case ElectionState::NeverExpires:
        return Text::tr("never expires");
    case ElectionState::Vacant:
        return Text::tr("vacant");
    case ElectionState::LockDelay:
        return Text::tr("lock-delay");
    case ElectionState::Orphaned:
        return Text::tr("orphaned");
    case ElectionState::HolderHidden:
        return Text::tr("holder hidden");
    case ElectionState::Hidden:
        return Text::tr("hidden");
    }
    Q_UNREACHABLE();
}

QString changeText(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::ElectionAppeared:
        return Text::tr("election appeared");
    case ChangeKind::ElectionRemoved:
        return Text::tr("election removed");
    case ChangeKind::LeaderElected:
        return Text::tr("elected");
    case ChangeKind::LeaderLost:
        return Text::tr("lost");
    case ChangeKind::StateChanged:
        return Text::tr("state");
    case ChangeKind::TokenLifted:
        return Text::tr("token lifted");
    case ChangeKind::TokenFell:
        return Text::tr("token fell");
    case ChangeKind::ForeignWrite:
        return Text::tr("foreign write");
    case ChangeKind::SessionAppeared:
        return Text::tr("session appeared");
    case ChangeKind::SessionGone:
        return Text::tr("session gone");
    case ChangeKind::IndexReset:
        return Text::tr("index reset");
    }
    Q_UNREACHABLE();
}

QString connectionText(ConnectionState state)
{
    switch (state) {
    case ConnectionState::Idle:
        return Text::tr("stopped watching");
    case ConnectionState::Connecting:
        return Text::tr("connecting");
    case ConnectionState::Live:
        return Text::tr("live");
    case ConnectionState::Stale:
        return Text::tr("no answer");
    case ConnectionState::Refused:
        return Text::tr("refused");
    }
    Q_UNREACHABLE();
}

StateKind kindOfState(ElectionState state)
{
    switch (state) {
    case ElectionState::Led:
        return StateKind::Led;
    case ElectionState::NeverExpires:
        return StateKind::NeverExpires;
    case ElectionState::Vacant:
        return StateKind::Vacant;
    case ElectionState::LockDelay:
        return StateKind::LockDelay;
    case ElectionState::Orphaned:
        return StateKind::Alarm;
    case ElectionState::HolderHidden:
    case ElectionState::Hidden:
        return StateKind::Hidden;
    }
    Q_UNREACHABLE();
}

QString sentenceOfChange(const JournalEntry &entry)
{
    const QString leader =
        entry.leader.isEmpty() ? Format::sessionId(entry.session) : Format::inSentence(entry.leader);
    switch (entry.kind) {
    case ChangeKind::ElectionAppeared:
        return leader.isEmpty() ? Text::tr("the lock key appeared")
                                : Text::tr("the lock key appeared, led by %1").arg(leader);
    case ChangeKind::ElectionRemoved:
        return Text::tr("the lock key is gone");
    case ChangeKind::LeaderElected:
        return Text::tr("%1 leads with token %2").arg(leader, Format::token(entry.token));
    case ChangeKind::LeaderLost:
        return Text::tr("%1 does not lead any more: %2").arg(leader, endText(entry.end));
    case ChangeKind::StateChanged:
        if (!entry.before || !entry.after)
            return Text::tr("another state");
        return Text::tr("%1 → %2").arg(stateWord(*entry.before), stateWord(*entry.after));
    case ChangeKind::TokenLifted:
        return Text::tr("%1 took the lock anew, token %2").arg(leader, Format::token(entry.token));
    case ChangeKind::TokenFell:
        return Text::tr("the token fell to %1").arg(Format::token(entry.token));
    case ChangeKind::ForeignWrite:
        return Text::tr("somebody wrote to the key under %1").arg(leader);
    case ChangeKind::SessionAppeared:
        return Text::tr("session %1 of %2").arg(Format::sessionId(entry.session), leader);
    case ChangeKind::SessionGone:
        return Text::tr("session %1 of %2 is gone").arg(Format::sessionId(entry.session), leader);
    case ChangeKind::IndexReset:
        return Text::tr("Consul's index ran backwards: restored, or another cluster");
    }
    Q_UNREACHABLE();
}

} // namespace

JournalEntry JournalEntry::of(const ObservedChange &change, const ClusterSnapshot &snapshot)
{
    JournalEntry entry;
    const QDateTime seen = change.seenAt.isValid() ? change.seenAt : snapshot.wallTime(change.at.by);
    entry.wallMs = seen.toMSecsSinceEpoch();
    if (change.at.isExact()) {
        const Nanoseconds half = (change.at.by - *change.at.after) / 2;
        entry.wallMs = snapshot.wallTime(Format::middle(change.at)).toMSecsSinceEpoch();
        entry.spread = std::chrono::ceil<std::chrono::milliseconds>(half);
    }
    entry.kind = change.kind;
    entry.key = change.key;
    entry.session = change.session;
    entry.leader = change.leader;
    entry.token = change.token;
    entry.end = change.end;
    entry.before = change.before;
    entry.after = change.after;
    entry.evidence = change.evidence;
    return entry;
}

JournalEntry JournalEntry::of(const ConnectionReport &report, const Clock &clock)
{
    JournalEntry entry;
    entry.subject = JournalSubject::Connection;
    entry.wallMs = clock.date(report.since).toMSecsSinceEpoch();
    entry.connection = report.state;
    entry.trouble = report.error.trouble;
    entry.evidence = report.error.isOk() ? QString() : report.error.message();
    return entry;
}

JournalEntry JournalEntry::droppedChanges(quint64 count, const QDateTime &when)
{
    JournalEntry entry;
    entry.subject = JournalSubject::Dropped;
    entry.wallMs = when.toMSecsSinceEpoch();
    entry.dropped = count;
    return entry;
}

QDateTime JournalEntry::date() const
{
    return QDateTime::fromMSecsSinceEpoch(wallMs);
}

QString JournalEntry::tag() const
{
    switch (subject) {
    case JournalSubject::Change:
        return QString(Baton::tag(kind));
    case JournalSubject::Connection:
        return QString(Baton::tag(connection));
    case JournalSubject::Dropped:
        return u"dropped"_s;
    }
    Q_UNREACHABLE();
}

QString JournalEntry::kindText() const
{
    switch (subject) {
    case JournalSubject::Change:
        return changeText(kind);
    case JournalSubject::Connection:
        return connectionText(connection);
    case JournalSubject::Dropped:
        return Text::tr("not kept");
    }
    Q_UNREACHABLE();
}

QString JournalEntry::sentence() const
{
    switch (subject) {
    case JournalSubject::Change:
        return sentenceOfChange(*this);
    case JournalSubject::Connection: {
        if (trouble == ObserveTrouble::None)
            return connection == ConnectionState::Live ? Text::tr("Consul answers")
                                                       : connectionText(connection);
        ObserveError error;
        error.trouble = trouble;
        return troubleText(error).cause;
    }
    case JournalSubject::Dropped:
        return Text::tr("%n changes came too fast to be kept", nullptr, int(dropped));
    }
    Q_UNREACHABLE();
}

StateKind JournalEntry::stateKind() const
{
    if (subject == JournalSubject::Connection)
        return connection == ConnectionState::Live ? StateKind::Accepted : StateKind::Stale;
    if (subject == JournalSubject::Dropped)
        return StateKind::Stale;
    switch (kind) {
    case ChangeKind::LeaderElected:
    case ChangeKind::TokenLifted:
        return StateKind::Led;
    case ChangeKind::TokenFell:
        return StateKind::Alarm;
    case ChangeKind::StateChanged:
        return after ? kindOfState(*after) : StateKind::Vacant;
    case ChangeKind::ForeignWrite:
    case ChangeKind::IndexReset:
        return StateKind::AtRisk;
    default:
        return StateKind::Vacant;
    }
}

bool JournalEntry::isProblem() const
{
    if (subject == JournalSubject::Connection)
        return connection == ConnectionState::Stale || connection == ConnectionState::Refused;
    if (subject == JournalSubject::Dropped)
        return true;
    switch (kind) {
    case ChangeKind::TokenFell:
    case ChangeKind::ForeignWrite:
    case ChangeKind::IndexReset:
        return true;
    case ChangeKind::LeaderLost:
        return end != TermEnd::Released;
    case ChangeKind::StateChanged:
        return after && *after != ElectionState::Led;
    default:
        return false;
    }
}

} // namespace Baton::Monitor
