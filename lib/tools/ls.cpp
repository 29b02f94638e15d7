// SPDX-License-Identifier: MIT
#include "ls.h"

#include "commandline.h"
#include "electiontext.h"
#include "exitcodes.h"

#include <QtCore/QTimer>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

Ls::Ls(const ObserveCommand &command, QObject *parent)
    : QObject(parent), m_command(command), m_observer(command.options)
{
    connect(&m_observer, &ClusterObserver::updated, this, &Ls::print);
    connect(&m_observer, &ClusterObserver::connectionChanged, this, &Ls::look);
}

void Ls::start()
{
    QTimer::singleShot(m_command.timeout, this, &Ls::giveUp);
    m_observer.start();
}

void Ls::finish(int exitCode)
{
    if (!std::exchange(m_finished, true))
        Q_EMIT finished(exitCode);
}

/// What has to be mended will not pass within the time that is waited.
void Ls::look(const ConnectionReport &report)
{
    if (report.state == ConnectionState::Refused)
        giveUp();
}

void Ls::giveUp()
{
    if (m_finished)
        return;
    const ObserveError error = m_observer.connection().error;
    const QString reason = error.isOk() ? u"Consul did not answer in time"_s : error.message();
    fprintf(stderr, "baton ls: %s\n", qUtf8Printable(printable(reason)));
    const bool file = error.trouble == ObserveTrouble::InvalidOptions;
    finish(file ? ExitNoInput : ExitUnavailable);
}

void Ls::print(const ClusterSnapshot &snapshot)
{
    if (m_finished)
        return;
    QByteArray text;
    if (m_command.json) {
        for (const ElectionPtr &election : snapshot.elections) {
            EventLine line;
            addElection(line, *election, snapshot);
            text += line.text();
        }
    } else if (!snapshot.elections.isEmpty()) {
        text = electionTable(snapshot).toUtf8();
    }
    for (const PrefixReport &prefix : snapshot.prefixes) {
        const bool none = std::none_of(
            snapshot.elections.begin(), snapshot.elections.end(),
            [&prefix](const ElectionPtr &election) { return election->prefix == prefix.prefix; });
        const char *remark = !prefix.read.answered || prefix.visibility == Visibility::Nothing
            ? "may not be read"
            : prefix.visibility == Visibility::Everything ? "has no lock keys"
                                                          : "has no lock keys, or they are hidden by an ACL";
        if (none)
            fprintf(stderr, "baton ls: \"%s\" %s\n", qUtf8Printable(printable(prefix.prefix)), remark);
    }
    const bool written = std::fwrite(text.constData(), 1, size_t(text.size()), stdout) == size_t(text.size())
        && std::fflush(stdout) == 0;
    if (!written)
        fprintf(stderr, "baton ls: standard output cannot be written to\n");
    finish(written ? ExitOk : ExitIoError);
}

} // namespace Baton::Tools
