// SPDX-License-Identifier: MIT
#include "driverlink.h"

#include "driver.h"
#include "forkguard.h"

namespace Baton::Shell {

template <typename Job>
bool DriverLink::post(Job job)
{
    if (inForkedChild())
        return false;
    const QMutexLocker lock(&m_mutex);
    if (m_driver)
        QMetaObject::invokeMethod(
            m_driver, [driver = m_driver, job = std::move(job)] { job(driver); }, Qt::QueuedConnection);
    return m_driver;
}

void DriverLink::input(Core::Input input)
{
    post([input = std::move(input)](Driver *driver) { driver->input(input); });
}

void DriverLink::setToken(QByteArray token)
{
    post([token = std::move(token)](Driver *driver) { driver->setToken(token); });
}

void DriverLink::start(quint64 order)
{
    post([order](Driver *driver) { driver->start(order); });
}

void DriverLink::stop(quint64 order)
{
    post([order](Driver *driver) { driver->stop(order); });
}

void DriverLink::drop(quint64 term, LostReason reason)
{
    post([term, reason](Driver *driver) { driver->drop(term, reason); });
}

void DriverLink::acquire(AcquireJob job)
{
    if (post([job](Driver *driver) { driver->acquire(job); }))
        return;
    const LeaseError error{ErrorCode::NoApplication, Step::Configure, 0, {}, job.key};
    job.promise->addResult(AcquireResult{AcquireOutcome::Failed, {}, error});
    job.promise->finish();
}

void DriverLink::release(quint64 term)
{
    post([term](Driver *driver) { driver->release(term); });
}

void DriverLink::write(WriteJob job)
{
    if (post([job](Driver *driver) { driver->write(job); }))
        return;
    job.promise->addResult(WriteResult{WriteOutcome::Refused, {}});
    job.promise->finish();
}

bool DriverLink::retire(quint64 order)
{
    return post([order](Driver *driver) { driver->retire(order); });
}

void DriverLink::discard()
{
    post([](Driver *driver) { driver->deleteLater(); });
}

void DriverLink::detach()
{
    const QMutexLocker lock(&m_mutex);
    m_driver = nullptr;
}

} // namespace Baton::Shell
