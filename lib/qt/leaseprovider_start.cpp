// SPDX-License-Identifier: MIT
#include "leaseprovider_p.h"

#include "bootclock.h"
#include "consuladdress.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSysInfo>

using namespace Qt::StringLiterals;

/* How a provider starts and stops: options to settings, the engine, the token file. */
namespace Baton {

namespace {
/// A token is a few dozen characters; a file beyond this is another file.
constexpr qint64 MaxTokenFile = 4096;

struct TokenFile
{
    QByteArray token;
    QString problem;
};

TokenFile readTokenFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {{}, u"tokenFile: %1 cannot be read: %2"_s.arg(path, file.errorString())};
    const QByteArray content = file.read(MaxTokenFile + 1).trimmed();
    if (content.size() > MaxTokenFile)
        return {{}, u"tokenFile: %1 is longer than %2 bytes"_s.arg(path).arg(MaxTokenFile)};
    // A control character would split the header it is sent in.
    const bool clean =
        std::all_of(content.begin(), content.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (!clean)
        return {{}, u"tokenFile: %1 holds more than one word of visible ASCII characters"_s.arg(path)};
    return {content, {}};
}
} // namespace

void LeaseProviderPrivate::start()
{
    const QStringList problems = options.validate();
    if (!problems.isEmpty()) {
        refuse(ErrorCode::InvalidOptions, problems.join(u"; "_s));
        return;
    }
    if (!m_link && !createDriver()) {
        refuse(ErrorCode::NoApplication, u"start() needs a QCoreApplication"_s);
        return;
    }
    m_stopping = false;
    m_running = true;
    if (options.tokenFile.isEmpty())
        m_link->input(Core::Start{});
    else
        startWithTokenFile();
}

void LeaseProviderPrivate::stop()
{
    m_stopping = true;
    if (m_link)
        m_link->input(Core::Stop{});
    else
        m_mailbox->post({Core::Stopped{}, {}});
}

bool LeaseProviderPrivate::createDriver()
{
    const auto engine = Shell::Engine::instance();
    if (engine)
        m_link = engine->createDriver(driverSettings(), m_mailbox);
    return m_link != nullptr;
}

void LeaseProviderPrivate::startWithTokenFile()
{
    const auto engine = Shell::Engine::instance();
    if (!engine)
        return;
    engine->courier().post([path = options.tokenFile, link = m_link, mailbox = m_mailbox] {
        const TokenFile read = readTokenFile(path);
        if (read.problem.isEmpty()) {
            link->setToken(read.token);
            link->input(Core::Start{});
        } else {
            mailbox->post(
                {Core::TroubleSeen{{Step::Configure, ErrorCode::InvalidOptions, 0, read.problem}}, {}});
            link->input(Core::Stop{});
        }
    });
}

void LeaseProviderPrivate::refuse(ErrorCode code, const QString &detail)
{
    Q_EMIT q->errorOccurred({code, Step::Configure, 0, detail, options.lockKey()});
}

Shell::DriverSettings LeaseProviderPrivate::driverSettings() const
{
    using namespace std::chrono;
    const LeaseTimings timings = options.timings();
    Shell::DriverSettings settings;

    Core::Settings &machine = settings.machine;
    machine.key = options.lockKey();
    machine.sessionName = options.effectiveSessionName();
    machine.nodeChecks = options.nodeChecks();
    machine.serviceChecks = options.sessionChecks;
    machine.ttl = timings.ttl;
    machine.lockDelay = timings.lockDelay;
    machine.margin = timings.margin;
    machine.renewInterval = timings.renewInterval;
    machine.requestTimeout = timings.requestTimeout;
    machine.watchWait = timings.watchWait;
    machine.stopTimeout = timings.stopTimeout;
    machine.instance = options.effectiveInstanceId();
    machine.host = QSysInfo::machineHostName();
    machine.pid = QCoreApplication::applicationPid();
    machine.version = QStringLiteral(BATON_VERSION);
    machine.metadata = options.metadata;
    machine.tokenFloor = options.tokenFloor;
    machine.seed = QRandomGenerator::system()->generate64();
    machine.wallOffset =
        milliseconds{QDateTime::currentMSecsSinceEpoch()} - Core::bootNow().time_since_epoch();

    settings.scope = {options.datacenter, options.nameSpace, options.partition};
    // validate() has read the address already.
    settings.base = std::get<Shell::ConsulAddress>(Shell::parseConsulAddress(options.address)).url({});
    settings.token = options.token.trimmed().toLatin1();
    return settings;
}

} // namespace Baton
