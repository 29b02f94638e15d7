// SPDX-License-Identifier: MIT
#pragma once

#include "backoff.h"
#include "event.h"
#include "messages.h"
#include "sessioncloser.h"
#include "settings.h"
#include "troublelog.h"

#include <span>

namespace Baton::Core {

/*!
 * One candidate in one election: from Start to the end of a term and round again. Pure: no clock, no timer,
 * no network, no random source. Time and seed are arguments; feed it inputs, carry out its outputs in order,
 * call handleTimeout() at nextTimeout(). Spurious calls are harmless. Not thread-safe; owned by one engine.
 *
 * Everything that changes the state stands in the table of transitions (transitions.cpp, with its prose). A
 * pair that is not in the table leaves the state as it was.
 */
class CandidateMachine
{
public:
    explicit CandidateMachine(Settings settings);
    Q_DISABLE_COPY_MOVE(CandidateMachine)

    void handle(const Input &input, Instant now);
    void handleTimeout(Instant now);
    [[nodiscard]] std::optional<Output> poll() { return m_outbox.take(); }
    [[nodiscard]] std::optional<Instant> nextTimeout() const;

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const Settings &settings() const { return m_settings; }
    /// Replies that came after nobody waited for them any more.
    [[nodiscard]] quint64 lateReplies() const { return m_lateReplies; }
    /// Terms won whose lease was void on arrival, so that they were never announced.
    [[nodiscard]] quint64 missedTerms() const { return m_missedTerms; }

    /// What an action may look at.
    struct Occasion
    {
        Instant now;
        const Wire::Reply *reply = nullptr;
        Instant sent{}; ///< Of the request that \c reply answers.
        LostReason reason = LostReason::Released;
    };
    using Action = void (CandidateMachine::*)(const Occasion &);
    struct Transition
    {
        State from;
        Event on;
        State to;
        Action action; ///< Null where the change of state is all.
    };
    [[nodiscard]] static std::span<const Transition> transitions();

private:
    /// A request of which at most one is under way.
    struct Slot
    {
        quint64 request = 0; ///< 0: none.
        Instant sent;
        explicit operator bool() const { return request != 0; }
    };

    // The frame (candidatemachine.cpp)
    void fire(Event event, const Occasion &occasion);
    void enter(State state, Instant now);
    void passTime(Instant now);
    void attendDuties(Instant now);
    void send(Slot &slot, Wire::Request message, Milliseconds timeout, Instant now);
    void drop(Slot &slot);
    bool renews() const;
    bool watches() const;
    bool isHeld() const { return m_seen && m_seen->entry && m_seen->entry->session; }
    bool hasDeadline() const { return m_state == State::Leading || m_state == State::Yielding; }

    // Replies to events (classify.cpp)
    void handleAnswer(const Answer &answer, Instant now);
    Event classifyCreate(const Wire::Reply &reply);
    Event classifyRenewal(const Occasion &occasion);
    Event classifyKey(const Occasion &occasion, bool confirming);
    Event classifyLock(const Occasion &occasion);
    bool isWithinClimb(quint64 gap) const;
    Event classifyInspection(const Wire::Reply &reply);
    Event classifyOthersKey(const Wire::KeyRead &read, bool confirming) const;
    void noteUnfit(const Wire::SessionInfo &info);
    void noteRenewal(const Wire::SessionInfo &info, const Occasion &occasion);
    void noteKey(const Wire::KeyRead &read, Instant now);
    void noteFreed(const Wire::KeyRead &read, Instant now);
    void noteTaken();
    std::optional<Instant> notBefore(Instant now) const;
    std::optional<Instant> delayEnd(Instant now) const;
    static RetryPolicy retryPolicy(const Wire::Reply &reply);

