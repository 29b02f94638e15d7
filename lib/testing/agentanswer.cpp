// SPDX-License-Identifier: MIT
#include "agentanswer.h"

namespace Baton::Testing {

AgentAnswer jsonAnswer(const QByteArray &body, int status)
{
    return {status, body, {{"Content-Type", "application/json"}, {"Vary", "Accept-Encoding"}}};
}

AgentAnswer textAnswer(int status, const QString &text)
{
    return {
        status, text.toUtf8(), {{"Vary", "Accept-Encoding"}, {"Content-Type", "text/plain; charset=utf-8"}}};
}

AgentAnswer withHeaders(AgentAnswer answer, const Headers &headers)
{
    answer.headers += headers;
    return answer;
}

} // namespace Baton::Testing
