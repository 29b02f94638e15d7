// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

namespace Baton::Tools {

/// Reads lines from standard input as they come: from a pipe, a terminal, a file or nothing at all.
class CommandReader : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype MaxLine = 600 * 1024; ///< A write of Consul's largest value fits.

    explicit CommandReader(int descriptor, QObject *parent = nullptr);

Q_SIGNALS:
    /// Without its line feed. The last line may lack one.
    void line(const QByteArray &line);
    /// A line was longer than MaxLine and is left out.
    void tooLong();
    void ended();

private:
    void read();
    void takeLines();

    const int m_descriptor;
    QByteArray m_buffer;
    bool m_skipping = false; ///< Inside a line that is too long.
    QSocketNotifier m_notifier;
};

} // namespace Baton::Tools
