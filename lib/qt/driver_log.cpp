// SPDX-License-Identifier: MIT
#include "bootclock.h"
#include "driver.h"
#include "engine.h"

using namespace Qt::StringLiterals;

/* What a driver writes into the log, and what it keeps out of every text. */
namespace Baton::Shell {

namespace {
QString outcome(const Wire::HttpAnswer &answer)
{
    using enum Wire::Exchange;
    switch (answer.exchange) {
    case Complete:
        return QString::number(answer.status);
    case Unreachable:
        return u"unreachable"_s;
    case TimedOut:
        return u"timed out"_s;
    case Interrupted:
        return u"interrupted"_s;
    case TooLarge:
        return u"too large"_s;
    }
    Q_UNREACHABLE();
}
} // namespace

/// Whatever the agent answers goes into texts, and something between it and us may answer with our request.
void Driver::censor(QString &text) const
{
    constexpr qsizetype Shortest = 4; // Below that it is no secret, but part of other words.
    if (m_token.size() >= Shortest)
        text.replace(QString::fromLatin1(m_token), u"<token>"_s);
}

void Driver::censor(Core::Output &output) const
{
    if (auto *seen = std::get_if<Core::TroubleSeen>(&output))
        censor(seen->trouble.detail);
    else if (auto *lost = std::get_if<Core::Lost>(&output))
        censor(lost->evidence);
}

void Driver::log(const Core::Output &output)
{
    Log &log = m_engine.campaignLog();
    const QString &key = m_settings.machine.key;
    if (const auto *acquired = std::get_if<Core::Acquired>(&output)) {
        log.write(QtInfoMsg, u"%1: leading with token %2"_s.arg(key).arg(acquired->token));
    } else if (const auto *lost = std::get_if<Core::Lost>(&output)) {
        log.write(QtInfoMsg, u"%1: lost, %2: %3"_s.arg(key, tag(lost->reason), lost->evidence));
    } else if (const auto *seen = std::get_if<Core::TroubleSeen>(&output)) {
        const auto &[step, code, status, detail] = seen->trouble;
        log.write(QtWarningMsg, key + u": "_s + LeaseError{code, step, status, detail, key}.message());
    } else if (const auto *over = std::get_if<Core::TroubleOver>(&output)) {
        log.write(QtInfoMsg, u"%1: over: %2"_s.arg(key, tag(over->code)));
    }
}

void Driver::log(const Wire::HttpCall &call, const Wire::HttpAnswer &answer, Core::Instant sent)
{
    Log &log = m_engine.httpLog();
    if (!log.isEnabled(QtDebugMsg))
        return;
    const double took = std::chrono::duration<double, std::milli>(Core::bootNow() - sent).count();
    log.write(QtDebugMsg,
              u"%1 %2: %3 after %4 ms"_s
                  .arg(QLatin1StringView(call.method), QLatin1StringView(call.target), outcome(answer))
                  .arg(took, 0, 'f', 1));
}

} // namespace Baton::Shell
