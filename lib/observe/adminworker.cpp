// SPDX-License-Identifier: MIT
#include "adminworker.h"

#include "workerthread.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Observe {

namespace {
constexpr std::chrono::milliseconds Timeout = 5s;

AdminResult changed(const QString &detail)
{
    return {AdminOutcome::Changed, {}, detail};
}

/// A write that may have been done is Unknown; one that cannot have been is Refused.
AdminResult failedWrite(const Wire::Failure &failure, Wire::Exchange exchange, const QString &subject)
{
    using enum Wire::FailureKind;
    const bool nothingDone = failure.kind == Unreachable || failure.kind == Denied
        || failure.kind == RateLimited || failure.kind == Rejected;
    return {nothingDone ? AdminOutcome::Refused : AdminOutcome::Unknown,
            errorOf(failure, exchange, ObservedPart::Action, subject),
            {}};
}
} // namespace

bool AdminWorker::prepare(const Done &done)
{
    if (m_transport)
        return true;
    if (const QString problem = m_access.readToken(); !problem.isEmpty()) {
        done({AdminOutcome::Refused, {.trouble = ObserveTrouble::InvalidOptions, .detail = problem}, {}});
        return false;
    }
    m_transport = std::make_unique<Shell::Transport>(m_access.base, m_access.token, this);
    return true;
}

/// Nothing has been done yet, so whatever goes wrong here is Refused.
void AdminWorker::read(const Wire::Request &request, const Done &done,
                       std::function<void(const Wire::Reply &)> next)
{
    m_transport->send(
        Wire::encode(request, m_access.scope), Timeout,
        [request, done, next = std::move(next)](const Wire::HttpAnswer &answer) {
            WorkerThread::endWithProcess();
            const Wire::Reply reply = Wire::decode(request, answer);
            const auto *failure = std::get_if<Wire::Failure>(&reply);
            if (!failure) {
                next(reply);
                return;
            }
            const auto *key = std::get_if<Wire::ReadKey>(&request);
            done({AdminOutcome::Refused,
                  errorOf(*failure, answer.exchange, key ? ObservedPart::Keys : ObservedPart::Sessions,
                          key ? key->key : QString()),
                  {}});
        });
}

void AdminWorker::destroySession(const SessionRecord &session, Done done)
{
    if (!prepare(done))
        return;
    auto job = std::make_shared<Job>(Job{session, session.keys, std::move(done)});
    read(Wire::InspectSession{session.id}, job->done, [this, job](const Wire::Reply &reply) {
        const auto *shown = std::get_if<Wire::SessionShown>(&reply);
        if (!shown)
            job->done(changed(u"the session is gone, or hidden by an ACL"_s));
        else if (shown->info.createIndex != job->session.createIndex)
            job->done(
                changed(u"it is another session: CreateIndex %1 instead of %2"_s.arg(shown->info.createIndex)
                            .arg(job->session.createIndex)));
        else
            checkKeys(job);
    });
}

void AdminWorker::checkKeys(const std::shared_ptr<Job> &job)
{
    if (job->unread.isEmpty()) {
        destroyNow(job);
        return;
    }
    const QString key = job->unread.takeFirst();
    read(Wire::ReadKey{key}, job->done, [this, job, key](const Wire::Reply &reply) {
        const auto &entry = std::get<Wire::KeyRead>(reply).entry;
        if (entry && entry->session == job->session.id)
            checkKeys(job);
        else
            job->done(changed(u"the session does not hold %1 any more"_s.arg(Wire::plainLine(key))));
    });
}

void AdminWorker::destroyNow(const std::shared_ptr<Job> &job)
{
    const Wire::DestroySession request{job->session.id};
    m_transport->send(Wire::encode(request, m_access.scope), Timeout,
                      [job, request](const Wire::HttpAnswer &answer) {
                          const Wire::Reply reply = Wire::decode(request, answer);
                          if (const auto *failure = std::get_if<Wire::Failure>(&reply))
                              job->done(failedWrite(*failure, answer.exchange, request.session));
                          else
                              job->done({AdminOutcome::Done, {}, {}});
                      });
}

void AdminWorker::releaseKey(const ElectionRecord &election, Done done)
{
    if (!prepare(done))
        return;
    const QString session = election.leader.session;
    read(Wire::ReadKey{election.key}, done,
         [this, key = election.key, session, index = election.modifyIndex, done](const Wire::Reply &reply) {
             const auto &entry = std::get<Wire::KeyRead>(reply).entry;
             if (!entry)
                 done(changed(u"the key was deleted"_s));
             else if (session.isEmpty() || entry->session != session)
                 done(changed(entry->session ? u"session %1 holds it now"_s.arg(*entry->session)
                                             : u"nobody holds it any more"_s));
             else if (entry->modifyIndex != index)
                 done(changed(u"its index is %1 instead of %2"_s.arg(entry->modifyIndex).arg(index)));
             else
                 unlock({key, session, index, entry->value}, done);
         });
}

void AdminWorker::unlock(const Wire::UnlockKey &query, const Done &done)
{
    m_transport->send(Wire::encodeQuery(query, m_access.scope), Timeout,
                      [query, done](const Wire::HttpAnswer &answer) {
                          const Wire::QueryReply reply = Wire::decodeQuery(query, answer);
                          if (const auto *failure = std::get_if<Wire::Failure>(&reply)) {
                              done(failedWrite(*failure, answer.exchange, query.key));
                          } else if (const auto *refused = std::get_if<Wire::LockRefused>(&reply)) {
                              done(changed(refused->detail));
                          } else {
                              const bool released = std::get<Wire::KeyReleased>(reply).released;
                              done({released ? AdminOutcome::Done : AdminOutcome::Unknown, {}, {}});
                          }
                      });
}

} // namespace Baton::Observe
