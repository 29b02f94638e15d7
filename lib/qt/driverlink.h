// SPDX-License-Identifier: MIT
#pragma once

#include "term.h"

#include <Baton/acquireresult.h>
#include <Baton/fencedkv.h>
#include <consul/messages.h>
#include <core/messages.h>

#include <QtCore/QMutex>
#include <QtCore/QPromise>

#include <memory>

namespace Baton::Shell {

class Driver;

/// A fenced write on its way: its promise is finished by the courier.
struct WriteJob
{
    std::shared_ptr<Term> term;
    QList<Wire::KeyValue> writes;
    std::shared_ptr<QPromise<WriteResult>> promise;
};

/// An acquire() or tryAcquire() on its way.
struct AcquireJob
{
    QString key;
    bool once = false; ///< tryAcquire().
    std::optional<std::chrono::milliseconds> timeout;
    std::shared_ptr<QPromise<AcquireResult>> promise;
    quint64 order = 0;
};

/*!
 * The way to a driver from any thread. Whatever comes after the driver has gone is dropped, or refused where
 * somebody waits for an answer.
 *
 * What the provider asks for carries a rising number, the order. One that was held up by a file is dropped
 * when a later one has overtaken it.
 */
class DriverLink
{
public:
    explicit DriverLink(Driver *driver) : m_driver(driver) { }

    void input(Core::Input input);
    void setToken(QByteArray token);
    void start(quint64 order);
    void stop(quint64 order);
    void release(quint64 term);
    /// Nobody wants an acquired term any more.
    void drop(quint64 term, LostReason reason);
    void acquire(AcquireJob job);
    void write(WriteJob job);
    /// The driver ends everything, then itself. False where it has gone already. The end of the application
    /// is no order of the provider's.
    bool retire(quint64 order = 0);
    /// The driver goes at once; what it has not ended ends by itself.
    void discard();
    /// Engine only: the driver is going.
    void detach();

private:
    template <typename Job>
    bool post(Job job);

    QMutex m_mutex;
    Driver *m_driver;
};

} // namespace Baton::Shell
