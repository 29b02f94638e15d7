// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QThread>
#include <QtCore/QWaitCondition>

#include <atomic>
#include <chrono>
#include <deque>

namespace Baton::Tools {

/*!
 * Writes lines to a descriptor from a thread of its own, so that a reader that does not read holds up
 * nothing. Lines that do not fit into the queue are dropped and counted. (The descriptor is not made
 * non-blocking: that would change it for every process that shares it.)
 */
class LineWriter : public QThread
{
    Q_OBJECT
public:
    static constexpr int MaxQueued = 10'000; ///< Lines; some megabytes.

    explicit LineWriter(int descriptor, QObject *parent = nullptr);
    /// Waits for nothing: what has not been written is lost.
    ~LineWriter() override;

    /// False where the line was dropped.
    bool write(const QByteArray &line);
    /// Lines dropped since this was last asked.
    int takeDropped() { return m_dropped.exchange(0); }
    /// Waits until everything is written or \a limit has passed.
    void flush(std::chrono::milliseconds limit);

Q_SIGNALS:
    /// The reader has gone; nothing is written any more.
    void closed();

private:
    void run() override;
    bool waitUntilWritable();
    bool writeAll(const QByteArray &line);

    const int m_descriptor;
    int m_wakePipe[2] = {-1, -1}; ///< Readable when the thread is to end.
    QMutex m_mutex;
    QWaitCondition m_changed;
    std::deque<QByteArray> m_lines;
    std::atomic<int> m_dropped = 0;
    bool m_ending = false;
    bool m_closed = false;
};

} // namespace Baton::Tools
