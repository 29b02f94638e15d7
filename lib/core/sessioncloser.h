// SPDX-License-Identifier: MIT
#pragma once

#include "backoff.h"
#include "messages.h"
#include "settings.h"
#include "troublelog.h"

#include <vector>

namespace Baton::Core {

/*!
 * Ends the sessions of terms that are over, beside whatever the candidate does next.
 *
 * After a loss a session is destroyed without being released, so that the lock-delay covers what is still in
 * flight. After an orderly end the lock is released first and the session destroyed then; the other way round
 * would start the lock-delay. A release that was not confirmed is read back before it is tried again: the
 * network layer may have sent it twice, and the second answer then says `false`.
 */
class SessionCloser
{
public:
    enum class Ending { Destroy, ReleaseThenDestroy };

    SessionCloser(const Settings &settings, Outbox &outbox, TroubleLog &troubles)
        : m_settings(settings), m_outbox(outbox), m_troubles(troubles)
    {
    }

    void close(const QString &session, Ending ending, Instant now);
    /// One of this candidate's sessions of a past term.
    [[nodiscard]] bool isPast(const QString &session) const;
    /// The key was seen held by \a session. Where that is one of ours of a past term, it is ended anew: a
    /// lock that was given up in order and came back (a late packet) is released at once.
    void claims(const QString &session, Instant now);
    /// False where \a request is none of this closer's.
    bool handle(quint64 request, const Wire::Reply &reply, Instant now, Random &random);
    void work(Instant now);
    [[nodiscard]] std::optional<Instant> nextTimeout() const;
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }

private:
    enum class Task { Release, ReadBack, Destroy };
    struct Entry
    {
        QString session;
        Task task{};
        Instant due;
        Instant releaseUntil; ///< Then it is destroyed, released or not.
        Instant giveUpAt; ///< Then it has ended by itself.
        quint64 request = 0; ///< 0 where none is under way.
        Backoff backoff;
    };
    struct Past
    {
        QString session;
        Ending ending{};
    };
    Wire::Request message(const Entry &entry) const;
    void answered(Entry &entry, const Wire::Reply &reply, Instant now, Random &random);
    void rest();
    void retry(Entry &entry, const Wire::Failure *failure, Instant now, Random &random);

    const Settings &m_settings;
    Outbox &m_outbox;
    TroubleLog &m_troubles;
    std::vector<Entry> m_entries;
    std::deque<Past> m_past;
};

} // namespace Baton::Core
