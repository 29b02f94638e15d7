// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QJsonObject>
#include <QtCore/QObject>
#include <QtCore/QProcess>

#include <chrono>
#include <optional>

namespace Baton::Lab {

/*!
 * A candidate of the lab: a real `baton campaign` process, followed through its JSON Lines and driven through
 * its standard input and signals. Gone with the object.
 *
 * Clock of every instant: boot time, as the candidate wrote it.
 */
class CandidateProcess : public QObject
{
    Q_OBJECT
public:
    enum class Condition {
        Absent, ///< Not started, or ended.
        Waiting,
        AtRisk,
        Leading,
        Frozen, ///< Stands still, with or without a lease.
        Void, ///< Its local deadline has passed and it has not said so yet, standing still or not.
    };
    using Instant = std::chrono::nanoseconds; ///< Since boot.

    CandidateProcess(const QString &name, const QString &program, const QStringList &arguments,
                     QObject *parent = nullptr);
    ~CandidateProcess() override;

    void start();
    void command(const QByteArray &line);
    void crash(); ///< SIGKILL.
    void freeze(); ///< SIGSTOP.
    void thaw(); ///< SIGCONT.
    void terminate(); ///< SIGTERM: gives up in order.

    [[nodiscard]] QString name() const { return m_name; }
    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] Condition condition() const;
    [[nodiscard]] std::optional<quint64> token() const { return m_token; }
    /// When the last renewal that was acknowledged, as far as reported, was sent; kept after the end of a
    /// term.
    [[nodiscard]] Instant lastRenewalSent() const { return m_lastRenewal; }
    /// The instant after which that term's lease was void, whatever came later.
    [[nodiscard]] Instant localDeadline() const { return m_lastRenewal + m_window; }

Q_SIGNALS:
    /// One line of `baton campaign`.
    void event(const QJsonObject &line);
    void ended();

private:
    void readLines();
    void note(const QJsonObject &line);

    const QString m_name;
    const QString m_program;
    const QStringList m_arguments;
    QProcess m_process;
    bool m_frozen = false;
    bool m_atRisk = false;
    std::optional<quint64> m_token;
    Instant m_lastRenewal{};
    std::chrono::milliseconds m_window{};
};

} // namespace Baton::Lab
