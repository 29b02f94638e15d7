// SPDX-License-Identifier: MIT
#include "workerthread.h"

#include <qt/forkguard.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QMutex>

#include <cstdlib>

namespace Baton::Observe {

namespace {
QMutex g_mutex;

/// Never destroyed: a process that exits in the middle must not wait for the thread in a destructor of a
/// global object.
std::shared_ptr<WorkerThread> &current()
{
    static auto *thread = new std::shared_ptr<WorkerThread>;
    return *thread;
}
} // namespace

std::shared_ptr<WorkerThread> WorkerThread::instance()
{
    if (Shell::inForkedChild())
        return nullptr;
    const QMutexLocker lock(&g_mutex);
    if (!QCoreApplication::instance() || QCoreApplication::closingDown())
        return nullptr;
    if (!current()) {
        Shell::watchForks();
        current() = std::make_shared<WorkerThread>();
        qAddPostRoutine(&WorkerThread::shutDown);
    }
    return current();
}

WorkerThread::WorkerThread()
{
    m_thread.setObjectName(QStringLiteral("baton-observe"));
    m_context.moveToThread(&m_thread);
    m_thread.start();
}

WorkerThread::~WorkerThread()
{
    if (Shell::inForkedChild())
        return;
    m_thread.quit();
    m_thread.wait();
}

void WorkerThread::post(std::function<void()> job)
{
    if (!Shell::inForkedChild() && !m_thread.isFinished())
        QMetaObject::invokeMethod(&m_context, std::move(job), Qt::QueuedConnection);
}

void WorkerThread::endWithProcess()
{
    [[maybe_unused]] static const int registered = std::atexit(&WorkerThread::shutDown);
}

void WorkerThread::shutDown()
{
    if (Shell::inForkedChild())
        return;
    std::shared_ptr<WorkerThread> thread;
    {
        const QMutexLocker lock(&g_mutex);
        thread = std::exchange(current(), nullptr);
    }
    if (thread)
        thread->end();
}

void WorkerThread::end()
{
    const auto deleteAll = [this] {
        const QObjectList objects = m_context.children();
        qDeleteAll(objects);
    };
    QMetaObject::invokeMethod(&m_context, deleteAll, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

} // namespace Baton::Observe
