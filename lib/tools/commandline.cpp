// SPDX-License-Identifier: MIT
#include "commandline.h"

#include <QtCore/QCommandLineParser>

#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
struct Problem
{
    QString text;
};

const QString Description = uR"(Campaigns for leadership of one election until it is told to stop.

Writes one JSON object a line to standard output: started, session, waiting, acquired, renewed, at_risk, safe,
lost, released, leader, error, written, rejected, status, stopped. Reads commands, a line each, from standard input:
  release          give leadership up and wait
  resume           campaign again
  write KEY VALUE  a fenced write into Consul's KV, only while leading
  status           say what it is doing
  quit             give up in order and end

SIGTERM and SIGINT end it in order, a second one at once. Durations are written as 500ms, 10s, 1m30s. Options win over
CONSUL_HTTP_ADDR, CONSUL_HTTP_TOKEN and the other variables of Consul's own tools.)"_s;

/// A field of LeaseOptions as a user of the program knows it.
struct OptionOf
{
    QLatin1StringView field;
    QLatin1StringView option;
};
constexpr std::array OptionNames{
    OptionOf{"serviceName"_L1, "service"_L1},      OptionOf{"key"_L1, "key"_L1},
    OptionOf{"address"_L1, "address"_L1},          OptionOf{"datacenter"_L1, "datacenter"_L1},
    OptionOf{"profile"_L1, "profile"_L1},          OptionOf{"ttl"_L1, "ttl"_L1},
    OptionOf{"lockDelay"_L1, "lock-delay"_L1},     OptionOf{"margin"_L1, "margin"_L1},
    OptionOf{"instanceId"_L1, "instance"_L1},      OptionOf{"renewInterval"_L1, "renew-interval"_L1},
    OptionOf{"tokenFile"_L1, "token-file"_L1},     OptionOf{"tokenFloor"_L1, "token-floor"_L1},
    OptionOf{"stopTimeout"_L1, "stop-timeout"_L1},
};

void addOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(Description);
    parser.addOptions({
        {u"service"_s, u"Election; the lock key is service/NAME/leader."_s, u"NAME"_s},
        {u"key"_s, u"The lock key itself, instead of --service."_s, u"KEY"_s},
        {u"address"_s, u"Consul's agent. Default: 127.0.0.1:8500."_s, u"URL"_s},
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
        {u"token-floor"_s, u"Tokens must be greater than this."_s, u"N"_s},
        {u"quit-on-eof"_s, u"End in order when standard input ends."_s},
        {{u"h"_s, u"help"_s}, u"Show this help."_s},
    });
}

void readDuration(const QCommandLineParser &parser, const QString &name,
                  std::optional<std::chrono::milliseconds> &field)
{
    if (!parser.isSet(name))
        return;
    field = parseDuration(parser.value(name));
    if (!field)
        throw Problem{u"--%1: '%2' is not a duration such as 500ms or 10s"_s.arg(name, parser.value(name))};
}

Profile readProfile(const QString &text)
{
    for (const Profile profile : {Profile::Conservative, Profile::Balanced, Profile::Fast}) {
        if (text == tag(profile))
            return profile;
    }
    throw Problem{u"--profile: '%1' is none of conservative, balanced, fast"_s.arg(text)};
}

void readOptions(const QCommandLineParser &parser, LeaseOptions &options)
{
    const auto text = [&](const QString &name, QString &field) {
        if (parser.isSet(name))
            field = parser.value(name);
    };
    text(u"service"_s, options.serviceName);
    text(u"key"_s, options.key);
    text(u"address"_s, options.address);
    text(u"datacenter"_s, options.datacenter);
    text(u"instance"_s, options.instanceId);
    if (parser.isSet(u"token-file"_s)) {
        options.token.clear();
        options.tokenFile = parser.value(u"token-file"_s);
    }
    if (parser.isSet(u"profile"_s))
        options.profile = readProfile(parser.value(u"profile"_s));
    if (parser.isSet(u"heartbeat"_s))
        throw Problem{u"--heartbeat: belongs to the profile fast, which is not available yet"_s};
    readDuration(parser, u"ttl"_s, options.ttl);
    readDuration(parser, u"lock-delay"_s, options.lockDelay);
    readDuration(parser, u"margin"_s, options.margin);
    readDuration(parser, u"renew-interval"_s, options.renewInterval);
    readDuration(parser, u"stop-timeout"_s, options.stopTimeout);
    options.allowShortTtl = parser.isSet(u"allow-short-ttl"_s);
    if (parser.isSet(u"token-floor"_s)) {
        bool ok = false;
        options.tokenFloor = parser.value(u"token-floor"_s).toULongLong(&ok);
        if (!ok)
            throw Problem{u"--token-floor: '%1' is not a whole number"_s.arg(parser.value(u"token-floor"_s))};
    }
}

/// A message of LeaseOptions::validate() in the program's words.
QString inWordsOfTheProgram(const QString &message)
{
    for (const auto &[field, option] : OptionNames) {
        if (message.startsWith(field + ':'_L1))
            return u"--"_s + option
                + QString(message.mid(field.size())).replace("allowShortTtl"_L1, "--allow-short-ttl"_L1);
    }
    return message;
}
} // namespace

CampaignCommand parseCampaign(const QStringList &words, const QProcessEnvironment &environment)
{
    CampaignCommand command;
    QCommandLineParser parser;
    addOptions(parser);
    const bool understood = parser.parse(QStringList{u"baton campaign"_s} + words);
    if (parser.isSet(u"help"_s)) {
        command.help = parser.helpText();
        return command;
    }
    try {
        if (!understood)
            throw Problem{parser.errorText()};
        if (!parser.positionalArguments().isEmpty())
            throw Problem{u"unexpected argument '%1'"_s.arg(parser.positionalArguments().first())};
        command.options = LeaseOptions::fromEnvironment(environment);
        readOptions(parser, command.options);
        command.quitOnEof = parser.isSet(u"quit-on-eof"_s);
        const QStringList problems = command.options.validate();
        if (!problems.isEmpty())
            throw Problem{inWordsOfTheProgram(problems.first())};
    } catch (const Problem &problem) {
        command.error = problem.text;
    }
    return command;
}

std::optional<std::chrono::milliseconds> parseDuration(QStringView text)
{
    using namespace std::chrono;
    struct Unit
    {
        QLatin1StringView name;
        milliseconds length;
    };
    static constexpr std::array Units{Unit{"ms"_L1, milliseconds{1}}, Unit{"s"_L1, seconds{1}},
                                      Unit{"m"_L1, minutes{1}}, Unit{"h"_L1, hours{1}}};
    constexpr qsizetype MaxDigits = 9; // So that no product overflows; a TTL of a day is far below.
    milliseconds total{};
    if (text.isEmpty())
        return std::nullopt;
    while (!text.isEmpty()) {
        const auto isDigit = [](QChar c) { return c >= u'0' && c <= u'9'; };
        const auto digits = std::find_if_not(text.begin(), text.end(), isDigit) - text.begin();
        const auto letters = std::find_if(text.begin() + digits, text.end(), isDigit) - text.begin();
        const QStringView name = text.mid(digits, letters - digits);
        const auto unit =
            std::find_if(Units.begin(), Units.end(), [&](const Unit &u) { return name == u.name; });
        if (digits == 0 || digits > MaxDigits || unit == Units.end())
            return std::nullopt;
        total += text.first(digits).toLongLong() * unit->length;
        text = text.mid(letters);
    }
    return total;
}

} // namespace Baton::Tools
