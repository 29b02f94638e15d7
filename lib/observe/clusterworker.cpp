// SPDX-License-Identifier: MIT
#include "clusterworker.h"

#include "workerthread.h"

#include <Baton/clusterobserver.h>
#include <qt/bootclock.h>

#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>

#include <algorithm>

using namespace std::chrono_literals;

/* When to ask and to publish. */
namespace Baton::Observe {

namespace {
/// Between two updates; the eye takes in no more.
constexpr Core::Duration PublishGap = 250ms;
/// A read that is answered at once, a long list and a slow line included.
constexpr std::chrono::milliseconds ReadTimeout = 10s;
/// What an agent that lives answers from memory.
constexpr std::chrono::milliseconds AgentTimeout = 2s;
/// Over the wait that was asked for, and the sixteenth that Consul adds.
constexpr std::chrono::milliseconds PollSlack = 3s;
/// ACLs are switched on or a token's rights changed: rarely.
constexpr Core::Duration AclsAgain = 60s;
/// Confirming a thousand doubts must not keep Consul busy.
constexpr Core::Duration ConfirmGap = 20ms;
/// A floor of so many times the last answer's time keeps an observer's share of Consul's work below a tenth.
constexpr int FloorFactor = 10;
constexpr Core::RetryPolicy Retry{100ms, 5s};
constexpr Core::RetryPolicy RefusedRetry{1s, 5s};
} // namespace

ClusterWorker::ClusterWorker(const ObserverOptions &options, Publish publish)
    : m_options(options), m_access(options), m_publish(std::move(publish)), m_state(options.prefixes),
      m_health(std::size_t(options.prefixes.size()) + 1), m_alarm(this),
      m_random(QRandomGenerator::system()->generate64())
{
    m_parts.resize(std::size_t(options.prefixes.size()) + 1);
    for (std::size_t i = 1; i < m_parts.size(); ++i) {
        m_parts[i].what = ObservedPart::Keys;
        m_parts[i].prefix = int(i) - 1;
    }
    connect(&m_alarm, &Shell::Alarm::rang, this, &ClusterWorker::turn);
}

ClusterWorker::~ClusterWorker() = default;

void ClusterWorker::start()
{
    if (m_running)
        return;
    const Core::Instant now = Core::bootNow();
    if (const QString problem = m_access.readToken(); !problem.isEmpty()) {
        m_health.refusedToStart({.trouble = ObserveTrouble::InvalidOptions, .detail = problem}, now);
        publish(now);
        return;
    }
    m_running = true;
    m_transport = std::make_unique<Shell::Transport>(m_access.base, m_access.token, this);
    m_health.started(now);
    for (Part &part : m_parts) {
        part.index.reset();
        part.dueAt = now;
        part.backoff = Core::Backoff(Retry);
    }
    m_agentDueAt = m_aclsDueAt = now;
    turn();
}

void ClusterWorker::stop()
{
    if (!m_running)
        return;
    m_running = false;
    m_transport.reset();
    for (Part &part : m_parts)
        part.call = 0;
    m_agentCall = m_aclCall = m_confirmCall = 0;
    m_health.stopped(Core::bootNow());
    m_alarm.setAt(std::nullopt);
    publish(Core::bootNow());
}

void ClusterWorker::refresh()
{
    if (!m_running)
        return;
    const Core::Instant now = Core::bootNow();
    for (Part &part : m_parts) {
        if (part.asked + floorFor(part) > now)
            continue;
        cancel(part.call);
        part.index.reset();
        part.dueAt = now;
    }
    m_agentDueAt = m_aclsDueAt = now;
    turn();
}

void ClusterWorker::setHidden(bool hidden)
{
    if (std::exchange(m_hidden, hidden) == hidden || !m_running)
        return;
    for (Part &part : m_parts)
        part.dueAt = std::min(part.dueAt, part.asked + floorFor(part));
    m_agentDueAt = std::min(m_agentDueAt, Core::bootNow() + pulse());
    turn();
}

void ClusterWorker::taken()
{
    m_taken = true;
    turn();
}

/// Asks what is due, publishes what is new, and waits for what comes next.
void ClusterWorker::turn()
{
    const Core::Instant now = Core::bootNow();
    if (m_running) {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (m_parts[i].call == 0 && m_parts[i].dueAt <= now)
                ask(i);
        }
        // What is short shares one connection, so it goes one after the other.
        if (!isShortUnderWay() && m_agentDueAt <= now)
            askAgent();
        if (!isShortUnderWay() && m_aclsDueAt <= now)
            askAcls();
        if (!isShortUnderWay() && m_confirmDueAt <= now)
            confirm();
    }
    m_state.handleTimeout(now);
    publish(now);
    rearm(now);
}

