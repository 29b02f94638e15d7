// SPDX-License-Identifier: MIT
#include "linewriter.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QMutex>
#include <QtCore/QWaitCondition>

#include <cerrno>
#include <deque>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace Baton::Tools {

/// Shared by the writer and its thread, and gone with the later of the two.
struct LineWriter::Queue
{
    QMutex mutex;
    QWaitCondition changed;
    LineWriter *writer = nullptr; ///< Null once it is destroyed: the thread is to end.
    std::deque<QByteArray> lines; ///< The first is being written.
    qsizetype bytes = 0;
    quint64 dropped = 0;
    bool closed = false;
};

namespace {
enum class Outcome { Written, Refused, Closed };

/// \a rest is what could not be written.
Outcome writeAll(int descriptor, QByteArrayView &rest)
{
    while (!rest.isEmpty()) {
        const auto count = ::write(descriptor, rest.data(), size_t(rest.size()));
        if (count >= 0) {
            rest = rest.sliced(count);
        } else if (errno == EAGAIN) { // Another process made the shared descriptor non-blocking.
            pollfd writable{descriptor, POLLOUT, 0};
            ::poll(&writable, 1, -1);
        } else if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
            return Outcome::Refused;
        } else if (errno != EINTR) {
            return Outcome::Closed;
        }
    }
    return Outcome::Written;
}
} // namespace

LineWriter::LineWriter(int descriptor, QObject *parent)
    : QObject(parent), m_descriptor(descriptor), m_queue(std::make_shared<Queue>()),
      m_trouble(descriptor, QSocketNotifier::Exception)
{
    m_queue->writer = this;
    // A pipe whose last reader goes is noticed at once, not at the next line, which may be hours away.
    connect(&m_trouble, &QSocketNotifier::activated, this, &LineWriter::lookWhetherClosed);
    std::thread([queue = m_queue, descriptor] { work(queue, descriptor); }).detach();
}

LineWriter::~LineWriter()
{
    const QMutexLocker lock(&m_queue->mutex);
    m_queue->writer = nullptr;
    m_queue->changed.wakeAll();
}

bool LineWriter::write(const QByteArray &line)
{
    const QMutexLocker lock(&m_queue->mutex);
    if (m_queue->closed || m_queue->bytes + line.size() > MaxQueued) {
        ++m_queue->dropped;
        return false;
    }
    m_queue->lines.push_back(line);
    m_queue->bytes += line.size();
    m_queue->changed.wakeAll();
    return true;
}

quint64 LineWriter::dropped() const
{
    const QMutexLocker lock(&m_queue->mutex);
    return m_queue->dropped;
}

void LineWriter::flush(std::chrono::milliseconds limit)
{
    const QDeadlineTimer deadline(limit);
    const QMutexLocker lock(&m_queue->mutex);
    while (!m_queue->lines.empty() && !m_queue->closed && m_queue->changed.wait(&m_queue->mutex, deadline)) {
    }
}

void LineWriter::work(const std::shared_ptr<Queue> &queue, int descriptor)
{
    bool midLine = false; // A refused line left its beginning behind.
    QMutexLocker lock(&queue->mutex);
    for (;;) {
        while (queue->writer && queue->lines.empty())
            queue->changed.wait(&queue->mutex);
        if (!queue->writer)
            return;
        const QByteArray line = midLine ? '\n' + queue->lines.front() : queue->lines.front();
        QByteArrayView rest = line;
        lock.unlock();
        const Outcome outcome = writeAll(descriptor, rest);
        lock.relock();
        if (outcome == Outcome::Closed) {
            queue->closed = true;
            queue->changed.wakeAll();
            if (queue->writer)
                QMetaObject::invokeMethod(queue->writer, &LineWriter::close, Qt::QueuedConnection);
            return;
        }
        if (outcome == Outcome::Refused)
            ++queue->dropped;
        if (rest.size() < line.size())
            midLine = !rest.isEmpty() && line[line.size() - rest.size() - 1] != '\n';
        queue->bytes -= queue->lines.front().size();
        queue->lines.pop_front();
        queue->changed.wakeAll();
    }
}

void LineWriter::lookWhetherClosed()
{
    pollfd state{m_descriptor, 0, 0};
    ::poll(&state, 1, 0);
    if (state.revents & (POLLERR | POLLNVAL))
        close();
    m_trouble.setEnabled(false);
}

void LineWriter::close()
{
    {
        const QMutexLocker lock(&m_queue->mutex);
        m_queue->closed = true;
    }
    m_trouble.setEnabled(false);
    if (!std::exchange(m_told, true))
        Q_EMIT closed();
}

} // namespace Baton::Tools
