// SPDX-License-Identifier: MIT
#pragma once

#include "eventlog.h"

#include <Baton/leaseprovider.h>

namespace Baton::Tools {

/// Says what a LeaseProvider's signals say, event by event.
class ProviderEvents : public QObject
{
    Q_OBJECT
public:
    ProviderEvents(LeaseProvider &provider, EventLog &log, QObject *parent = nullptr);

    void tellStarted();
    void tellStatus();

private:
    void connectTerm();
    void tellAcquired();
    void tellLost(LostReason reason);
    void tellWaiting(WaitReason why, const QString &holder, std::optional<std::chrono::milliseconds> retryIn);
    void tellLeader(const LeaderInfo &leader);
    void tellError(const LeaseError &error);

    LeaseProvider &m_provider;
    EventLog &m_log;
    quint64 m_token = 0; ///< Of the term announced last.
};

} // namespace Baton::Tools
