// SPDX-License-Identifier: MIT
#include "electionfold.h"

#include <Baton/clusterobserver.h>
#include <qt/leaderfrom.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Observe {

namespace {

QString nameOf(const QString &key)
{
    constexpr QLatin1StringView Begin = "service/"_L1;
    constexpr QLatin1StringView End = "/leader"_L1;
    const bool usual = key.startsWith(Begin) && key.endsWith(End) && key.size() > Begin.size() + End.size();
    return usual ? key.sliced(Begin.size()).chopped(End.size()) : key;
}

QString nameOf(const SessionRecord &session)
{
    return session.name.isEmpty() ? session.node : session.name;
}

} // namespace

ObservedTime between(const std::optional<ReadTimes> &previous, const ReadTimes &now)
{
    ObservedTime time;
    time.by = now.answered.time_since_epoch();
    if (previous)
        time.after = std::min(previous->sampledAfter(), now.answered).time_since_epoch();
    return time;
}

ElectionFold::ElectionFold(const QString &key, const QString &prefix)
{
    m_record.key = key;
    m_record.name = nameOf(key);
    m_record.prefix = prefix;
    m_record.leader.key = key;
}

void ElectionFold::seen(const Wire::KeyEntry &entry, const ObservedTime &at, bool first,
                        const SessionBook &sessions, const Tell &tell)
{
    if (!m_known || !m_record.exists) {
        if (!first)
            tell(change(ChangeKind::ElectionAppeared, at));
        m_record.since = at;
    }
    const QString holder = entry.session.value_or(QString());
    if (m_known && m_record.exists && entry.modifyIndex == m_record.modifyIndex
        && holder == m_record.leader.session && m_record.state != ElectionState::Hidden) {
        judge(at, sessions, tell);
        return;
    }
    const bool samePlace = m_record.isHeld() && m_record.leader.session == holder;
    // A plain write sets LockIndex to 0, so only growth from a lock to the next one is a new term.
    const bool lockedAgain = samePlace && m_record.lockIndex > 0 && entry.lockIndex > m_record.lockIndex;
    if (m_record.isHeld() && (!samePlace || lockedAgain)) {
        if (holder.isEmpty())
            endByRead(&entry, at, sessions, tell);
        else
            endTerm(TermEnd::Replaced, u"another term was there at the next look"_s, at, tell);
    }
    if (!holder.isEmpty() && !m_record.isHeld())
        beginTerm(entry, at, first, sessions, tell);
    else if (samePlace && !lockedAgain)
        continueTerm(entry, at, tell);

    m_record.exists = true;
    m_record.flags = entry.flags;
    m_record.createIndex = entry.createIndex;
    m_record.modifyIndex = entry.modifyIndex;
    m_record.lockIndex = entry.lockIndex;
    const bool isOurs =
        m_record.leader.isBaton || (!m_record.isHeld() && Core::LockValue::fromJson(entry.value));
    m_record.foreignValue = isOurs ? QByteArray() : entry.value.left(ElectionRecord::MaxForeignValue);
    m_rawValue = entry.value;
    m_known = true;
    judge(at, sessions, tell);
}

void ElectionFold::absent(const ObservedTime &at, const SessionBook &sessions, const Tell &tell)
{
    if (!m_record.exists)
        return;
    if (m_record.isHeld())
        endByRead(nullptr, at, sessions, tell);
    m_record.exists = false;
    m_record.foreignValue.clear();
    m_rawValue.clear();
    m_known = true;
    judge(at, sessions, tell);
    m_record.since = at;
    m_record.evidence = u"the key was deleted"_s;
}

/// Who leads now cannot be known; the last that was known stays, marked so by the state.
void ElectionFold::denied(const ObservedTime &at, const Tell &tell)
{
    enter(ElectionState::Hidden, u"the key may not be read any more (403)"_s, at, tell);
}

void ElectionFold::settle(const ObservedTime &at, const SessionBook &sessions, const Tell &tell)
{
    if (m_howIsOpen)
        amendEnd(at, sessions, tell);
    if (m_record.state != ElectionState::Hidden)
        judge(at, sessions, tell);
}

void ElectionFold::beginTerm(const Wire::KeyEntry &entry, const ObservedTime &at, bool first,
                             const SessionBook &sessions, const Tell &tell)
{
    const QString session = *entry.session;
    m_value = Core::LockValue::fromJson(entry.value);
    m_record.leader = Shell::leaderFrom(m_record.key, session, entry.modifyIndex, m_value);
    if (!m_record.leader.isBaton)
        m_value.reset();
    m_record.session = sessions.listed.value(session);
    m_leaderName.clear();
    noteName();
    m_record.token = entry.modifyIndex;
    m_record.tokenIsSure = !first || entry.lockIndex > 0;
    m_record.foreignWrite = false;
    m_record.lockDelay.reset();
    m_howIsOpen = false;
    m_doubt = HolderDoubt::None;
    const bool fell = m_record.highestToken >= entry.modifyIndex;
    m_record.tokenFell = fell;
    if (!first) {
        ObservedChange elected = change(ChangeKind::LeaderElected, at);
        elected.before = m_record.state;
        tell(elected);
        if (fell) {
            ObservedChange told = change(ChangeKind::TokenFell, at);
            told.evidence =
                u"token %1 is not above %2, seen before"_s.arg(entry.modifyIndex).arg(m_record.highestToken);
            tell(told);
        }
    }
    m_record.highestToken = std::max(m_record.highestToken, entry.modifyIndex);
    m_record.since = at;
    m_termFrom = at;
}

