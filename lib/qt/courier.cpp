// SPDX-License-Identifier: MIT
#include "courier.h"

namespace Baton::Shell {

Courier::Courier()
{
    setObjectName(QStringLiteral("baton-courier"));
    start();
}

Courier::~Courier()
{
    {
        const QMutexLocker lock(&m_mutex);
        m_ending = true;
        m_wake.wakeOne();
    }
    wait();
}

void Courier::post(std::function<void()> job)
{
    const QMutexLocker lock(&m_mutex);
    m_jobs.push_back(std::move(job));
    m_wake.wakeOne();
}

void Courier::run()
{
    QMutexLocker lock(&m_mutex);
    for (;;) {
        while (m_jobs.empty() && !m_ending)
            m_wake.wait(&m_mutex);
        if (m_jobs.empty())
            return;
        auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        job();
        job = nullptr; // What it holds may be the application's too, and goes without the lock.
        lock.relock();
    }
}

} // namespace Baton::Shell
