// SPDX-License-Identifier: MIT
#include "campaign.h"

#include "exitcodes.h"

#include <Baton/boottime.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QSysInfo>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace Baton::Tools {

namespace {
/// A reader that is alive takes the last lines at once; one that is not must not keep the process.
constexpr std::chrono::milliseconds FlushLimit{500};
} // namespace

Campaign::Campaign(const CampaignCommand &command, QObject *parent)
    : QObject(parent), m_command(command), m_provider(command.options), m_out(STDOUT_FILENO),
      m_in(STDIN_FILENO), m_boot(bootId()), m_host(QSysInfo::machineHostName()),
      m_instance(command.options.effectiveInstanceId())
{
    connect(&m_out, &LineWriter::closed, this, [this] { quit(ExitIoError); });
    connect(&m_in, &CommandReader::line, this, &Campaign::obey);
    connect(&m_in, &CommandReader::tooLong, this, [this] { complain(u"a command line is too long"_s); });
    connect(&m_in, &CommandReader::ended, this, [this] {
        if (m_command.quitOnEof)
            quit(ExitOk);
    });
    tellEvents();
    tellProviderEvents();
}

void Campaign::start()
{
    tellStarted();
    m_provider.start();
}

void Campaign::quit(int exitCode)
{
    if (m_exitCode)
        return;
    m_exitCode = exitCode;
    m_provider.stop();
}

void Campaign::stopped()
{
    if (!m_exitCode)
        return;
    tell(event("stopped"_L1));
    m_out.flush(FlushLimit);
    Q_EMIT finished(*m_exitCode);
}

void Campaign::tellEvents()
{
    connect(&m_provider, &LeaseProvider::leadershipAcquired, this, [this](quint64 token) {
        const Lease lease = m_provider.lease();
        m_token = token;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(lease.remaining());
        tell(event("acquired"_L1)
                 .add("token", token)
                 .add("session", lease.session())
                 .add("left_ms", qint64(left.count())));
    });
    connect(&m_provider, &LeaseProvider::leadershipLost, this, &Campaign::tellLost);
    connect(&m_provider, &LeaseProvider::renewed, this, [this](auto left, auto roundTrip) {
        tell(event("renewed"_L1)
                 .add("token", m_token)
                 .add("left_ms", qint64(left.count()))
                 .add("round_trip_us", qint64(roundTrip.count())));
    });
    connect(&m_provider, &LeaseProvider::leadershipAtRisk, this, [this](auto left) {
        tell(event("at_risk"_L1).add("token", m_token).add("left_ms", qint64(left.count())));
    });
    connect(&m_provider, &LeaseProvider::leadershipSafe, this,
            [this] { tell(event("safe"_L1).add("token", m_token)); });
    connect(&m_provider, &LeaseProvider::stopped, this, &Campaign::stopped);
}

void Campaign::tellProviderEvents()
{
    connect(&m_provider, &LeaseProvider::sessionOpened, this,
            [this](const QString &session) { tell(event("session"_L1).add("session", session)); });
    connect(&m_provider, &LeaseProvider::waiting, this,
            [this](WaitReason why, const QString &holder, auto retryIn) {
                EventLine line = event("waiting"_L1);
                line.add("why", tag(why));
                if (!holder.isEmpty())
                    line.add("session", holder);
                if (retryIn)
                    line.add("retry_in_ms", qint64(retryIn->count()));
                tell(line);
            });
    connect(&m_provider, &LeaseProvider::leaderChanged, this, [this](const LeaderInfo &leader) {
        EventLine line = event("leader"_L1);
        line.add("index", leader.index);
        if (!leader.isNull())
            line.add("session", leader.session);
        if (leader.isBaton)
            line.add("leader", leader.instance).add("token", leader.index);
        tell(line);
    });
    connect(&m_provider, &LeaseProvider::errorOccurred, this, &Campaign::tellError);
}

