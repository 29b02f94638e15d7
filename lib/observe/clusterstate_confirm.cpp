// SPDX-License-Identifier: MIT
#include "clusterstate.h"

#include <algorithm>

using namespace Qt::StringLiterals;

/* What lists cannot tell, asked for by itself. */
namespace Baton::Observe {

namespace {
/// Read only to learn whether keys under a prefix may be read at all: 403 where not, 404 where nothing is
/// there.
QString probeKey(const QString &prefix)
{
    return prefix + u"baton-visibility-probe"_s;
}

bool isDenied(const Wire::Reply &reply)
{
    const auto *failure = std::get_if<Wire::Failure>(&reply);
    return failure && failure->kind == Wire::FailureKind::Denied;
}
} // namespace

void ClusterState::aclsKnown(bool mayHide)
{
    const Visibility visible = mayHide ? Visibility::Some : Visibility::Everything;
    if (m_visible == visible)
        return;
    m_visible = visible;
    m_changed = true;
    for (PrefixReport &report : m_prefixes) {
        if (report.visibility != Visibility::Nothing || !mayHide)
            report.visibility = visible;
    }
}

bool ClusterState::isDoubtful(const Tracked &tracked) const
{
    const ElectionRecord &record = tracked.fold.record();
    if (tracked.missing)
        return true;
    return m_sessions.known && record.exists && record.isHeld() && record.state != ElectionState::Hidden
        && !m_sessions.listed.contains(record.leader.session);
}

std::optional<Wire::Request> ClusterState::wanted(Core::Instant now)
{
    for (std::size_t i = 0; i < m_prefixes.size(); ++i) {
        // Nothing is listed, which may mean that nothing may be read.
        const bool empty = m_keyTimes[i] && m_prefixes[i].otherKeys == 0
            && std::ranges::none_of(m_elections, [i](const Election &e) {
                               return e.second.prefix == int(i) && e.second.fold.record().exists;
                           });
        if (empty && !m_probed[i] && m_visible != Visibility::Everything) {
            m_probing = int(i);
            return Wire::ReadKey{probeKey(m_prefixes[i].prefix)};
        }
    }
    for (auto &[key, tracked] : m_elections) {
        if (!isDoubtful(tracked) || (tracked.askAgain && *tracked.askAgain > now))
            continue;
        tracked.askAgain = now + ConfirmAgain;
        // A key that was read after its holder was seen gone, and still names it, is an orphan.
        if (tracked.missing)
            return Wire::ReadKey{key};
        return Wire::InspectSession{tracked.fold.record().leader.session};
    }
    for (auto &[key, tracked] : m_elections) {
        if (tracked.fold.doubt() == ElectionFold::HolderDoubt::Asked)
            return Wire::ReadKey{key};
    }
    return std::nullopt;
}

void ClusterState::confirmed(const Wire::Request &request, const Wire::Reply &reply, const ReadTimes &times)
{
    m_changed = true;
    if (const auto *inspect = std::get_if<Wire::InspectSession>(&request)) {
        for (auto &[key, tracked] : m_elections) {
            if (tracked.fold.record().leader.session == inspect->session)
                holderConfirmed(tracked, reply);
        }
        return;
    }
    const QString key = std::get<Wire::ReadKey>(request).key;
    if (m_probing && key == probeKey(m_prefixes[std::size_t(*m_probing)].prefix)) {
        const auto i = std::size_t(*m_probing);
        m_probing.reset();
        const bool answered = std::holds_alternative<Wire::KeyRead>(reply);
        m_probed[i] = answered || isDenied(reply);
        if (isDenied(reply))
            m_prefixes[i].visibility = Visibility::Nothing;
        else if (answered)
            m_prefixes[i].visibility = m_visible;
        return;
    }
    const auto found = m_elections.find(key);
    if (found == m_elections.end())
        return;
    Tracked &tracked = found->second;
    keyConfirmed(tracked, reply, between(m_keyTimes[std::size_t(tracked.prefix)], times));
}

void ClusterState::keyConfirmed(Tracked &tracked, const Wire::Reply &reply, const ObservedTime &at)
{
    const auto sink = [this](const ObservedChange &change) { tell(change); };
    const bool asked = tracked.fold.doubt() == ElectionFold::HolderDoubt::Asked;
    const QString holder = tracked.fold.record().leader.session;
    tracked.touched = true;
    if (asked)
        tracked.fold.setDoubt(ElectionFold::HolderDoubt::None);
    if (isDenied(reply)) {
        tracked.missing = false;
        tracked.fold.denied(at, sink);
        return;
    }
    const auto *read = std::get_if<Wire::KeyRead>(&reply);
    if (!read)
        return;
    tracked.missing = false;
    if (!read->entry) {
        tracked.fold.absent(at, m_sessions, sink);
        return;
    }
    if (asked && read->entry->session == holder)
        tracked.fold.setDoubt(mayReadNodeOf(holder) ? ElectionFold::HolderDoubt::Gone
                                                    : ElectionFold::HolderDoubt::HiddenOrGone);
    tracked.fold.seen(*read->entry, at, false, m_sessions, sink);
}

void ClusterState::holderConfirmed(Tracked &tracked, const Wire::Reply &reply)
{
    if (std::holds_alternative<Wire::SessionGone>(reply) || isDenied(reply))
        tracked.fold.setDoubt(ElectionFold::HolderDoubt::Asked);
}

/// Whether a session that is not listed is not there: nothing is hidden, or it was listed before and others
/// of its node still are.
bool ClusterState::mayReadNodeOf(const QString &session) const
{
    if (m_visible == Visibility::Everything)
        return true;
    const auto gone = m_sessions.gone.constFind(session);
    return gone != m_sessions.gone.cend() && m_sessionsOfNode.value(gone->record.node) > 0;
}

} // namespace Baton::Observe
