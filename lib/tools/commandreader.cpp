// SPDX-License-Identifier: MIT
#include "commandreader.h"

#include <QtCore/QTimer>

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace Baton::Tools {

namespace {
/// A file or /dev/null is always readable, and the kernel refuses to wait for it.
bool canBeWaitedFor(int descriptor)
{
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0
        && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor));
}
} // namespace

CommandReader::CommandReader(int descriptor, QObject *parent) : QObject(parent), m_descriptor(descriptor)
{
    if (canBeWaitedFor(descriptor)) {
        m_notifier = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &CommandReader::read);
    } else {
        QTimer::singleShot(0, this, &CommandReader::read);
    }
}

void CommandReader::read()
{
    char bytes[64 * 1024];
    const auto count = ::read(m_descriptor, bytes, sizeof bytes);
    if (count > 0) {
        m_buffer.append(bytes, count);
        takeLines();
        if (!m_notifier)
            QTimer::singleShot(0, this, &CommandReader::read);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        if (m_notifier)
            m_notifier->setEnabled(false);
        Q_EMIT ended();
    }
}

void CommandReader::takeLines()
{
    qsizetype end = 0;
    while ((end = m_buffer.indexOf('\n')) >= 0) {
        const QByteArray text = m_buffer.first(end);
        m_buffer.remove(0, end + 1);
        if (!std::exchange(m_skipping, false))
            Q_EMIT line(text);
    }
    if (m_buffer.size() <= MaxLine)
        return;
    m_buffer.clear();
    if (!std::exchange(m_skipping, true))
        Q_EMIT tooLong();
}

} // namespace Baton::Tools
