// SPDX-License-Identifier: MIT
#include "ledger.h"

#include <testing/consulstore.h>

#include <algorithm>

namespace Baton::Sim {

void Ledger::observe(const Testing::ConsulStore &store, Cause cause)
{
    if (cause == Cause::Written)
        ++m_foreignWrites;
    const Testing::KvEntry *entry = store.find(m_key);
    const std::optional<QString> holder = entry ? entry->session : std::nullopt;
    if (holder == m_holder)
        return;
    if (m_holder) {
        m_grants[m_current].lost = m_grants[m_current].lostOnce = true;
        m_grants[m_current].cause = cause;
    }
    const QString loser = m_holder.value_or(QString());
    m_holder = holder;
    if (!holder) {
        m_freedom = {loser, cause};
        return;
    }
    // A restore gives an old lock back: the same as it was.
    const auto same = std::find_if(m_grants.begin(), m_grants.end(), [&](const Grant &grant) {
        return grant.session == *holder && grant.index == entry->modifyIndex;
    });
    m_current = size_t(same - m_grants.begin());
    if (same == m_grants.end())
        m_grants.push_back({*holder, entry->modifyIndex, int(m_grants.size()), m_cluster, false, false,
                            Cause::Released, m_foreignWrites});
    else
        same->lost = false;
}

const Ledger::Grant *Ledger::grantOf(const QString &session, quint64 token) const
{
    const Grant *found = nullptr;
    for (const Grant &grant : m_grants) {
        if (grant.session == session && (!found || grant.index <= token))
            found = &grant;
    }
    return found;
}

} // namespace Baton::Sim
