// SPDX-License-Identifier: MIT
#include "world.h"

using namespace Qt::StringLiterals;

/* What is said in a trace about outputs and answers: in the words of the documentation, short session names.
 */
namespace Baton::Sim {

namespace {

template <class... Ts>
struct Overloaded : Ts...
{
    using Ts::operator()...;
};

QString shortId(const QString &session)
{
    return session.left(8);
}

QString stateName(Core::State state)
{
    static constexpr QLatin1StringView Names[] = {
        "idle"_L1,    "opening"_L1,    "verifying"_L1, "reading"_L1, "waiting"_L1, "locking"_L1,
        "leading"_L1, "diagnosing"_L1, "yielding"_L1,  "closing"_L1, "over"_L1};
    return Names[int(state)];
}

QString guardText(const Wire::Guard &guard)
{
    if (const auto *index = std::get_if<Wire::IfIndex>(&guard))
        return u"if index %1"_s.arg(index->index);
    return std::holds_alternative<Wire::IfAbsent>(guard) ? u"if absent"_s : u"if ours"_s;
}

QString requestText(const Wire::Request &request)
{
    return std::visit(Overloaded{
                          [](const Wire::CreateSession &) { return u"create session"_s; },
                          [](const Wire::RenewSession &r) { return u"renew "_s + shortId(r.session); },
                          [](const Wire::InspectSession &r) { return u"inspect "_s + shortId(r.session); },
                          [](const Wire::DestroySession &r) { return u"destroy "_s + shortId(r.session); },
                          [](const Wire::ReadKey &) { return u"read key"_s; },
                          [](const Wire::WatchKey &r) { return u"watch key after %1"_s.arg(r.after); },
                          [](const Wire::LockKey &r) {
                              return u"lock with %1 %2"_s.arg(shortId(r.session), guardText(r.guard));
                          },
                          [](const Wire::ReleaseKey &r) { return u"release "_s + shortId(r.session); },
                          [](const Wire::FencedWrite &) { return u"fenced write"_s; },
                      },
                      request);
}

QString readText(const Wire::KeyRead &read)
{
    if (!read.entry)
        return u"absent at %1"_s.arg(read.index.value_or(0));
    const QString holder = read.entry->session ? u"held by "_s + shortId(*read.entry->session) : u"free"_s;
    return u"%1 at %2"_s.arg(holder).arg(read.entry->modifyIndex);
}

QString refusalText(Wire::Refusal refusal)
{
    switch (refusal) {
    case Wire::Refusal::Held:
        return u"held"_s;
    case Wire::Refusal::LockDelay:
        return u"lock-delay"_s;
    case Wire::Refusal::StaleGuard:
        return u"stale guard"_s;
    }
    Q_UNREACHABLE();
}

QString replyText(const Wire::Reply &reply)
{
    return std::visit(
        Overloaded{
            [](const Wire::Failure &r) { return u"failure "_s + r.detail; },
            [](const Wire::SessionCreated &r) { return u"session "_s + shortId(r.session); },
            [](const Wire::SessionRenewed &) { return u"renewed"_s; },
            [](const Wire::SessionShown &) { return u"session lives"_s; },
            [](const Wire::SessionGone &) { return u"session gone"_s; },
            [](const Wire::SessionDestroyed &) { return u"destroyed"_s; },
            [](const Wire::KeyRead &r) { return readText(r); },
            [](const Wire::LockWon &r) { return u"won at %1"_s.arg(r.index); },
            [](const Wire::LockRefused &r) { return u"refused: "_s + refusalText(r.why); },
            [](const Wire::KeyReleased &r) { return r.released ? u"released"_s : u"not released"_s; },
            [](const Wire::Written &r) { return u"written at %1"_s.arg(r.index); },
            [](const Wire::WriteRefused &) { return u"write refused"_s; },
        },
        reply);
}

QString causeText(Cause cause)
{
    switch (cause) {
    case Cause::Released:
        return u"released"_s;
    case Cause::Expired:
        return u"session expired"_s;
    case Cause::Ended:
        return u"session ended"_s;
    case Cause::Deleted:
        return u"key deleted"_s;
    case Cause::Unlocked:
        return u"released by somebody else"_s;
    case Cause::Restored:
        return u"restored"_s;
    case Cause::Written:
        return u"written to"_s;
    }
    Q_UNREACHABLE();
}

/// Empty for what a reader can do without.
QString outputText(const Core::Output &output)
{
    return std::visit(
        Overloaded{
            [](const Core::StateChanged &o) { return stateName(o.state); },
            [](const Core::SessionOpened &o) { return u"opens session "_s + shortId(o.session); },
            [](const Core::Waits &o) {
                const QString holder = o.holder.isEmpty() ? QString() : u" by "_s + shortId(o.holder);
                return u"waits: %1%2"_s.arg(QLatin1StringView(tag(o.why)), holder);
            },
            [](const Core::Acquired &o) { return u"LEADS with token %1"_s.arg(o.token); },
            [](const Core::AtRisk &) { return u"at risk"_s; },
            [](const Core::Safe &) { return u"safe again"_s; },
            [](const Core::StoodDown &) { return u"stands down"_s; },
            [](const Core::Lost &o) {
                const QString why = o.evidence.isEmpty() ? QString() : u": "_s + o.evidence;
                return u"LOST %1%2"_s.arg(QLatin1StringView(tag(o.reason)), why);
            },
            [](const Core::TroubleSeen &o) {
                return u"trouble: %1 (%2)"_s.arg(QLatin1StringView(tag(o.trouble.code)), o.trouble.detail);
            },
            [](const Core::TroubleOver &o) { return u"trouble over: "_s + QLatin1StringView(tag(o.code)); },
            [](const Core::Stopped &) { return u"stopped"_s; },
            [](const auto &) { return QString(); },
        },
        output);
}

} // namespace

void World::noteTimeOut(quint8 who, quint64 request)
{
    if (m_trace && m_trace->withRequests())
        m_trace->add(m_now, m_candidates[who]->name(), u"request %1 timed out"_s.arg(request));
}

void World::noteHolder(const std::optional<QString> &before, const std::optional<QString> &after, Cause cause)
{
    if (!m_trace)
        return;
    if (before)
        m_trace->add(m_now, u"*"_s, u"the lock of %1 is free: %2"_s.arg(shortId(*before), causeText(cause)));
    if (after)
        m_trace->add(m_now, u"*"_s, u"%1 has the lock"_s.arg(shortId(*after)));
}

void World::noteOutput(quint8 who, const Core::Output &output)
{
    if (!m_trace)
        return;
    const QString &name = m_candidates[who]->name();
    if (const auto *send = std::get_if<Core::Send>(&output)) {
        if (m_trace->withRequests())
            m_trace->add(m_now, name, u"-> %1 %2"_s.arg(send->request).arg(requestText(send->message)));
    } else if (const QString text = outputText(output); !text.isEmpty()) {
        m_trace->add(m_now, name, text);
    }
}

void World::noteAnswer(quint8 who, const Message &message, bool late)
{
    if (!m_trace || !m_trace->withRequests())
        return;
    m_trace->add(m_now, m_candidates[who]->name(),
                 u"<- %1 %2: %3%4"_s.arg(message.request)
                     .arg(requestText(message.body), replyText(message.reply),
                          late ? u" (nobody waits)"_s : QString()));
}

} // namespace Baton::Sim
