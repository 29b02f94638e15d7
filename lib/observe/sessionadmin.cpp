// SPDX-License-Identifier: MIT
#include <Baton/sessionadmin.h>

#include "adminworker.h"
#include "workerthread.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QPointer>

using namespace Qt::StringLiterals;

namespace Baton {
namespace {
// String-based queued connections look the type up by name, so it must be known before the first of them.
void registerAdminResult()
{
    qRegisterMetaType<AdminResult>();
}
Q_CONSTRUCTOR_FUNCTION(registerAdminResult)
} // namespace

class SessionAdminPrivate
{
public:
    SessionAdminPrivate(SessionAdmin *admin, const ObserverOptions &adminOptions)
        : options(adminOptions), receiver(std::make_shared<Observe::Receiver>(admin))
    {
    }
    ~SessionAdminPrivate() { receiver->close(); }

    using Act = std::function<void(Observe::AdminWorker &worker, Observe::AdminWorker::Done done)>;
    void act(QObject *context, SessionAdmin::Done done, Act act);
    [[nodiscard]] ObserveError prepare();

    const ObserverOptions options;
    std::shared_ptr<Observe::Receiver> receiver;
    std::unique_ptr<Observe::Remote<Observe::AdminWorker>> worker;
};

ObserveError SessionAdminPrivate::prepare()
{
    if (const QStringList problems = options.validate(); !problems.isEmpty())
        return {.trouble = ObserveTrouble::InvalidOptions, .detail = problems.join(u"; "_s)};
    if (worker)
        return {};
    const auto thread = Observe::WorkerThread::instance();
    if (!thread)
        return {.trouble = ObserveTrouble::NoApplication, .detail = u"a QCoreApplication is needed"_s};
    worker = std::make_unique<Observe::Remote<Observe::AdminWorker>>(
        thread, [access = Observe::ConsulAccess(options)] { return new Observe::AdminWorker(access); });
    return {};
}

void SessionAdminPrivate::act(QObject *context, SessionAdmin::Done done, Act act)
{
    const auto deliver = [to = receiver, guard = QPointer<QObject>(context),
                          done = std::move(done)](const AdminResult &result) {
        to->post([guard, done, result] {
            if (guard)
                done(result);
        });
    };
    if (const ObserveError error = prepare(); !error.isOk()) {
        deliver({AdminOutcome::Refused, error, {}});
        return;
    }
    worker->post([act = std::move(act), deliver](Observe::AdminWorker &w) { act(w, deliver); });
}

SessionAdmin::SessionAdmin(const ObserverOptions &options, QObject *parent)
    : QObject(parent), d(std::make_unique<SessionAdminPrivate>(this, options))
{
}

SessionAdmin::~SessionAdmin() = default;

void SessionAdmin::destroySession(const SessionRecord &session, QObject *context, Done done)
{
    d->act(context, std::move(done),
           [session](Observe::AdminWorker &worker, Observe::AdminWorker::Done tell) {
               worker.destroySession(session, std::move(tell));
           });
}

void SessionAdmin::releaseKey(const ElectionRecord &election, QObject *context, Done done)
{
    d->act(context, std::move(done),
           [election](Observe::AdminWorker &worker, Observe::AdminWorker::Done tell) {
               worker.releaseKey(election, std::move(tell));
           });
}

} // namespace Baton
