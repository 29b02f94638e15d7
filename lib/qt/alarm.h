// SPDX-License-Identifier: MIT
#pragma once

#include "core/instant.h"

#include <QtCore/QObject>

#include <optional>

QT_BEGIN_NAMESPACE
class QSocketNotifier;
class QTimer;
QT_END_NAMESPACE

namespace Baton::Shell {

/*!
 * Wakes its thread at an instant of the boot-time clock, once. On Linux also out of suspend: an instant that
 * passed while the machine slept rings at resume, where a QTimer would still wait for the rest of its time.
 * Elsewhere it looks at the clock at least once a second. A past instant rings at the next turn of the event
 * loop, never inside setAt(). Lives in one thread.
 */
class Alarm : public QObject
{
    Q_OBJECT
public:
    explicit Alarm(QObject *parent = nullptr);
    ~Alarm() override;

    /// Replaces the instant that was set; nothing switches the alarm off. A ring already due but not yet
    /// delivered is taken back.
    void setAt(std::optional<Core::Instant> when);
    [[nodiscard]] std::optional<Core::Instant> at() const { return m_at; }

Q_SIGNALS:
    void rang();

private:
    void arm();
    void check();

    std::optional<Core::Instant> m_at;
    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    QTimer *m_timer = nullptr;
};

} // namespace Baton::Shell
