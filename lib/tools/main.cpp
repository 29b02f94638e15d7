// SPDX-License-Identifier: MIT
#include "campaign.h"
#include "exitcodes.h"
#include "unixsignals.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

using namespace Qt::StringLiterals;
using namespace Baton::Tools;

namespace {
constexpr char Help[] = R"(Usage: baton COMMAND [OPTION ...]

Leader election on Consul.

Commands:
  campaign   campaign for leadership; events as JSON Lines (baton campaign --help)

Options:
  -h, --help   show this help
  --version    show the version

Exit: 0 ended in order, 64 wrong option, 66 a file cannot be read, 74 nobody reads standard output any more.
)";

int campaign(const QStringList &words)
{
    const CampaignCommand command = parseCampaign(words, QProcessEnvironment::systemEnvironment());
    if (!command.error.isEmpty()) {
        fprintf(stderr, "baton campaign: %s\n", qUtf8Printable(command.error));
        return ExitUsage;
    }
    if (!command.help.isEmpty()) {
        printf("%s", qUtf8Printable(command.help));
        return ExitOk;
    }
    UnixSignals signals_;
    Campaign campaign(command);
    QObject::connect(&signals_, &UnixSignals::termination, &campaign, [&] { campaign.quit(ExitOk); });
    QObject::connect(&campaign, &Campaign::finished, QCoreApplication::instance(), &QCoreApplication::exit,
                     Qt::QueuedConnection);
    campaign.start();
    return QCoreApplication::exec();
}
} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"baton"_s);
    const QStringList words = QCoreApplication::arguments().mid(1);
    const QString command = words.value(0);
    if (command == "campaign"_L1)
        return campaign(words.mid(1));
    if (command == "--version"_L1) {
        printf("baton %s\n", BATON_VERSION);
        return ExitOk;
    }
    const bool asked = command == "-h"_L1 || command == "--help"_L1;
    if (!asked)
        fprintf(stderr, "baton: %s\n",
                command.isEmpty()
                    ? "no command given (see baton --help)"
                    : qUtf8Printable(u"unknown command '%1' (see baton --help)"_s.arg(command)));
    else
        printf("%s", Help);
    return asked ? ExitOk : ExitUsage;
}
