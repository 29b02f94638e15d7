// SPDX-License-Identifier: MIT
#include "deliver.h"
#include "leaseprovider_p.h"

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
    auto future = acquire(timeout);
    Shell::deliver<AcquireResult>(future, context, std::move(done), [future]() mutable { future.cancel(); });
}

} // namespace Baton
