// SPDX-License-Identifier: MIT
#include "leaseprovider_p.h"

#include "bootclock.h"
#include "consuladdress.h"
#include "tokenfile.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSysInfo>

using namespace Qt::StringLiterals;

/* How a provider starts and stops: options to settings, the engine, the token file. */
namespace Baton {

void LeaseProviderPrivate::start()
{
    if (const LeaseError error = prepare(); !error.isOk()) {
        Q_EMIT q->errorOccurred(error);
        return;
    }
    m_stopping = false;
    m_running = true;
    withToken(
        [link = m_link] { link->start(); },
        [link = m_link, mailbox = m_mailbox](const LeaseError &error) {
            mailbox->post({Core::TroubleSeen{{error.step, error.code, error.status, error.detail}}, {}});
            link->input(Core::Stop{});
        });
}

void LeaseProviderPrivate::acquire(Shell::AcquireJob job)
{
    const auto refuse = [promise = job.promise](const LeaseError &error) {
        promise->addResult(AcquireResult{AcquireOutcome::Failed, {}, error});
        promise->finish();
    };
    if (const LeaseError error = prepare(); !error.isOk()) {
        refuse(error);
        return;
    }
    m_stopping = false;
    m_running = true;
    withToken([link = m_link, job] { link->acquire(job); }, refuse);
}

/// Options are good, and there is a driver.
LeaseError LeaseProviderPrivate::prepare()
{
    const QStringList problems = options.validate();
    if (!problems.isEmpty())
        return {ErrorCode::InvalidOptions, Step::Configure, 0, problems.join(u"; "_s), options.lockKey()};
    m_mailbox->settleHere();
    if (!m_link && !createDriver())
        return {ErrorCode::NoApplication, Step::Configure, 0, u"a QCoreApplication is needed"_s,
                options.lockKey()};
    return {};
}

/// Goes on at once, or when the courier has read the token file.
void LeaseProviderPrivate::withToken(std::function<void()> go, std::function<void(const LeaseError &)> refuse)
{
    const auto engine = Shell::Engine::instance();
    if (options.tokenFile.isEmpty() || !engine) {
        go();
        return;
    }
    engine->courier().post([go, refuse, path = options.tokenFile, key = options.lockKey(), link = m_link] {
        const Shell::TokenFile file = Shell::readTokenFile(path);
        if (file.problem.isEmpty()) {
            link->setToken(file.token);
            go();
        } else {
            refuse({ErrorCode::InvalidOptions, Step::Configure, 0, file.problem, key});
        }
    });
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
    settings.stallLimit = options.stallLimit;
    settings.token = options.token.trimmed().toLatin1();
    return settings;
}

} // namespace Baton
