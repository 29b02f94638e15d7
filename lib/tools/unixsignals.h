// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <memory>

namespace Baton::Tools {

/*!
 * Turns the first SIGTERM, SIGINT or SIGHUP into a signal of Qt; a second one ends the process at once,
 * whatever it is doing. Nothing that standard input or output do to the process by a signal stops or ends it
 * from here on: not a reader that has gone, nor a terminal that belongs to another job. One object a process.
 */
class UnixSignals : public QObject
{
    Q_OBJECT
public:
    explicit UnixSignals(QObject *parent = nullptr);

Q_SIGNALS:
    void termination();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace Baton::Tools
