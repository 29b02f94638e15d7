// SPDX-License-Identifier: MIT
#include "consulstore.h"

using namespace Qt::StringLiterals;

namespace Baton::Testing {

/// The keys as they were before a transaction touched them.
class ConsulStore::Undo
{
public:
    explicit Undo(ConsulStore &store) : m_store(store), m_keysIndex(store.m_keysIndex) { }

    void remember(const QString &key)
    {
        const KvEntry *entry = m_store.find(key);
        const auto grave = m_store.m_graves.find(key);
        m_before.push_back({key, entry ? std::optional(*entry) : std::nullopt,
                            grave == m_store.m_graves.end() ? std::nullopt : std::optional(grave->second)});
    }
    void rollBack()
    {
        for (auto it = m_before.rbegin(); it != m_before.rend(); ++it) {
            m_store.m_keys.erase(it->key);
            m_store.m_graves.erase(it->key);
            if (it->entry)
                m_store.m_keys[it->key] = *it->entry;
            if (it->grave)
                m_store.m_graves[it->key] = *it->grave;
        }
        m_store.m_keysIndex = m_keysIndex;
    }

private:
    struct Before
    {
        QString key;
        std::optional<KvEntry> entry;
        std::optional<quint64> grave;
    };
    ConsulStore &m_store;
    const quint64 m_keysIndex;
    std::vector<Before> m_before;
};

namespace {

KvEntry entryOf(const Operation &operation)
{
    KvEntry entry;
    entry.key = operation.key;
    entry.value = operation.value;
    entry.flags = operation.flags;
    if (!operation.session.isEmpty())
        entry.session = operation.session;
    return entry;
}

QString failed(QLatin1StringView what, const QString &key, QLatin1StringView why)
{
    return u"failed to %1 key %2%3"_s.arg(what, goQuoted(key), why);
}

bool changesTree(Verb verb)
{
    return verb == Verb::DeleteTree;
}

} // namespace

/// Every operation is tried, also after one has failed, and each sees what those before it did; then all of
/// it stands or none.
Outcome ConsulStore::apply(const Transaction &transaction, quint64 at)
{
    Outcome outcome;
    Undo undo(*this);
    int number = 0;
    for (const Operation &operation : transaction.operations) {
        if (changesTree(operation.verb)) {
            for (const KvEntry &entry : tree(operation.key))
                undo.remember(entry.key);
        } else {
            undo.remember(operation.key);
        }
        QString error;
        perform(operation, at, outcome.results, error);
        if (!error.isEmpty())
            outcome.errors.push_back({number, error});
        ++number;
    }
    if (!outcome.errors.empty()) {
        undo.rollBack();
        outcome.results.clear();
        outcome.status = 409;
    }
    return outcome;
}

void ConsulStore::perform(const Operation &operation, quint64 at, std::vector<KvEntry> &results,
                          QString &error)
{
    const QString &key = operation.key;
    // Results of writes come without the value.
    const auto show = [&results](KvEntry entry) {
        entry.value.clear();
        results.push_back(std::move(entry));
    };
    const auto settle = [&](const Attempt &attempt, const QString &refusal) {
        if (!attempt.done)
            error = attempt.error.isEmpty() ? refusal : attempt.error;
        else if (!attempt.entry.key.isEmpty())
            show(attempt.entry);
    };
    switch (operation.verb) {
    case Verb::Set:
        show(set(entryOf(operation), at));
        break;
    case Verb::Cas:
        settle(setIfIndex(entryOf(operation), operation.index, at),
               failed("set"_L1, key, ", index is stale"_L1));
        break;
    case Verb::Delete:
        remove(key, at);
        break;
    case Verb::DeleteCas:
        settle(removeIfIndex(key, operation.index, at), failed("delete"_L1, key, ", index is stale"_L1));
        break;
    case Verb::DeleteTree:
        removeTree(key, at);
        break;
    case Verb::Lock:
        settle(lock(entryOf(operation), at), failed("lock"_L1, key, ", lock is already held"_L1));
        break;
    case Verb::Unlock:
        settle(unlock(entryOf(operation), at),
               failed("unlock"_L1, key, ", lock isn't held, or is held by another session"_L1));
        break;
    default:
        performCheck(operation, results, error);
    }
}

/// The operations that change nothing. A check shows the key as it finds it; that a key is absent shows
/// nothing.
void ConsulStore::performCheck(const Operation &operation, std::vector<KvEntry> &results,
                               QString &error) const
{
    const KvEntry *entry = find(operation.key);
    const QString key = goQuoted(operation.key);
    const auto showChecked = [&] {
        results.push_back(*entry);
        results.back().value.clear();
    };
    if (operation.verb == Verb::GetTree) {
        const std::vector<KvEntry> entries = tree(operation.key);
        results.insert(results.end(), entries.begin(), entries.end());
    } else if (operation.verb == Verb::CheckNotExists) {
        if (entry)
            error = u"key %1 exists"_s.arg(key);
    } else if (operation.verb == Verb::Get) {
        if (entry)
            results.push_back(*entry);
        else
            error = u"key %1 doesn't exist"_s.arg(key);
    } else if (operation.verb == Verb::CheckIndex) {
        if (!entry)
            error = u"failed to check index, key %1 doesn't exist"_s.arg(key);
        else if (entry->modifyIndex != operation.index)
            error = u"failed index check for key %1, current modify index %2 != %3"_s.arg(
                key, QString::number(entry->modifyIndex), QString::number(operation.index));
        else
            showChecked();
    } else if (operation.verb == Verb::CheckSession) {
        if (!entry)
            error = u"failed to check session, key %1 doesn't exist"_s.arg(key);
        else if (entry->session.value_or(QString()) != operation.session)
            error = u"failed session check for key %1, current session %2 != %3"_s.arg(
                key, goQuoted(entry->session.value_or(QString())), goQuoted(operation.session));
        else
            showChecked();
    }
}

} // namespace Baton::Testing
