// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace Baton::Sim {

/// What happened in a world, a line each, for whoever has to understand a seed or reads a scenario.
class Trace
{
public:
    /// Without \a withRequests only what candidates do and what is done to them.
    explicit Trace(bool withRequests) : m_withRequests(withRequests) { }
    [[nodiscard]] bool withRequests() const { return m_withRequests; }
    void add(Instant at, const QString &who, const QString &text);
    [[nodiscard]] const QStringList &lines() const { return m_lines; }

private:
    const bool m_withRequests;
    QStringList m_lines;
};

/// "9.000 s": virtual time since the beginning.
[[nodiscard]] QString secondsText(Duration time);

} // namespace Baton::Sim
