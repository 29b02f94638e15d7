// SPDX-License-Identifier: MIT
#pragma once

#include "httpface.h"
#include "scriptedagent.h"

#include <map>

namespace Baton::Testing {

/// The part of a ScriptedAgent that lives in the thread that answers.
class ScriptedServer : public QObject
{
public:
    using Kind = ScriptedAgent::Kind;
    struct Fault
    {
        enum class What { Nothing, Answer, Silence, Close };
        What what = What::Nothing;
        AgentAnswer answer = {};
        int times = ScriptedAgent::Always;
    };

    explicit ScriptedServer(const QString &lockKey) : key(lockKey) { }

    /// Answers the polls whose key has moved.
    void wakePolls();

    const QString key;
    HttpFace face{[this](const Request &request, const Responder &responder) { handle(request, responder); },
                  this};
    quint16 port = 0;
    AgentState state;
    ScriptedAgent::Interceptor interceptor;
    std::map<Kind, Fault> faults;
    std::map<Kind, std::chrono::milliseconds> delays;
    QList<ScriptedAgent::Seen> seen;

private:
    struct Poll
    {
        Responder responder;
        QString key;
        quint64 after = 0;
    };

    void handle(const Request &request, const Responder &responder);
    std::optional<AgentAnswer> answerTo(Kind kind, const Request &request, const Responder &responder);
    void park(const Request &request, const Responder &responder);
    void deliver(Kind kind, const Responder &responder, const AgentAnswer &answer);

    QList<Poll> m_polls;
};

} // namespace Baton::Testing
