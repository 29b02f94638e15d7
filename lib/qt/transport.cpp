// SPDX-License-Identifier: MIT
#include "transport.h"

#include "bootclock.h"
#include "networkcall.h"

#include <QtCore/QThread>
#include <QtNetwork/QNetworkReply>

#include <algorithm>

namespace Baton::Shell {

using Wire::Exchange;

Transport::Transport(const QUrl &base, const QByteArray &token, QObject *parent)
    : QObject(parent), m_base(base), m_token(token), m_alarm(this)
{
    connect(&m_alarm, &Alarm::rang, this, &Transport::deadlinePassed);
}

Transport::~Transport()
{
    while (!m_calls.empty())
        remove(m_calls.begin()->first);
}

void Transport::setToken(const QByteArray &token)
{
    m_token = token;
}

quint64 Transport::send(const Wire::HttpCall &call, std::chrono::milliseconds total, Done done)
{
    Q_ASSERT(QThread::currentThread() == thread());
    Q_ASSERT(call.method == "GET" || call.method == "PUT");
    const quint64 id = ++m_lastId;
    m_calls.emplace(id, Call{call, Core::bootNow() + total, std::move(done)});
    Lane &lane = laneOf(call);
    lane.waiting.push_back(id);
    startWaiting(lane);
    rearm();
    return id;
}

void Transport::cancel(quint64 id)
{
    if (!m_calls.contains(id))
        return;
    const Call call = remove(id);
    startWaiting(laneOf(call.request));
    rearm();
}

Transport::Lane &Transport::laneOf(const Wire::HttpCall &call)
{
    return call.role == Wire::Role::Watch ? m_watch : m_work;
}

void Transport::startWaiting(Lane &lane)
{
    while (lane.running < MaxRunning && !lane.waiting.empty()) {
        const quint64 id = lane.waiting.front();
        lane.waiting.pop_front();
        start(id, lane);
    }
}

void Transport::start(quint64 id, Lane &lane)
{
    if (!lane.manager)
        lane.manager = makeManager();
    Call &call = m_calls.at(id);
    call.manager = lane.manager;
    call.reply = launch(*call.manager, call.request, m_base, m_token);
    ++lane.running;
    connect(call.reply, &QNetworkReply::requestSent, this, [this, id] { m_calls.at(id).sent = true; });
    connect(call.reply, &QNetworkReply::readyRead, this, [this, id] { drain(id); });
    connect(call.reply, &QNetworkReply::finished, this, [this, id] { replyFinished(id); });
}

bool Transport::drain(quint64 id)
{
    Call &call = m_calls.at(id);
    call.body += call.reply->readAll();
    if (call.body.size() <= call.request.answerLimit)
        return true;
    Wire::HttpAnswer answer = answerOf(*call.reply, {}, call.sent);
    answer.exchange = Exchange::TooLarge;
    answer.errorText = QStringLiteral("The answer is longer than %1 bytes").arg(call.request.answerLimit);
    finish(id, std::move(answer));
    return false;
}

void Transport::replyFinished(quint64 id)
{
    if (!drain(id))
        return;
    const Call &call = m_calls.at(id);
    finish(id, answerOf(*call.reply, call.body, call.sent));
}

void Transport::deadlinePassed()
{
    // One call a ring, since a callback may destroy the transport; the next one due rings at the next turn.
    const auto first =
        std::ranges::min_element(m_calls, {}, [](const auto &entry) { return entry.second.deadline; });
    if (first == m_calls.end())
        return;
    const Call &call = first->second;
    Lane &lane = laneOf(call.request);
    // The idle connections that this manager keeps may be as dead as the one that brought no answer, and each
    // would cost the next call its whole time. So that call gets a manager with fresh ones; this one goes
    // when the calls that still run on it are over.
    if (call.manager == lane.manager)
        lane.manager.reset();
    Wire::HttpAnswer answer;
    answer.exchange = Exchange::TimedOut;
    answer.errorText = QStringLiteral("No complete answer in time");
    finish(first->first, std::move(answer));
}

void Transport::finish(quint64 id, Wire::HttpAnswer answer)
{
    const Call call = remove(id);
    startWaiting(laneOf(call.request));
    rearm();
    call.done(std::move(answer)); // Last, since it may destroy the transport.
}

Transport::Call Transport::remove(quint64 id)
{
    Call call = std::move(m_calls.extract(id).mapped());
    Lane &lane = laneOf(call.request);
    if (!call.reply) {
        std::erase(lane.waiting, id);
        return call;
    }
    --lane.running;
    // Its destructor ends what still runs. abort() would emit finished() from here, and warn about a reply
    // whose error has come but whose end has not.
    call.reply->disconnect(this);
    call.reply->deleteLater();
    return call;
}

void Transport::rearm()
{
    std::optional<Core::Instant> first;
    for (const auto &[id, call] : m_calls)
        first = std::min(first.value_or(call.deadline), call.deadline);
    if (m_alarm.at() != first)
        m_alarm.setAt(first);
}

} // namespace Baton::Shell
