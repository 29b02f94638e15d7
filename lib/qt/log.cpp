// SPDX-License-Identifier: MIT
#include "log.h"

#include "bootclock.h"
#include "courier.h"

using namespace Qt::StringLiterals;

namespace Baton::Shell {

Q_LOGGING_CATEGORY(campaignLog, "baton.campaign", QtCriticalMsg)
Q_LOGGING_CATEGORY(httpLog, "baton.http", QtCriticalMsg)

namespace {
void print(const QLoggingCategory &category, QtMsgType type, const QString &text)
{
    const QMessageLogger logger(nullptr, 0, nullptr, category.categoryName());
    if (type == QtDebugMsg)
        logger.debug().noquote() << text;
    else if (type == QtInfoMsg)
        logger.info().noquote() << text;
    else
        logger.warning().noquote() << text;
}
} // namespace

Log::Log(Category category, Courier &courier)
    : m_category(category()), m_courier(courier), m_waiting(std::make_shared<std::atomic<int>>(0))
{
}

void Log::write(QtMsgType type, QString text)
{
    if (!isEnabled(type))
        return;
    if (!mayWrite()) {
        ++m_leftOut;
        return;
    }
    if (const quint64 leftOut = std::exchange(m_leftOut, 0))
        text += u" (%1 lines before this one were left out)"_s.arg(leftOut);
    ++*m_waiting;
    m_courier.post([&category = m_category, type, text = std::move(text), waiting = m_waiting] {
        print(category, type, text);
        --*waiting;
    });
}

bool Log::mayWrite()
{
    const Core::Instant now = Core::bootNow();
    if (now >= m_since + std::chrono::seconds(1)) {
        m_since = now;
        m_written = 0;
    }
    return *m_waiting < Most && ++m_written <= Most;
}

} // namespace Baton::Shell
