// SPDX-License-Identifier: MIT
#include "campaign.h"
#include "exitcodes.h"
#include "ls.h"
#include "unixsignals.h"
#include "watch.h"

#include <QtCore/QCoreApplication>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <langinfo.h>
#include <optional>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace Baton::Tools;

namespace {
constexpr char Help[] = R"(Usage: baton COMMAND [OPTION ...]

Leader election on Consul.

Commands:
  campaign   campaign for leadership; events as JSON Lines (baton campaign --help)
  ls         list who leads which election (baton ls --help)
  watch      say what changes in elections (baton watch --help)

Options:
  -h, --help   show this help
  --version    show the version

Exit: 0 ended in order, 64 wrong option, 66 a file cannot be read, 69 Consul cannot be read, 74 nobody reads standard output any more.
)";

/// A descriptor that is closed would be given to the next file that is opened, and the events with it.
/// Standard output is filled with something that cannot be written to.
void fillStandardDescriptors()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest free number is the one that is missing.
        if (::fcntl(descriptor, F_GETFD) < 0)
            (void)::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/// Qt complains at length where the locale is not UTF-8, as in a bare container; nothing here depends on it.
void settleLocale()
{
    std::setlocale(LC_ALL, "");
    if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0)
        ::setenv("LC_ALL", "C.UTF-8", 1);
}

/// Prints what is to be answered at once: help, the version, a wrong option. Nothing where there is work to
/// do.
template <typename Command>
std::optional<int> answered(const char *name, const Command &command)
{
    if (!command.answer.isEmpty()) {
        printf("%s", qUtf8Printable(command.answer));
        return ExitOk;
    }
    if (!command.error.isEmpty()) {
        fprintf(stderr, "baton %s: %s\n", name, qUtf8Printable(command.error));
        return ExitUsage;
    }
    return std::nullopt;
}

/// Runs \a work until it has finished.
template <typename Work>
int run(Work &work)
{
    QObject::connect(&work, &Work::finished, QCoreApplication::instance(), &QCoreApplication::exit,
                     Qt::QueuedConnection);
    work.start();
    return QCoreApplication::exec();
}

int campaign(const QStringList &words)
{
    const CampaignCommand command = parseCampaign(words, QProcessEnvironment::systemEnvironment());
    if (const auto code = answered("campaign", command))
        return *code;
    UnixSignals unixSignals;
    Campaign campaign(command);
    QObject::connect(&unixSignals, &UnixSignals::termination, &campaign, [&] { campaign.quit(ExitOk); });
    return run(campaign);
}

int ls(const QStringList &words)
{
    const ObserveCommand command = parseLs(words, QProcessEnvironment::systemEnvironment());
    if (const auto code = answered("ls", command))
        return *code;
    std::signal(SIGPIPE, SIG_IGN); // A reader that has gone is an error of writing.
    Ls ls(command);
    return run(ls);
}

int watch(const QStringList &words)
{
    const ObserveCommand command = parseWatch(words, QProcessEnvironment::systemEnvironment());
    if (const auto code = answered("watch", command))
        return *code;
    UnixSignals unixSignals;
    Watch watch(command);
    QObject::connect(&unixSignals, &UnixSignals::termination, &watch, [&] { watch.quit(ExitOk); });
    return run(watch);
}
} // namespace

int main(int argc, char *argv[])
{
    fillStandardDescriptors();
    settleLocale();
    const QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"baton"_s);
    const QStringList words = QCoreApplication::arguments().mid(1);
    const QString command = words.value(0);
    if (command == "campaign"_L1)
        return campaign(words.mid(1));
    if (command == "ls"_L1)
        return ls(words.mid(1));
    if (command == "watch"_L1)
        return watch(words.mid(1));
    if (command == "--version"_L1) {
        printf("baton %s\n", BATON_VERSION);
        return ExitOk;
    }
    if (command == "-h"_L1 || command == "--help"_L1) {
        printf("%s", Help);
        return ExitOk;
    }
    const QString problem =
        command.isEmpty() ? u"no command given"_s : u"unknown command '%1'"_s.arg(printable(command));
    fprintf(stderr, "baton: %s (see baton --help)\n", qUtf8Printable(problem));
    return ExitUsage;
}
