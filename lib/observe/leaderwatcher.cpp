// SPDX-License-Identifier: MIT
#include <Baton/leaderwatcher.h>

#include "leaderworker.h"
#include "workerthread.h"

#include <QtCore/QPointer>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton {

class LeaderWatcherPrivate
{
public:
    LeaderWatcherPrivate(LeaderWatcher *watcher, const LeaseOptions &watcherOptions)
        : q(watcher), options(watcherOptions), receiver(std::make_shared<Observe::Receiver>(watcher))
    {
    }

    [[nodiscard]] LeaseError prepare();
    void take(const Observe::LeaderWorker::News &news);
    void setCurrent(bool now);

    LeaderWatcher *q;
    const LeaseOptions options;
    LeaderInfo leader;
    bool current = false;
    bool running = false;
    bool first = true; ///< Nothing was told yet.
    std::shared_ptr<Observe::Receiver> receiver;
    std::unique_ptr<Observe::Remote<Observe::LeaderWorker>> worker;
};

/// Options are good, and there is a worker.
LeaseError LeaderWatcherPrivate::prepare()
{
    const auto refused = [this](ErrorCode code, const QString &detail) {
        return LeaseError{code, Step::Configure, 0, detail, options.lockKey()};
    };
    // Only what is used: the timings of a candidate do not matter here.
    LeaseOptions used;
    used.serviceName = options.serviceName;
    used.key = options.key;
    used.address = options.address;
    used.token = options.token;
    used.tokenFile = options.tokenFile;
    used.watchWait = options.watchWait;
    used.environmentProblems = options.environmentProblems;
    if (const QStringList problems = used.validate(); !problems.isEmpty())
        return refused(ErrorCode::InvalidOptions, problems.join(u"; "_s));
    if (worker)
        return {};
    const auto thread = Observe::WorkerThread::instance();
    if (!thread)
        return refused(ErrorCode::NoApplication, u"a QCoreApplication is needed"_s);

    ObserverOptions way;
    way.address = options.address;
    way.datacenter = options.datacenter;
    way.nameSpace = options.nameSpace;
    way.partition = options.partition;
    way.token = options.token;
    way.tokenFile = options.tokenFile;
    const auto wait = std::min(options.timings().watchWait, LeaderWatcher::MaxWait);
    auto publish = [to = receiver, this](Observe::LeaderWorker::News news) {
        to->post([this, news = std::move(news)] { take(news); });
    };
    worker = std::make_unique<Observe::Remote<Observe::LeaderWorker>>(
        thread, [access = Observe::ConsulAccess(way), key = options.lockKey(), wait, publish] {
            return new Observe::LeaderWorker(access, key, wait, publish);
        });
    return {};
}

/// Any slot may destroy the watcher.
void LeaderWatcherPrivate::take(const Observe::LeaderWorker::News &news)
{
    if (!running)
        return;
    const QPointer<LeaderWatcher> alive(q);
    if (news.leader && (std::exchange(first, false) || leader != *news.leader)) {
        leader = *news.leader;
        Q_EMIT q->leaderChanged(leader);
        if (!alive)
            return;
    }
    if (news.error && news.error->code == ErrorCode::InvalidOptions)
        running = false;
    setCurrent(news.current);
    if (alive && news.error)
        Q_EMIT q->errorOccurred(*news.error);
    if (alive && news.cleared)
        Q_EMIT q->errorCleared(*news.cleared);
}

void LeaderWatcherPrivate::setCurrent(bool now)
{
    if (std::exchange(current, now) != now)
        Q_EMIT q->currentChanged(now);
}

LeaderWatcher::LeaderWatcher(const LeaseOptions &options, QObject *parent)
    : QObject(parent), d(std::make_unique<LeaderWatcherPrivate>(this, options))
{
    d->leader.key = options.lockKey();
}

LeaderWatcher::~LeaderWatcher()
{
    d->receiver->close();
}

LeaseOptions LeaderWatcher::options() const
{
    return d->options;
}

LeaderInfo LeaderWatcher::leader() const
{
    return d->leader;
}

bool LeaderWatcher::isCurrent() const
{
    return d->current;
}

void LeaderWatcher::start()
{
    if (d->running)
        return;
    if (const LeaseError error = d->prepare(); !error.isOk()) {
        Q_EMIT errorOccurred(error);
        return;
    }
    d->running = true;
    d->worker->post([](Observe::LeaderWorker &worker) { worker.start(); });
}

void LeaderWatcher::stop()
{
    if (!std::exchange(d->running, false))
        return;
    d->worker->post([](Observe::LeaderWorker &worker) { worker.stop(); });
    d->setCurrent(false);
}

} // namespace Baton
