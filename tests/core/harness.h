// SPDX-License-Identifier: MIT
#pragma once

#include "names.h"

#include <functional>
#include <map>

/* One machine, driven by hand in virtual time. */
namespace Baton::Core {

/// The profile Balanced with its numbers written out: a lease of 8 s, renewed every 2.25 s.
Settings balanced();

/// What a request is for. The closer reads the key, too, but for another purpose.
enum class Kind { Create, Renew, Key, Lock, Inspect, Release, ReadBack, Destroy };

/// Answers requests as they are sent; nothing: not yet.
using Agent = std::function<std::optional<Wire::Reply>(Kind, const Wire::Request &)>;

// ---- Replies -------------------------------------------------------------------------------------------

Wire::Reply created(const QString &session);
/// As \a settings asked for, unless a test changes the figures.
Wire::Reply renewed(const Settings &settings = balanced());
Wire::Reply sessionGone();
Wire::Reply sessionShown(std::optional<Milliseconds> ttl = std::chrono::seconds{10},
                         Milliseconds lockDelay = std::chrono::seconds{9});
Wire::Reply failure(Wire::FailureKind kind = Wire::FailureKind::ServerError);
Wire::Reply absent(std::optional<quint64> index);
Wire::Reply freeKey(quint64 index, const QByteArray &value = {});
Wire::Reply held(const QString &session, quint64 index, const QByteArray &value);
Wire::Reply won(quint64 index);
Wire::Reply refused(Wire::Refusal why);
Wire::Reply released(bool really);
Wire::Reply sessionDestroyed();
/// All is well: sessions "A1", "A2" and so on; the key is absent until it is locked; polls stay open.
Agent healthyAgent();
/// The same, but key requests are answered by \a key and locks are not.
Agent agentWith(std::function<std::optional<Wire::Reply>()> key);
/// The value of another candidate of Baton's.
QByteArray rivalValue(const QString &session, Milliseconds lockDelay = std::chrono::seconds{9});

class Harness
{
public:
    explicit Harness(Settings settings = balanced());

    // ---- Time ----
    [[nodiscard]] Instant now() const { return m_now; }
    /// Since the harness was made.
    [[nodiscard]] Milliseconds elapsed() const;
    /// Lets \a by pass, with every timer fired in time. A machine that asks for more timers than could have a
    /// purpose fails the test.
    void advance(Duration by);
    /// Lets \a by pass without a timer, as after a suspend.
    void jump(Duration by);
    /// The same, but whatever comes next is handled before any timer.
    void sleep(Duration by) { m_now += by; }

    // ---- Inputs ----
    void input(const Input &input);
    /// Answers the oldest request of \a kind; fails the test where none is under way.
    void answer(Kind kind, const Wire::Reply &reply);
    /// Answers request number \a request whether it is under way or not.
    void answerRequest(quint64 request, const Wire::Reply &reply);
    /// Answers everything at once from now on; what \a agent has no answer for stays under way.
    void serve(Agent agent);

    // ---- Ways ----
    void toVerifying(); ///< Session "S1", then "S2" and so on.
    void toReading();
    void toWaiting(); ///< The key is held by "R1", a rival of Baton's, at index 50.
    void toLocking(); ///< The key is absent at index 50.
    void toLeading(quint64 token = 100);

    // ---- What it did ----
    [[nodiscard]] CandidateMachine &machine() { return m_machine; }
    [[nodiscard]] State state() const { return m_machine.state(); }
    [[nodiscard]] bool isPending(Kind kind) const;
    [[nodiscard]] std::optional<Send> pending(Kind kind) const;
    /// The number of the last request of \a kind that was ever sent.
    [[nodiscard]] std::optional<quint64> lastOf(Kind kind) const;
    [[nodiscard]] quint64 term() const { return m_term; }
    [[nodiscard]] QString session() const { return m_session; }

    struct Done
    {
        Instant at;
        Output output;
    };
    [[nodiscard]] const std::vector<Done> &done() const { return m_done; }
    /// The outputs of one type, in order.
    template <typename T>
    [[nodiscard]] std::vector<T> all() const
    {
        std::vector<T> result;
        for (const Done &done : m_done) {
            if (const auto *output = std::get_if<T>(&done.output))
                result.push_back(*output);
        }
        return result;
    }
    /// How many requests of \a kind were sent.
    [[nodiscard]] int sent(Kind kind) const { return int(timesOf(kind).size()); }
    /// When requests of \a kind were sent.
    [[nodiscard]] std::vector<Instant> timesOf(Kind kind) const;
    /// When outputs of one type came.
    template <typename T>
    [[nodiscard]] std::vector<Instant> timesOf() const
    {
        std::vector<Instant> result;
        for (const Done &done : m_done) {
            if (std::holds_alternative<T>(done.output))
                result.push_back(done.at);
        }
        return result;
    }
    /// The sessions that were made, whether the machine took notice or not.
    [[nodiscard]] const QStringList &madeSessions() const { return m_made; }
    /// Forgets what was done so far; what is under way stays so.
    void forget()
    {
        m_done.clear();
        m_told = 0;
    }
    /// What was done since the last call, in short: see spell().
    QStringList news();

private:
    void drain();
    void settle(quint64 request, const Wire::Reply &reply);
    void note(const Output &output);
    void stepTo(Instant until);
    QString spell(const Output &output) const;

    CandidateMachine m_machine;
    Agent m_agent;
    Instant m_now;
    int m_sessions = 0;
    quint64 m_term = 0; ///< The last one acquired.
    QString m_session; ///< The last one opened.
    std::vector<Done> m_done;
    size_t m_told = 0; ///< How much of m_done news() has told.
    QStringList m_made;
    std::map<quint64, Send> m_pending;
    std::map<quint64, Send> m_sent;
};

Kind kindOf(const Send &send);

} // namespace Baton::Core
