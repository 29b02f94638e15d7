// SPDX-License-Identifier: MIT
#include "entry.h"
#include "fields.h"
#include "replies.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

/// Why a transaction was rolled back: the text of every operation that failed.
struct Conflict
{
    QStringList texts;
    QList<Meaning> meanings;

    [[nodiscard]] bool says(Meaning meaning) const { return meanings.contains(meaning); }
    [[nodiscard]] bool saysOnly(Meaning meaning) const { return meanings.count(meaning) == meanings.size(); }
    [[nodiscard]] QString detail() const { return plainLine(texts.join("; "_L1)); }
};

std::optional<Conflict> conflictFrom(const HttpAnswer &answer, const QString &session)
{
    const std::optional<Json> json = jsonBody(answer);
    if (!json)
        return std::nullopt;
    Fields fields(*json);
    Conflict conflict;
    for (const Json &item : fields.list(u"Errors")) {
        Fields error(item);
        (void)error.number(u"OpIndex");
        conflict.texts.append(error.text(u"What"));
        conflict.meanings.append(meaningOf(conflict.texts.last(), session));
        fields.require(error.ok());
    }
    fields.require(!conflict.texts.isEmpty() && fields.list(u"Results").empty());
    return fields.ok() ? std::optional(conflict) : std::nullopt;
}

/// A transaction that failed for another reason than the state of the lock. One text that is not known is
/// enough: what it says may matter more than what the others say.
std::optional<Failure> failureIn(const Conflict &conflict, int status)
{
    if (conflict.says(Meaning::Unknown) || conflict.says(Meaning::NodeUnhealthy))
        return Failure{FailureKind::ServerError, status, conflict.detail()};
    if (conflict.says(Meaning::BadArgument))
        return Failure{FailureKind::Rejected, status, conflict.detail()};
    if (conflict.says(Meaning::Denied))
        return Failure{FailureKind::Denied, status, conflict.detail()};
    return std::nullopt;
}

/*!
 * Consul tries every operation, so the guard's text and the lock's may come together. Each is a fact about
 * the same state, and the one that says most is told:
 * - a session that is gone wins nothing, whatever the guard says;
 * - "held" is more than "stale": somebody holds the lock now, and a watch from the stale index returns at
 * once;
 * - "lock-delay" always comes alone (measured): Consul looks at it before it tries any operation, so it says
 * nothing about the guard, nor whether the session lives. "key doesn't exist" is what the final `get` adds
 * where `lock` did not make the key; alone it makes no sense.
 */
Reply lockConflict(const LockKey &request, const HttpAnswer &answer)
{
    const std::optional<Conflict> conflict = conflictFrom(answer, request.session);
    if (!conflict)
        return unexpected(answer, u"not the errors of a transaction"_s);
    if (const std::optional<Failure> failure = failureIn(*conflict, answer.status))
        return *failure;
    if (conflict->says(Meaning::SessionGone))
        return SessionGone{conflict->detail()};
    if (conflict->says(Meaning::Held))
        return LockRefused{Refusal::Held, conflict->detail()};
    if (conflict->says(Meaning::LockDelay))
        return LockRefused{Refusal::LockDelay, conflict->detail()};
    if (conflict->says(Meaning::StaleIndex) || conflict->says(Meaning::StaleSession))
        return LockRefused{Refusal::StaleGuard, conflict->detail()};
    return Failure{FailureKind::ServerError, answer.status, conflict->detail()};
}

Reply writeConflict(const FencedWrite &request, const HttpAnswer &answer)
{
    const std::optional<Conflict> conflict = conflictFrom(answer, request.session);
    if (!conflict)
        return unexpected(answer, u"not the errors of a transaction"_s);
    if (conflict->saysOnly(Meaning::StaleSession))
        return WriteRefused{conflict->detail()};
    return failureIn(*conflict, answer.status)
        .value_or(Failure{FailureKind::ServerError, answer.status, conflict->detail()});
}

