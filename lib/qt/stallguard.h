// SPDX-License-Identifier: MIT
#pragma once

#include "alarm.h"
#include "mailbox.h"

#include <chrono>
#include <memory>

namespace Baton::Shell {

/*!
 * Watches whether the provider's thread turns its event loop: asks it through the mailbox four times in each
 * limit, and says so when no answer came for the whole limit, and when one comes after that. Lives on the
 * engine's thread.
 */
class StallGuard : public QObject
{
    Q_OBJECT
public:
    StallGuard(std::chrono::milliseconds limit, std::shared_ptr<Mailbox> mailbox);

    void start();
    void stop();

Q_SIGNALS:
    void stalled();
    void recovered();

private:
    void ask();
    void check();
    Core::Instant lastTurn() const;

    const std::chrono::milliseconds m_limit;
    const std::shared_ptr<Mailbox> m_mailbox;
    /// When the provider's thread last answered, in nanoseconds since boot; written there, read here.
    const std::shared_ptr<std::atomic<Core::BootTime::rep>> m_lastTurn;
    bool m_stalled = false;
    Alarm m_alarm;
};

} // namespace Baton::Shell
