// SPDX-License-Identifier: MIT
#include "observecommand.h"

#include "commandline.h"
#include "optionreader.h"

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
const QString LsDescription = uR"(Lists the elections of a Consul: who leads, since when, with which token.

Exit: 0 listed (also where there is none), 64 wrong option, 69 Consul cannot be read, 74 nobody reads standard
output.)"_s;
const QString WatchDescription =
    uR"(Says what changes in the elections of a Consul, from now on, until it is told to stop.

Begins with a line for each election as it is. Outages are told of and end by themselves.

SIGTERM and SIGINT end it. Exit: 0 ended by a signal, 64 wrong option, 66 the token file cannot be read, 74 nobody
reads standard output.)"_s;

void addCommonOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"prefix"_s, u"Where elections are looked for; up to four times. Default: service/."_s, u"PREFIX"_s},
        {u"address"_s, u"Consul's agent. Default: http://127.0.0.1:8500."_s, u"URL"_s},
        {u"datacenter"_s, u"Datacenter. Default: the agent's own."_s, u"DC"_s},
        {u"token-file"_s, u"File with the ACL token."_s, u"FILE"_s},
        {{u"h"_s, u"help"_s}, u"Show this help."_s},
        {u"version"_s, u"Show the version."_s},
    });
}

void addLsOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(LsDescription);
    parser.addOptions({
        {u"json"_s, u"One JSON object a line instead of a table."_s},
        {u"timeout"_s, u"How long to wait for Consul. Default: 10s."_s, u"DURATION"_s},
    });
    addCommonOptions(parser);
}

void addWatchOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(WatchDescription);
    parser.addOptions({
        {u"service"_s, u"Only this election; its lock key is service/NAME/leader."_s, u"NAME"_s},
        {u"json"_s, u"One JSON object a line instead of text."_s},
        {u"sessions"_s, u"Tell of sessions that come and go, too."_s},
    });
    addCommonOptions(parser);
}

/// A message of ObserverOptions::validate(), which begins with the field, in the words of the program.
QString inWordsOfTheProgram(QString message, const OptionReader &reader)
{
    const struct
    {
        QLatin1StringView field;
        QLatin1StringView option;
        QLatin1StringView variable;
    } names[] = {
        {"address:"_L1, "address"_L1, "CONSUL_HTTP_ADDR"_L1},
        {"tokenFile:"_L1, "token-file"_L1, "CONSUL_HTTP_TOKEN_FILE"_L1},
        {"token:"_L1, {}, "CONSUL_HTTP_TOKEN"_L1},
        {"prefixes:"_L1, "prefix"_L1, {}},
    };
    for (const auto &name : names) {
        if (!message.startsWith(name.field))
            continue;
        const bool byVariable =
            name.option.isEmpty() || (!name.variable.isEmpty() && !reader.isSet(QString(name.option)));
        const QString shown = byVariable ? QString(name.variable) : u"--"_s + name.option;
        message.replace(0, name.field.size() - 1, shown);
    }
    return message;
}

void readService(OptionReader &reader, ObserveCommand &command)
{
    const auto service = reader.value(u"service"_s);
    if (!service)
        return;
    if (reader.isSet(u"prefix"_s))
        reader.refuse(u"service"_s, u"cannot be given together with --prefix"_s);
    command.key = u"service/%1/leader"_s.arg(*service);
    command.options.prefixes = {command.key};
}

ObserveCommand parse(const QString &name, void (*add)(QCommandLineParser &parser), const QStringList &words,
                     const QProcessEnvironment &environment)
{
    ObserveCommand command;
    OptionReader reader(name, add, words);
    if (reader.isSet(u"help"_s)) {
        command.answer =
            u"Usage: %1 [OPTION ...]\n"_s.arg(name) + reader.parser().helpText().section(u'\n', 1);
        return command;
    }
    if (reader.isSet(u"version"_s)) {
        command.answer = QStringLiteral("baton " BATON_VERSION "\n");
        return command;
    }
    ObserverOptions &options = command.options;
    options = ObserverOptions::fromEnvironment(environment);
    reader.read(u"address"_s, options.address);
    reader.read(u"datacenter"_s, options.datacenter);
    reader.read(u"token-file"_s, options.tokenFile);
    if (reader.isSet(u"token-file"_s))
        options.token.clear();
    if (reader.isSet(u"prefix"_s))
        options.prefixes = reader.parser().values(u"prefix"_s);
    command.json = reader.isSet(u"json"_s);
    if (add == addWatchOptions) {
        readService(reader, command);
        command.sessions = reader.isSet(u"sessions"_s);
    } else {
        std::optional<std::chrono::milliseconds> timeout;
        reader.read(u"timeout"_s, timeout);
        command.timeout = timeout.value_or(command.timeout);
    }
    const QStringList problems = options.validate();
    if (!problems.isEmpty())
        reader.refuse(inWordsOfTheProgram(problems.first(), reader));
    command.error = printable(reader.error());
    return command;
}
} // namespace

ObserveCommand parseLs(const QStringList &words, const QProcessEnvironment &environment)
{
    return parse(u"baton ls"_s, addLsOptions, words, environment);
}

ObserveCommand parseWatch(const QStringList &words, const QProcessEnvironment &environment)
{
    return parse(u"baton watch"_s, addWatchOptions, words, environment);
}

} // namespace Baton::Tools
