// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QProcess>

#include <functional>

namespace Baton::Testing {

// The real program, run as `baton campaign`, and what it said so far. It ends with this object.
class CampaignProcess : public QObject
{
public:
    // Consul's variables of whoever runs the test do not reach it.
    explicit CampaignProcess(const QStringList &arguments);
    ~CampaignProcess() override;

    // Before start():
    void setVariable(const QString &name, const QString &value);
    void setInput(const QString &file) { m_process.setStandardInputFile(file); }
    // Runs in the child right before the program. What it does to descriptor 1 takes the place of lines().
    void setInChild(std::function<void()> inChild) { m_inChild = std::move(inChild); }

    bool start();
    void command(const QByteArray &line) { m_process.write(line + '\n'); }
    void write(const QByteArray &bytes) { m_process.write(bytes); }
    void closeInput() { m_process.closeWriteChannel(); }
    void signal(int number) const;

    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    // Turns the event loop until it has ended; false if it does not.
    [[nodiscard]] bool waitForExit();
    // -1 for one that crashed.
    [[nodiscard]] int exitCode() const;
    [[nodiscard]] const QList<QJsonObject> &lines() const { return m_lines; }
    [[nodiscard]] const QByteArray &output() const { return m_output; }
    [[nodiscard]] const QByteArray &errorOutput() const { return m_errorOutput; }
    [[nodiscard]] qsizetype count(QLatin1StringView event) const;
    // The last such line, empty when there is none.
    [[nodiscard]] QJsonObject last(QLatin1StringView event) const;
    // The events in the order they came, but for those that the pace of renewals decides.
    [[nodiscard]] QStringList story() const;
    // What contradicts the contract of the lines first; empty where nothing does.
    [[nodiscard]] QString broken() const { return m_broken; }

protected:
    // Each line when it has been read.
    virtual void heard(const QJsonObject &) { }
    // Blocks; what it wrote has been read then.
    void waitUntilGone();

private:
    void readOutput();
    void check(const QByteArray &text, const QJsonObject &line);
    QString contradiction(const QByteArray &text, const QJsonObject &line);

    QProcess m_process;
    const QStringList m_arguments;
    std::function<void()> m_inChild;
    QByteArray m_output;
    QByteArray m_errorOutput;
    QList<QJsonObject> m_lines;
    QString m_broken;
    bool m_inTerm = false;
    qint64 m_token = 0;
};

} // namespace Baton::Testing

// For test functions: fails where no such line comes. The bound only ends a test that fails.
#define WAIT_FOR_EVENTS(process, event, times)                                                               \
    QTRY_VERIFY2_WITH_TIMEOUT((process).count(QLatin1StringView(event)) >= (times),                          \
                              (process).output() + (process).errorOutput(), 30'000)
