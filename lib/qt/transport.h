// SPDX-License-Identifier: MIT
#pragma once

#include "alarm.h"
#include "consul/codec.h"

#include <QtCore/QObject>
#include <QtCore/QUrl>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>

QT_BEGIN_NAMESPACE
class QNetworkAccessManager;
class QNetworkReply;
QT_END_NAMESPACE

namespace Baton::Shell {

/*!
 * Carries HTTP calls to one Consul agent and reports how each exchange went; it knows nothing of what they
 * mean and repeats nothing. Long polls and work go through network managers of their own, made when first
 * needed, neither of which is ever given more than MaxRunning calls: QNetworkAccessManager opens six
 * connections a host and lets the rest wait behind them. Further calls wait here, first come first served, on
 * their own time.
 *
 * Threads: everything, callbacks included, in the thread it lives in, which needs an event loop.
 * Clock: total times count suspend, from the instant of send().
 * A callback runs at most once, never inside send() or cancel(), and may do anything: send, cancel others,
 * destroy the transport. After cancel() or destruction it does not run.
 * The ACL token travels in the header X-Consul-Token and nowhere else.
 */
class Transport : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(Wire::HttpAnswer answer)>;

    static constexpr int MaxRunning = 5;

    /// \a base is `http://host:port`; a path in it goes before every call's target.
    explicit Transport(const QUrl &base, const QByteArray &token = {}, QObject *parent = nullptr);
    ~Transport() override;

    /// For calls that are started from now on; empty sends no token.
    void setToken(const QByteArray &token);

    /// Returns the number by which cancel() knows the call. TimedOut after \a total, whatever arrived until
    /// then.
    quint64 send(const Wire::HttpCall &call, std::chrono::milliseconds total, Done done);
    void cancel(quint64 id);

private:
    using Manager = std::shared_ptr<QNetworkAccessManager>;
    struct Lane
    {
        Manager manager; ///< Takes the next call.
        std::deque<quint64> waiting;
        int running = 0;
    };
    struct Call
    {
        Wire::HttpCall request;
        Core::Instant deadline;
        Done done;
        Manager manager = {}; ///< The one it runs on; null while it waits.
        QNetworkReply *reply = nullptr; ///< Null while it waits.
        bool sent = false; ///< The whole request has been written to a connection.
        QByteArray body = {};
    };

    Lane &laneOf(const Wire::HttpCall &call);
    void startWaiting(Lane &lane);
    void start(quint64 id, Lane &lane);
    bool drain(quint64 id);
    void replyFinished(quint64 id);
    void deadlinePassed();
    void finish(quint64 id, Wire::HttpAnswer answer);
    Call remove(quint64 id);
    void rearm();

    QUrl m_base;
    QByteArray m_token;
    std::map<quint64, Call> m_calls;
    Lane m_work;
    Lane m_watch;
    Alarm m_alarm;
    quint64 m_lastId = 0;
};

} // namespace Baton::Shell