void ElectionFold::continueTerm(const Wire::KeyEntry &entry, const ObservedTime &at, const Tell &tell)
{
    if (entry.modifyIndex == m_record.modifyIndex)
        return;
    const auto value = Core::LockValue::fromJson(entry.value);
    const bool ours = value && value->session == m_record.leader.session;
    if (entry.modifyIndex < m_record.modifyIndex) {
        // The store was restored under the leader: what it goes by is an older token again.
        m_record.token = entry.modifyIndex;
        m_record.tokenFell = true;
        ObservedChange fell = change(ChangeKind::TokenFell, at);
        fell.evidence =
            u"the key's index fell from %1 to %2 under the same session"_s.arg(m_record.modifyIndex)
                .arg(entry.modifyIndex);
        tell(fell);
    } else if (ours && (!m_value || value->nonce != m_value->nonce) && entry.lockIndex > 0) {
        m_record.token = entry.modifyIndex;
        m_record.tokenIsSure = true;
        m_record.tokenFell = m_record.tokenFell && entry.modifyIndex <= m_record.highestToken;
        tell(change(ChangeKind::TokenLifted, at));
    } else if (!std::exchange(m_record.foreignWrite, true)) {
        ObservedChange written = change(ChangeKind::ForeignWrite, at);
        written.evidence = u"somebody wrote to the key under its leader (index %1)"_s.arg(entry.modifyIndex);
        tell(written);
    }
    m_record.highestToken = std::max(m_record.highestToken, m_record.token.value_or(0));
    if (ours)
        m_value = value;
    m_record.leader = Shell::leaderFrom(m_record.key, m_record.leader.session, entry.modifyIndex,
                                        ours ? value : std::nullopt);
}

/// How the term ended, as far as the key tells; \a entry is null where it was deleted.
void ElectionFold::endByRead(const Wire::KeyEntry *entry, const ObservedTime &at, const SessionBook &sessions,
                             const Tell &tell)
{
    if (entry && entry->value.isEmpty() && !m_rawValue.isEmpty()
        && entry->modifyIndex > m_record.modifyIndex) {
        endTerm(TermEnd::Released, u"the value was emptied, as a release does"_s, at, tell);
        return;
    }
    const TermEnd end = entry ? TermEnd::ReleasedOrEnded : TermEnd::KeyDeleted;
    const bool wasBaton = m_record.leader.isBaton;
    const auto gone = sessions.gone.constFind(m_record.leader.session);
    if (gone == sessions.gone.cend()) {
        endTerm(end, entry ? QString() : u"the key was deleted"_s, at, tell);
        m_howIsOpen = true;
        return;
    }
    // Baton never leaves its value behind when it releases, so then the session was ended first.
    const bool ended = (entry && wasBaton) || (!entry && gone->record.deletesKeys);
    endTerm(ended ? TermEnd::SessionEnded : end,
            u"the session is gone%1"_s.arg(entry ? u" and the value still there"_s : QString()), at, tell);
    if (entry || gone->record.deletesKeys)
        delay(*gone);
}

/// The list of sessions tells what became of the one that held the lock: not listed any more, or still there
/// in an answer from after the end.
void ElectionFold::amendEnd(const ObservedTime &at, const SessionBook &sessions, const Tell &tell)
{
    TermRecord &term = m_record.history.last();
    const auto gone = sessions.gone.constFind(term.session);
    const bool livesOn = sessions.listed.contains(term.session) && at.after && *at.after >= term.to->by;
    if (gone == sessions.gone.cend() && !livesOn)
        return;
    m_howIsOpen = false;
    if (livesOn) {
        term.end = term.end == TermEnd::KeyDeleted ? TermEnd::KeyDeleted : TermEnd::Released;
        term.evidence = u"its session lives on"_s;
    } else if (term.end != TermEnd::KeyDeleted || gone->record.deletesKeys) {
        // A foreign client may have released the lock and ended its session in one go, value and all.
        if (m_value || gone->record.deletesKeys)
            term.end = TermEnd::SessionEnded;
        term.evidence = u"its session is gone, and there was no release"_s;
        if (!m_value && !gone->record.deletesKeys)
            term.evidence = u"its session is gone"_s;
        if (!m_record.isHeld())
            delay(*gone);
    }
    m_record.previous = term;
    ObservedChange amended = change(ChangeKind::LeaderLost, *term.to);
    amended.session = term.session;
    amended.leader = term.leader;
    amended.token = term.token;
    amended.end = term.end;
    amended.evidence = term.evidence;
    tell(amended);
}

