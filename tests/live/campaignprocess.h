// SPDX-License-Identifier: MIT
#pragma once

#include "candidate.h"

#include <QJsonObject>
#include <QProcess>

namespace Baton::Testing {

// A candidate as a process of its own, `baton campaign`, with a record of all that it wrote. Gone with the
// object.
class CampaignProcess : public QObject
{
    Q_OBJECT
public:
    struct Event
    {
        BootTime at{};
        QString name;
        QJsonObject fields;
        [[nodiscard]] quint64 token() const;
        [[nodiscard]] bool endsATerm() const;
    };

    // The arguments that say the same as `options`, as far as these tests use them.
    explicit CampaignProcess(const LeaseOptions &options);
    ~CampaignProcess() override;

    void start();
    void say(const QByteArray &line);
    // freeze() is true once the process stands still; it then has no lease for as long as it does.
    [[nodiscard]] bool freeze();
    void thaw();
    void kill();
    void terminate() { m_process.terminate(); }

    [[nodiscard]] QString name() const { return m_name; }
    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] int exitCode() const { return m_process.exitCode(); }
    [[nodiscard]] const QList<Event> &events() const { return m_events; }
    [[nodiscard]] QList<Event> events(const QString &name) const;
    // The term it said to have acquired, and has not said to have ended.
    [[nodiscard]] std::optional<Event> term() const;
    [[nodiscard]] bool isWaiting() const;
    // When it was killed, or found to stand still.
    [[nodiscard]] std::optional<BootTime> haltedAt() const { return m_haltedAt; }

private:
    void read();

    const QString m_name;
    const QStringList m_arguments;
    QProcess m_process;
    QList<Event> m_events;
    std::optional<BootTime> m_haltedAt;
};

} // namespace Baton::Testing
