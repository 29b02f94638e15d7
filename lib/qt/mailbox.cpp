// SPDX-License-Identifier: MIT
#include "mailbox.h"

#include <QtCore/QThread>

namespace Baton::Shell {

void Mailbox::post(Notice notice)
{
    const QMutexLocker lock(&m_mutex);
    if (!m_receiver)
        return;
    const bool renewal = std::holds_alternative<Core::Renewed>(notice.output);
    if (renewal && !m_notices.empty() && std::holds_alternative<Core::Renewed>(m_notices.back().output)) {
        // A receiver that is busy for an hour needs the last renewal, not all of them.
        m_notices.back() = std::move(notice);
        return;
    }
    m_notices.push_back(std::move(notice));
    m_arrived.wakeAll();
    if (m_notices.size() == 1)
        QMetaObject::invokeMethod(m_receiver, m_deliver, Qt::QueuedConnection);
}

void Mailbox::ping(std::function<void()> answer)
{
    const QMutexLocker lock(&m_mutex);
    if (!m_receiver || std::exchange(m_pinging, true))
        return;
    const auto run = [this, answer = std::move(answer)] {
        answer();
        const QMutexLocker again(&m_mutex);
        m_pinging = false;
    };
    QMetaObject::invokeMethod(m_receiver, run, Qt::QueuedConnection);
}

std::deque<Notice> Mailbox::takeAll()
{
    const QMutexLocker lock(&m_mutex);
    return std::exchange(m_notices, {});
}

bool Mailbox::waitForNotice(QDeadlineTimer deadline)
{
    QMutexLocker lock(&m_mutex);
    while (m_notices.empty()) {
        if (!m_arrived.wait(&m_mutex, deadline))
            return false;
    }
    return true;
}

void Mailbox::close()
{
    const QMutexLocker lock(&m_mutex);
    m_receiver = nullptr;
    m_notices.clear();
}

void Mailbox::settleHere()
{
    const QMutexLocker lock(&m_mutex);
    m_home = QThread::currentThreadId();
}

void Mailbox::deliverHere()
{
    QMutexLocker lock(&m_mutex);
    // By the system's id: in an exit handler Qt no longer knows this thread as the one it was.
    const bool here = m_receiver && m_home == QThread::currentThreadId();
    lock.unlock();
    // Nobody else can close it meanwhile: that happens in this very thread.
    if (here)
        m_deliver();
}

} // namespace Baton::Shell
