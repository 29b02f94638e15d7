// SPDX-License-Identifier: MIT
#include "commandline.h"
#include "grab.h"
#include "models/profiles.h"
#include "theme.h"
#include "window.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtWidgets/QApplication>

#include <cstdio>
#include <optional>

using namespace Qt::StringLiterals;
using namespace Baton::Monitor;

namespace {

ThemeChoice themeOf(const CommandLine &line, const QSettings &settings)
{
    if (line.theme)
        return *line.theme;
    if (!line.grab.isEmpty())
        return ThemeChoice::Light;
    return ThemeChoice(qBound(0, settings.value(u"window/theme"_s).toInt(), int(ThemeChoice::Dark)));
}

/// The Consul of this run; its journal goes by its address, so that the next run finds it again.
ConnectionProfile profileOf(const CommandLine &line)
{
    ConnectionProfile profile = ConnectionProfile::make(line.address, line.address);
    profile.id = u"address-"_s + QString::fromLatin1(QUrl::toPercentEncoding(line.address));
    profile.datacenter = line.datacenter;
    if (!line.prefixes.isEmpty())
        profile.prefixes = line.prefixes;
    if (!line.tokenFile.isEmpty()) {
        profile.tokenSource = TokenSource::File;
        profile.tokenFile = line.tokenFile;
    }
    return profile;
}

int run(int argc, char **argv, const CommandLine &line)
{
    const bool grabs = !line.grab.isEmpty();
    QApplication app(argc, argv);
    QApplication::setApplicationName(u"baton-monitor"_s);
    QApplication::setOrganizationName(u"baton"_s);
    QApplication::setApplicationDisplayName(u"Baton Monitor"_s);
    QApplication::setApplicationVersion(QLatin1StringView(BATON_VERSION));
    QApplication::setDesktopFileName(u"io.github.baton.Monitor"_s);

    // A picture leaves no traces in the settings of the one who takes it.
    QSettings kept;
    QTemporaryDir folder;
    QSettings passing(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    Theme theme(themeOf(line, kept));
    Profiles profiles(kept);
    Window window(
        {profiles, theme, grabs ? passing : kept, grabs ? Link::Journal::ReadOnly : Link::Journal::Kept});
    if (line.size)
        window.resize(*line.size);
    if (line.page)
        window.showPage(*line.page);

    std::optional<ConnectionProfile> profile = profiles.current();
    if (!line.address.isEmpty())
        profile = profileOf(line);
    else if (grabs && !profile)
        profile = ConnectionProfile::fromEnvironment();
    if (profile) {
        const QStringList problems = line.address.isEmpty() ? QStringList() : profile->validate();
        if (!problems.isEmpty()) {
            std::fprintf(stderr, "baton-monitor: --address: %s\n", qPrintable(problems.constFirst()));
            return ExitUsage;
        }
        window.open(*profile);
    }
    window.show();
    std::optional<Grab> grab;
    if (grabs)
        grab.emplace(window, line);
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words += QString::fromLocal8Bit(argv[i]);
    const CommandLine line = parseCommandLine(words);
    if (!line.answer.isEmpty()) {
        std::fputs(qPrintable(line.answer), stdout);
        return 0;
    }
    if (!line.error.isEmpty()) {
        std::fprintf(stderr, "baton-monitor: %s\n", qPrintable(line.error));
        return ExitUsage;
    }
    if (!line.grab.isEmpty())
        qputenv("QT_QPA_PLATFORM", "offscreen");
    return run(argc, argv, line);
}
