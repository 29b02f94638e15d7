// SPDX-License-Identifier: MIT
#include "agentcommand.h"

#include "commandline.h"
#include "exitcodes.h"
#include "optionreader.h"
#include "unixsignals.h"

#include <Baton/embeddedagent.h>

#include <QtCore/QCoreApplication>
#include <QtNetwork/QHostAddress>

#include <cstdio>
#include <limits>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Tools {

namespace {
const QString Usage = u"Usage: baton agent [OPTION ...]\n"_s;

const QString Description =
    uR"(A simulated Consul for tests and demonstrations: one agent that is the only server of its datacenter. Sessions,
keys, transactions, checks, services and blocking queries, answered as Consul 1.8.7 does; nothing is stored, and
it is gone with the process. It is no Consul, and not meant for open networks.

When it listens it writes one line to standard output, which ends with its URL:
  simulated Consul, node embedded, datacenter dc1: http://127.0.0.1:PORT

SIGTERM and SIGINT end it, a second one at once. Durations are written as 500ms, 10s, 1m30s.

Exit: 0 ended by a signal, 64 wrong option, 69 the address cannot be had, 74 standard output cannot be written,
128 + N ended at once by signal N.)"_s;

void addOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(Description);
    parser.addOptions({
        {u"port"_s, u"Port, 0 to 65535. Default: 0, any that is free."_s, u"N"_s},
        {u"bind"_s, u"IP address to listen on. Default: 127.0.0.1."_s, u"ADDRESS"_s},
        {u"node"_s, u"Name of its node. Default: embedded."_s, u"NAME"_s},
        {u"datacenter"_s, u"Name of its datacenter. Default: dc1."_s, u"DC"_s},
        {u"session-ttl-min"_s, u"The shortest TTL that a session may have, 1ms to 24h. Default: 10s."_s,
         u"DURATION"_s},
        {{u"h"_s, u"help"_s}, u"Show this help."_s},
        {u"version"_s, u"Show the version."_s},
    });
}

void readValues(OptionReader &reader, AgentCommand &command)
{
    if (const auto text = reader.value(u"port"_s)) {
        bool isNumber = false;
        command.port = text->toUShort(&isNumber);
        if (!isNumber)
            reader.refuse(u"port"_s, u"'%1' is not a whole number from 0 to 65535"_s.arg(*text));
    }
    reader.read(u"bind"_s, command.bind);
    if (QHostAddress(command.bind).isNull())
        reader.refuse(u"bind"_s, u"'%1' is not an IP address"_s.arg(command.bind));
    reader.read(u"node"_s, command.node);
    reader.read(u"datacenter"_s, command.datacenter);
    std::optional<std::chrono::milliseconds> ttl;
    reader.read(u"session-ttl-min"_s, ttl);
    if (!ttl)
        return;
    if (*ttl < 1ms || *ttl > 24h)
        reader.refuse(u"session-ttl-min"_s,
                      u"%1 is not from 1ms to 24h"_s.arg(reader.parser().value(u"session-ttl-min"_s)));
    command.sessionTtlMin = *ttl;
}
} // namespace

AgentCommand parseAgent(const QStringList &words)
{
    AgentCommand command;
    OptionReader reader(u"baton agent"_s, addOptions, words);
    if (reader.isSet(u"help"_s)) {
        // Qt's own first line knows nothing of commands.
        command.answer = Usage + reader.parser().helpText().section(u'\n', 1);
        return command;
    }
    if (reader.isSet(u"version"_s)) {
        command.answer = QStringLiteral("baton " BATON_VERSION "\n");
        return command;
    }
    readValues(reader, command);
    command.error = printable(reader.error());
    return command;
}

int runAgent(const AgentCommand &command)
{
    Testing::EmbeddedAgent agent;
    agent.setBindAddress(command.bind);
    agent.setPort(command.port);
    agent.setNodeName(command.node);
    agent.setDatacenter(command.datacenter);
    agent.setSessionTtlMin(command.sessionTtlMin);
    UnixSignals unixSignals;
    QObject::connect(
        &unixSignals, &UnixSignals::termination, &agent, [] { QCoreApplication::exit(ExitOk); },
        Qt::QueuedConnection);
    if (!agent.start()) {
        fprintf(stderr, "baton agent: %s\n", qUtf8Printable(printable(agent.errorString())));
        return ExitUnavailable;
    }
    printf("simulated Consul, node %s, datacenter %s: %s\n", qUtf8Printable(printable(command.node)),
           qUtf8Printable(printable(command.datacenter)), qUtf8Printable(agent.address()));
    // Whoever started it cannot know where it listens; later it says nothing, so nobody need read on.
    if (fflush(stdout) != 0) {
        fprintf(stderr, "baton agent: standard output cannot be written\n");
        return ExitIoError;
    }
    return QCoreApplication::exec();
}

} // namespace Baton::Tools
