// SPDX-License-Identifier: MIT
#include "sessioncloser.h"

#include <algorithm>

namespace Baton::Core {

namespace {
// A late packet arrives within seconds; more terms than this do not end in that time.
constexpr size_t PastSessionsKept = 16;
} // namespace

void SessionCloser::close(const QString &session, Ending ending, Instant now)
{
    const auto same = [&](const auto &other) { return other.session == session; };
    if (std::none_of(m_past.begin(), m_past.end(), same)) {
        m_past.push_back({session, ending});
        if (m_past.size() > PastSessionsKept)
            m_past.pop_front();
    }
    if (std::any_of(m_entries.begin(), m_entries.end(), same))
        return;
    Entry entry;
    entry.session = session;
    entry.task = ending == Ending::Destroy ? Task::Destroy : Task::Release;
    entry.due = now;
    entry.releaseUntil = now + m_settings.stopTimeout;
    entry.giveUpAt = now + m_settings.sessionEnd();
    m_entries.push_back(entry);
}

bool SessionCloser::isPast(const QString &session) const
{
    return std::any_of(m_past.begin(), m_past.end(),
                       [&](const Past &past) { return past.session == session; });
}

void SessionCloser::claims(const QString &session, Instant now)
{
    const auto past =
        std::find_if(m_past.begin(), m_past.end(), [&](const Past &p) { return p.session == session; });
    if (past != m_past.end())
        close(session, past->ending, now);
}

bool SessionCloser::handle(quint64 request, const Wire::Reply &reply, Instant now, Random &random)
{
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry &e) { return e.request == request; });
    if (request == 0 || entry == m_entries.end())
        return false;
    entry->request = 0;
    if (entry->task == Task::Destroy && std::holds_alternative<Wire::SessionDestroyed>(reply)) {
        m_troubles.worked(Step::DestroySession);
        m_entries.erase(entry);
        rest();
    } else {
        answered(*entry, reply, now, random);
    }
    return true;
}

void SessionCloser::answered(Entry &entry, const Wire::Reply &reply, Instant now, Random &random)
{
    const auto *release = std::get_if<Wire::KeyReleased>(&reply);
    const auto *read = std::get_if<Wire::KeyRead>(&reply);
    entry.due = now;
    if (entry.task == Task::Release && release) {
        m_troubles.worked(Step::Release);
        entry.task = release->released ? Task::Destroy : Task::ReadBack;
    } else if (entry.task == Task::ReadBack && read) {
        const bool stillOurs = read->entry && read->entry->session == entry.session;
        entry.task = stillOurs ? Task::Release : Task::Destroy;
        if (stillOurs)
            entry.due = now + entry.backoff.next(random);
    } else {
        retry(entry, std::get_if<Wire::Failure>(&reply), now, random);
    }
}

void SessionCloser::retry(Entry &entry, const Wire::Failure *failure, Instant now, Random &random)
{
    if (failure)
        m_troubles.failed(entry.task == Task::Destroy ? Step::DestroySession : Step::Release, *failure);
    const bool denied = failure && failure->kind == Wire::FailureKind::Denied;
    // Without the right to release, destroying is what is left; it frees the lock after the lock-delay.
    if (entry.task != Task::Destroy)
        entry.task = denied ? Task::Destroy : Task::ReadBack;
    entry.backoff.use(denied ? SlowRetry : TransientRetry);
    entry.due = now + entry.backoff.next(random);
}

/// What failed on the way concerns nobody when nothing is left to end.
void SessionCloser::rest()
{
    if (!m_entries.empty())
        return;
    m_troubles.ceased(Step::Release);
    m_troubles.ceased(Step::DestroySession);
}

void SessionCloser::work(Instant now)
{
    const auto givenUp = std::erase_if(m_entries, [&](const Entry &entry) {
        if (entry.giveUpAt > now)
            return false;
        if (entry.request != 0)
            m_outbox.push(Cancel{entry.request});
        return true;
    });
    if (givenUp > 0)
        rest();
    for (Entry &entry : m_entries) {
        if (entry.request != 0 || entry.due > now)
            continue;
        if (entry.releaseUntil <= now)
            entry.task = Task::Destroy;
        entry.request = m_outbox.send(0, message(entry), m_settings.writeTimeout());
    }
}

Wire::Request SessionCloser::message(const Entry &entry) const
{
    switch (entry.task) {
    case Task::Release:
        return Wire::ReleaseKey{m_settings.key, entry.session};
    case Task::ReadBack:
        return Wire::ReadKey{m_settings.key};
    case Task::Destroy:
        return Wire::DestroySession{entry.session};
    }
    Q_UNREACHABLE();
}

std::optional<Instant> SessionCloser::nextTimeout() const
{
    std::optional<Instant> next;
    for (const Entry &entry : m_entries) {
        const Instant at = entry.request != 0 ? entry.giveUpAt : std::min(entry.due, entry.giveUpAt);
        next = next ? std::min(*next, at) : at;
    }
    return next;
}

} // namespace Baton::Core