/// The results of a transaction: exactly one entry for each of \a keys, in their order, or none at all where
/// an ACL hides them.
std::optional<QList<KeyEntry>> resultsFrom(const HttpAnswer &answer, const QStringList &keys)
{
    const std::optional<Json> json = jsonBody(answer);
    if (!json || !json->member(u"Results"))
        return std::nullopt;
    Fields fields(*json);
    const std::vector<Json> &results = fields.list(u"Results");
    fields.require(fields.list(u"Errors").empty());
    fields.require(results.empty() || results.size() == std::size_t(keys.size()));
    QList<KeyEntry> entries;
    for (std::size_t i = 0; fields.ok() && i < results.size(); ++i) {
        const Json *kv = results[i].member(u"KV");
        const std::optional<KeyEntry> entry = kv ? entryFrom(*kv, keys[qsizetype(i)]) : std::nullopt;
        fields.require(entry.has_value());
        entries.append(entry.value_or(KeyEntry()));
    }
    return fields.ok() ? std::optional(entries) : std::nullopt;
}

Failure hiddenResults(const HttpAnswer &answer)
{
    return {FailureKind::Denied, answer.status, u"the transaction's results are hidden by an ACL"_s};
}

/// The guard's check shows the key as it was before the lock; check-not-exists has nothing to show.
bool guardHeld(const LockKey &request, const QList<KeyEntry> &entries, const KeyEntry &locked)
{
    if (const auto *free = std::get_if<IfIndex>(&request.guard))
        return entries.front().modifyIndex == free->index && locked.modifyIndex > free->index;
    if (std::holds_alternative<IfOurs>(request.guard))
        return entries.front().session == request.session
            && locked.modifyIndex >= entries.front().modifyIndex;
    return true;
}

} // namespace

Reply replyTo(const LockKey &request, const HttpAnswer &answer)
{
    if (meaningOf(plainBody(answer), request.session) == Meaning::SessionGone
        && (answer.status == StatusConflict || answer.status == StatusServerError))
        return SessionGone{plainLine(plainBody(answer))};
    if (answer.status == StatusConflict)
        return lockConflict(request, answer);
    if (answer.status != StatusOk)
        return failureFor(answer);

    const qsizetype count = std::holds_alternative<IfAbsent>(request.guard) ? 2 : 3;
    const std::optional<QList<KeyEntry>> entries = resultsFrom(answer, QStringList(count, request.key));
    if (!entries)
        return unexpected(answer, u"not the results of taking the lock"_s);
    if (entries->isEmpty())
        return hiddenResults(answer);
    const KeyEntry &locked = entries->at(count - 2);
    const KeyEntry &shown = entries->at(count - 1);
    const bool ours = locked.session == request.session && shown.session == request.session
        && locked.modifyIndex == shown.modifyIndex && shown.value == request.value;
    if (!ours || !guardHeld(request, *entries, locked))
        return unexpected(answer, u"the results do not show our lock"_s);
    return LockWon{shown.modifyIndex};
}

QueryReply unlockReply(const UnlockKey &query, const HttpAnswer &answer)
{
    if (answer.status == StatusConflict) {
        const std::optional<Conflict> conflict = conflictFrom(answer, query.session);
        if (!conflict)
            return unexpected(answer, u"not the errors of a transaction"_s);
        // Other texts may come with it, since Consul tries every operation; none of them was done.
        if (conflict->says(Meaning::StaleIndex))
            return LockRefused{Refusal::StaleGuard, conflict->detail()};
        return failureIn(*conflict, answer.status)
            .value_or(Failure{FailureKind::ServerError, answer.status, conflict->detail()});
    }
    if (answer.status != StatusOk)
        return failureFor(answer);
    const std::optional<QList<KeyEntry>> entries = resultsFrom(answer, {query.key, query.key});
    if (!entries)
        return unexpected(answer, u"not the results of a release"_s);
    if (entries->isEmpty())
        return hiddenResults(answer);
    return KeyReleased{!entries->back().session};
}

Reply replyTo(const FencedWrite &request, const HttpAnswer &answer)
{
    if (answer.status == StatusConflict)
        return writeConflict(request, answer);
    if (answer.status != StatusOk)
        return failureFor(answer);

    QStringList keys = {request.lockKey};
    for (const KeyValue &write : request.writes)
        keys.append(write.key);
    const std::optional<QList<KeyEntry>> entries = resultsFrom(answer, keys);
    if (!entries)
        return unexpected(answer, u"not the results of the writes"_s);
    if (entries->isEmpty())
        return hiddenResults(answer);
    if (entries->front().session != request.session)
        return unexpected(answer, u"the results do not show our lock"_s);
    Written written;
    for (qsizetype i = 1; i < entries->size(); ++i)
        written.index = std::max(written.index, entries->at(i).modifyIndex);
    return written;
}

} // namespace Baton::Wire
