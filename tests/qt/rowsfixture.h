// SPDX-License-Identifier: MIT
#pragma once

#include "qt/bootclock.h"
#include "testing/scriptedagent.h"

#include <Baton/LeaseProvider>

#include <QtCore/QStringList>
#include <QtTest/QTest>

#include <chrono>
#include <optional>

/// What the tests of the field reports share: a real LeaseProvider against a scripted agent, with timings of
/// some hundred milliseconds.
namespace RowsFixture {

using namespace Baton;
using Core::bootNow;
using Core::Instant;
using Testing::AgentState;
using Testing::Request;
using Testing::Responder;
using Testing::ScriptedAgent;
using Kind = ScriptedAgent::Kind;

/// What has not happened after this long never will.
inline constexpr int Patience = 10'000;
/// How late a busy machine may be; the design's figure is 100 ms on an idle one.
inline constexpr std::chrono::milliseconds Late{400};
/// From one renewal to the next, in both kinds of lease.
inline constexpr std::chrono::milliseconds RenewInterval{60};
/// How long a short lease outlives its last acknowledged renewal.
inline constexpr std::chrono::milliseconds ShortWindow{400};

inline const QString Key = QStringLiteral("service/test/leader");
inline const QString Stranger = QStringLiteral("5eae4e5e-0000-4000-8000-000000000001");

inline const QByteArray Text = "text/plain; charset=utf-8";
inline const QByteArray Html = "<html><body><h1>404 Not Found</h1></body></html>";

/// Rows of status, body and content type that prove nothing about a session or a key, whoever gets them.
void addAnswersThatProveNothing();

/// The kinds of request on the way to leadership.
inline constexpr Kind CampaignKinds[] = {Kind::Create, Kind::Renew, Kind::Read, Kind::Txn};
[[nodiscard]] const char *name(Kind kind);

/// An agent that answers whatever the test's own thread does.
struct Agent : ScriptedAgent
{
    explicit Agent(const QString &key = Key);
    using ScriptedAgent::answer;
    /// A JSON body, as Consul sends it.
    void answerJson(Kind kind, int status, const QByteArray &body, int times = Always);
    /// Every kind of request.
    void answerAll(int status, const QByteArray &body, const QByteArray &type = "text/plain; charset=utf-8");

    /// Of no other agent of this process, which may have had the same port: what the library has learnt of
    /// that one's tokens is about another election.
    const QString datacenter;
};

/// Loses by its deadline within a test: window ShortWindow.
[[nodiscard]] LeaseOptions shortLease(const ScriptedAgent &agent);
[[nodiscard]] LeaseOptions shortLease(const Agent &agent);
/// Outlives every hiccup of the machine: for rows in which no deadline passes.
[[nodiscard]] LeaseOptions longLease(const ScriptedAgent &agent);
[[nodiscard]] LeaseOptions longLease(const Agent &agent);
/// What a Baton that holds the lock with \a session writes into the key.
[[nodiscard]] QByteArray batonValue(const QString &session, std::chrono::milliseconds lockDelay);
/// The body of a 200 that shows the lock key as \a entry.
[[nodiscard]] QByteArray keyJson(const AgentState::Entry &entry);

/// The body of a 200 that shows one session; \a lockDelay in nanoseconds, \a nodeChecks as JSON.
[[nodiscard]] QByteArray sessionJson(const QString &id, const QByteArray &ttl, const QByteArray &lockDelay,
                                     const QByteArray &nodeChecks = "[]");

/// The session that a locking transaction names.
[[nodiscard]] QString sessionIn(const Request &request);

/*!
 * A provider, and everything it said, in order. Fails the test by itself when the signals break a promise: an
 * acquired before the lost of the term before, a token that does not rise, leading before acquired or after
 * lost.
 */
class Candidate
{
public:
    struct Event
    {
        QString text;
        Instant at;
    };

    explicit Candidate(const LeaseOptions &options);
    Q_DISABLE_COPY_MOVE(Candidate)

    /// Starts and waits until it leads.
    [[nodiscard]] bool lead();
    [[nodiscard]] bool waitFor(const QString &text, int times = 1) const;
    [[nodiscard]] int count(const QString &text) const;
    /// The last event that begins with \a text.
    [[nodiscard]] std::optional<Event> last(const QString &text) const;
    /// Terms only: "acquired 17", "lost session_expired".
    [[nodiscard]] QStringList terms() const;

    QList<Event> events;
    QList<LeaseError> errors;

private:
    void listen();
    void say(const QString &text);
    void check(bool promise, const char *text) const;

    bool m_announced = false;
    quint64 m_lastToken = 0;

public:
    LeaseProvider provider; ///< Goes first: it speaks to the end.
};

/// One strange answer on the way: told once, then forgotten; one session leads, by one lock.
void checkThatItLeads(const Agent &agent, Candidate &candidate);

/// The instant the lease ends if nothing moves it.
[[nodiscard]] Instant deadlineOf(const Lease &lease);
/// Turns nothing and waits in this very thread until \a condition holds.
[[nodiscard]] bool blockUntil(const std::function<bool()> &condition);

} // namespace RowsFixture
