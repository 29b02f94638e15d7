// SPDX-License-Identifier: MIT
#include "commandline.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QRegularExpression>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int MostSide = 8192;
constexpr int MostSeconds = 86'400; // A day.

const QString Usage = u"Usage: baton-monitor [OPTION ...]\n"_s;

const QString Description = uR"(Shows who leads, what is odd and what moved, of any Consul.

Without --address it watches the connection used last, or asks for the first one. With --grab it opens no window:
it waits until everything has been read, draws the page into FILE (PNG) and ends.

Exit: 0 done, 64 wrong option, 69 nothing complete could be read in time, 73 FILE cannot be written.)"_s;

void addOptions(QCommandLineParser *parser)
{
    parser->setApplicationDescription(Description);
    parser->addOptions({
        {u"address"_s, u"Consul's agent, for this run only."_s, u"URL"_s},
        {u"datacenter"_s, u"Its datacenter. Default: the agent's own."_s, u"DC"_s},
        {u"token-file"_s, u"File with the ACL token."_s, u"FILE"_s},
        {u"prefix"_s, u"Where elections are looked for; up to four times. Default: service/."_s, u"PREFIX"_s},
        {u"page"_s, u"overview (default), sessions or journal."_s, u"NAME"_s},
        {u"theme"_s, u"light, dark or system. Default: as set in the window; light with --grab."_s,
         u"THEME"_s},
        {u"size"_s, u"Of the window, in pixels: 1280x800."_s, u"WxH"_s},
        {u"grab"_s, u"Draw into this file instead of opening a window."_s, u"FILE"_s},
        {u"wait"_s, u"With --grab: for how long. Default: 15 s."_s, u"SECONDS"_s},
        {u"watch"_s, u"With --grab: watch for so long first, so that the picture shows what moved."_s,
         u"SECONDS"_s},
        {{u"h"_s, u"help"_s}, u"Show this help."_s},
        {u"version"_s, u"Show the version."_s},
    });
}

QString readPage(const QString &name, CommandLine *line)
{
    if (name == u"overview")
        line->page = PageId::Overview;
    else if (name == u"sessions")
        line->page = PageId::Sessions;
    else if (name == u"journal")
        line->page = PageId::Journal;
    else if (QStringList{u"failovers"_s, u"fencing"_s, u"whatif"_s, u"lab"_s}.contains(name))
        return u"--page: the page '%1' does not exist yet"_s.arg(name);
    else
        return u"--page: there is no page '%1' (overview, sessions, journal)"_s.arg(name);
    return {};
}

QString readTheme(const QString &name, CommandLine *line)
{
    if (name == u"light")
        line->theme = ThemeChoice::Light;
    else if (name == u"dark")
        line->theme = ThemeChoice::Dark;
    else if (name == u"system")
        line->theme = ThemeChoice::System;
    else
        return u"--theme: '%1' is none of light, dark, system"_s.arg(name);
    return {};
}

QString readSize(const QString &text, CommandLine *line)
{
    static const QRegularExpression Form(u"^([0-9]{1,5})x([0-9]{1,5})$"_s);
    const QRegularExpressionMatch match = Form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.expandedTo(LeastWindowSize) != size
        || qMax(size.width(), size.height()) > MostSide)
        return u"--size: '%1' is not WIDTHxHEIGHT of %2x%3 to %4x%4 pixels"_s.arg(text)
            .arg(LeastWindowSize.width())
            .arg(LeastWindowSize.height())
            .arg(MostSide);
    line->size = size;
    return {};
}

QString readSeconds(const QString &text, const QString &option, std::chrono::milliseconds *value)
{
    bool ok = false;
    const int seconds = text.toInt(&ok);
    if (!ok || seconds < 1 || seconds > MostSeconds)
        return u"--%1: '%2' is not a number of seconds from 1 to %3"_s.arg(option, text).arg(MostSeconds);
    *value = std::chrono::seconds(seconds);
    return {};
}

QString readWait(const QString &text, CommandLine *line)
{
    return readSeconds(text, u"wait"_s, &line->wait);
}

QString readWatch(const QString &text, CommandLine *line)
{
    return readSeconds(text, u"watch"_s, &line->watch);
}

QString readValues(const QCommandLineParser &parser, CommandLine *line)
{
    line->address = parser.value(u"address"_s);
    line->datacenter = parser.value(u"datacenter"_s);
    line->tokenFile = parser.value(u"token-file"_s);
    line->prefixes = parser.values(u"prefix"_s);
    line->grab = parser.value(u"grab"_s);
    struct Reader
    {
        QString name;
        QString (*read)(const QString &, CommandLine *);
    };
    const QList<Reader> readers{{u"page"_s, readPage},
                                {u"theme"_s, readTheme},
                                {u"size"_s, readSize},
                                {u"wait"_s, readWait},
                                {u"watch"_s, readWatch}};
    for (const Reader &reader : readers) {
        if (!parser.isSet(reader.name))
            continue;
        if (const QString error = reader.read(parser.value(reader.name), line); !error.isEmpty())
            return error;
    }
    if (parser.isSet(u"grab"_s) && line->grab.isEmpty())
        return u"--grab: needs the name of a file"_s;
    if (parser.isSet(u"address"_s) && line->address.isEmpty())
        return u"--address: must not be empty"_s;
    if (line->address.isEmpty()
        && !(line->datacenter + line->tokenFile + line->prefixes.join(u""_s)).isEmpty())
        return u"--datacenter, --token-file and --prefix: only together with --address"_s;
    return {};
}

} // namespace

CommandLine parseCommandLine(const QStringList &words)
{
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    addOptions(&parser);
    CommandLine line;
    if (!parser.parse(words))
        line.error = parser.errorText().section(u'\n', 0, 0);
    else if (parser.isSet(u"help"_s))
        line.answer = Usage + parser.helpText().section(u'\n', 1); // Qt's own first line knows less.
    else if (parser.isSet(u"version"_s))
        line.answer = u"baton-monitor %1\n"_s.arg(QLatin1StringView(BATON_VERSION));
    else if (!parser.positionalArguments().isEmpty())
        line.error = u"unexpected word '%1'"_s.arg(parser.positionalArguments().constFirst());
    else
        line.error = readValues(parser, &line);
    return line;
}

} // namespace Baton::Monitor
