// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/LeaseProvider>

#include <QList>
#include <QObject>

#include <chrono>
#include <functional>
#include <optional>

namespace Baton::Testing {

class ConsulAgent;

// The clock of the leases: counts suspend, and is the same in every process of the machine.
using BootTime = std::chrono::nanoseconds;
[[nodiscard]] BootTime bootTime();
[[nodiscard]] double inMs(BootTime duration);

// One term as its provider told it.
struct TermRecord
{
    Lease lease;
    quint64 token = 0;
    QString session;
    BootTime acquiredAt{};
    // The local deadline, and when the renewal it counts from was sent, as far as the signals told: the
    // latter is the instant of the answer less its round trip, so it does not come from the deadline.
    BootTime deadline{};
    std::optional<BootTime> renewalSentAt;
    BootTime roundTrip{};
    std::optional<BootTime> lostAt;
    std::optional<LostReason> reason;
    QString evidence;
};

// A candidate that keeps a record of its terms, and of whatever breaks the rules of LeaseProvider's signals.
class Candidate : public QObject
{
    Q_OBJECT
public:
    explicit Candidate(const LeaseOptions &options);

    [[nodiscard]] LeaseProvider &provider() { return m_provider; }
    void start() { m_provider.start(); }
    void stop() { m_provider.stop(); }
    // It does not campaign again once it has lost a term.
    void stopWhenLost();

    [[nodiscard]] const QList<TermRecord> &terms() const { return m_terms; }
    [[nodiscard]] const TermRecord &term() const { return m_terms.last(); }
    [[nodiscard]] bool leads() const { return !m_terms.isEmpty() && !m_terms.last().lostAt; }
    [[nodiscard]] qsizetype lostTerms() const { return m_terms.size() - (leads() ? 1 : 0); }
    [[nodiscard]] bool isWaiting() const { return m_provider.state() == ProviderState::Waiting; }
    [[nodiscard]] const QList<LeaseError> &errors() const { return m_errors; }
    [[nodiscard]] bool sawError(ErrorCode code) const;
    // What contradicted the rules first: every acquired term is lost before the next, tokens rise, properties
    // and lease agree with the last signal.
    [[nodiscard]] QString broken() const { return m_broken; }

private:
    void acquired(quint64 token);
    void renewed(std::chrono::microseconds roundTrip);
    void lost(LostReason reason);
    void expect(bool condition, const char *rule);

    QList<TermRecord> m_terms;
    QList<LeaseError> m_errors;
    QString m_broken;
    LeaseProvider m_provider;
};

// The one whose last signal was leadershipAcquired, or null.
[[nodiscard]] Candidate *leaderOf(const QList<Candidate *> &candidates);

// Turns the event loop until the condition holds. Unlike QTRY_VERIFY it does not pause between two looks, so
// that what is measured in a slot is right to a fraction of a millisecond.
[[nodiscard]] bool waitUntil(const std::function<bool()> &condition, std::chrono::milliseconds bound);

// Timings for tests that wait for the end of a session, against an agent with `shortSessions()`: TTL 2 s, so
// that Consul ends the session after 4 s, and lock-delay 2 s; the lease lasts 1.6 s after a renewal.
[[nodiscard]] LeaseOptions quickOptions(const ConsulAgent &agent, const QString &service);
// The default timings.
[[nodiscard]] LeaseOptions balancedOptions(const ConsulAgent &agent, const QString &service);
// Configuration of servers that accept a TTL below 10 s.
[[nodiscard]] QJsonObject shortSessions();

} // namespace Baton::Testing

// For test functions: fails where the condition does not come true. The bound is only there to end a test
// that fails, so it allows for a machine that is busy.
#define WAIT_FOR(condition)                                                                                  \
    QVERIFY2(Baton::Testing::waitUntil([&] { return bool(condition); }, std::chrono::seconds(60)), #condition)
