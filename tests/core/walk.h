// SPDX-License-Identifier: MIT
#pragma once

#include "invariants.h"

namespace Baton::Core {

/// One sequence of inputs, made by a seed: commands, time and replies that are now likely, now absurd.
class Walk
{
public:
    explicit Walk(quint64 seed);
    void step();
    /// Stops the candidate and lets everything come to its end; nobody answers any more.
    void end();
    [[nodiscard]] const Invariants &invariants() const { return m_invariants; }
    [[nodiscard]] QStringList news() { return m_harness.news(); }
    [[nodiscard]] const QString &lastStep() const { return m_lastStep; }

private:
    quint64 below(quint64 bound) { return m_random.next() % bound; }
    bool chance(int percent) { return int(below(100)) < percent; }
    void command();
    void answerSomething();
    void answer(quint64 request, const Wire::Reply &reply);
    void passTime(Duration by);
    void look();
    Wire::Reply likelyReply(const Send &send);
    Wire::Reply possibleReply(const Send &send);
    Wire::Reply lateReply();
    Wire::Reply anyRead();
    QString anySession();
    quint64 anyIndex();
    static Settings settingsFor(quint64 seed);

    Random m_random;
    const Settings m_settings;
    Harness m_harness;
    Invariants m_invariants;
    const int m_kindness; ///< Percent of likely replies.
    size_t m_looked = 0;
    quint64 m_index = 100; ///< Of the imagined Consul.
    int m_sessions = 0;
    quint64 m_lastRequest = 0;
    QString m_lastStep;
};

} // namespace Baton::Core
