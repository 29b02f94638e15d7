// SPDX-License-Identifier: MIT
#include "leaderworker.h"

#include "workerthread.h"

#include <qt/bootclock.h>
#include <qt/leaderfrom.h>

#include <QtCore/QRandomGenerator>

using namespace std::chrono_literals;

namespace Baton::Observe {

namespace {
constexpr std::chrono::milliseconds ReadTimeout = 5s;
/// Over the wait that was asked for, and the sixteenth that Consul adds.
constexpr std::chrono::milliseconds PollSlack = 2s;
/// A poll for a key that is absent wakes at any write to the store, so a busy store must not set the pace.
constexpr Core::Duration AskGap = 100ms;
constexpr Core::RetryPolicy Retry{100ms, 5s};
/// One poll that is cut is no outage.
constexpr int FailuresOfAnOutage = 2;
} // namespace

LeaderWorker::LeaderWorker(ConsulAccess access, const QString &key, std::chrono::milliseconds wait,
                           Publish publish)
    : m_access(std::move(access)), m_key(key), m_wait(wait), m_publish(std::move(publish)), m_alarm(this),
      m_random(QRandomGenerator::system()->generate64()), m_backoff(Retry)
{
    connect(&m_alarm, &Shell::Alarm::rang, this, &LeaderWorker::ask);
}

LeaderWorker::~LeaderWorker() = default;

void LeaderWorker::start()
{
    if (m_transport)
        return;
    if (const QString problem = m_access.readToken(); !problem.isEmpty()) {
        m_publish({.error = LeaseError{ErrorCode::InvalidOptions, Step::Configure, 0, problem, m_key}});
        return;
    }
    m_transport = std::make_unique<Shell::Transport>(m_access.base, m_access.token, this);
    m_index.reset();
    m_failures = 0;
    m_current = false;
    ask();
}

void LeaderWorker::stop()
{
    m_transport.reset();
    m_alarm.setAt(std::nullopt);
    m_troubles.clear();
    while (m_outbox.take()) { }
}

void LeaderWorker::ask()
{
    Wire::Request request = Wire::ReadKey{m_key};
    if (m_index)
        request = Wire::WatchKey{m_key, *m_index, m_wait};
    m_asked = Core::bootNow();
    const auto total = m_index ? m_wait + m_wait / 16 + PollSlack : ReadTimeout;
    m_transport->send(Wire::encode(request, m_access.scope), total,
                      [this, request](const Wire::HttpAnswer &answer) { answered(request, answer); });
}

void LeaderWorker::answered(const Wire::Request &request, const Wire::HttpAnswer &answer)
{
    WorkerThread::endWithProcess();
    const Core::Instant now = Core::bootNow();
    m_troubles.setNow(now);
    const Wire::Reply reply = Wire::decode(request, answer);
    if (const auto *read = std::get_if<Wire::KeyRead>(&reply)) {
        m_failures = 0;
        m_backoff.reset();
        m_troubles.worked(Step::Watch);
        // An index that is missing or runs backwards says nothing: start again from the beginning.
        m_index = read->index && read->index >= m_index ? read->index : std::nullopt;
        m_alarm.setAt(std::max(now, m_asked + AskGap));
        see(*read);
    } else {
        const auto *failure = std::get_if<Wire::Failure>(&reply);
        m_troubles.failed(Step::Watch, failure ? *failure : Wire::Failure{});
        if (!failure || failure->kind != Wire::FailureKind::ServerError)
            m_index.reset();
        const bool denied = failure && failure->kind == Wire::FailureKind::Denied;
        if ((++m_failures >= FailuresOfAnOutage || denied) && std::exchange(m_current, false))
            m_publish({.current = false});
        m_alarm.setAt(now + m_backoff.next(m_random));
    }
    tellTroubles();
}

void LeaderWorker::see(const Wire::KeyRead &read)
{
    const bool held = read.entry && read.entry->session;
    // Where nobody leads, the index of the key or of the store moves without any news.
    LeaderInfo leader;
    leader.key = m_key;
    if (held)
        leader = Shell::leaderFrom(m_key, *read.entry->session, read.entry->modifyIndex,
                                   Core::LockValue::fromJson(read.entry->value));
    const bool news = m_told != leader;
    const bool wasCurrent = std::exchange(m_current, true);
    if (!news && wasCurrent)
        return;
    m_told = leader;
    m_publish({.leader = news ? std::optional(leader) : std::nullopt, .current = true});
}

void LeaderWorker::tellTroubles()
{
    while (const auto output = m_outbox.take()) {
        News news{.current = m_current};
        if (const auto *seen = std::get_if<Core::TroubleSeen>(&*output)) {
            const Core::Trouble &trouble = seen->trouble;
            news.error = LeaseError{trouble.code, trouble.step, trouble.status, trouble.detail, m_key};
        } else if (const auto *over = std::get_if<Core::TroubleOver>(&*output)) {
            news.cleared = over->code;
        }
        m_publish(news);
    }
}

} // namespace Baton::Observe
