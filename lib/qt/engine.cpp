// SPDX-License-Identifier: MIT
#include "engine.h"

#include "forkguard.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtNetwork/QNetworkAccessManager>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

namespace Baton::Shell {

namespace {
QMutex g_mutex;

/// Never destroyed: a process that exits in the middle, or a child made by fork(), must not wait for threads
/// in a destructor of a global object.
std::shared_ptr<Engine> &current()
{
    static auto *engine = new std::shared_ptr<Engine>;
    return *engine;
}
} // namespace

std::shared_ptr<Engine> Engine::instance()
{
    if (inForkedChild())
        return nullptr;
    const QMutexLocker lock(&g_mutex);
    // A thread started before the application object exists would have an event loop that returns at once.
    if (!QCoreApplication::instance() || QCoreApplication::closingDown())
        return nullptr;
    if (!current()) {
        watchForks();
        current() = std::make_shared<Engine>();
        qAddPostRoutine(&Engine::shutDown);
        // Made here first, so that an exit() in the middle of it on the engine's thread cannot be.
        const QNetworkAccessManager manager;
        endWithProcess(Network::Made);
    }
    return current();
}

Engine::Engine()
{
    m_thread.setObjectName(QStringLiteral("baton-engine"));
    m_context.moveToThread(&m_thread);
    m_thread.start();
}

Engine::~Engine()
{
    m_thread.quit();
    m_thread.wait();
}

void Engine::endWithProcess(Network network)
{
    static std::array<std::once_flag, 3> registered;
    std::call_once(registered.at(size_t(network)), [] { std::atexit(&Engine::shutDown); });
}

std::shared_ptr<DriverLink> Engine::createDriver(DriverSettings settings, std::shared_ptr<Mailbox> mailbox)
{
    std::shared_ptr<DriverLink> link;
    const auto create = [&] {
        const QMutexLocker lock(&m_mutex);
        auto &machine = settings.machine;
        machine.tokenFloor = std::max(machine.tokenFloor, m_tokens.value(election(settings)));
        auto *driver = new Driver(settings, mailbox, *this);
        link = driver->link();
        m_drivers.push_back({driver, link, mailbox});
    };
    QMetaObject::invokeMethod(&m_context, create, Qt::BlockingQueuedConnection);
    return link;
}

QString Engine::election(const DriverSettings &settings)
{
    const Wire::Scope &scope = settings.scope;
    return QStringList{settings.base.toString(), scope.datacenter, scope.partition, scope.nameSpace,
                       settings.machine.key}
        .join(QChar::LineFeed);
}

void Engine::noteToken(const DriverSettings &settings, quint64 token)
{
    const QMutexLocker lock(&m_mutex);
    quint64 &highest = m_tokens[election(settings)];
    highest = std::max(highest, token);
}

void Engine::forget(Driver *driver)
{
    const QMutexLocker lock(&m_mutex);
    std::erase_if(m_drivers, [driver](const Entry &entry) { return entry.driver == driver; });
    m_gone.wakeAll();
}

/// The application ends: all leases are given up at once, in order, within ShutdownTimeout. Providers of this
/// thread are served here, since its event loop has ended; those of others by their own.
void Engine::shutDown()
{
    if (inForkedChild())
        return;
    std::shared_ptr<Engine> engine;
    {
        const QMutexLocker lock(&g_mutex);
        engine = std::exchange(current(), nullptr);
    }
    if (engine)
        engine->endAll();
}

void Engine::endAll()
{
    constexpr std::chrono::milliseconds Slice{5}; // Between two looks into the mailboxes of this thread.
    const QDeadlineTimer deadline(ShutdownTimeout);
    QMutexLocker lock(&m_mutex);
    const auto entries = m_drivers;
    for (const Entry &entry : entries)
        entry.link->retire();
    while (!m_drivers.empty() && !deadline.hasExpired()) {
        lock.unlock();
        for (const Entry &entry : entries)
            entry.mailbox->deliverHere();
        lock.relock();
        if (!m_drivers.empty())
            m_gone.wait(&m_mutex, QDeadlineTimer(Slice));
    }
    const auto left = m_drivers;
    lock.unlock();
    const auto destroy = [&] {
        for (const Entry &entry : left)
            delete entry.driver;
    };
    QMetaObject::invokeMethod(&m_context, destroy, Qt::BlockingQueuedConnection);
}

} // namespace Baton::Shell
