// SPDX-License-Identifier: MIT
#include "server.h"

#include "world.h"

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Sim {

void Server::perform(const Act &act)
{
    using enum Deed;
    const Instant now = m_world.now();
    const Instant end = now + act.length;
    Node &node = m_nodes[size_t(act.who)];
    const Testing::Rights all;
    m_model.advance(now);
    settle(Cause::Expired);
    switch (act.deed) {
    case Restart:
        ++m_reign;
        m_down = true;
        m_downUntil = end;
        m_model.loseLeader(now);
        dropParked();
        break;
    case LoseLeader:
        ++m_reign;
        m_leaderlessUntil = end;
        m_model.loseLeader(now);
        break;
    case Destroy:
        destroy();
        break;
    case Strike:
        m_strike = act.length;
        break;
    case Delete:
        m_model.apply(Testing::DeleteKey{m_key, false, {}}, now);
        settle(Cause::Deleted);
        break;
    case Put:
        m_model.apply(Testing::PutKey{m_key, "by hand", 0, {}, {}, {}}, now);
        settle(Cause::Written);
        break;
    case Unlock:
        unlock();
        break;
    case Write:
        m_model.apply(Testing::PutKey{u"other"_s, QByteArray::number(++m_writes), 0, {}, {}, {}}, now);
        break;
    case Snapshot:
        m_snapshot = m_model.snapshot();
        break;
    case SnapshotFree:
        m_snapshotAtRelease = true;
        break;
    case Restore:
        if (!m_snapshot)
            break;
        m_world.judge().restored();
        m_model.restore(*m_snapshot, now);
        settle(Cause::Restored);
        break;
    case Rebuild:
        m_world.judge().restored();
        m_ledger.startAnew();
        dropParked();
        m_snapshot.reset(); // Of another cluster.
        m_model.rebuild(now);
        settle(Cause::Restored);
        break;
    case Fail:
        node.illUntil = end;
        m_model.setCheck({node.name, u"serfHealth"_s, {}, Testing::CheckStatus::Critical, {}, {}}, now);
        settle(Cause::Ended);
        break;
    case Leave:
        node.goneUntil = end;
        m_model.removeNode(node.name, now);
        settle(Cause::Ended);
        break;
    case Revoke:
        revoke(node, act.length);
        break;
    default:
        break;
    }
    settle(Cause::Expired);
    if (act.length > Duration::zero())
        callAt(end);
}

/// Whatever has had its time comes back as it was.
void Server::endTroubles()
{
    const Instant now = m_world.now();
    if (m_down && m_downUntil <= now) {
        m_down = false;
        m_model.restart(now);
    }
    if (!m_down && !m_model.hasLeader() && m_leaderlessUntil <= now)
        m_model.elect(now);
    for (Node &node : m_nodes) {
        if (node.goneUntil <= now && !m_model.store().nodes().contains(node.name)) {
            m_model.addNode(node.name);
            node.illUntil = now;
        }
        if (node.illUntil != Instant{} && node.illUntil <= now) {
            node.illUntil = {};
            m_model.setCheck({node.name, u"serfHealth"_s, {}, Testing::CheckStatus::Passing, {}, {}}, now);
        }
        if (node.poorUntil <= now)
            node.rights = {};
    }
    // Ends that were hidden behind another trouble are looked at once more.
    for (const Instant end : {m_downUntil, m_leaderlessUntil}) {
        if (end > now)
            callAt(end);
    }
    for (const Node &node : m_nodes) {
        for (const Instant end : {node.illUntil, node.goneUntil, node.poorUntil}) {
            if (end > now)
                callAt(end);
        }
    }
    settle(Cause::Ended);
}

void Server::heal()
{
    const Instant now = m_world.now();
    m_downUntil = m_leaderlessUntil = now;
    m_strike = {};
    for (Node &node : m_nodes)
        node.illUntil = node.goneUntil = node.poorUntil = now;
    endTroubles();
}

/// The holder's session, or any other's where there is none.
std::optional<QString> Server::victim() const
{
    if (m_ledger.holder())
        return m_ledger.holder();
    const auto &sessions = m_model.store().sessions();
    return sessions.empty() ? std::nullopt : std::optional(sessions.begin()->first);
}

void Server::destroy()
{
    if (const auto session = victim()) {
        m_model.apply(Testing::EndSession{*session}, m_world.now());
        settle(Cause::Ended);
    }
}

/// The hardest moment for a lease: its session has just been renewed when it ends, and nobody tells.
void Server::strike(quint8 leader)
{
    Link &link = m_world.network().link(leader);
    link.deafUntil = std::max(link.deafUntil, m_world.now() + std::exchange(m_strike, {}));
    m_world.note(u"*"_s, [] { return u"! destroy-session behind its leader's back"_s; });
    destroy();
}

void Server::unlock()
{
    if (!m_ledger.holder())
        return;
    // With an empty value it cannot be told from a release by the holder.
    const QByteArray value = m_world.chance().hits(0.3) ? QByteArray() : QByteArray("by hand");
    m_model.apply(Testing::PutKey{m_key, value, 0, {}, {}, m_ledger.holder()}, m_world.now());
    settle(Cause::Unlocked);
}

void Server::revoke(Node &node, Duration length)
{
    Chance &chance = m_world.chance();
    node.poorUntil = m_world.now() + length;
    switch (chance.below(4)) {
    case 0:
        node.rights = Testing::Rights::unknown();
        break;
    case 1:
        node.rights = {true, chance.hits(0.5), chance.hits(0.5), chance.hits(0.5), chance.hits(0.5)};
        break;
    default:
        node.rights.keyRead = false; // The lock can be won, but nobody is shown that it was.
    }
}

} // namespace Baton::Sim
