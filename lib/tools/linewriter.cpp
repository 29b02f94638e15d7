// SPDX-License-Identifier: MIT
#include "linewriter.h"

#include <QtCore/QDeadlineTimer>

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace Baton::Tools {

LineWriter::LineWriter(int descriptor, QObject *parent) : QThread(parent), m_descriptor(descriptor)
{
    if (::pipe2(m_wakePipe, O_CLOEXEC) != 0)
        qFatal("no pipe: out of descriptors");
    start();
}

LineWriter::~LineWriter()
{
    {
        const QMutexLocker lock(&m_mutex);
        m_ending = true;
        m_changed.wakeAll();
    }
    const char byte = 0;
    [[maybe_unused]] const auto ignored = ::write(m_wakePipe[1], &byte, 1);
    wait();
    ::close(m_wakePipe[0]);
    ::close(m_wakePipe[1]);
}

bool LineWriter::write(const QByteArray &line)
{
    const QMutexLocker lock(&m_mutex);
    if (m_closed || m_lines.size() >= MaxQueued) {
        ++m_dropped;
        return false;
    }
    m_lines.push_back(line);
    m_changed.wakeAll();
    return true;
}

void LineWriter::flush(std::chrono::milliseconds limit)
{
    const QDeadlineTimer deadline(limit);
    QMutexLocker lock(&m_mutex);
    while (!m_lines.empty() && !m_closed && m_changed.wait(&m_mutex, deadline)) { }
}

void LineWriter::run()
{
    QMutexLocker lock(&m_mutex);
    for (;;) {
        while (m_lines.empty() && !m_ending)
            m_changed.wait(&m_mutex);
        if (m_ending)
            return;
        const QByteArray line = m_lines.front();
        lock.unlock();
        const bool written = writeAll(line);
        lock.relock();
        if (!written) {
            m_closed = true;
            m_lines.clear();
            m_changed.wakeAll();
            if (!m_ending)
                Q_EMIT closed();
            return;
        }
        m_lines.pop_front();
        m_changed.wakeAll();
    }
}

bool LineWriter::writeAll(const QByteArray &line)
{
    // A pipe that can be written to takes at least this much without blocking, so the thread can always be
    // ended.
    constexpr qsizetype Piece = 4096; // PIPE_BUF on Linux.
    for (qsizetype done = 0; done < line.size();) {
        if (!waitUntilWritable())
            return false;
        const auto count =
            ::write(m_descriptor, line.constData() + done, size_t(std::min(line.size() - done, Piece)));
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        done += std::max<qsizetype>(count, 0);
    }
    return true;
}

bool LineWriter::waitUntilWritable()
{
    pollfd descriptors[] = {{m_descriptor, POLLOUT, 0}, {m_wakePipe[0], POLLIN, 0}};
    while (::poll(descriptors, 2, -1) < 0) {
        if (errno != EINTR)
            return false;
    }
    const bool gone = descriptors[0].revents & (POLLERR | POLLNVAL);
    return !gone && (descriptors[0].revents & POLLOUT) && !(descriptors[1].revents & POLLIN);
}

} // namespace Baton::Tools