void Campaign::tellStarted()
{
    const LeaseOptions &options = m_command.options;
    const LeaseTimings timings = options.timings();
    tell(event("started"_L1)
             .add("version", QStringLiteral(BATON_VERSION))
             .add("pid", qint64(QCoreApplication::applicationPid()))
             .add("key", options.lockKey())
             .add("profile", tag(options.profile))
             .add("ttl_ms", qint64(timings.ttl.count()))
             .add("lock_delay_ms", qint64(timings.lockDelay.count()))
             .add("margin_ms", qint64(timings.margin.count()))
             .add("renew_interval_ms", qint64(timings.renewInterval.count()))
             .add("window_ms", qint64(timings.window.count())));
}

void Campaign::tellLost(LostReason reason)
{
    EventLine line = event(reason == LostReason::Released ? "released"_L1 : "lost"_L1);
    line.add("token", m_token).add("reason", tag(reason));
    if (!m_provider.lostEvidence().isEmpty())
        line.add("detail", m_provider.lostEvidence());
    tell(line);
}

void Campaign::tellError(const LeaseError &error)
{
    EventLine line = event("error"_L1);
    line.add("code", tag(error.code)).add("step", tag(error.step)).add("detail", error.message());
    if (error.status != 0)
        line.add("status", error.status);
    tell(line);
    // A token file that cannot be read is not mended by trying on.
    if (error.code == ErrorCode::InvalidOptions) {
        fprintf(stderr, "baton campaign: %s\n", qUtf8Printable(error.detail));
        m_exitCode = ExitNoInput;
    }
}

void Campaign::tellStatus()
{
    EventLine line = event("status"_L1);
    line.add("state", tag(m_provider.state())).add("leading", m_provider.isLeading());
    if (const auto token = m_provider.token())
        line.add("token", *token);
    tell(line);
}

void Campaign::complain(const QString &detail)
{
    tell(event("error"_L1).add("code", "command"_L1).add("detail", detail));
}

void Campaign::obey(const QByteArray &line)
{
    const QByteArray text = line.trimmed();
    if (text == "release")
        m_provider.stop();
    else if (text == "resume")
        m_provider.start();
    else if (text == "status")
        tellStatus();
    else if (text == "quit")
        quit(ExitOk);
    else if (text.startsWith("write "))
        write(text.mid(6).trimmed());
    else if (!text.isEmpty())
        complain(u"unknown command '%1'; known are release, resume, write KEY VALUE, status, quit"_s.arg(
            QString::fromUtf8(text.left(40))));
}

void Campaign::write(const QByteArray &arguments)
{
    const qsizetype space = arguments.indexOf(' ');
    if (space < 0) {
        complain(u"write takes a key and a value"_s);
        return;
    }
    const QString key = QString::fromUtf8(arguments.first(space));
    // Asked anew for each write: a process that stood still finds out here, before any signal could tell it.
    const Lease lease = m_provider.lease();
    FencedKv(lease)
        .write(key, arguments.sliced(space + 1))
        .then(this,
              [this, key, token = m_token](const WriteResult &result) { tellWritten(key, token, result); });
}

void Campaign::tellWritten(const QString &key, quint64 token, const WriteResult &result)
{
    EventLine line = event(result.outcome == WriteOutcome::Written ? "written"_L1 : "rejected"_L1);
    line.add("token", token).add("key", key).add("outcome", tag(result.outcome));
    if (!result.error.isOk())
        line.add("detail", result.error.message());
    else if (result.outcome != WriteOutcome::Written)
        line.add("detail", u"not leading (any more)"_s);
    tell(line);
}

EventLine Campaign::event(QLatin1StringView name)
{
    EventLine line;
    line.add("t", qint64(bootTime().count()))
        .add("boot", m_boot)
        .add("seq", ++m_seq)
        .add("host", m_host)
        .add("wall", QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs))
        .add("instance", m_instance)
        .add("event", name);
    return line;
}

void Campaign::tell(const EventLine &line)
{
    if (const int dropped = m_out.takeDropped())
        m_out.write(event("error"_L1)
                        .add("code", "dropped"_L1)
                        .add("dropped", dropped)
                        .add("detail", u"standard output is full"_s)
                        .text());
    m_out.write(line.text());
}

} // namespace Baton::Tools
