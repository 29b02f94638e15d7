// SPDX-License-Identifier: MIT
#include "models/selection.h"

namespace Baton::Monitor {

QString Selection::current() const
{
    return m_elections.isEmpty() ? QString() : m_elections.constLast();
}

void Selection::setElections(const QStringList &keys)
{
    QStringList unique;
    for (const QString &key : keys) {
        unique.removeOne(key);
        unique.append(key);
    }
    if (unique == m_elections)
        return;
    m_elections = unique;
    Q_EMIT electionsChanged();
}

void Selection::setSession(const QString &id)
{
    if (id == m_session)
        return;
    m_session = id;
    Q_EMIT sessionChanged();
}

void Selection::togglePinned(const QString &key)
{
    if (!m_pinned.remove(key))
        m_pinned.insert(key);
    Q_EMIT pinnedChanged();
}

} // namespace Baton::Monitor
