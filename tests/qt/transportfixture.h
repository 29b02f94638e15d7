// SPDX-License-Identifier: MIT
#pragma once

#include "qt/transport.h"
#include "testing/httpface.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <chrono>
#include <deque>
#include <optional>

/// What the tests of the transport share: an agent that does as the test says, and calls with their answers.
namespace TransportFixture {

using namespace Baton::Testing;
using Baton::Shell::Transport;
using Baton::Wire::Exchange;
using Baton::Wire::HttpAnswer;
using Baton::Wire::HttpCall;
using Baton::Wire::Role;

/// What has not happened after this long never will.
inline constexpr int Patience = 10'000;
/// The total time of calls that are not meant to time out: longer than a test waits for what else should happen.
inline constexpr std::chrono::milliseconds Enough{2 * Patience};

/// Keeps every exchange; once a script is set, hands them to it instead.
struct Agent
{
    explicit Agent(const QHostAddress &address = QHostAddress::LocalHost)
    {
        if (!face.listen(address))
            qFatal("No free port");
    }

    std::function<void(const Request &, const Responder &)> script;
    std::deque<Request> requests;
    std::deque<Responder> parked;
    HttpFace face{[this](const Request &request, const Responder &responder) {
        requests.push_back(request);
        if (script)
            script(request, responder);
        else
            parked.push_back(responder);
    }};
};

inline HttpCall get(Role role = Role::Work)
{
    return {.method = "GET",
            .target = "/v1/kv/x?consistent",
            .body = {},
            .role = role,
            .once = false,
            .answerLimit = 1 << 20};
}

inline HttpCall put(const QByteArray &body = {}, bool once = false)
{
    return {.method = "PUT",
            .target = "/v1/x",
            .body = body,
            .role = Role::Work,
            .once = once,
            .answerLimit = 1 << 20};
}

/// Sends \a call and turns the event loop until it is answered.
inline HttpAnswer ask(Transport &transport, const HttpCall &call, std::chrono::milliseconds total = Enough)
{
    QEventLoop loop;
    std::optional<HttpAnswer> answer;
    const auto done = [&](HttpAnswer got) {
        answer = std::move(got);
        loop.quit();
    };
    transport.send(call, total, done);
    QTimer::singleShot(2 * Enough, &loop, &QEventLoop::quit);
    loop.exec();
    if (!answer)
        qFatal("A call was never answered");
    return *answer;
}

/// Turns the event loop until \a condition holds; quicker than QTRY_VERIFY, which looks every 50 ms.
template <typename Condition>
bool turnUntil(Condition condition)
{
    bool patient = true;
    const QTimer guard;
    QTimer::singleShot(Patience, &guard, [&patient] { patient = false; });
    while (patient && !condition())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return condition();
}

/// One answered call, after which the transport keeps its connection.
inline void warmUp(Transport &transport, Agent &agent)
{
    const auto script =
        std::exchange(agent.script, [](const Request &, const Responder &r) { r.reply(200, "warm"); });
    QCOMPARE(ask(transport, get()).body, "warm");
    agent.script = script;
    agent.requests.clear();
}

} // namespace TransportFixture

Q_DECLARE_METATYPE(Baton::Wire::Exchange)
