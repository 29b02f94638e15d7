// SPDX-License-Identifier: MIT
#pragma once

#include "consulaccess.h"

#include <Baton/leaderinfo.h>
#include <Baton/leaseerror.h>
#include <core/backoff.h>
#include <core/troublelog.h>
#include <qt/alarm.h>
#include <qt/transport.h>

#include <memory>
#include <optional>

namespace Baton::Observe {

/// Watches one lock key on the worker thread: consistent reads and long polls, at most ten a second.
class LeaderWorker : public QObject
{
public:
    struct News
    {
        std::optional<LeaderInfo> leader = {};
        bool current = false;
        std::optional<LeaseError> error = {};
        std::optional<ErrorCode> cleared = {};
    };
    using Publish = std::function<void(News news)>;

    LeaderWorker(ConsulAccess access, const QString &key, std::chrono::milliseconds wait, Publish publish);
    ~LeaderWorker() override;

    void start();
    void stop();

private:
    void ask();
    void answered(const Wire::Request &request, const Wire::HttpAnswer &answer);
    void see(const Wire::KeyRead &read);
    void tellTroubles();

    ConsulAccess m_access;
    const QString m_key;
    const std::chrono::milliseconds m_wait;
    const Publish m_publish;
    std::unique_ptr<Shell::Transport> m_transport; ///< While it runs.
    Shell::Alarm m_alarm;
    Core::Random m_random;
    Core::Backoff m_backoff;
    Core::Outbox m_outbox;
    Core::TroubleLog m_troubles{m_outbox};
    std::optional<quint64> m_index;
    Core::Instant m_asked;
    std::optional<LeaderInfo> m_told;
    int m_failures = 0;
    bool m_current = false;
};

} // namespace Baton::Observe