Core::Duration ClusterWorker::floorFor(const Part &part) const
{
    const Core::Duration asked = std::max(m_options.floor, ObserverOptions::LeastFloor);
    const Core::Duration floor = std::max(asked, part.took * FloorFactor);
    return m_hidden ? std::max<Core::Duration>(floor, ClusterObserver::HiddenFloor) : floor;
}

Core::Duration ClusterWorker::pulse() const
{
    return m_hidden ? ClusterObserver::HiddenFloor : ClusterObserver::PulseInterval;
}

QString ClusterWorker::subjectOf(const Part &part) const
{
    return part.prefix < 0 ? QString() : m_options.prefixes[part.prefix];
}

ReadTimes ClusterWorker::timesOf(Core::Instant asked, Core::Instant answered) const
{
    const std::chrono::milliseconds wall{QDateTime::currentMSecsSinceEpoch()};
    return {asked, answered, wall - Core::bootNow().time_since_epoch(), m_roundTrip};
}

void ClusterWorker::ask(std::size_t index)
{
    Part &part = m_parts[index];
    Wire::Query query = Wire::ListSessions{part.index, m_options.wait};
    if (part.what == ObservedPart::Keys)
        query = Wire::ListKeys{subjectOf(part), part.index, m_options.wait};
    part.parked = part.index.has_value();
    part.asked = Core::bootNow();
    const auto total = part.parked ? m_options.wait + m_options.wait / 16 + PollSlack : ReadTimeout;
    part.call = m_transport->send(
        Wire::encodeQuery(query, m_access.scope), total,
        [this, index, query](const Wire::HttpAnswer &answer) { answered(index, query, answer); });
}

void ClusterWorker::answered(std::size_t index, const Wire::Query &query, const Wire::HttpAnswer &answer)
{
    WorkerThread::endWithProcess();
    const Core::Instant now = Core::bootNow();
    Part &part = m_parts[index];
    part.call = 0;
    const Wire::QueryReply reply = Wire::decodeQuery(query, answer);
    if (const auto *failure = std::get_if<Wire::Failure>(&reply)) {
        failed(index, errorOf(*failure, answer.exchange, part.what, subjectOf(part)));
        turn();
        return;
    }
    if (!part.parked)
        m_roundTrip = now - part.asked;
    const ReadTimes times = timesOf(part.asked, now);
    std::optional<quint64> next;
    if (const auto *sessions = std::get_if<Wire::SessionsListed>(&reply)) {
        m_state.sessionsRead(*sessions, times);
        next = sessions->header.index;
    } else if (const auto *keys = std::get_if<Wire::KeysListed>(&reply)) {
        m_state.keysRead(part.prefix, *keys, times);
        next = keys->header.index;
    }
    // An index that is missing or runs backwards says nothing: start again from the beginning, at a calm
    // pace.
    part.index = next && next >= part.index ? next : std::nullopt;
    part.took = (Core::bootNow() - now) + (part.parked ? Core::Duration{} : now - part.asked);
    part.backoff.reset();
    part.dueAt = std::max(now, part.asked + floorFor(part));
    m_health.answered(index, now);
    turn();
}

void ClusterWorker::failed(std::size_t index, const ObserveError &error)
{
    const Core::Instant now = Core::bootNow();
    Part &part = m_parts[index];
    part.backoff.use(needsMending(error.trouble) ? RefusedRetry : Retry);
    part.dueAt = now + part.backoff.next(m_random);
    // The agent may be another one when it comes back, whose index has not come as far.
    if (error.trouble != ObserveTrouble::ServerError)
        part.index.reset();
    m_state.failed(part.what, part.prefix, error);
    m_health.failed(index, error, now);
}

void ClusterWorker::askAgent()
{
    m_agentDueAt = Core::bootNow() + pulse();
    m_agentCall = m_transport->send(Wire::encodeQuery(Wire::AskLeader{}, m_access.scope), AgentTimeout,
                                    [this](const Wire::HttpAnswer &answer) { agentAnswered(answer); });
}

void ClusterWorker::agentAnswered(const Wire::HttpAnswer &answer)
{
    WorkerThread::endWithProcess();
    m_agentCall = 0;
    const Core::Instant now = Core::bootNow();
    const Wire::QueryReply reply = Wire::decodeQuery(Wire::AskLeader{}, answer);
    if (const auto *failure = std::get_if<Wire::Failure>(&reply)) {
        const ObserveError error = errorOf(*failure, answer.exchange, ObservedPart::Agent);
        m_health.agentFailed(error, now);
        if (m_health.agentFailures() > 1)
            giveUpPolls(error);
    } else {
        const bool wasAway = m_health.agentFailures() > 1;
        m_health.agentAnswered(!std::get<Wire::ConsulLeader>(reply).address.isEmpty(), now);
        for (Part &part : m_parts) {
            if (wasAway && part.call == 0)
                part.dueAt = std::min(part.dueAt, now);
        }
    }
    turn();
}

