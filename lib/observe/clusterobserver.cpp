// SPDX-License-Identifier: MIT
#include <Baton/clusterobserver.h>

#include "clusterworker.h"
#include "workerthread.h"

#include <qt/bootclock.h>

#include <QtCore/QPointer>

using namespace Qt::StringLiterals;

namespace Baton {

class ClusterObserverPrivate
{
public:
    ClusterObserverPrivate(ClusterObserver *observer, const ObserverOptions &observerOptions)
        : q(observer), options(observerOptions), receiver(std::make_shared<Observe::Receiver>(observer))
    {
    }

    void start();
    void refuse(ObserveTrouble trouble, const QString &detail);
    bool createWorker();
    void take(const Observe::ClusterWorker::Update &update);
    void setReport(const ConnectionReport &newReport);

    ClusterObserver *q;
    const ObserverOptions options;
    ClusterSnapshot snapshot;
    ConnectionReport report;
    bool hidden = false;
    bool running = false;
    std::shared_ptr<Observe::Receiver> receiver;
    std::unique_ptr<Observe::Remote<Observe::ClusterWorker>> worker;
    std::optional<Observe::ClusterWorker::Update>
        kept; ///< Came after stop(); its changes are told at the next start.
};

void ClusterObserverPrivate::start()
{
    if (running)
        return;
    const QStringList problems = options.validate();
    if (!problems.isEmpty()) {
        refuse(ObserveTrouble::InvalidOptions, problems.join(u"; "_s));
        return;
    }
    if (!worker && !createWorker()) {
        refuse(ObserveTrouble::NoApplication, u"a QCoreApplication is needed"_s);
        return;
    }
    running = true;
    worker->post([](Observe::ClusterWorker &w) { w.start(); });
    if (kept)
        receiver->post([this] {
            if (running && kept)
                take(*std::exchange(kept, {}));
        });
}

bool ClusterObserverPrivate::createWorker()
{
    const auto thread = Observe::WorkerThread::instance();
    if (!thread)
        return false;
    // The private object lives exactly as long as the receiver is open.
    auto publish = [to = receiver, this](Observe::ClusterWorker::Update update) {
        to->post([this, update = std::move(update)] { take(update); });
    };
    worker = std::make_unique<Observe::Remote<Observe::ClusterWorker>>(
        thread, [o = options, publish] { return new Observe::ClusterWorker(o, publish); });
    worker->post([h = hidden](Observe::ClusterWorker &w) { w.setHidden(h); });
    return true;
}

void ClusterObserverPrivate::refuse(ObserveTrouble trouble, const QString &detail)
{
    ConnectionReport refused;
    refused.state = ConnectionState::Refused;
    refused.since = Core::bootNow().time_since_epoch();
    refused.error = {.trouble = trouble, .detail = detail};
    setReport(refused);
}

void ClusterObserverPrivate::setReport(const ConnectionReport &newReport)
{
    const bool news = newReport.state != report.state || newReport.error != report.error
        || newReport.degraded != report.degraded;
    report = newReport;
    if (news)
        Q_EMIT q->connectionChanged(report);
    else
        Q_EMIT q->heard();
}

/// Any slot may destroy the observer.
void ClusterObserverPrivate::take(const Observe::ClusterWorker::Update &update)
{
    const QPointer<ClusterObserver> alive(q);
    if (!running) {
        if (update.snapshot)
            kept = update;
        return;
    }
    if (update.report.state == ConnectionState::Refused
        && update.report.error.trouble == ObserveTrouble::InvalidOptions)
        running = false;
    if (update.snapshot) {
        const bool first = snapshot.number == 0;
        snapshot = *update.snapshot;
        if (first || !update.delta.isEmpty() || !update.delta.changes.isEmpty())
            Q_EMIT q->updated(snapshot, update.delta);
        if (!alive)
            return;
        worker->post([](Observe::ClusterWorker &w) { w.taken(); });
        if (!running)
            return;
    }
    setReport(update.report);
}

ClusterObserver::ClusterObserver(const ObserverOptions &options, QObject *parent)
    : QObject(parent), d(std::make_unique<ClusterObserverPrivate>(this, options))
{
}

ClusterObserver::~ClusterObserver()
{
    d->receiver->close();
}

ObserverOptions ClusterObserver::options() const
{
    return d->options;
}

ClusterSnapshot ClusterObserver::snapshot() const
{
    return d->snapshot;
}

ConnectionReport ClusterObserver::connection() const
{
    return d->report;
}

ConnectionState ClusterObserver::state() const
{
    return d->report.state;
}

bool ClusterObserver::isHidden() const
{
    return d->hidden;
}

void ClusterObserver::setHidden(bool hidden)
{
    if (std::exchange(d->hidden, hidden) == hidden)
        return;
    if (d->worker)
        d->worker->post([hidden](Observe::ClusterWorker &worker) { worker.setHidden(hidden); });
    Q_EMIT hiddenChanged(hidden);
}

void ClusterObserver::start()
{
    d->start();
}

void ClusterObserver::stop()
{
    if (!std::exchange(d->running, false))
        return;
    d->worker->post([](Observe::ClusterWorker &worker) { worker.stop(); });
    ConnectionReport idle = d->report;
    idle.state = ConnectionState::Idle;
    idle.since = Core::bootNow().time_since_epoch();
    idle.error = {};
    idle.degraded = false;
    d->setReport(idle);
}

void ClusterObserver::refresh()
{
    if (d->running)
        d->worker->post([](Observe::ClusterWorker &worker) { worker.refresh(); });
}

} // namespace Baton
