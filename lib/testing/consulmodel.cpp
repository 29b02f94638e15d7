// SPDX-License-Identifier: MIT
#include "consulmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {
/// What a new cluster has in its log before the first client comes.
constexpr quint64 FirstIndex = 10;
/// Consul ends a session after this many TTLs without a renewal (measured: 20.0 s for 10 s).
constexpr int TtlsToLive = 2;
} // namespace

ConsulModel::ConsulModel(quint64 seed) : m_logIndex(FirstIndex), m_random(seed) { }

void ConsulModel::advance(Instant now)
{
    while (!m_timers.empty() && m_timers.top().at <= now) {
        const Timer timer = m_timers.top();
        m_timers.pop();
        m_now = std::max(m_now, timer.at);
        ring(timer);
    }
    m_now = std::max(m_now, now);
}

std::optional<Instant> ConsulModel::nextTimeout() const
{
    return m_timers.empty() ? std::nullopt : std::optional(m_timers.top().at);
}

/// A timer only says when to look: what it was set for may have been put off, or be gone.
void ConsulModel::ring(const Timer &timer)
{
    if (timer.kind == Timer::Kind::Watch) {
        const auto parked = std::find_if(m_watches.begin(), m_watches.end(),
                                         [&](const Watch &watch) { return watch.id == timer.watch; });
        if (parked == m_watches.end())
            return;
        const Watch watch = *parked;
        m_watches.erase(parked);
        answer(watch, readNow(watch.query, watch.rights));
        return;
    }
    if (!m_hasLeader)
        return; // elect() sets them all anew.
    if (timer.kind == Timer::Kind::Session) {
        const SessionRecord *session = std::as_const(m_store).session(timer.id);
        if (!session)
            return;
        if (session->expiresAt > timer.at) {
            m_timers.push({session->expiresAt, timer.kind, timer.id, {}, 0});
            return;
        }
        ++m_logIndex;
        endSession(timer.id, timer.at);
        return;
    }
    CheckRecord *check = m_store.check(timer.node, timer.id);
    if (!check || !check->ttl || check->status == CheckStatus::Critical)
        return;
    if (check->expiresAt > timer.at) {
        m_timers.push({check->expiresAt, timer.kind, timer.id, timer.node, 0});
        return;
    }
    check->output = u"TTL expired"_s;
    m_store.setCheckStatus(*check, CheckStatus::Critical, ++m_logIndex);
    endUnhealthySessions(timer.at);
}

void ConsulModel::startTimer(SessionRecord &session, Instant now)
{
    if (!session.ttl)
        return;
    session.expiresAt = now + *session.ttl * TtlsToLive;
    m_timers.push({session.expiresAt, Timer::Kind::Session, session.id, {}, 0});
}

void ConsulModel::startTimers(Instant now)
{
    for (auto &[id, session] : m_store.sessions())
        startTimer(session, now);
    // A check's TTL is counted by its agent, which no server concerns; but one that ran out meanwhile is told
    // now.
    for (const CheckRecord &check : m_store.checks()) {
        if (check.ttl)
            m_timers.push({std::max(check.expiresAt, now), Timer::Kind::Check, check.id, check.node, 0});
    }
}

Outcome ConsulModel::renew(const QString &session, const Rights &rights, Instant now)
{
    advance(now);
    if (!m_hasLeader)
        return {.status = 500, .text = u"No cluster leader"_s};
    if (!rights.known)
        return {.status = 403, .text = u"ACL not found"_s};
    if (const auto problem = idProblem(session))
        return {.status = 500, .text = *problem};
    // What is gone is told to everybody; only then do rights count.
    SessionRecord *record = m_store.session(session);
    if (!record)
        return {.status = 404, .text = u"Session id '%1' not found"_s.arg(session)};
    if (!rights.sessionWrite)
        return {.status = 403, .text = u"Permission denied"_s};
    if (record->ttl)
        record->expiresAt = now + *record->ttl * TtlsToLive;
    Outcome outcome;
    outcome.session = *record;
    return outcome;
}

// ---- Nodes and checks ----------------------------------------------------------------------------------

