// SPDX-License-Identifier: MIT
#include "commandreader.h"

#include <cerrno>
#include <unistd.h>

namespace Baton::Tools {

CommandReader::CommandReader(int descriptor, QObject *parent)
    : QObject(parent), m_descriptor(descriptor), m_notifier(descriptor, QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, &CommandReader::read);
}

void CommandReader::read()
{
    char bytes[64 * 1024];
    const auto count = ::read(m_descriptor, bytes, sizeof bytes);
    if (count > 0) {
        m_buffer.append(bytes, count);
        takeLines();
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        m_notifier.setEnabled(false);
        if (!m_buffer.isEmpty() && !m_skipping)
            Q_EMIT line(std::exchange(m_buffer, {}));
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
