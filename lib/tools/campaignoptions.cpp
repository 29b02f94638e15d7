// SPDX-License-Identifier: MIT
#include "campaignoptions.h"

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
const QString Usage = u"Usage: baton campaign --service NAME [OPTION ...]\n"_s;

const QString Description = uR"(Campaigns for leadership of one election until it is told to stop.

Writes one JSON object a line to standard output: started, session, waiting, acquired, renewed, at_risk, safe,
lost, released, leader, error, written, rejected, status, stopped. Each term ends with released (in order) or
lost. Reads commands, a line each, from standard input:
  release          give leadership up, and do not campaign until resume
  resume           campaign again
  write KEY VALUE  a fenced write into Consul's KV: done only while leading
  status           say what it is doing
  quit             give leadership up in order and end

SIGTERM and SIGINT end it in order, a second one at once. Durations are written as 500ms, 10s, 1m30s. Options
win over CONSUL_HTTP_ADDR, CONSUL_HTTP_TOKEN and the other variables of Consul's own tools.

Exit: 0 ended in order, 64 wrong option, 66 the token file cannot be read, 74 nobody reads standard output,
128 + N ended at once by signal N.)"_s;
} // namespace

void addCampaignOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(Description);
    parser.addOptions({
        {u"service"_s, u"Election; the lock key is service/NAME/leader."_s, u"NAME"_s},
        {u"key"_s, u"The lock key itself, instead of --service."_s, u"KEY"_s},
        {u"address"_s, u"Consul's agent. Default: http://127.0.0.1:8500."_s, u"URL"_s},
        {u"datacenter"_s, u"Datacenter. Default: the agent's own."_s, u"DC"_s},
        {u"token-file"_s, u"File with the ACL token."_s, u"FILE"_s},
        {u"profile"_s, u"conservative or balanced (default); fast is not available yet."_s, u"PROFILE"_s},
        {u"ttl"_s, u"TTL of the session, 10s to 24h. Default: 10s."_s, u"DURATION"_s},
        {u"lock-delay"_s, u"Lock-delay, 0s to 60s. Default: 9s (conservative: 15s)."_s, u"DURATION"_s},
        {u"margin"_s, u"Safety margin taken off the TTL. Default: 2s."_s, u"DURATION"_s},
        {u"renew-interval"_s, u"Between two renewals. Default: min(ttl / 3, lock-delay / 4)."_s,
         u"DURATION"_s},
        {u"stop-timeout"_s, u"Bound for an orderly end. Default: 5s."_s, u"DURATION"_s},
        {u"heartbeat"_s, u"Of the profile fast, which is not available yet."_s, u"DURATION"_s},
        {u"allow-short-ttl"_s, u"Accept a TTL under 10s, for servers that do."_s},
        {u"instance"_s, u"Name of this candidate. Default: HOST-PID."_s, u"ID"_s},
        {u"token-floor"_s, u"Fencing tokens must be greater than this. Default: 0."_s, u"N"_s},
        {u"quit-on-eof"_s, u"End in order when standard input ends."_s},
        {{u"h"_s, u"help"_s}, u"Show this help."_s},
        {u"version"_s, u"Show the version."_s},
    });
}

QString campaignHelp(const QCommandLineParser &parser)
{
    // Qt's own first line knows nothing of commands.
    return Usage + parser.helpText().section(u'\n', 1);
}

} // namespace Baton::Tools
