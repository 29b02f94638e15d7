// SPDX-License-Identifier: MIT
#pragma once

#include "clusterstate.h"
#include "connectionhealth.h"
#include "consulaccess.h"

#include <core/backoff.h>
#include <qt/alarm.h>
#include <qt/transport.h>

#include <QtCore/QObject>

#include <memory>

namespace Baton::Observe {

/*!
 * Asks one Consul, on the worker thread: one long poll for the sessions and one for each prefix, the agent
 * itself every few seconds, and one question at a time of those that ClusterState wants answered. When to ask
 * is decided here, what the answers mean is not.
 */
class ClusterWorker : public QObject
{
public:
    struct Update
    {
        std::optional<ClusterSnapshot> snapshot; ///< Nothing: only the report is new.
        ClusterDelta delta;
        ConnectionReport report;
    };
    using Publish = std::function<void(Update update)>;

    /// After each update with a snapshot none is published until taken().
    ClusterWorker(const ObserverOptions &options, Publish publish);
    ~ClusterWorker() override;

    void start();
    void stop();
    void refresh();
    void setHidden(bool hidden);
    void taken();

private:
    /// Something that is read again and again.
    struct Part
    {
        ObservedPart what = ObservedPart::Sessions;
        int prefix = -1;
        quint64 call = 0; ///< Under way; 0 is none.
        std::optional<quint64> index;
        bool parked = false; ///< The call under way is a long poll.
        Core::Instant asked;
        Core::Instant dueAt;
        Core::Duration took{}; ///< What the last answer took to come, where it came at once, and to be read.
        Core::Backoff backoff;
    };

    void turn();
    void ask(std::size_t index);
    void answered(std::size_t index, const Wire::Query &query, const Wire::HttpAnswer &answer);
    void failed(std::size_t index, const ObserveError &error);
    void askAgent();
    void agentAnswered(const Wire::HttpAnswer &answer);
    void agentFailed(const ObserveError &error);
    void askAcls();
    void confirm();
    void giveUpPolls(const ObserveError &error);
    void publish(Core::Instant now);
    void cancel(quint64 &call);
    [[nodiscard]] Core::Duration floorFor(const Part &part) const;
    [[nodiscard]] Core::Duration pulse() const;
    [[nodiscard]] bool isShortUnderWay() const
    {
        return m_agentCall != 0 || m_aclCall != 0 || m_confirmCall != 0;
    }
    [[nodiscard]] ReadTimes timesOf(Core::Instant asked, Core::Instant answered) const;
    [[nodiscard]] ConnectionReport makeReport(Core::Instant now);
    [[nodiscard]] QString subjectOf(const Part &part) const;
    void rearm(Core::Instant now);

    const ObserverOptions m_options;
    ConsulAccess m_access;
    const Publish m_publish;
    ClusterState m_state;
    ConnectionHealth m_health;
    std::unique_ptr<Shell::Transport> m_transport;
    Shell::Alarm m_alarm;
    Core::Random m_random;
    std::vector<Part> m_parts;
    quint64 m_agentCall = 0;
    Core::Instant m_agentDueAt;
    quint64 m_aclCall = 0;
    Core::Instant m_aclsDueAt;
    quint64 m_confirmCall = 0;
    Core::Instant m_confirmDueAt;
    Core::Duration m_roundTrip{};
    bool m_running = false;
    bool m_hidden = false;
    bool m_taken = true;
    Core::Instant m_publishedAt; ///< The last snapshot.
    Core::Instant m_toldAt; ///< The last report.
    ConnectionReport m_told;
};

} // namespace Baton::Observe
