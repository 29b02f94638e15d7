// SPDX-License-Identifier: MIT
#include "alarm.h"

#include "bootclock.h"

#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>

#ifdef Q_OS_LINUX
#include <sys/timerfd.h>
#include <unistd.h>
#endif

using namespace std::chrono_literals;

namespace Baton::Shell {

namespace {
/// Without a timer on the boot-time clock, resume from suspend is noticed this late at most.
constexpr std::chrono::nanoseconds LongestSleep = 1s;
} // namespace

Alarm::Alarm(QObject *parent) : QObject(parent)
{
#ifdef Q_OS_LINUX
    m_descriptor = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (m_descriptor >= 0) {
        m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
        connect(m_notifier, &QSocketNotifier::activated, this, &Alarm::check);
        return;
    }
#endif
    // Also the way out when the process has no descriptor left: an alarm must ring.
    m_timer = new QTimer(this);
    m_timer->setTimerType(Qt::PreciseTimer);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &Alarm::check);
}

Alarm::~Alarm()
{
#ifdef Q_OS_LINUX
    delete m_notifier;
    if (m_descriptor >= 0)
        ::close(m_descriptor);
#endif
}

void Alarm::setAt(std::optional<Core::Instant> when)
{
    m_at = when;
    arm();
}

void Alarm::arm()
{
#ifdef Q_OS_LINUX
    if (m_descriptor >= 0) {
        itimerspec spec{};
        if (m_at) {
            // A value of zero would switch the timer off, and a negative one is refused: both mean "now".
            const auto sinceBoot = std::max(m_at->time_since_epoch(), 1ns);
            const auto whole = std::chrono::floor<std::chrono::seconds>(sinceBoot);
            spec.it_value.tv_sec = whole.count();
            spec.it_value.tv_nsec = (sinceBoot - whole).count();
        }
        timerfd_settime(m_descriptor, TFD_TIMER_ABSTIME, &spec, nullptr);
        return;
    }
#endif
    if (!m_at) {
        m_timer->stop();
        return;
    }
    const std::chrono::nanoseconds left = std::clamp(*m_at - Core::bootNow(), 0ns, LongestSleep);
    m_timer->start(std::chrono::ceil<std::chrono::milliseconds>(left));
}

void Alarm::check()
{
#ifdef Q_OS_LINUX
    quint64 expirations = 0;
    if (m_descriptor >= 0 && ::read(m_descriptor, &expirations, sizeof expirations) < 0)
        return; // Set anew since the descriptor became readable.
#endif
    if (!m_at)
        return;
    if (Core::bootNow() < *m_at) {
        arm();
        return;
    }
    m_at.reset();
    Q_EMIT rang();
}

} // namespace Baton::Shell
