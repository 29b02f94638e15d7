// SPDX-License-Identifier: MIT
#pragma once

#include "instant.h"
#include "lockvalue.h"

#include <Baton/baton.h>
#include <consul/messages.h>

#include <deque>
#include <optional>
#include <variant>

/*! What goes into the candidate machine and what comes out of it. */
namespace Baton::Core {

enum class State {
    Idle, ///< Does not campaign.
    Opening, ///< Makes a session.
    Verifying, ///< Renews the new session once and compares what Consul lists with what was asked for.
    Reading, ///< Reads the key, to lock it or to wait.
    Waiting, ///< Another holds the key, or a lock-delay runs; watches the key and keeps the session alive.
    Locking, ///< A transaction that takes the lock is under way.
    Leading, ///< Holds a lease.
    Diagnosing, ///< The lease is void; asks whether its session lives, to tell why.
    Yielding, ///< Gives up in order: the application has been told and finishes; the lock is kept until then.
    Closing, ///< Stopped: ends its sessions.
    Over, ///< Never stayed in: where the end of a term leads, Opening or Closing.
};

// ---- Inputs --------------------------------------------------------------------------------------------

/// Campaign. With \c again it campaigns anew after a loss, otherwise it stops then. A term that is being
/// given up is given up all the same; only with \c again does another campaign follow. While Closing it is
/// kept, and the campaign follows when that is done.
struct Start
{
    bool again = true;
};
/// Give up in order and stay idle.
struct Stop
{
};
/// Give the present term up in order.
struct Release
{
    LostReason reason = LostReason::Released;
};
/// The application knows that the term was released and has ended its work.
struct HandedOver
{
    quint64 term = 0;
};
/// The present term must end now, for a reason that the shell knows.
struct Abandon
{
    LostReason reason{};
};
/// The reply to a request that was sent.
struct Answer
{
    quint64 request = 0;
    Wire::Reply reply;
};
using Input = std::variant<Start, Stop, Release, HandedOver, Abandon, Answer>;

// ---- Outputs, to be carried out in order -----------------------------------------------------------------

/// Send \c message; answer within \c timeout (a Failure then). The instant of the send counts from before
/// this output.
struct Send
{
    quint64 request = 0;
    quint64 term = 0;
    Wire::Request message;
    std::chrono::milliseconds timeout{};
};
/// No answer to this request is awaited any more.
struct Cancel
{
    quint64 request = 0;
};
struct StateChanged
{
    State state{};
};
struct SessionOpened
{
    QString session;
};
/// Not leading, and why. \c until is when the lock is tried next, where that is known.
struct Waits
{
    WaitReason why{};
    QString holder; ///< Session that holds the lock; empty where none does.
    std::optional<Instant> until;
    bool operator==(const Waits &) const = default;
};
struct Acquired
{
    quint64 term = 0;
    quint64 token = 0;
    QString session;
    Instant deadline;
};
/// A renewal of a lease was acknowledged: its deadline has moved.
struct Renewed
{
    quint64 term = 0;
    Instant deadline;
    Duration roundTrip{};
};
/// Half of the lease's window is used up without an acknowledged renewal.
struct AtRisk
{
    quint64 term = 0;
    Instant deadline;
};
struct Safe
{
    quint64 term = 0;
};
/// The lease is void from now on; Lost follows with the reason.
struct StoodDown
{
    quint64 term = 0;
};
/// The term is over; exactly one for each Acquired. The lease is void from now on.
struct Lost
{
    quint64 term = 0;
    LostReason reason{};
    QString evidence;
};
/// What the key shows, each time it changes.
struct LeaderSeen
{
    std::optional<QString> session; ///< Nothing: nobody holds the lock.
    std::optional<LockValue> value; ///< Nothing: not a value of Baton's.
    quint64 index = 0;
    bool ours = false;
};
struct Trouble
{
    Step step{};
    ErrorCode code{};
    int status = 0;
    QString detail;
};
/// Something fails, told once a kind.
struct TroubleSeen
{
    Trouble trouble;
};
struct TroubleOver
{
    ErrorCode code{};
};
struct Stopped
{
};
using Output = std::variant<Send, Cancel, StateChanged, SessionOpened, Waits, Acquired, Renewed, AtRisk, Safe,
                            StoodDown, Lost, LeaderSeen, TroubleSeen, TroubleOver, Stopped>;

/// Outputs in order, and the numbers of requests.
class Outbox
{
public:
    void push(Output output) { m_outputs.push_back(std::move(output)); }
    quint64 send(quint64 term, Wire::Request message, std::chrono::milliseconds timeout)
    {
        push(Send{++m_lastRequest, term, std::move(message), timeout});
        return m_lastRequest;
    }
    std::optional<Output> take()
    {
        if (m_outputs.empty())
            return std::nullopt;
        Output first = std::move(m_outputs.front());
        m_outputs.pop_front();
        return first;
    }

private:
    std::deque<Output> m_outputs;
    quint64 m_lastRequest = 0;
};

} // namespace Baton::Core
