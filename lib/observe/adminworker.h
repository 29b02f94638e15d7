// SPDX-License-Identifier: MIT
#pragma once

#include "consulaccess.h"

#include <Baton/sessionadmin.h>
#include <qt/transport.h>

#include <functional>
#include <memory>

namespace Baton::Observe {

/// Carries out what a SessionAdmin is told, on the worker thread: reads, compares, acts once.
class AdminWorker : public QObject
{
public:
    using Done = std::function<void(AdminResult result)>;

    explicit AdminWorker(ConsulAccess access) : m_access(std::move(access)) { }

    void destroySession(const SessionRecord &session, Done done);
    void releaseKey(const ElectionRecord &election, Done done);

private:
    struct Job
    {
        SessionRecord session;
        QStringList unread; ///< Keys that have yet to be looked at.
        Done done;
    };

    void read(const Wire::Request &request, const Done &done, std::function<void(const Wire::Reply &)> next);
    void checkKeys(const std::shared_ptr<Job> &job);
    void destroyNow(const std::shared_ptr<Job> &job);
    void unlock(const Wire::UnlockKey &query, const Done &done);
    bool prepare(const Done &done);

    ConsulAccess m_access;
    std::unique_ptr<Shell::Transport> m_transport;
};

} // namespace Baton::Observe
