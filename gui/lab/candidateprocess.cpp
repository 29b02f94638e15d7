// SPDX-License-Identifier: MIT
#include "candidateprocess.h"

#include "childprocess.h"

#include <Baton/boottime.h>

#include <QtCore/QJsonDocument>

#include <csignal>

using namespace Qt::StringLiterals;

namespace Baton::Lab {

CandidateProcess::CandidateProcess(const QString &name, const QString &program, const QStringList &arguments,
                                   QObject *parent)
    : QObject(parent), m_name(name), m_program(program), m_arguments(arguments)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &CandidateProcess::readLines);
    connect(&m_process, &QProcess::finished, this, [this] {
        readLines();
        m_token.reset();
        m_frozen = false;
        Q_EMIT ended();
    });
}

CandidateProcess::~CandidateProcess()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(2000);
}

void CandidateProcess::start()
{
    endWithThisThread(m_process);
    m_process.start(m_program, m_arguments);
}

void CandidateProcess::command(const QByteArray &line)
{
    m_process.write(line + '\n');
}

void CandidateProcess::crash()
{
    m_process.kill();
}

void CandidateProcess::freeze()
{
    m_frozen = ::kill(pid_t(m_process.processId()), SIGSTOP) == 0;
}

void CandidateProcess::thaw()
{
    ::kill(pid_t(m_process.processId()), SIGCONT);
    m_frozen = false;
}

void CandidateProcess::terminate()
{
    m_process.terminate();
}

CandidateProcess::Condition CandidateProcess::condition() const
{
    if (!isRunning())
        return Condition::Absent;
    if (m_token && bootTime() >= localDeadline())
        return Condition::Void;
    if (m_frozen)
        return Condition::Frozen;
    if (!m_token)
        return Condition::Waiting;
    return m_atRisk ? Condition::AtRisk : Condition::Leading;
}

void CandidateProcess::readLines()
{
    while (m_process.canReadLine()) {
        const QJsonObject line = QJsonDocument::fromJson(m_process.readLine()).object();
        note(line);
        Q_EMIT event(line);
    }
}

void CandidateProcess::note(const QJsonObject &line)
{
    using namespace std::chrono;
    const QString kind = line["event"_L1].toString();
    const Instant at{line["t"_L1].toInteger()};
    if (kind == "started"_L1) {
        m_window = milliseconds{line["window_ms"_L1].toInteger()};
    } else if (kind == "acquired"_L1) {
        m_token = quint64(line["token"_L1].toInteger());
        // What is left of the window tells when the last renewal before the term was sent.
        m_lastRenewal = at + milliseconds{line["left_ms"_L1].toInteger()} - m_window;
    } else if (kind == "renewed"_L1) {
        m_lastRenewal = at - microseconds{line["round_trip_us"_L1].toInteger()};
        m_atRisk = false;
    } else if (kind == "at_risk"_L1) {
        m_atRisk = true;
    } else if (kind == "lost"_L1 || kind == "released"_L1) {
        m_token.reset();
        m_atRisk = false;
    }
}

} // namespace Baton::Lab
