// SPDX-License-Identifier: MIT
#include "leaseprovider_p.h"

#include "bootclock.h"
#include "forkguard.h"
#include "leaderfrom.h"

#include <QtCore/QPointer>

namespace Baton {

namespace {
/// Every type that travels in a signal is known by the name it has there, so that string-based and queued
/// connections work.
void registerTypes()
{
    qRegisterMetaType<std::chrono::milliseconds>("std::chrono::milliseconds");
    qRegisterMetaType<std::chrono::microseconds>("std::chrono::microseconds");
    qRegisterMetaType<std::optional<std::chrono::milliseconds>>("std::optional<std::chrono::milliseconds>");
    qRegisterMetaType<LostReason>("Baton::LostReason");
    qRegisterMetaType<ProviderState>("Baton::ProviderState");
    qRegisterMetaType<WaitReason>("Baton::WaitReason");
    qRegisterMetaType<ErrorCode>("Baton::ErrorCode");
    qRegisterMetaType<LeaseError>("Baton::LeaseError");
    qRegisterMetaType<LeaderInfo>("Baton::LeaderInfo");
}

ProviderState publicState(Core::State state)
{
    using enum Core::State;
    switch (state) {
    case Idle:
        return ProviderState::Idle;
    case Opening:
    case Verifying:
    case Reading:
        return ProviderState::Opening;
    case Waiting:
    case Locking:
        return ProviderState::Waiting;
    case Leading:
        return ProviderState::Leading;
    case Diagnosing:
    case Yielding:
    case Closing:
    case Over:
        return ProviderState::Stopping;
    }
    Q_UNREACHABLE();
}
} // namespace

LeaseProvider::LeaseProvider(const LeaseOptions &options, QObject *parent)
    : QObject(parent), d(std::make_unique<LeaseProviderPrivate>(this, options))
{
    registerTypes();
}

LeaseProvider::~LeaseProvider()
{
    d->end();
}

LeaseOptions LeaseProvider::options() const
{
    return d->options;
}

ProviderState LeaseProvider::state() const
{
    return d->state;
}

bool LeaseProvider::isLeading() const
{
    const auto term = d->term();
    return term && term->isHeld();
}

std::optional<quint64> LeaseProvider::token() const
{
    const auto term = d->term();
    return term && term->isHeld() ? std::optional(term->token) : std::nullopt;
}

QVariant LeaseProvider::tokenVariant() const
{
    const auto value = token();
    return value ? QVariant::fromValue(*value) : QVariant();
}

Lease LeaseProvider::lease() const
{
    const auto term = d->term();
    return term ? Lease(term) : Lease();
}

LeaderInfo LeaseProvider::leader() const
{
    return d->leader;
}

bool LeaseProvider::isAtRisk() const
{
    return d->atRisk;
}

QString LeaseProvider::lostEvidence() const
{
    return d->lostEvidence;
}

void LeaseProvider::start()
{
    d->start();
}

void LeaseProvider::stop()
{
    d->stop();
}

LeaseProviderPrivate::LeaseProviderPrivate(LeaseProvider *provider, const LeaseOptions &leaseOptions)
    : QObject(provider), // So that it moves to other threads with the provider.
      q(provider), options(leaseOptions),
      m_mailbox(std::make_shared<Shell::Mailbox>(this, [this] { deliver(); }))
{
}

void LeaseProviderPrivate::end()
{
    using Shell::Engine;
    if (Shell::inForkedChild())
        return;
    const QDeadlineTimer deadline(Engine::ShutdownTimeout);
    m_stopping = true;
    const bool running = m_link && m_link->retire();
    while (running && m_running && m_mailbox->waitForNotice(deadline))
        deliver();
    m_mailbox->close();
    if (running && m_running)
        m_link->discard();
}

void LeaseProviderPrivate::deliver()
{
    // A slot may turn an event loop, and news may come meanwhile: what is older is still told first.
    for (auto &notice : m_mailbox->takeAll())
        m_pending.push_back(std::move(notice));
    const QPointer<LeaseProviderPrivate> alive(this);
    while (alive && !m_pending.empty()) {
        const Shell::Notice notice = std::move(m_pending.front());
        m_pending.pop_front();
        handle(notice);
    }
}

void LeaseProviderPrivate::handle(const Shell::Notice &notice)
{
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const auto left = [](Core::Instant until) {
        return duration_cast<milliseconds>(std::max(until - Core::bootNow(), Core::Duration::zero()));
    };

    if (std::holds_alternative<Core::Acquired>(notice.output)) {
        announce(notice.term);
    } else if (const auto *lost = std::get_if<Core::Lost>(&notice.output)) {
        lose(*lost);
    } else if (const auto *changed = std::get_if<Core::StateChanged>(&notice.output)) {
        m_running = changed->state != Core::State::Idle;
        // A term that was not announced shows in no way.
        if (changed->state != Core::State::Leading || m_term)
            setState(publicState(changed->state));
    } else if (const auto *renewed = std::get_if<Core::Renewed>(&notice.output)) {
        if (m_term)
            Q_EMIT q->renewed(left(renewed->deadline),
                              duration_cast<std::chrono::microseconds>(renewed->roundTrip));
    } else if (const auto *risk = std::get_if<Core::AtRisk>(&notice.output)) {
        if (m_term) {
            setAtRisk(true);
            Q_EMIT q->leadershipAtRisk(left(risk->deadline));
        }
    } else if (std::holds_alternative<Core::Safe>(notice.output)) {
        if (atRisk) {
            setAtRisk(false);
            Q_EMIT q->leadershipSafe();
        }
    } else if (const auto *waits = std::get_if<Core::Waits>(&notice.output)) {
        Q_EMIT q->waiting(waits->why, waits->holder,
                          waits->until ? std::optional(left(*waits->until)) : std::nullopt);
    } else if (const auto *opened = std::get_if<Core::SessionOpened>(&notice.output)) {
        Q_EMIT q->sessionOpened(opened->session);
    } else if (const auto *seen = std::get_if<Core::LeaderSeen>(&notice.output)) {
        see(*seen);
    } else if (const auto *trouble = std::get_if<Core::TroubleSeen>(&notice.output)) {
        const auto &[step, code, status, detail] = trouble->trouble;
        Q_EMIT q->errorOccurred({code, step, status, detail, options.lockKey()});
    } else if (const auto *over = std::get_if<Core::TroubleOver>(&notice.output)) {
        Q_EMIT q->errorCleared(over->code);
    } else if (std::holds_alternative<Core::Stopped>(notice.output)) {
        m_running = false;
        m_stopping = false;
        Q_EMIT q->stopped();
    }
}

void LeaseProviderPrivate::announce(const std::shared_ptr<Shell::Term> &term)
{
    // News that comes too late starts no dead leader, and none after stop().
    if (m_stopping || !term->isHeld())
        return;
    setTerm(term);
    state = ProviderState::Leading;
    const QPointer<LeaseProviderPrivate> alive(this);
    Q_EMIT q->leadershipAcquired(term->token);
    if (alive && state == ProviderState::Leading)
        Q_EMIT q->stateChanged(state);
}

void LeaseProviderPrivate::lose(const Core::Lost &lost)
{
    const bool announced = m_term != nullptr;
    const QPointer<LeaseProviderPrivate> alive(this);
    if (announced) {
        setTerm(nullptr);
        lostEvidence = lost.evidence;
        state = ProviderState::Stopping; // What follows is told by the next notice.
        setAtRisk(false);
        if (alive)
            Q_EMIT q->leadershipLost(lost.reason);
    }
    if (!alive)
        return;
    // The slots have returned: the application has ended its work, and the lock may go to the next.
    const bool inOrder = lost.reason == LostReason::Released || lost.reason == LostReason::Cancelled;
    if (inOrder && m_link)
        m_link->input(Core::HandedOver{lost.term});
    if (announced)
        Q_EMIT q->stateChanged(state);
}

std::shared_ptr<Shell::Term> LeaseProviderPrivate::term() const
{
    const QMutexLocker lock(&m_termMutex);
    return m_term;
}

void LeaseProviderPrivate::setTerm(const std::shared_ptr<Shell::Term> &term)
{
    const QMutexLocker lock(&m_termMutex);
    m_term = term;
}

void LeaseProviderPrivate::see(const Core::LeaderSeen &seen)
{
    const LeaderInfo info =
        Shell::leaderFrom(options.lockKey(), seen.session.value_or(QString()), seen.index, seen.value);
    if (leader == info)
        return;
    leader = info;
    Q_EMIT q->leaderChanged(leader);
}

void LeaseProviderPrivate::setState(ProviderState newState)
{
    if (state == newState)
        return;
    state = newState;
    Q_EMIT q->stateChanged(state);
}

void LeaseProviderPrivate::setAtRisk(bool risk)
{
    if (atRisk == risk)
        return;
    atRisk = risk;
    Q_EMIT q->atRiskChanged(risk);
}

} // namespace Baton
