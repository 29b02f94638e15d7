// SPDX-License-Identifier: MIT
#include "commandline.h"

#include "campaignoptions.h"
#include "optionreader.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
/// A field of LeaseOptions as users of the program set it: by an option, else by a variable.
struct FieldName
{
    QLatin1StringView field;
    QLatin1StringView option;
    QLatin1StringView variable{};
};
constexpr std::array FieldNames{
    FieldName{"serviceName"_L1, "service"_L1},
    FieldName{"key"_L1, "key"_L1},
    FieldName{"address"_L1, "address"_L1, "CONSUL_HTTP_ADDR"_L1},
    FieldName{"datacenter"_L1, "datacenter"_L1},
    FieldName{"token"_L1, {}, "CONSUL_HTTP_TOKEN"_L1},
    FieldName{"tokenFile"_L1, "token-file"_L1, "CONSUL_HTTP_TOKEN_FILE"_L1},
    FieldName{"profile"_L1, "profile"_L1},
    FieldName{"ttl"_L1, "ttl"_L1},
    FieldName{"lockDelay"_L1, "lock-delay"_L1},
    FieldName{"margin"_L1, "margin"_L1},
    FieldName{"renewInterval"_L1, "renew-interval"_L1},
    FieldName{"stopTimeout"_L1, "stop-timeout"_L1},
    FieldName{"allowShortTtl"_L1, "allow-short-ttl"_L1},
    FieldName{"instanceId"_L1, "instance"_L1},
    FieldName{"tokenFloor"_L1, "token-floor"_L1},
};

class CampaignReader : public OptionReader
{
public:
    explicit CampaignReader(const QStringList &words)
        : OptionReader(u"baton campaign"_s, addCampaignOptions, words)
    {
    }

    [[nodiscard]] QString help() const { return campaignHelp(parser()); }
    using OptionReader::read;

    void read(const QString &option, Profile &field)
    {
        const auto text = value(option);
        if (!text)
            return;
        for (const Profile profile : {Profile::Conservative, Profile::Balanced, Profile::Fast}) {
            if (*text == tag(profile)) {
                field = profile;
                return;
            }
        }
        refuse(option, u"'%1' is none of conservative, balanced"_s.arg(*text));
    }

    /// How the user set \a field.
    [[nodiscard]] QString nameOf(const FieldName &field) const
    {
        const bool byVariable =
            field.option.isEmpty() || (!field.variable.isEmpty() && !isSet(QString(field.option)));
        return byVariable ? QString(field.variable) : u"--"_s + field.option;
    }
};

/// A message of LeaseOptions::validate(), which begins with the field, in the words of the program.
QString inWordsOfTheProgram(QString message, const CampaignReader &reader)
{
    for (const FieldName &name : FieldNames) {
        if (message.startsWith(name.field + ':'_L1))
            message.replace(0, name.field.size(), reader.nameOf(name));
        // Inside the sentence, only a name in camel case is certain to be a field.
        const bool camelCase =
            std::any_of(name.field.begin(), name.field.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
        if (camelCase)
            message.replace(name.field, u"--"_s + name.option);
    }
    return message.replace("unless key is set"_L1, "unless --key is set"_L1);
}

void readOptions(CampaignReader &reader, CampaignCommand &command)
{
    LeaseOptions &options = command.options;
    reader.read(u"service"_s, options.serviceName);
    reader.read(u"key"_s, options.key);
    reader.read(u"address"_s, options.address);
    reader.read(u"datacenter"_s, options.datacenter);
    reader.read(u"instance"_s, options.instanceId);
    reader.read(u"token-file"_s, options.tokenFile);
    if (reader.isSet(u"token-file"_s))
        options.token.clear();
    reader.read(u"profile"_s, options.profile);
    if (options.profile == Profile::Fast)
        reader.refuse(u"profile"_s, u"fast is not available yet; use balanced or conservative"_s);
    if (reader.isSet(u"heartbeat"_s))
        reader.refuse(u"heartbeat"_s, u"belongs to the profile fast, which is not available yet"_s);
    reader.read(u"ttl"_s, options.ttl);
    reader.read(u"lock-delay"_s, options.lockDelay);
    reader.read(u"margin"_s, options.margin);
    reader.read(u"renew-interval"_s, options.renewInterval);
    reader.read(u"stop-timeout"_s, options.stopTimeout);
    reader.read(u"token-floor"_s, options.tokenFloor);
    options.allowShortTtl = reader.isSet(u"allow-short-ttl"_s);
    command.quitOnEof = reader.isSet(u"quit-on-eof"_s);
    command.tokenFileName = reader.isSet(u"token-file"_s) ? u"--token-file"_s : u"CONSUL_HTTP_TOKEN_FILE"_s;
}
} // namespace

CampaignCommand parseCampaign(const QStringList &words, const QProcessEnvironment &environment)
{
    CampaignCommand command;
    CampaignReader reader(words);
    if (reader.isSet(u"help"_s)) {
        command.answer = reader.help();
        return command;
    }
    if (reader.isSet(u"version"_s)) {
        command.answer = QStringLiteral("baton " BATON_VERSION "\n");
        return command;
    }
    command.options = LeaseOptions::fromEnvironment(environment);
    readOptions(reader, command);
    const QStringList problems = command.options.validate();
    if (!problems.isEmpty())
        reader.refuse(inWordsOfTheProgram(problems.first(), reader));
    command.error = printable(reader.error());
    return command;
}

QString printable(const QString &text)
{
    QString result = text;
    std::replace_if(
        result.begin(), result.end(), [](QChar c) { return !c.isPrint(); }, u'?');
    return result;
}

} // namespace Baton::Tools
