// SPDX-License-Identifier: MIT
#pragma once

#include "driverlink.h"
#include "engine.h"
#include "mailbox.h"

#include <Baton/leaseprovider.h>

#include <QtCore/QMutex>

#include <deque>
#include <memory>

namespace Baton {

/// The provider's side in its own thread: turns notices of the driver into signals, in pairs and in order.
class LeaseProviderPrivate : public QObject
{
public:
    LeaseProviderPrivate(LeaseProvider *provider, const LeaseOptions &leaseOptions);

    void start();
    void stop();
    /// Gives up in order within Engine::ShutdownTimeout; nothing is delivered afterwards.
    void end();
    void deliver();

    LeaseProvider *const q;
    const LeaseOptions options;

    ProviderState state = ProviderState::Idle;
    LeaderInfo leader;
    bool atRisk = false;
    QString lostEvidence;
    /// Any thread.
    std::shared_ptr<Shell::Term> term() const;
    void acquire(Shell::AcquireJob job);

private:
    Shell::DriverSettings driverSettings() const;
    bool createDriver();
    LeaseError prepare();
    void withToken(std::function<void()> go, std::function<void(const LeaseError &)> refuse);

    void handle(const Shell::Notice &notice);
    void handleAtEnd(const Shell::Notice &notice);
    void announce(const std::shared_ptr<Shell::Term> &term);
    void lose(const Core::Lost &lost);
    void see(const Core::LeaderSeen &seen);
    void setState(ProviderState newState);
    void setAtRisk(bool risk);

    void setTerm(const std::shared_ptr<Shell::Term> &term);

    mutable QMutex m_termMutex;
    std::shared_ptr<Shell::Term> m_term; ///< The announced one.
    std::shared_ptr<Shell::Mailbox> m_mailbox;
    std::shared_ptr<Shell::DriverLink> m_link;
    std::deque<Shell::Notice> m_pending;
    quint64 m_order = 0; ///< Of the last start(), stop() or acquire().
    bool m_stopping = false;
    bool m_ending = false; ///< In the destructor.
    bool m_running = false; ///< The driver has something to give up.
};

} // namespace Baton