    // Actions (actions.cpp)
    void open(const Occasion &);
    void retryOpen(const Occasion &);
    void verify(const Occasion &);
    void retryVerify(const Occasion &);
    void discardUnfit(const Occasion &);
    void read(const Occasion &);
    void retryRead(const Occasion &);
    void readAgain(const Occasion &);
    void readAfterLock(const Occasion &);
    void await(const Occasion &);
    void awaitDelay(const Occasion &);
    void awaitRight(const Occasion &);
    void refineWait(const Occasion &);
    void lock(const Occasion &);
    void relock(const Occasion &);
    void climb(const Occasion &);
    void dropLate(const Occasion &);
    void giveUpToken(const Occasion &);
    void lead(const Occasion &);
    void checkForeignWrite(const Occasion &);
    void confirm(const Occasion &);
    void standDown(const Occasion &);
    void loseExpired(const Occasion &);
    void loseTaken(const Occasion &);
    void loseDeleted(const Occasion &);
    void loseReleased(const Occasion &);
    void loseByDeadline(const Occasion &);
    void abandon(const Occasion &);
    void yield(const Occasion &);
    void handOver(const Occasion &);
    void destroySession(const Occasion &);
    void forget(const Occasion &);
    void close(const Occasion &);
    void settleCreate(const Occasion &);
    void settleLock(const Occasion &);
    void finish(const Occasion &);

    void lose(LostReason reason, const QString &evidence, const Occasion &);
    void endSession(SessionCloser::Ending ending, Instant now);
    void beginTerm();
    void sendLock(Wire::Guard guard, Instant now);
    void tellWait(WaitReason why, std::optional<Instant> until);
    QByteArray newValue(Instant now);

    const Settings m_settings;
    Outbox m_outbox;
    TroubleLog m_troubles{m_outbox};
    SessionCloser m_closer{m_settings, m_outbox, m_troubles};
    Random m_random;

    State m_state = State::Idle;
    bool m_again = false; ///< Campaign anew when the term is over.
    bool m_startsOver = false; ///< Started while it was still closing: it campaigns once that is done.
    std::optional<Instant> m_retryAt; ///< Event::Retry.
    std::optional<Instant> m_boundAt; ///< Event::Bound.
    Instant m_openNotBefore; ///< After a token that could not be lifted.
    static constexpr Pace OpenPace{3, 1};
    static constexpr Pace LockPace{5, 2};
    static constexpr Pace WatchPace{8, 4};
    Pace m_openPace = OpenPace;
    Pace m_lockPace = LockPace; ///< For one and the same free key.
    Pace m_watchPace = WatchPace; ///< For polls that bring no news.
    Pace m_newsPace{20, 5}; ///< Changes of the holder, each of which refills the other two.
    Backoff m_backoff; ///< Of the state's own request.
    Backoff m_renewBackoff;
    Backoff m_watchBackoff;
    Backoff m_delayBackoff{DelayedRetry};
    Backoff m_deniedBackoff{SlowRetry};

    // The present session and term
    quint64 m_term = 0;
    QString m_session;
    quint64 m_token = 0;
    Instant m_sent; ///< Before the last acknowledged create or renewal was sent.
    Instant m_deadline; ///< m_sent + window.
    Instant m_renewAt;
    bool m_atRisk = false;
    bool m_mayHold = false; ///< A lock of this session may have taken effect.
    int m_climbs = 0;
    QByteArray m_value;
    Slot m_create, m_renew, m_key, m_lock, m_inspect;
    bool m_confirming = false; ///< The read under way answers Event::KeyDoubtful.

    // The key as last read
    std::optional<Wire::KeyRead> m_seen;
    quint64 m_watchAfter = 1;
    Instant m_watchAt;
    std::optional<Instant> m_freeSince; ///< It lost its holder under our eyes.
    bool m_holderIsBaton = false; ///< Its value, or one before it in the same hands, is Baton's.
    std::optional<Duration> m_delayHint; ///< The lock-delay of the present holder, or of the one it lost.
    Instant m_lockableAt; ///< Not to be locked before.
    Instant m_deniedUntil; ///< Nor before this, after the right to lock was missing.
    quint64 m_highest = 0; ///< The highest index of the key seen in others' hands, or token of ours.
    bool m_holderForever = false; ///< The holder's session has no TTL.
    QString m_inspected; ///< The holder last asked about.
    std::optional<Waits> m_told;

    quint64 m_lateReplies = 0;
    quint64 m_missedTerms = 0;
};

} // namespace Baton::Core