/// An agent that does not answer has not kept the long polls either; waiting for their own time-outs would
/// take the longer.
void ClusterWorker::giveUpPolls(const ObserveError &error)
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        Part &part = m_parts[i];
        if (part.call == 0 || !part.parked)
            continue;
        cancel(part.call);
        ObserveError own = error;
        own.part = part.what;
        own.subject = subjectOf(part);
        failed(i, own);
    }
}

void ClusterWorker::askAcls()
{
    m_aclsDueAt = Core::bootNow() + AclsAgain;
    m_aclCall = m_transport->send(Wire::encodeQuery(Wire::AskAcls{}, m_access.scope), AgentTimeout,
                                  [this](const Wire::HttpAnswer &answer) {
                                      m_aclCall = 0;
                                      const Wire::QueryReply reply =
                                          Wire::decodeQuery(Wire::AskAcls{}, answer);
                                      if (const auto *acls = std::get_if<Wire::AclState>(&reply))
                                          m_state.aclsKnown(acls->mayHide);
                                      else
                                          m_aclsDueAt = std::min(m_aclsDueAt, Core::bootNow() + pulse());
                                      turn();
                                  });
}

void ClusterWorker::confirm()
{
    const Core::Instant asked = Core::bootNow();
    const auto request = m_state.wanted(asked);
    if (!request)
        return;
    m_confirmCall =
        m_transport->send(Wire::encode(*request, m_access.scope), AgentTimeout,
                          [this, asked, request = *request](const Wire::HttpAnswer &answer) {
                              m_confirmCall = 0;
                              const Core::Instant now = Core::bootNow();
                              m_confirmDueAt = now + ConfirmGap;
                              m_state.confirmed(request, Wire::decode(request, answer), timesOf(asked, now));
                              turn();
                          });
}

void ClusterWorker::cancel(quint64 &call)
{
    if (call != 0)
        m_transport->cancel(std::exchange(call, 0));
}

ConnectionReport ClusterWorker::makeReport(Core::Instant now)
{
    ConnectionReport report = m_health.report(now);
    const auto consider = [&report](const Provenance &read) {
        if (read.answered)
            report.dataFrom = std::min(report.dataFrom.value_or(*read.answered), *read.answered);
        report.index = std::max(report.index, read.index.value_or(0));
        report.knownLeader = report.knownLeader && read.knownLeader;
    };
    report.knownLeader = true;
    report.index = 0;
    report.dataFrom.reset();
    consider(m_state.sessionsProvenance());
    for (const PrefixReport &prefix : m_state.prefixReports())
        consider(prefix.read);
    report.knownLeader = report.knownLeader && report.dataFrom;
    report.retryAt.reset();
    for (const Part &part : m_parts) {
        report.connections += part.call != 0;
        if (m_running && part.call == 0 && part.dueAt > now && !report.error.isOk())
            report.retryAt = std::min(report.retryAt.value_or(part.dueAt.time_since_epoch()),
                                      part.dueAt.time_since_epoch());
    }
    report.connections += isShortUnderWay();
    return report;
}

void ClusterWorker::publish(Core::Instant now)
{
    Update update;
    update.report = makeReport(now);
    const bool urgent = update.report.state != m_told.state || update.report.error != m_told.error
        || update.report.degraded != m_told.degraded;
    const bool due = now >= m_publishedAt + PublishGap;
    if (m_taken && due && m_running && m_state.isChanged() && m_state.isComplete(now)) {
        update.snapshot = m_state.takeSnapshot(now);
        update.delta = m_state.takeDelta();
        m_taken = false;
        m_publishedAt = now;
    } else if (!urgent && !(now >= m_toldAt + PublishGap && update.report.heard != m_told.heard)) {
        return;
    }
    m_toldAt = now;
    m_told = update.report;
    m_publish(std::move(update));
}

void ClusterWorker::rearm(Core::Instant now)
{
    if (!m_running)
        return;
    std::optional<Core::Instant> next;
    const auto consider = [&next](std::optional<Core::Instant> instant) {
        if (instant)
            next = std::min(next.value_or(*instant), *instant);
    };
    for (const Part &part : m_parts) {
        if (part.call == 0)
            consider(part.dueAt);
    }
    if (!isShortUnderWay()) {
        consider(std::min(m_agentDueAt, m_aclsDueAt));
        if (m_confirmDueAt > now)
            consider(m_confirmDueAt);
    }
    consider(m_health.nextTimeout());
    // What is overdue waits for something else than time.
    if (const auto due = m_state.nextTimeout(); due && *due > now)
        consider(due);
    if (m_state.isChanged() && m_taken && m_publishedAt + PublishGap > now)
        consider(m_publishedAt + PublishGap);
    m_alarm.setAt(next);
}

} // namespace Baton::Observe