void ElectionFold::delay(const GoneSession &gone)
{
    const auto length = std::min(gone.record.lockDelay, Core::LockValue::MaxLockDelay);
    if (length > length.zero())
        m_record.lockDelay = LockDelayWindow{gone.at, length};
}

void ElectionFold::endTerm(TermEnd end, const QString &evidence, const ObservedTime &at, const Tell &tell)
{
    TermRecord term;
    term.session = m_record.leader.session;
    term.leader = m_leaderName;
    term.token = m_record.token.value_or(0);
    term.from = m_termFrom;
    term.to = at;
    term.end = end;
    term.evidence = evidence;

    ObservedChange lost = change(ChangeKind::LeaderLost, at);
    lost.end = end;
    lost.evidence = evidence;
    lost.before = m_record.state;
    tell(lost);

    m_record.previous = term;
    m_record.history.append(term);
    if (m_record.history.size() > ElectionRecord::MaxHistory) {
        m_record.history.removeFirst();
        ++m_record.historyDropped;
    }
    m_record.leader = LeaderInfo();
    m_record.leader.key = m_record.key;
    m_record.session.reset();
    m_leaderName.clear();
    m_record.token.reset();
    m_record.tokenIsSure = false;
    m_record.foreignWrite = false;
    m_howIsOpen = false;
}

/// The state that follows from all that is known.
void ElectionFold::judge(const ObservedTime &at, const SessionBook &sessions, const Tell &tell)
{
    if (!m_record.isHeld()) {
        if (m_record.lockDelay && m_record.lockDelay->latestEnd() <= at.by)
            m_record.lockDelay.reset();
        if (m_record.lockDelay)
            enter(ElectionState::LockDelay, u"its session vanished, so Consul refuses the lock for a while"_s,
                  at, tell);
        else
            enter(ElectionState::Vacant, m_record.exists ? QString() : u"the key was deleted"_s, at, tell);
        return;
    }
    m_record.session = sessions.listed.value(m_record.leader.session);
    noteName();
    if (m_record.session) {
        m_doubt = HolderDoubt::None;
        if (m_record.session->neverExpires())
            enter(ElectionState::NeverExpires, u"its session has no TTL"_s, at, tell);
        else
            enter(ElectionState::Led, {}, at, tell);
    } else if (m_doubt == HolderDoubt::Gone) {
        enter(ElectionState::Orphaned, u"its session does not exist"_s, at, tell);
    } else if (m_doubt == HolderDoubt::HiddenOrGone) {
        enter(ElectionState::HolderHidden, u"its session is hidden by an ACL, or gone"_s, at, tell);
    } else if (m_record.state != ElectionState::Orphaned && m_record.state != ElectionState::HolderHidden) {
        enter(ElectionState::Led, u"its session is not listed yet"_s, at, tell);
    }
}

void ElectionFold::enter(ElectionState state, const QString &evidence, const ObservedTime &at,
                         const Tell &tell)
{
    m_record.evidence = evidence;
    const ElectionState before = std::exchange(m_record.state, state);
    if (before == state)
        return;
    const auto held = [](ElectionState s) {
        return s != ElectionState::Vacant && s != ElectionState::LockDelay && s != ElectionState::Hidden;
    };
    // How long a leader leads does not depend on what is known of its session.
    m_record.since = held(state) ? m_termFrom : at;
    // Beginnings and ends of terms are told as such.
    const bool toldAlready =
        held(before) != held(state) && state != ElectionState::Hidden && before != ElectionState::Hidden;
    if (toldAlready || !m_known)
        return;
    ObservedChange told = change(ChangeKind::StateChanged, at);
    told.before = before;
    told.after = state;
    told.evidence = evidence;
    tell(told);
}

void ElectionFold::noteName()
{
    if (m_record.leader.isBaton && !m_record.leader.instance.isEmpty())
        m_leaderName = m_record.leader.instance;
    else if (m_record.session)
        m_leaderName = nameOf(*m_record.session);
}

ObservedChange ElectionFold::change(ChangeKind kind, const ObservedTime &at) const
{
    ObservedChange result;
    result.kind = kind;
    result.at = at;
    result.key = m_record.key;
    result.session = m_record.leader.session;
    result.leader = m_leaderName;
    result.token = m_record.token;
    return result;
}

std::optional<std::chrono::nanoseconds> ElectionFold::nextTimeout() const
{
    if (m_record.lockDelay && !m_record.isHeld())
        return m_record.lockDelay->latestEnd();
    if (!m_record.exists)
        return m_record.since.by + ClusterObserver::GoneKept;
    return std::nullopt;
}

bool ElectionFold::isForgotten(std::chrono::nanoseconds now) const
{
    return !m_record.exists && m_record.since.by + ClusterObserver::GoneKept <= now;
}

} // namespace Baton::Observe
