// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QFutureWatcher>
#include <QtCore/QObject>

#include <functional>

namespace Baton::Shell {

/*!
 * Calls \a done with the result of \a future in the thread of \a context, once; never where \a context goes
 * first, and \a forsaken is called then. QFuture::then() with a context that goes first is a failed assertion
 * in debug builds of Qt; a watcher is not. To be called from any thread, while \a context lives.
 */
template <typename T>
void deliver(const QFuture<T> &future, QObject *context, std::function<void(const T &)> done,
             std::function<void()> forsaken = {})
{
    using Watcher = QFutureWatcher<T>;
    auto *watcher = new Watcher;
    QObject::connect(watcher, &Watcher::finished, context, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        const auto finished = watcher->future();
        if (finished.resultCount() > 0)
            done(finished.result());
    });
    QObject::connect(context, &QObject::destroyed, watcher, [watcher, forsaken = std::move(forsaken)] {
        if (forsaken)
            forsaken();
        watcher->deleteLater();
    });
    watcher->setFuture(future);
    watcher->moveToThread(context->thread());
}

} // namespace Baton::Shell
