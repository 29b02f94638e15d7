// SPDX-License-Identifier: MIT
#include "consulstore.h"

#include <algorithm>

namespace Baton::Testing {

/*
 * Which index belongs to which answer decides when a blocking query wakes. A key has its own ModifyIndex; an
 * absent one has that of the last change of any key, which is why a watch of an absent key wakes at any
 * write. A tree has the highest index under it, deleted keys included. Sessions share one.
 */

std::vector<KvEntry> ConsulStore::tree(const QString &prefix) const
{
    std::vector<KvEntry> entries;
    for (auto it = m_keys.lower_bound(prefix); it != m_keys.end() && it->first.startsWith(prefix); ++it)
        entries.push_back(it->second);
    return entries;
}

quint64 ConsulStore::treeIndex(const QString &prefix) const
{
    if (prefix.isEmpty())
        return m_keysIndex;
    quint64 index = 0;
    for (auto it = m_keys.lower_bound(prefix); it != m_keys.end() && it->first.startsWith(prefix); ++it)
        index = std::max(index, it->second.modifyIndex);
    for (auto it = m_graves.lower_bound(prefix); it != m_graves.end() && it->first.startsWith(prefix); ++it)
        index = std::max(index, it->second);
    return index == 0 ? m_keysIndex : index;
}

quint64 ConsulStore::indexOf(const Query &query) const
{
    quint64 index = m_sessionsIndex;
    if (const auto *key = std::get_if<KeyQuery>(&query)) {
        const KvEntry *entry = find(key->key);
        index = entry ? entry->modifyIndex : m_keysIndex;
    } else if (const auto *prefix = std::get_if<PrefixQuery>(&query)) {
        index = treeIndex(prefix->prefix);
    } else if (std::holds_alternative<CatalogQuery>(query)) {
        index = m_catalogIndex;
    }
    // Never zero, which would make a blocking query return at once for ever.
    return std::max<quint64>(index, 1);
}

Reading ConsulStore::read(const Query &query) const
{
    Reading reading;
    reading.index = indexOf(query);
    if (const auto *key = std::get_if<KeyQuery>(&query)) {
        if (const KvEntry *entry = find(key->key))
            reading.entries.push_back(*entry);
        reading.status = reading.entries.empty() ? 404 : 200;
    } else if (const auto *prefix = std::get_if<PrefixQuery>(&query)) {
        reading.entries = tree(prefix->prefix);
        reading.status = reading.entries.empty() ? 404 : 200;
    } else if (const auto *one = std::get_if<SessionQuery>(&query)) {
        if (const SessionRecord *found = session(one->session))
            reading.sessions.push_back(*found);
    } else if (const auto *list = std::get_if<SessionsQuery>(&query)) {
        for (const auto &[id, record] : m_sessions) {
            if (!list->node || *list->node == record.node)
                reading.sessions.push_back(record);
        }
    }
    return reading;
}

} // namespace Baton::Testing
