// SPDX-License-Identifier: MIT
#include "leaseprovider_p.h"

#include <QtCore/QFutureWatcher>

namespace Baton {

namespace {
std::shared_ptr<QPromise<AcquireResult>> newPromise()
{
    auto promise = std::make_shared<QPromise<AcquireResult>>();
    promise->start();
    return promise;
}
} // namespace

QFuture<AcquireResult> LeaseProvider::acquire(std::optional<std::chrono::milliseconds> timeout)
{
    const auto promise = newPromise();
    auto future = promise->future();
    d->acquire({d->options.lockKey(), false, timeout, promise});
    return future;
}

QFuture<AcquireResult> LeaseProvider::tryAcquire()
{
    const auto promise = newPromise();
    auto future = promise->future();
    d->acquire({d->options.lockKey(), true, std::nullopt, promise});
    return future;
}

void LeaseProvider::acquire(QObject *context, std::function<void(const Baton::AcquireResult &)> done,
                            std::optional<std::chrono::milliseconds> timeout)
{
    // QFuture::then() with a context that goes first is a failed assertion in debug builds of Qt; a watcher
    // that goes with its context is not.
    using Watcher = QFutureWatcher<AcquireResult>;
    auto *watcher = new Watcher;
    connect(watcher, &Watcher::finished, context, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        const auto future = watcher->future();
        if (future.resultCount() > 0)
            done(future.result());
    });
    connect(context, &QObject::destroyed, watcher, [watcher] {
        watcher->future().cancel();
        watcher->deleteLater();
    });
    watcher->setFuture(acquire(timeout));
    watcher->moveToThread(context->thread());
}

} // namespace Baton
