// SPDX-License-Identifier: MIT
#include "scriptedserver.h"

#include "qt/bootclock.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {

namespace {

using Kind = ScriptedAgent::Kind;

constexpr auto KvPath = "/v1/kv/"_L1;

QString lastPart(const Request &request)
{
    return request.path.section(u'/', -1);
}

QString keyIn(const Request &request)
{
    return request.path.mid(KvPath.size());
}

/// wait=50000ms or 50s, as Baton sends it.
std::chrono::milliseconds waitIn(const Request &request)
{
    const QString wait = request.query.queryItemValue(u"wait"_s);
    if (wait.endsWith("ms"_L1))
        return std::chrono::milliseconds(wait.chopped(2).toLongLong());
    return std::chrono::seconds(wait.chopped(1).toLongLong());
}

} // namespace

ScriptedAgent::Kind ScriptedAgent::kindOf(const Request &request)
{
    const bool put = request.method == "PUT";
    if (request.path == "/v1/session/create"_L1)
        return Kind::Create;
    if (put && request.path.startsWith("/v1/session/renew/"_L1))
        return Kind::Renew;
    if (put && request.path.startsWith("/v1/session/destroy/"_L1))
        return Kind::Destroy;
    if (request.path.startsWith("/v1/session/info/"_L1))
        return Kind::Info;
    if (request.path == "/v1/txn"_L1)
        return Kind::Txn;
    if (!request.path.startsWith(KvPath))
        return Kind::Other;
    if (put)
        return request.query.hasQueryItem(u"release"_s) ? Kind::Release : Kind::Other;
    return request.query.hasQueryItem(u"index"_s) ? Kind::Watch : Kind::Read;
}

void ScriptedServer::handle(const Request &request, const Responder &responder)
{
    const Kind kind = ScriptedAgent::kindOf(request);
    seen.append({kind, request, Core::bootNow()});
    Responder handle = responder;
    if (interceptor && interceptor(request, handle))
        return;
    Fault &fault = faults[kind];
    const Fault::What what = fault.times > 0 ? fault.what : Fault::What::Nothing;
    if (what != Fault::What::Nothing && fault.times != ScriptedAgent::Always)
        --fault.times;
    if (what == Fault::What::Silence)
        return;
    if (what == Fault::What::Answer)
        return deliver(kind, responder, fault.answer);
    if (what == Fault::What::Close)
        responder.close(); // Before what is done, so that a parked poll is not kept.
    const std::optional<AgentAnswer> answer = answerTo(kind, request, responder);
    wakePolls();
    if (answer)
        deliver(kind, responder, *answer);
}

/// Nothing where the answer has to wait.
std::optional<AgentAnswer> ScriptedServer::answerTo(Kind kind, const Request &request,
                                                    const Responder &responder)
{
    switch (kind) {
    case Kind::Create:
        return state.create(request.body);
    case Kind::Renew:
        return state.renew(lastPart(request));
    case Kind::Info:
        return state.info(lastPart(request));
    case Kind::Destroy:
        return state.destroy(lastPart(request));
    case Kind::Txn:
        return state.transaction(request.body);
    case Kind::Release:
        return state.release(keyIn(request), request.query.queryItemValue(u"release"_s));
    case Kind::Watch:
        park(request, responder);
        return std::nullopt;
    case Kind::Read:
        return state.read(keyIn(request));
    case Kind::Other:
        break;
    }
    if (request.path == "/v1/status/leader"_L1)
        return AgentAnswer{200, "\"127.0.0.1:8300\"", {{"Content-Type", "application/json"}}};
    return AgentAnswer{404, {}, {}};
}

void ScriptedServer::park(const Request &request, const Responder &responder)
{
    const QString polled = keyIn(request);
    m_polls.append({responder, polled, request.query.queryItemValue(u"index"_s).toULongLong()});
    responder.after(waitIn(request),
                    [this, responder, polled] { deliver(Kind::Watch, responder, state.read(polled)); });
}

void ScriptedServer::wakePolls()
{
    const auto done = [this](const Poll &poll) {
        if (poll.responder.isOpen() && state.indexOf(poll.key) > poll.after) {
            deliver(Kind::Watch, poll.responder, state.read(poll.key));
            return true;
        }
        return !poll.responder.isOpen();
    };
    m_polls.removeIf(done);
}

void ScriptedServer::deliver(Kind kind, const Responder &responder, const AgentAnswer &answer)
{
    if (faults[kind].what == Fault::What::Silence)
        return;
    const auto reply = [responder, answer] { responder.reply(answer.status, answer.body, answer.headers); };
    const std::chrono::milliseconds delay = delays[kind];
    delay > 0ms ? responder.after(delay, reply) : reply();
}

} // namespace Baton::Testing
