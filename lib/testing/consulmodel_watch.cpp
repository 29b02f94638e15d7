// SPDX-License-Identifier: MIT
#include "consulmodel.h"

#include <algorithm>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {
constexpr Duration DefaultWait = 5min;
constexpr Duration LongestWait = 10min;
/// Consul stretches each wait by up to this part of it, so that not all queries end together.
constexpr int JitterFraction = 16;
} // namespace

/// What \a rights hide: a single key is refused, a list is cut as if the rest did not exist.
Reading ConsulModel::readNow(const Query &query, const Rights &rights) const
{
    if (!m_hasLeader)
        return {.status = 500, .text = u"No cluster leader"_s};
    if (!rights.known)
        return {.status = 403, .text = u"ACL not found"_s};
    if (std::holds_alternative<KeyQuery>(query) && !rights.keyRead)
        return {.status = 403, .text = u"Permission denied"_s};
    if (const auto *one = std::get_if<SessionQuery>(&query)) {
        if (const auto problem = idProblem(one->session))
            return {.status = 500, .text = *problem};
    }
    Reading reading = m_store.read(query);
    if (!rights.keyRead && !reading.entries.empty()) {
        reading.entries.clear();
        reading.status = 404;
    }
    if (!rights.sessionRead)
        reading.sessions.clear();
    return reading;
}

Reading ConsulModel::read(const Query &query, const Rights &rights, Instant now)
{
    advance(now);
    return readNow(query, rights);
}

quint64 ConsulModel::watch(const Query &query, quint64 after, Duration wait, const Rights &rights,
                           Instant now)
{
    advance(now);
    Watch watch{++m_lastWatch, query, after, rights, {}};
    Reading reading = readNow(query, rights);
    const bool isProblem = reading.status != 200 && reading.status != 404;
    if (isProblem || reading.index > after) {
        answer(watch, std::move(reading));
        return watch.id;
    }
    const Duration base = wait == Duration::zero() ? DefaultWait : std::min(wait, LongestWait);
    watch.until = now + base + Duration(Duration::rep(random() % quint64(base.count() / JitterFraction + 1)));
    m_timers.push({watch.until, Timer::Kind::Watch, {}, {}, watch.id});
    m_watches.push_back(std::move(watch));
    return m_watches.back().id;
}

void ConsulModel::unwatch(quint64 id)
{
    std::erase_if(m_watches, [id](const Watch &watch) { return watch.id == id; });
    std::erase_if(m_answers, [id](const WatchAnswer &answer) { return answer.watch == id; });
}

std::optional<ConsulModel::WatchAnswer> ConsulModel::takeAnswer()
{
    if (m_answers.empty())
        return std::nullopt;
    WatchAnswer first = std::move(m_answers.front());
    m_answers.pop_front();
    return first;
}

void ConsulModel::answer(const Watch &watch, Reading reading)
{
    m_answers.push_back({watch.id, std::move(reading)});
}

/// After every change: answers the queries whose index has risen above theirs.
void ConsulModel::wake()
{
    const auto sleeps = [this](const Watch &watch) { return m_store.indexOf(watch.query) <= watch.after; };
    const auto woken = std::stable_partition(m_watches.begin(), m_watches.end(), sleeps);
    for (auto watch = woken; watch != m_watches.end(); ++watch)
        answer(*watch, readNow(watch->query, watch->rights));
    m_watches.erase(woken, m_watches.end());
}

void ConsulModel::dropWatches(const QString &text)
{
    for (const Watch &watch : std::exchange(m_watches, {}))
        answer(watch, {.status = 500, .text = text});
}

} // namespace Baton::Testing
