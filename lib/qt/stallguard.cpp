// SPDX-License-Identifier: MIT
#include "stallguard.h"

#include "bootclock.h"

namespace Baton::Shell {

StallGuard::StallGuard(std::chrono::milliseconds limit, std::shared_ptr<Mailbox> mailbox)
    : m_limit(limit), m_mailbox(std::move(mailbox)),
      m_lastTurn(std::make_shared<std::atomic<Core::BootTime::rep>>(0)), m_alarm(this)
{
    connect(&m_alarm, &Alarm::rang, this, &StallGuard::check);
}

void StallGuard::start()
{
    m_stalled = false;
    *m_lastTurn = Core::bootNow().time_since_epoch().count();
    ask();
}

void StallGuard::stop()
{
    if (!m_stalled)
        m_alarm.setAt(std::nullopt);
}

void StallGuard::ask()
{
    m_mailbox->ping([turn = m_lastTurn] { *turn = Core::bootNow().time_since_epoch().count(); });
    m_alarm.setAt(std::min(Core::bootNow() + m_limit / 4, lastTurn() + m_limit));
}

void StallGuard::check()
{
    const bool turns = Core::bootNow() < lastTurn() + m_limit;
    if (m_stalled) {
        m_stalled = !turns;
        m_alarm.setAt(turns ? std::nullopt : std::optional(Core::bootNow() + m_limit / 4));
        if (turns)
            Q_EMIT recovered();
    } else if (turns) {
        ask();
    } else {
        m_stalled = true;
        m_alarm.setAt(Core::bootNow() + m_limit / 4);
        Q_EMIT stalled();
    }
}

Core::Instant StallGuard::lastTurn() const
{
    return Core::Instant{Core::Duration{m_lastTurn->load()}};
}

} // namespace Baton::Shell
