// SPDX-License-Identifier: MIT
#include "textdemo.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QSocketNotifier>

#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace Qt::StringLiterals;

/* `baton-demo`: the failover demonstration as text. `./gui/demo` builds and runs it. */
namespace {
constexpr int ExitUsage = 64; // sysexits: EX_USAGE

int g_signalPipe[2];

void onSignal(int)
{
    const char byte = 0;
    [[maybe_unused]] const auto ignored = ::write(g_signalPipe[1], &byte, 1);
}
} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"baton-demo"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(BATON_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Shows leader election on Consul: hand-over, crash, freeze."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({u"consul"_s, u"The consul program. Default: $BATON_CONSUL, or the one in PATH."_s,
                      u"path"_s, qEnvironmentVariable("BATON_CONSUL", u"consul"_s)});
    parser.addOption({u"simulated"_s, u"Without Consul: a simulated one takes its place."_s});
    parser.addOption({u"baton"_s, u"The baton program. Default: beside this one."_s, u"path"_s,
                      QCoreApplication::applicationDirPath() + u"/baton"_s});
    parser.process(app);
    if (!parser.positionalArguments().isEmpty()) {
        fprintf(stderr, "baton-demo: unexpected argument '%s'\n",
                qUtf8Printable(parser.positionalArguments().first()));
        return ExitUsage;
    }

    const QString consul = parser.isSet(u"simulated"_s) ? QString() : parser.value(u"consul"_s);
    Baton::Lab::TextDemo demo(consul, parser.value(u"baton"_s));
    if (::pipe(g_signalPipe) != 0)
        return 1;
    QSocketNotifier signalled(g_signalPipe[0], QSocketNotifier::Read);
    QObject::connect(&signalled, &QSocketNotifier::activated, &demo, [&] {
        signalled.setEnabled(false);
        demo.interrupt();
    });
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, onSignal);
    std::signal(SIGPIPE, SIG_IGN);
    return demo.run();
}
