// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QMutex>
#include <QtCore/QThread>
#include <QtCore/QWaitCondition>

#include <deque>
#include <functional>

namespace Baton::Shell {

/*!
 * The thread on which anything runs that may be the application's: continuations, stop callbacks, and
 * whatever reads files. The engine never waits for it, so a callback that sleeps delays other callbacks and
 * no renewal.
 */
class Courier : private QThread
{
public:
    Courier();
    /// Runs what was posted, then ends; waits for a job under way.
    ~Courier() override;
    /// Any thread. Jobs run in order.
    void post(std::function<void()> job);

private:
    void run() override;

    QMutex m_mutex;
    QWaitCondition m_wake;
    std::deque<std::function<void()>> m_jobs;
    bool m_ending = false;
};

} // namespace Baton::Shell
