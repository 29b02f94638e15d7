// SPDX-License-Identifier: MIT
#include "walk.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Core {

Settings Walk::settingsFor(quint64 seed)
{
    Settings settings = balanced();
    settings.seed = seed;
    settings.tokenFloor = seed % 4 == 0 ? 150 : 0;
    if (seed % 5 == 0)
        settings.lockDelay = 0ms;
    if (seed % 7 == 0)
        settings.stopTimeout = 0ms;
    return settings;
}

Walk::Walk(quint64 seed)
    : m_random(seed), m_settings(settingsFor(seed)), m_harness(m_settings), m_invariants(m_settings),
      m_kindness(50 + int(below(50)))
{
}

void Walk::step()
{
    const quint64 what = below(100);
    if (m_harness.state() == State::Idle && chance(50)) {
        m_lastStep = u"start"_s;
        m_harness.input(Start{chance(90)});
    } else if (what < 60) {
        answerSomething();
    } else if (what < 80) {
        m_lastStep = u"next timer"_s;
        const auto next = m_harness.machine().nextTimeout();
        passTime(std::clamp<Duration>(next ? *next - m_harness.now() : 1s, 0s, 20s));
    } else if (what < 90) {
        m_lastStep = u"a while"_s;
        passTime(std::chrono::milliseconds{below(3000)});
    } else if (what < 94) {
        m_lastStep = u"sleep"_s;
        const Duration by = std::chrono::milliseconds{below(20'000)};
        m_invariants.sleeps(by);
        m_harness.sleep(by);
        // Then a timer is the first thing, or an answer that had been waiting.
        if (chance(50))
            m_harness.jump(0s);
        else
            answerSomething();
    } else {
        command();
    }
    look();
}

void Walk::command()
{
    const quint64 term = m_harness.term();
    switch (below(8)) {
    case 0:
        m_lastStep = u"start"_s;
        return m_harness.input(Start{chance(80)});
    case 1:
        m_lastStep = u"stop"_s;
        return m_harness.input(Stop{});
    case 2:
        m_lastStep = u"release"_s;
        return m_harness.input(Release{chance(50) ? LostReason::Released : LostReason::Cancelled});
    case 3:
        m_lastStep = u"abandon"_s;
        return m_harness.input(Abandon{LostReason::ApplicationStalled});
    case 4:
        m_lastStep = u"hand over another term"_s;
        return m_harness.input(HandedOver{term + 1 + below(3)});
    default:
        // The application says so only of a term that it was told to be lost.
        m_lastStep = u"hand over"_s;
        if (m_invariants.openTerm() == term)
            return;
        m_invariants.handsOver(term);
        return m_harness.input(HandedOver{term});
    }
}

void Walk::answerSomething()
{
    const auto &underWay = m_invariants.underWay();
    const quint64 old = below(m_lastRequest + 1);
    if (underWay.isEmpty() || (chance(5) && !underWay.contains(old))) {
        m_lastStep = u"answer of old"_s;
        return answer(old, lateReply());
    }
    auto it = underWay.cbegin();
    std::advance(it, qsizetype(below(quint64(underWay.size()))));
    const Send send = it->send;
    m_lastStep = u"answer %1"_s.arg(send.request);
    answer(send.request, chance(m_kindness) ? likelyReply(send) : possibleReply(send));
}

void Walk::answer(quint64 request, const Wire::Reply &reply)
{
    m_invariants.answers(request, reply);
    m_harness.answerRequest(request, reply);
    look();
}

/// Lets time pass as the shell does: every request has an answer by the end of its time.
void Walk::passTime(Duration by)
{
    const Instant until = m_harness.now() + by;
    while (m_harness.now() < until) {
        Instant next = until;
        std::optional<quint64> expired;
        for (auto it = m_invariants.underWay().cbegin(); it != m_invariants.underWay().cend(); ++it) {
            const Instant end = it->at + it->send.timeout;
            if (end <= next) {
                next = std::max(end, m_harness.now());
                expired = it.key();
            }
        }
        // A timer may send more, so that nothing is expired over more than one of them.
        if (const auto timer = m_harness.machine().nextTimeout(); timer && *timer < next) {
            next = std::max(*timer, m_harness.now());
            expired.reset();
        }
        m_harness.advance(next - m_harness.now());
        look();
        if (expired)
            answer(*expired, failure(Wire::FailureKind::TimedOut));
        if (!m_invariants.violation().isEmpty() || QTest::currentTestFailed())
            return;
    }
}

void Walk::look()
{
    const auto &done = m_harness.done();
    for (; m_looked < done.size(); ++m_looked) {
        m_invariants.does(done.at(m_looked));
        if (const auto *send = std::get_if<Send>(&done.at(m_looked).output))
            m_lastRequest = send->request;
    }
    m_invariants.rests(m_harness.machine(), m_harness.now());
}

void Walk::end()
{
    m_lastStep = u"the end"_s;
    m_harness.input(Stop{});
    look();
    if (m_harness.state() == State::Yielding && m_harness.term() % 2 == 0) {
        m_invariants.handsOver(m_harness.term());
        m_harness.input(HandedOver{m_harness.term()});
    }
    passTime(2min);
    m_invariants.hasEnded(m_harness.machine());
}

QString Walk::anySession()
{
    switch (below(4)) {
    case 0:
        return m_harness.session().isEmpty() ? u"R0"_s : m_harness.session();
    case 1:
        return u"S%1"_s.arg(below(quint64(m_sessions) + 1)); // One of its past ones.
    default:
        return u"R%1"_s.arg(below(5));
    }
}

/// Rising in general, as it should; now and then from before, from a rebuilt cluster, or the greatest there
/// is.
quint64 Walk::anyIndex()
{
    if (chance(85))
        return m_index += 1 + below(3);
    return chance(95) ? below(m_index + 1) : below(2) * std::numeric_limits<quint64>::max();
}

Wire::Reply Walk::anyRead()
{
    const bool foreign = chance(20);
    switch (below(6)) {
    case 0:
        return absent(chance(90) ? std::optional(anyIndex()) : std::nullopt);
    case 1:
        return freeKey(anyIndex());
    case 2:
        return freeKey(anyIndex(), rivalValue(u"R1"_s, std::chrono::milliseconds{below(60'001)}));
    default: {
        const QString session = anySession();
        return held(session, anyIndex(), foreign ? QByteArray("x") : rivalValue(session));
    }
    }
}

Wire::Reply Walk::likelyReply(const Send &send)
{
    switch (kindOf(send)) {
    case Kind::Create:
        return created(u"S%1"_s.arg(++m_sessions));
    case Kind::Renew:
        return renewed(m_settings);
    case Kind::Key:
    case Kind::ReadBack:
        // A leader mostly sees its own lock; others see a key that is free now and then.
        if (m_harness.state() == State::Leading && chance(80))
            return held(m_harness.session(), m_index, "v");
        return chance(40) ? absent(++m_index) : anyRead();
    case Kind::Lock:
        return chance(70) ? won(anyIndex()) : refused(Wire::Refusal(below(3)));
    case Kind::Inspect:
        return chance(50) ? sessionShown() : sessionGone();
    case Kind::Release:
        return released(chance(80));
    case Kind::Destroy:
        return sessionDestroyed();
    }
    Q_UNREACHABLE();
}

/// Whatever the codec lets through for such a request.
Wire::Reply Walk::possibleReply(const Send &send)
{
    if (chance(50))
        return failure(Wire::FailureKind(below(9)));
    Settings unfit = m_settings;
    unfit.ttl = 1s;
    switch (kindOf(send)) {
    case Kind::Renew:
        return chance(50) ? sessionGone() : renewed(chance(50) ? unfit : m_settings);
    case Kind::Key:
    case Kind::ReadBack:
        return anyRead();
    case Kind::Lock:
        return chance(20) ? sessionGone() : likelyReply(send);
    case Kind::Inspect:
        return chance(30) ? sessionShown(std::nullopt) : likelyReply(send);
    default:
        return likelyReply(send);
    }
}

/// For a request that nobody waits for any more: it must not matter what it says.
Wire::Reply Walk::lateReply()
{
    switch (below(6)) {
    case 0:
        return created(u"L1"_s);
    case 1:
        return renewed(m_settings);
    case 2:
        return sessionGone();
    case 3:
        return won(anyIndex());
    case 4:
        return released(true);
    default:
        return anyRead();
    }
}

} // namespace Baton::Core
