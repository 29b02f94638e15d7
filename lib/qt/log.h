// SPDX-License-Identifier: MIT
#pragma once

#include <core/instant.h>

#include <QtCore/QLoggingCategory>
#include <QtCore/QString>

#include <atomic>
#include <chrono>
#include <memory>

namespace Baton::Shell {

class Courier;

/// Terms and troubles: information, and warnings. Silent unless switched on.
Q_DECLARE_LOGGING_CATEGORY(campaignLog)
/// Every request with its outcome: debug. Silent unless switched on.
Q_DECLARE_LOGGING_CATEGORY(httpLog)

/*!
 * One of Baton's logging categories, with its rate limit. The lines are written by the courier, since a
 * message handler is the application's code; they are made on the engine's thread, which waits for none of
 * them.
 *
 * Limit: Most lines in a second, and Most that wait for a handler which sleeps. What is left out is counted,
 * and said by the next line that is not.
 */
class Log
{
public:
    static constexpr int Most = 20;

    using Category = const QLoggingCategory &();
    Log(Category category, Courier &courier);

    /// To be asked before a line is put together.
    [[nodiscard]] bool isEnabled(QtMsgType type) const { return m_category.isEnabled(type); }
    void write(QtMsgType type, QString text);

private:
    bool mayWrite();

    const QLoggingCategory &m_category;
    Courier &m_courier;
    Core::Instant m_since{}; ///< When the present second began.
    int m_written = 0; ///< In that second.
    quint64 m_leftOut = 0;
    std::shared_ptr<std::atomic<int>> m_waiting;
};

} // namespace Baton::Shell
