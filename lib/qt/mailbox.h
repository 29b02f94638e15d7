// SPDX-License-Identifier: MIT
#pragma once

#include "term.h"

#include <core/messages.h>

#include <QtCore/QDeadlineTimer>
#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QWaitCondition>

#include <deque>
#include <functional>
#include <memory>

namespace Baton::Shell {

/// News of a driver for its provider. \c term is set for Acquired. \c order is the last of the provider's
/// that the driver had heard then.
struct Notice
{
    Core::Output output;
    std::shared_ptr<Term> term;
    quint64 order = 0;
};

/*!
 * Carries notices from the engine to the provider's thread. They arrive by that thread's event loop, or are
 * fetched where there is none to turn: in a destructor, at the end of the application.
 */
class Mailbox
{
public:
    /// \a deliver runs in the thread of \a receiver whenever something came.
    Mailbox(QObject *receiver, std::function<void()> deliver)
        : m_receiver(receiver), m_deliver(std::move(deliver))
    {
    }

    /// Any thread; a closed mailbox drops it.
    void post(Notice notice);
    /// Any thread: runs \a answer in the receiver's thread when that turns its event loop; at most one at a
    /// time.
    void ping(std::function<void()> answer);
    [[nodiscard]] std::deque<Notice> takeAll();
    /// Waits until something is there; false when \a deadline came first.
    bool waitForNotice(QDeadlineTimer deadline);
    /// No delivery begins after this. In the receiver's thread.
    void close();
    /// The receiver's thread is the calling one, from now on.
    void settleHere();
    /// Delivers now where the calling thread is the receiver's.
    void deliverHere();

private:
    QMutex m_mutex;
    QWaitCondition m_arrived;
    std::deque<Notice> m_notices;
    bool m_pinging = false;
    QObject *m_receiver;
    Qt::HANDLE m_home = nullptr;
    std::function<void()> m_deliver;
};

} // namespace Baton::Shell
