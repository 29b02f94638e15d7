// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QThread>

#include <functional>
#include <memory>

namespace Baton::Observe {

/*!
 * The thread on which all observers of a process ask, parse and compare; never the engine's, whose renewals
 * must not wait for a long list. It runs from its first use to the end of the application object, when
 * everything on it is deleted.
 */
class WorkerThread
{
public:
    /// Null where there is no QCoreApplication, or in a child made by fork().
    static std::shared_ptr<WorkerThread> instance();

    WorkerThread();
    ~WorkerThread();
    Q_DISABLE_COPY_MOVE(WorkerThread)

    /// Any thread: runs \a job on this one, in order; never once the application is ending.
    void post(std::function<void()> job);
    /// For objects on the thread that use the network; see Shell::Engine::endWithProcess().
    static void endWithProcess();

private:
    static void shutDown();
    void end();

    QThread m_thread;
    QObject m_context; ///< Lives on the thread and owns what was made there.

    template <typename T>
    friend class Remote;
};

/// An object on the worker thread, used from another one. What is posted after the object has gone does
/// nothing.
template <typename T>
class Remote
{
public:
    /// \a make returns the new object, on the worker thread.
    Remote(std::shared_ptr<WorkerThread> thread, std::function<T *()> make)
        : m_thread(std::move(thread)), m_object(std::make_shared<QPointer<T>>())
    {
        auto *owner = &m_thread->m_context;
        m_thread->post([owner, object = m_object, make = std::move(make)] {
            *object = make();
            (*object)->setParent(owner);
        });
    }
    ~Remote()
    {
        post([](T &object) { delete &object; });
    }
    Q_DISABLE_COPY_MOVE(Remote)

    void post(std::function<void(T &)> job)
    {
        m_thread->post([object = m_object, job = std::move(job)] {
            if (*object)
                job(**object);
        });
    }

private:
    std::shared_ptr<WorkerThread> m_thread;
    std::shared_ptr<QPointer<T>> m_object; ///< Read and written on the worker thread only.
};

/// The way back: runs jobs in the thread of a QObject, for as long as that lives.
class Receiver
{
public:
    explicit Receiver(QObject *object) : m_object(object) { }
    /// Any thread.
    void post(std::function<void()> job)
    {
        const QMutexLocker lock(&m_mutex);
        if (m_object)
            QMetaObject::invokeMethod(m_object, std::move(job), Qt::QueuedConnection);
    }
    /// In the destructor of the object: nothing that is under way is delivered any more.
    void close()
    {
        const QMutexLocker lock(&m_mutex);
        m_object = nullptr;
    }

private:
    QMutex m_mutex;
    QObject *m_object;
};

} // namespace Baton::Observe
