// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <memory>

namespace Baton::Tools {

/// Reads lines from standard input as they come: a pipe, a terminal, a file or nothing.
class CommandReader : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype MaxLine = 600 * 1024; ///< A write of Consul's largest value fits.

    explicit CommandReader(int descriptor, QObject *parent = nullptr);

Q_SIGNALS:
    void line(const QByteArray &line);
    /// A line was longer than MaxLine and was left out.
    void tooLong();
    void ended();

private:
    void read();
    void takeLines();

    const int m_descriptor;
    QByteArray m_buffer;
    bool m_skipping = false; ///< Inside a line that is too long.
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace Baton::Tools
