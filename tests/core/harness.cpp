// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;

namespace Baton::Core {

namespace {
/// Timers in one virtual second: several times more than everything paced in the machine may add up to.
constexpr int MostTimersPerSecond = 60;
/// Timers at one instant: each duty once, and some that set another.
constexpr int MostTimersAtOnce = 10;
/// Outputs of one input, answered at once where an agent serves: a loop without time in it goes on for ever.
/// A climb is the one such loop that is meant.
constexpr int MostOutputsAtOnce = 60'000;

QString guardName(const Wire::Guard &guard)
{
    if (const auto *index = std::get_if<Wire::IfIndex>(&guard))
        return u"index:%1"_s.arg(index->index);
    return std::holds_alternative<Wire::IfOurs>(guard) ? u"ours"_s : u"absent"_s;
}

QString requestName(const Send &send)
{
    const Wire::Request &request = send.message;
    if (std::holds_alternative<Wire::CreateSession>(request))
        return u"create"_s;
    if (const auto *renew = std::get_if<Wire::RenewSession>(&request))
        return u"renew:"_s + renew->session;
    if (const auto *inspect = std::get_if<Wire::InspectSession>(&request))
        return u"inspect:"_s + inspect->session;
    if (const auto *destroy = std::get_if<Wire::DestroySession>(&request))
        return u"destroy:"_s + destroy->session;
    if (std::holds_alternative<Wire::ReadKey>(request))
        return send.term == 0 ? u"readback"_s : u"read"_s;
    if (const auto *watch = std::get_if<Wire::WatchKey>(&request))
        return u"watch:%1"_s.arg(watch->after);
    if (const auto *lock = std::get_if<Wire::LockKey>(&request))
        return u"lock:"_s + guardName(lock->guard);
    if (const auto *release = std::get_if<Wire::ReleaseKey>(&request))
        return u"release:"_s + release->session;
    return u"?"_s;
}
} // namespace

Kind kindOf(const Send &send)
{
    const Wire::Request &request = send.message;
    if (std::holds_alternative<Wire::CreateSession>(request))
        return Kind::Create;
    if (std::holds_alternative<Wire::RenewSession>(request))
        return Kind::Renew;
    if (std::holds_alternative<Wire::InspectSession>(request))
        return Kind::Inspect;
    if (std::holds_alternative<Wire::DestroySession>(request))
        return Kind::Destroy;
    if (std::holds_alternative<Wire::LockKey>(request))
        return Kind::Lock;
    if (std::holds_alternative<Wire::ReleaseKey>(request))
        return Kind::Release;
    return send.term == 0 ? Kind::ReadBack : Kind::Key;
}

Harness::Harness(Settings settings)
    // Far from zero: a machine must not take the beginning of time for a past of its own.
    : m_machine(std::move(settings)), m_now(std::chrono::hours{1000})
{
}

Milliseconds Harness::elapsed() const
{
    return std::chrono::duration_cast<Milliseconds>(m_now.time_since_epoch() - std::chrono::hours{1000});
}

void Harness::advance(Duration by)
{
    const Instant until = m_now + by;
    const auto most =
        100 + MostTimersPerSecond * std::chrono::duration_cast<std::chrono::seconds>(by).count();
    int atOnce = 0;
    for (int steps = 0;; ++steps) {
        const auto next = m_machine.nextTimeout();
        if (!next || *next > until)
            break;
        atOnce = *next <= m_now ? atOnce + 1 : 0;
        QVERIFY2(atOnce <= MostTimersAtOnce, "timers without end at one instant");
        QVERIFY2(steps <= most, "more timers than could have a purpose");
        stepTo(std::max(m_now, *next));
    }
    m_now = until;
}

void Harness::jump(Duration by)
{
    stepTo(m_now + by);
}

void Harness::stepTo(Instant until)
{
    m_now = until;
    m_machine.handleTimeout(m_now);
    drain();
}

void Harness::input(const Input &input)
{
    m_machine.handle(input, m_now);
    drain();
}

void Harness::answer(Kind kind, const Wire::Reply &reply)
{
    const auto send = pending(kind);
    QVERIFY2(send, "no such request is under way");
    answerRequest(send->request, reply);
}

void Harness::answerRequest(quint64 request, const Wire::Reply &reply)
{
    settle(request, reply);
    input(Answer{request, reply});
}

void Harness::settle(quint64 request, const Wire::Reply &reply)
{
    if (m_pending.erase(request) == 0)
        return;
    if (const auto *created = std::get_if<Wire::SessionCreated>(&reply))
        m_made += created->session;
}

void Harness::serve(Agent agent)
{
    m_agent = std::move(agent);
    const auto waiting = m_pending;
    for (const auto &[request, send] : waiting) {
        if (!m_pending.contains(request))
            continue;
        if (const auto reply = m_agent(kindOf(send), send.message))
            answerRequest(request, *reply);
    }
}

void Harness::toVerifying()
{
    if (state() == State::Idle)
        input(Start{});
    answer(Kind::Create, created(u"S%1"_s.arg(++m_sessions)));
}

void Harness::toReading()
{
    toVerifying();
    if (state() == State::Verifying) // Where an agent serves renewals it is past that.
        answer(Kind::Renew, renewed(m_machine.settings()));
}

void Harness::toWaiting()
{
    toReading();
    answer(Kind::Key, held(u"R1"_s, 50, rivalValue(u"R1"_s)));
}

void Harness::toLocking()
{
    toReading();
    answer(Kind::Key, absent(50));
}

void Harness::toLeading(quint64 token)
{
    toLocking();
    answer(Kind::Lock, won(token));
}

bool Harness::isPending(Kind kind) const
{
    return pending(kind).has_value();
}

std::optional<Send> Harness::pending(Kind kind) const
{
    for (const auto &[request, send] : m_pending) {
        if (kindOf(send) == kind)
            return send;
    }
    return std::nullopt;
}

std::optional<quint64> Harness::lastOf(Kind kind) const
{
    std::optional<quint64> last;
    for (const auto &[request, send] : m_sent) {
        if (kindOf(send) == kind)
            last = request;
    }
    return last;
}

std::vector<Instant> Harness::timesOf(Kind kind) const
{
    std::vector<Instant> times;
    for (const Done &done : m_done) {
        const auto *send = std::get_if<Send>(&done.output);
        if (send && kindOf(*send) == kind)
            times.push_back(done.at);
    }
    return times;
}

void Harness::drain()
{
    for (int outputs = 0; const auto output = m_machine.poll(); ++outputs) {
        QVERIFY2(outputs < MostOutputsAtOnce, "outputs without end at one instant");
        note(*output);
        const auto *send = std::get_if<Send>(&*output);
        if (!send || !m_agent)
            continue;
        if (const auto reply = m_agent(kindOf(*send), send->message)) {
            settle(send->request, *reply);
            m_machine.handle(Answer{send->request, *reply}, m_now);
        }
    }
}

void Harness::note(const Output &output)
{
    m_done.push_back({m_now, output});
    if (const auto *send = std::get_if<Send>(&output)) {
        m_pending.emplace(send->request, *send);
        m_sent.emplace(send->request, *send);
    } else if (const auto *cancel = std::get_if<Cancel>(&output)) {
        m_pending.erase(cancel->request);
    } else if (const auto *acquired = std::get_if<Acquired>(&output)) {
        m_term = acquired->term;
    } else if (const auto *opened = std::get_if<SessionOpened>(&output)) {
        m_session = opened->session;
    }
}

QStringList Harness::news()
{
    QStringList words;
    for (; m_told < m_done.size(); ++m_told)
        words += spell(m_done.at(m_told).output);
    return words;
}

QString Harness::spell(const Output &output) const
{
    if (const auto *send = std::get_if<Send>(&output))
        return requestName(*send);
    if (const auto *cancel = std::get_if<Cancel>(&output))
        return u"cancel:"_s + requestName(m_sent.at(cancel->request));
    if (const auto *changed = std::get_if<StateChanged>(&output))
        return u'=' + QString::fromLatin1(nameOf(StateNames, changed->state));
    if (const auto *opened = std::get_if<SessionOpened>(&output))
        return u"opened:"_s + opened->session;
    if (const auto *waits = std::get_if<Waits>(&output))
        return u"waits:"_s + tag(waits->why);
    if (const auto *acquired = std::get_if<Acquired>(&output))
        return u"acquired:%1"_s.arg(acquired->token);
    if (std::holds_alternative<Renewed>(output))
        return u"renewed"_s;
    if (std::holds_alternative<AtRisk>(output))
        return u"at_risk"_s;
    if (std::holds_alternative<Safe>(output))
        return u"safe"_s;
    if (std::holds_alternative<StoodDown>(output))
        return u"stood_down"_s;
    if (const auto *lost = std::get_if<Lost>(&output))
        return u"lost:"_s + tag(lost->reason);
    if (const auto *seen = std::get_if<LeaderSeen>(&output))
        return u"leader:"_s + seen->session.value_or(u"none"_s);
    if (const auto *trouble = std::get_if<TroubleSeen>(&output))
        return u"trouble:%1:%2"_s.arg(tag(trouble->trouble.step), tag(trouble->trouble.code));
    if (const auto *mended = std::get_if<TroubleOver>(&output))
        return u"mended:"_s + tag(mended->code);
    return u"stopped"_s;
}

} // namespace Baton::Core