void ConsulModel::removeNode(const QString &node, Instant now)
{
    advance(now);
    m_store.removeNode(node, ++m_logIndex);
    endUnhealthySessions(now);
}

void ConsulModel::setCheck(CheckRecord check, Instant now)
{
    advance(now);
    ++m_logIndex;
    if (check.ttl) {
        check.expiresAt = now + *check.ttl;
        m_timers.push({check.expiresAt, Timer::Kind::Check, check.id, check.node, 0});
    }
    m_store.setCheck(check, m_logIndex);
    endUnhealthySessions(now);
}

void ConsulModel::removeCheck(const QString &node, const QString &check, Instant now)
{
    advance(now);
    m_store.removeCheck(node, check, ++m_logIndex);
    endUnhealthySessions(now);
}

bool ConsulModel::updateCheck(const QString &node, const QString &check, CheckStatus status,
                              const QString &output, Instant now)
{
    advance(now);
    CheckRecord *record = m_store.check(node, check);
    if (!record || !record->ttl)
        return false;
    record->output = output;
    record->expiresAt = now + *record->ttl;
    if (record->status == status)
        return true;
    // A new status changes the catalog; what a critical check has ended stays ended.
    m_store.setCheckStatus(*record, status, ++m_logIndex);
    m_timers.push({record->expiresAt, Timer::Kind::Check, check, node, 0});
    endUnhealthySessions(now);
    return true;
}

void ConsulModel::setService(const ServiceRecord &service, Instant now)
{
    advance(now);
    m_store.setService(service, ++m_logIndex);
    wake();
}

void ConsulModel::removeService(const QString &node, const QString &service, Instant now)
{
    advance(now);
    m_store.removeService(node, service, ++m_logIndex);
    endUnhealthySessions(now);
}

// ---- Servers -------------------------------------------------------------------------------------------

void ConsulModel::loseLeader(Instant now)
{
    advance(now);
    m_hasLeader = false;
    dropWatches(u"rpc error making call: EOF"_s);
}

void ConsulModel::elect(Instant now)
{
    advance(now);
    m_hasLeader = true;
    ++m_logIndex; // A new leader's first entry.
    startTimers(now);
}

void ConsulModel::restart(Instant now)
{
    m_watches.clear();
    for (const auto &[key, delay] : m_delaysInLog)
        m_lockDelays[key] = now + delay;
    elect(now);
}

void ConsulModel::restore(const Snapshot &snapshot, Instant now)
{
    advance(now);
    m_store = snapshot.store;
    m_lockDelays.clear();
    m_delaysInLog.clear();
    ++m_logIndex;
    startTimers(now);
    // The state that parked queries looked at has been given up.
    for (const Watch &watch : std::exchange(m_watches, {}))
        answer(watch, readNow(watch.query, watch.rights));
}

void ConsulModel::rebuild(Instant now)
{
    advance(now);
    const QStringList nodes = m_store.nodes();
    m_store = {};
    for (const QString &node : nodes)
        m_store.addNode(node, FirstIndex);
    m_lockDelays.clear();
    m_delaysInLog.clear();
    m_watches.clear();
    m_logIndex = FirstIndex;
    m_hasLeader = true;
}

Rights ConsulModel::rightsOf(const QByteArray &token) const
{
    const auto found = m_rights.find(token);
    if (found != m_rights.end())
        return found->second;
    return token.isEmpty() ? Rights() : Rights::unknown();
}

std::optional<Instant> ConsulModel::lockDelayUntil(const QString &key) const
{
    const auto found = m_lockDelays.find(key);
    return found != m_lockDelays.end() && found->second > m_now ? std::optional(found->second) : std::nullopt;
}

/// SplitMix64, as everything here that is seeded.
quint64 ConsulModel::random()
{
    m_random += 0x9E3779B97F4A7C15ULL;
    quint64 z = m_random;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

QString ConsulModel::newId()
{
    QByteArray hex;
    for (int i = 0; i < 2; ++i)
        hex += QByteArray::number(random(), 16).rightJustified(16, '0');
    for (const qsizetype dash : {20, 16, 12, 8})
        hex.insert(dash, '-');
    return QString::fromLatin1(hex);
}

} // namespace Baton::Testing
