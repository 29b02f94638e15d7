// SPDX-License-Identifier: MIT
#include "failoverlog.h"

#include <algorithm>

namespace Baton::Lab {

void FailoverLog::begin(const QString &candidate, quint64 token, Instant at)
{
    m_terms.push_back({candidate, token, at, std::nullopt});
}

void FailoverLog::end(const QString &candidate, Instant at)
{
    for (Term &term : m_terms) {
        if (term.candidate == candidate && !term.until)
            term.until = std::max(at, term.from);
    }
}

int FailoverLog::overlaps() const
{
    int count = 0;
    for (auto a = m_terms.begin(); a != m_terms.end(); ++a) {
        for (auto b = std::next(a); b != m_terms.end(); ++b) {
            const bool aBeforeB = a->until && *a->until <= b->from;
            const bool bBeforeA = b->until && *b->until <= a->from;
            count += !aBeforeB && !bBeforeA;
        }
    }
    return count;
}

bool FailoverLog::tokensRise() const
{
    const auto falls = [](const Term &a, const Term &b) { return b.token <= a.token; };
    return std::adjacent_find(m_terms.begin(), m_terms.end(), falls) == m_terms.end();
}

} // namespace Baton::Lab
