// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <chrono>
#include <memory>

namespace Baton::Tools {

/*!
 * Writes lines to a descriptor from a thread of its own, so that a reader that does not read holds up
 * nothing. Lines that do not fit into the queue, or that a full disk refuses, are dropped and counted.
 *
 * The descriptor is not made non-blocking: that would change it for every process that shares it. So the
 * thread may be stuck in a write for as long as the reader likes; it is never waited for, and goes with the
 * process.
 */
class LineWriter : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype MaxQueued = 4 * 1024 * 1024; ///< Bytes: about ten thousand events.

    explicit LineWriter(int descriptor, QObject *parent = nullptr);
    /// What has not been written yet is lost.
    ~LineWriter() override;

    /// False where the line, which ends with a line feed, was dropped.
    bool write(const QByteArray &line);
    /// Lines dropped so far.
    [[nodiscard]] quint64 dropped() const;
    /// Waits until everything is written, the reader has gone or \a limit has passed.
    void flush(std::chrono::milliseconds limit);

Q_SIGNALS:
    /// The reader has gone; nothing is written any more. Once.
    void closed();

private:
    struct Queue;
    static void work(const std::shared_ptr<Queue> &queue, int descriptor);
    void close();
    void lookWhetherClosed();

    const int m_descriptor;
    const std::shared_ptr<Queue> m_queue;
    QSocketNotifier m_trouble;
    bool m_told = false; ///< closed() was emitted.
};

} // namespace Baton::Tools
