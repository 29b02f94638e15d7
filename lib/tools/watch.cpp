// SPDX-License-Identifier: MIT
#include "watch.h"

#include "commandline.h"
#include "electiontext.h"
#include "exitcodes.h"

#include <Baton/leaseoptions.h>

#include <cstdio>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
/// A reader that is alive takes the last lines at once; one that is not must not keep the process.
constexpr std::chrono::milliseconds FlushLimit{500};
} // namespace

Watch::Watch(const ObserveCommand &command, QObject *parent)
    : QObject(parent), m_command(command), m_observer(command.options),
      m_log(STDOUT_FILENO, LeaseOptions().effectiveInstanceId()), m_text(STDOUT_FILENO)
{
    const auto closed = [this] {
        if (m_finished)
            return;
        fprintf(stderr, "baton watch: nobody reads standard output any more\n");
        quit(ExitIoError);
    };
    connect(&m_log, &EventLog::closed, this, closed);
    connect(&m_text, &LineWriter::closed, this, closed);
    connect(&m_observer, &ClusterObserver::updated, this, &Watch::tellAll);
    connect(&m_observer, &ClusterObserver::connectionChanged, this, &Watch::tellConnection);
}

void Watch::start()
{
    m_observer.start();
}

void Watch::quit(int exitCode)
{
    if (std::exchange(m_finished, true))
        return;
    m_observer.stop();
    m_log.flush(FlushLimit);
    m_text.flush(FlushLimit);
    Q_EMIT finished(exitCode);
}

bool Watch::concerns(const QString &key) const
{
    return key.isEmpty() ? m_command.sessions : m_command.key.isEmpty() || m_command.key == key;
}

void Watch::tellAll(const ClusterSnapshot &snapshot, const ClusterDelta &delta)
{
    if (!std::exchange(m_begun, true)) {
        for (const ElectionPtr &election : snapshot.elections) {
            if (!concerns(election->key))
                continue;
            EventLine line = m_log.event("election"_L1);
            addElection(line, *election, snapshot);
            if (m_command.json)
                m_log.tell(line);
            else
                writeText(u"%1  %2  %3  %4%5"_s.arg(
                    snapshot.wallTime(snapshot.made).toString(Qt::ISODateWithMs), tag(election->state),
                    printable(election->key), leaderText(*election),
                    election->token ? u"  token %1"_s.arg(*election->token) : QString()));
        }
    }
    for (const ObservedChange &change : delta.changes) {
        if (concerns(change.key) || change.kind == ChangeKind::IndexReset)
            tellChange(change);
    }
}

void Watch::tellChange(const ObservedChange &change)
{
    if (!m_command.json) {
        writeText(changeText(change));
        return;
    }
    EventLine line = m_log.event(tag(change.kind));
    const auto add = [&line](const char *name, const QString &text) {
        if (!text.isEmpty())
            line.add(name, text);
    };
    add("key", change.key);
    add("session", change.session);
    add("leader", change.leader);
    if (change.token)
        line.add("token", *change.token);
    if (change.end != TermEnd::Running)
        line.add("end", tag(change.end));
    if (change.before)
        line.add("before", tag(*change.before));
    if (change.after)
        line.add("after", tag(*change.after));
    line.add("by", qint64(change.at.by.count()));
    if (change.at.after)
        line.add("not_before", qint64(change.at.after->count()));
    add("detail", change.evidence);
    m_log.tell(line);
}

void Watch::tellConnection(const ConnectionReport &report)
{
    if (m_finished)
        return;
    if (report.error.trouble == ObserveTrouble::InvalidOptions) {
        fprintf(stderr, "baton watch: %s\n", qUtf8Printable(printable(report.error.detail)));
        quit(ExitNoInput);
        return;
    }
    if (m_command.json) {
        EventLine line = m_log.event("connection"_L1);
        line.add("state", tag(report.state));
        if (!report.error.isOk())
            line.add("code", tag(report.error.trouble)).add("detail", report.error.message());
        if (report.degraded)
            line.add("degraded", true);
        m_log.tell(line);
        return;
    }
    const QString at = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
    const QString why = report.error.isOk() ? QString() : u"  ("_s + printable(report.error.message()) + u')';
    writeText(u"%1  connection  %2%3"_s.arg(at, tag(report.state), why));
}

void Watch::writeText(const QString &line)
{
    m_text.write(line.toUtf8() + '\n');
}

} // namespace Baton::Tools
