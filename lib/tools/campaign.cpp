// SPDX-License-Identifier: MIT
#include "campaign.h"

#include "exitcodes.h"

#include <QtCore/QFutureWatcher>

#include <cstdio>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
/// A reader that is alive takes the last lines at once; one that is not must not keep the process.
constexpr std::chrono::milliseconds FlushLimit{500};
/// Of an unknown command, to be shown; it may be anything, also something pasted by mistake.
constexpr qsizetype MaxShown = 40;
} // namespace

Campaign::Campaign(const CampaignCommand &command, QObject *parent)
    : QObject(parent), m_command(command), m_provider(command.options),
      m_log(STDOUT_FILENO, command.options.effectiveInstanceId()), m_events(m_provider, m_log),
      m_in(STDIN_FILENO)
{
    connect(&m_log, &EventLog::closed, this, [this] {
        fprintf(stderr, "baton campaign: nobody reads standard output any more\n");
        quit(ExitIoError);
    });
    connect(&m_in, &CommandReader::line, this, &Campaign::obey);
    connect(&m_in, &CommandReader::tooLong, this, [this] { complain(u"a command line is too long"_s); });
    connect(&m_in, &CommandReader::ended, this, [this] {
        if (m_command.quitOnEof)
            quit(ExitOk);
    });
    connect(&m_provider, &LeaseProvider::errorOccurred, this, &Campaign::refused);
    connect(&m_provider, &LeaseProvider::stopped, this, [this] {
        m_stopped = m_exitCode.has_value();
        finishWhenDone();
    });
}

void Campaign::start()
{
    m_events.tellStarted();
    m_provider.start();
}

void Campaign::quit(int exitCode)
{
    if (m_exitCode)
        return;
    m_exitCode = exitCode;
    m_provider.stop();
}

/// Options, or a file that they name, are not mended by trying on.
void Campaign::refused(const LeaseError &error)
{
    if (error.code != ErrorCode::InvalidOptions && error.code != ErrorCode::NoApplication)
        return;
    const bool file = error.detail.startsWith("tokenFile:"_L1);
    QString reason = error.detail;
    if (file)
        reason.replace("tokenFile"_L1, m_command.tokenFileName);
    fprintf(stderr, "baton campaign: %s\n", qUtf8Printable(printable(reason)));
    quit(file ? ExitNoInput : ExitUsage);
}

/// Every write that was asked for is answered; each has a time-out of its own.
void Campaign::finishWhenDone()
{
    if (!m_stopped || m_pendingWrites > 0 || std::exchange(m_finished, true))
        return;
    m_log.tell(m_log.event("stopped"_L1));
    m_log.flush(FlushLimit);
    Q_EMIT finished(*m_exitCode);
}

void Campaign::obey(const QByteArray &line)
{
    if (m_exitCode) // A `resume` would keep it from ending.
        return;
    const QByteArray text = line.trimmed();
    if (text == "release")
        m_provider.stop();
    else if (text == "resume")
        m_provider.start();
    else if (text == "status")
        m_events.tellStatus();
    else if (text == "quit")
        quit(ExitOk);
    else if (text == "write" || line.startsWith("write "))
        write(line.mid(qstrlen("write ")));
    else if (!text.isEmpty())
        complain(u"unknown command '%1'; known are release, resume, write KEY VALUE, status, quit"_s.arg(
            printable(QString::fromUtf8(text.left(MaxShown)))));
}

/// The value is all that follows the blank after the key, as it is.
void Campaign::write(const QByteArray &arguments)
{
    const qsizetype blank = arguments.indexOf(' ');
    if (blank <= 0) {
        complain(u"write takes a key and a value"_s);
        return;
    }
    const QString key = QString::fromUtf8(arguments.first(blank));
    // Asked anew for each write: a process that stood still finds out here, before any signal could tell it.
    const Lease lease = m_provider.lease();
    const auto token = lease.isNull() ? std::nullopt : std::optional(lease.token());
    auto *watcher = new QFutureWatcher<WriteResult>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, key, token] {
        const QFuture<WriteResult> future = watcher->future();
        // A write whose provider went has no result.
        tellWrite(key, token, future.resultCount() > 0 ? future.result() : WriteResult());
        watcher->deleteLater();
        --m_pendingWrites;
        finishWhenDone();
    });
    ++m_pendingWrites;
    watcher->setFuture(FencedKv(lease).write(key, arguments.sliced(blank + 1)));
}

void Campaign::tellWrite(const QString &key, std::optional<quint64> token, const WriteResult &result)
{
    const bool written = result.outcome == WriteOutcome::Written;
    const bool unknown = result.outcome == WriteOutcome::Unknown;
    // A write that may have been done is not rejected.
    EventLine line = m_log.event(written ? "written"_L1 : unknown ? "error"_L1 : "rejected"_L1);
    if (unknown)
        line.add("code", tag(result.error.code)).add("step", tag(Step::Write));
    if (token)
        line.add("token", *token);
    line.add("key", key).add("outcome", tag(result.outcome));
    if (!result.error.isOk())
        line.add("detail", result.error.message());
    else if (unknown)
        line.add("detail", u"it may have been written"_s);
    else if (!written)
        line.add("detail",
                 token ? u"the lease is void, or the lock is not ours any more"_s : u"not leading"_s);
    m_log.tell(line);
}

void Campaign::complain(const QString &detail)
{
    m_log.tell(m_log.event("error"_L1).add("code", "command"_L1).add("detail", detail));
}

} // namespace Baton::Tools
