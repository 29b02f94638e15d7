// SPDX-License-Identifier: MIT
#include "consulmodel.h"

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {
constexpr size_t MaxOperations = 64;
constexpr Duration LongestTtl = 24h;
/// A longer one is accepted and listed, and this one applied.
constexpr Duration LongestLockDelay = 60s;

Outcome noLeader()
{
    return {.status = 500, .text = u"No cluster leader"_s};
}

Outcome unknownToken()
{
    return {.status = 403, .text = u"ACL not found"_s};
}

Outcome denied()
{
    return {.status = 403, .text = u"Permission denied"_s};
}

/// Such a transaction does not go through the log.
bool onlyReads(const Command &command)
{
    const auto *transaction = std::get_if<Transaction>(&command);
    return transaction && std::ranges::none_of(transaction->operations, isWrite, &Operation::verb);
}

bool mayDo(const Operation &operation, const Rights &rights)
{
    switch (operation.verb) {
    case Verb::Get:
    case Verb::GetTree:
        return true; // What may not be read is taken out of the results.
    case Verb::CheckIndex:
    case Verb::CheckSession:
        return rights.keyRead;
    default:
        return rights.keyWrite;
    }
}
} // namespace

// ---- Before the log ------------------------------------------------------------------------------------

std::optional<Outcome> ConsulModel::admit(const Command &command, const Rights &rights, Instant now)
{
    advance(now);
    if (!m_hasLeader)
        return noLeader();
    return std::visit(
        [&](const auto &typed) -> std::optional<Outcome> {
            if (!rights.known)
                return unknownToken();
            return refuse(typed, rights, now);
        },
        command);
}

bool ConsulModel::isDelayed(const QString &key, Instant now) const
{
    const auto found = m_lockDelays.find(key);
    return found != m_lockDelays.end() && found->second > now;
}

std::optional<Outcome> ConsulModel::refuse(const PutKey &put, const Rights &rights, Instant now) const
{
    if (!rights.keyWrite)
        return denied();
    if (put.acquire && isDelayed(put.key, now))
        return Outcome{.done = false};
    return std::nullopt;
}

std::optional<Outcome> ConsulModel::refuse(const DeleteKey &, const Rights &rights, Instant) const
{
    return rights.keyWrite ? std::nullopt : std::optional(denied());
}

/// Rights and lock-delays are looked at for every operation; one refusal keeps the whole out of the log, so
/// nothing is said about checks and sessions then.
std::optional<Outcome> ConsulModel::refuse(const Transaction &transaction, const Rights &rights,
                                           Instant now) const
{
    const size_t count = transaction.operations.size();
    if (count > MaxOperations)
        return Outcome{
            .status = 413,
            .text = u"Transaction contains too many operations (%1 > %2)"_s.arg(count).arg(MaxOperations)};
    Outcome refusal{.status = 409};
    for (size_t i = 0; i < count; ++i) {
        const Operation &operation = transaction.operations[i];
        if (operation.key.isEmpty() && isWrite(operation.verb) && operation.verb != Verb::DeleteTree)
            refusal.errors.push_back({int(i), u"Must provide key"_s});
        else if (!mayDo(operation, rights))
            refusal.errors.push_back({int(i), u"Permission denied"_s});
        else if (operation.verb == Verb::Lock && isDelayed(operation.key, now))
            refusal.errors.push_back(
                {int(i), u"failed to lock key %1 due to lock delay"_s.arg(goQuoted(operation.key))});
    }
    return refusal.errors.empty() ? std::nullopt : std::optional(refusal);
}

std::optional<Outcome> ConsulModel::refuse(const MakeSession &make, const Rights &rights, Instant) const
{
    if (!rights.sessionWrite)
        return denied();
    if (make.ttl && (*make.ttl < m_shortestTtl || *make.ttl > LongestTtl))
        return Outcome{
            .status = 500,
            .text = u"Invalid Session TTL '%1', must be between [%2=%3]"_s.arg(
                QString::number(make.ttl->count()), goDuration(m_shortestTtl), goDuration(LongestTtl))};
    return std::nullopt;
}

std::optional<Outcome> ConsulModel::refuse(const EndSession &end, const Rights &rights, Instant) const
{
    if (const auto problem = idProblem(end.session))
        return Outcome{.status = 500, .text = *problem};
    if (!m_store.session(end.session))
        return Outcome{};
    return rights.sessionWrite ? std::nullopt : std::optional(denied());
}

// ---- In the log ----------------------------------------------------------------------------------------

Outcome ConsulModel::apply(const Command &command, Instant now)
{
    advance(now);
    if (!onlyReads(command))
        ++m_logIndex; // Every entry has an index, also one that changes nothing.
    Outcome outcome = std::visit([&](const auto &typed) { return perform(typed, now); }, command);
    wake();
    return outcome;
}

Outcome ConsulModel::execute(const Command &command, const Rights &rights, Instant now)
{
    if (auto refusal = admit(command, rights, now))
        return *refusal;
    return applyFor(command, rights, now);
}

Outcome ConsulModel::applyFor(const Command &command, const Rights &rights, Instant now)
{
    Outcome outcome = apply(command, now);
    if (!rights.keyRead)
        outcome.results.clear();
    return outcome;
}

Outcome ConsulModel::perform(const PutKey &put, Instant)
{
    KvEntry entry;
    entry.key = put.key;
    entry.value = put.value;
    entry.flags = put.flags;
    ConsulStore::Attempt attempt{true, {}, {}};
    if (put.acquire) {
        entry.session = put.acquire;
        attempt = m_store.lock(entry, m_logIndex);
    } else if (put.release) {
        entry.session = put.release;
        attempt = m_store.unlock(entry, m_logIndex);
    } else if (put.cas) {
        attempt = m_store.setIfIndex(entry, *put.cas, m_logIndex);
    } else {
        m_store.set(entry, m_logIndex);
    }
    if (!attempt.error.isEmpty())
        return {.status = 500, .text = attempt.error};
    return {.done = attempt.done};
}

Outcome ConsulModel::perform(const DeleteKey &remove, Instant)
{
    if (remove.cas)
        return {.done = m_store.removeIfIndex(remove.key, *remove.cas, m_logIndex).done};
    if (remove.recurse)
        m_store.removeTree(remove.key, m_logIndex);
    else
        m_store.remove(remove.key, m_logIndex);
    return {};
}

Outcome ConsulModel::perform(const Transaction &transaction, Instant)
{
    return m_store.apply(transaction, m_logIndex);
}

Outcome ConsulModel::perform(const MakeSession &make, Instant now)
{
    const QString id = newId();
    Outcome outcome = m_store.create(make, id, m_logIndex);
    if (outcome.ok())
        startTimer(*m_store.session(id), now);
    return outcome;
}

Outcome ConsulModel::perform(const EndSession &end, Instant now)
{
    endSession(end.session, now);
    return {};
}

/// Whatever ends it, its locks are free after its lock-delay. Also for a key that goes with it.
void ConsulModel::endSession(const QString &id, Instant now)
{
    const SessionRecord *session = std::as_const(m_store).session(id);
    if (!session)
        return;
    const Duration delay = std::min(session->lockDelay, LongestLockDelay);
    for (const QString &key : m_store.end(id, m_logIndex)) {
        if (delay <= Duration::zero())
            continue;
        m_lockDelays[key] = now + delay;
        m_delaysInLog[key] = delay;
    }
    wake();
}

void ConsulModel::endUnhealthySessions(Instant now)
{
    for (const QString &id : m_store.unhealthySessions())
        endSession(id, now);
    wake();
}

} // namespace Baton::Testing
