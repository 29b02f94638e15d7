// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <memory>

namespace Baton::Tools {

/// Turns the first SIGTERM or SIGINT into a signal of Qt; a second one ends the process at once, whatever it
/// is doing. SIGPIPE is ignored from here on. One object a process.
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
