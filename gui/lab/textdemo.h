// SPDX-License-Identifier: MIT
#pragma once

#include "candidateprocess.h"
#include "consulprocess.h"
#include "failoverlog.h"

#include <Baton/leaseoptions.h>

#include <QtCore/QObject>

#include <functional>
#include <memory>
#include <vector>

namespace Baton::Lab {

/*!
 * The failover demonstration as text: a Consul, three candidates as processes of their own, three ways
 * to lose a leader. Draws the candidates as lanes, time running down, and ends with what was predicted and
 * what was measured.
 */
class TextDemo : public QObject
{
    Q_OBJECT
public:
    /// Without a \a consulProgram the Consul is a simulated one, and the demonstration says so.
    TextDemo(const QString &consulProgram, const QString &batonProgram, QObject *parent = nullptr);

    /// Runs to the end; the exit code of the process. Turns the event loop.
    int run();
    /// Ends at the next opportunity; everything that was started is ended.
    void interrupt();

private:
    struct Failure; ///< What ends the demonstration early.
    using Seconds = std::chrono::seconds;

    void startConsul();
    void startCandidates();
    void handOver();
    void crash();
    void freezeAndThaw();
    void endCandidates();
    int report();

    void waitUntil(const std::function<bool()> &condition, Seconds limit, const QString &what);
    void note(CandidateProcess &candidate, const QJsonObject &line);
    CandidateProcess &leader() const;
    CandidateProcess *leaderOtherThan(const CandidateProcess *former) const;
    void measure(const QString &what, FailureKind kind, CandidateProcess::Instant origin);
    void scene(const QString &title, FailureKind kind, const QString &explanation);
    void row(const QString &text = {});

    const QString m_consulProgram;
    const QString m_batonProgram;
    LeaseOptions m_options;
    std::unique_ptr<ConsulProcess> m_consul;
    std::vector<std::unique_ptr<CandidateProcess>> m_candidates;
    FailoverLog m_log;
    CandidateProcess::Instant m_began{};
    bool m_interrupted = false;
    QString m_failure;
    int m_refusedWrites = 0;
    int m_acceptedStaleWrites = 0;
    CandidateProcess *m_thawed = nullptr; ///< Its writes are those of a former leader.
};

} // namespace Baton::Lab
