// SPDX-License-Identifier: MIT
#include "driver.h"

#include "bootclock.h"
#include "engine.h"

#include <QtCore/QTimer>

using namespace Qt::StringLiterals;

namespace Baton::Shell {

namespace {
constexpr std::chrono::milliseconds DropGrace{20};

LeaseError writeError(const Wire::Failure &failure, const QString &key)
{
    Core::Outbox outbox;
    Core::TroubleLog(outbox).failed(Step::Write, failure);
    const auto seen = outbox.take();
    const auto &trouble = std::get<Core::TroubleSeen>(*seen).trouble;
    return {trouble.code, trouble.step, trouble.status, trouble.detail, key};
}
} // namespace

Driver::Driver(DriverSettings settings, std::shared_ptr<Mailbox> mailbox, Engine &engine)
    : m_settings(std::move(settings)), m_engine(engine), m_mailbox(std::move(mailbox)),
      m_link(std::make_shared<DriverLink>(this)), m_machine(m_settings.machine),
      m_transport(std::make_unique<Transport>(m_settings.base, m_settings.token, this)), m_alarm(this),
      m_token(m_settings.token)
{
    connect(&m_alarm, &Alarm::rang, this, [this] {
        m_machine.handleTimeout(Core::bootNow());
        pump();
    });
    if (m_settings.stallLimit) {
        m_stallGuard = std::make_unique<StallGuard>(*m_settings.stallLimit, m_mailbox);
        connect(m_stallGuard.get(), &StallGuard::stalled, this, &Driver::pause);
        connect(m_stallGuard.get(), &StallGuard::recovered, this, &Driver::resume);
    }
}

Driver::~Driver()
{
    m_link->detach();
    m_engine.forget(this);
    if (m_term)
        m_term->standDown();
}

void Driver::setToken(const QByteArray &token)
{
    m_token = token;
    m_transport->setToken(token);
}

void Driver::input(const Core::Input &input)
{
    if (std::holds_alternative<Core::Stop>(input))
        m_paused = false;
    m_machine.handle(input, Core::bootNow());
    pump();
}

/// The application hangs. It loses its lease, and does not campaign for another that it could not use.
void Driver::pause()
{
    m_machine.handle(Core::Abandon{LostReason::ApplicationStalled}, Core::bootNow());
    m_machine.handle(Core::Stop{}, Core::bootNow());
    m_paused = true;
    pump();
}

void Driver::resume()
{
    if (std::exchange(m_paused, false) && !m_byAcquire)
        input(Core::Start{});
}

bool Driver::isFree() const
{
    const Core::State state = m_machine.state();
    return !m_acquisition && (state == Core::State::Idle || state == Core::State::Closing);
}

/// False for an order that a later one has overtaken.
bool Driver::obeys(quint64 order)
{
    if (order < m_order)
        return false;
    m_order = order;
    return true;
}

void Driver::start(quint64 order)
{
    if (!obeys(order))
        return;
    if (m_byAcquire && !isFree()) {
        tell(Core::TroubleSeen{
            {Step::Configure, ErrorCode::Busy, 0, QStringLiteral("an acquire() is under way")}});
        return;
    }
    m_byAcquire = false;
    input(Core::Start{});
}

void Driver::stop(quint64 order)
{
    if (obeys(order))
        input(Core::Stop{});
}

void Driver::acquire(const AcquireJob &job, Patience patience)
{
    if (!obeys(job.order)) {
        Acquisition(job, m_engine.courier()).settle(AcquireOutcome::Cancelled);
        return;
    }
    if (patience == Patience::Some && m_byAcquire && m_term) {
        // The application may have dropped the last lease of that term just now, while a copy of its result
        // is still on its way through the courier.
        QTimer::singleShot(DropGrace, this, [this, job] { acquire(job, Patience::None); });
        return;
    }
    auto acquisition = std::make_unique<Acquisition>(job, m_engine.courier());
    if (!isFree()) {
        acquisition->settle(AcquireOutcome::Failed, {ErrorCode::Busy, Step::Configure, 0, {}, job.key});
        return;
    }
    connect(acquisition.get(), &Acquisition::abandoned, this, [this] {
        m_acquisition.release()->deleteLater();
        input(Core::Stop{});
    });
    m_acquisition = std::move(acquisition);
    m_byAcquire = true;
    input(Core::Start{});
}

/// Nobody has the lease any more, so nobody's work has to be waited for.
void Driver::drop(quint64 term, LostReason reason)
{
    if (!m_term || m_term->number != term)
        return;
    m_machine.handle(Core::Release{reason}, Core::bootNow());
    input(Core::HandedOver{term});
}

void Driver::release(quint64 term)
{
    if (m_term && m_term->number == term)
        input(Core::Release{});
}

void Driver::retire(quint64 order)
{
    m_order = std::max(m_order, order);
    m_retired = true;
    input(Core::Stop{});
}

/// Carries out what the machine says until it has nothing more to say. Inputs that come up on the way (a
/// lease seen void) are taken in the same turn.
void Driver::pump()
{
    if (m_pumping)
        return;
    m_pumping = true;
    while (auto output = m_machine.poll())
        carryOut(std::move(*output));
    m_pumping = false;
    m_alarm.setAt(m_machine.nextTimeout());
}

void Driver::carryOut(Core::Output output)
{
    censor(output);
    log(output);
    if (auto *request = std::get_if<Core::Send>(&output)) {
        send(std::move(*request));
    } else if (const auto *cancel = std::get_if<Core::Cancel>(&output)) {
        if (const auto call = m_calls.extract(cancel->request))
            m_transport->cancel(call.mapped());
    } else if (const auto *acquired = std::get_if<Core::Acquired>(&output)) {
        begin(*acquired);
    } else if (const auto *renewed = std::get_if<Core::Renewed>(&output)) {
        extend(*renewed);
    } else if (std::holds_alternative<Core::StoodDown>(output)) {
        m_term->standDown();
    } else if (const auto *lost = std::get_if<Core::Lost>(&output)) {
        end(*lost);
    } else {
        if (m_retired && std::holds_alternative<Core::Stopped>(output))
            deleteLater();
        if (m_acquisition && m_acquisition->observe(output, {}))
            endAcquisition();
        // A campaign that is paused goes on; nobody has stopped it.
        if (!m_paused || !std::holds_alternative<Core::Stopped>(output))
            tell(std::move(output));
    }
}

void Driver::send(Core::Send send)
{
    const auto call = Wire::encode(send.message, m_settings.scope);
    const quint64 request = send.request;
    m_calls[request] = m_transport->send(call, send.timeout,
                                         [this, request, call, sent = Core::bootNow(),
                                          message = std::move(send.message)](const Wire::HttpAnswer &answer) {
                                             m_calls.erase(request);
                                             log(call, answer, sent);
                                             Engine::endWithProcess(Engine::Network::Answered);
                                             input(Core::Answer{request, Wire::decode(message, answer)});
                                         });
    Engine::endWithProcess(Engine::Network::Used);
}

void Driver::begin(const Core::Acquired &acquired)
{
    m_term = std::make_shared<Term>(acquired.term, acquired.token, m_settings.machine.key, acquired.session,
                                    acquired.deadline, m_link);
    m_engine.noteToken(m_settings, acquired.token);
    if (m_stallGuard)
        m_stallGuard->start();
    if (m_acquisition) {
        const auto hold = m_term->makeHold();
        m_acquisition->observe(acquired, m_term);
        m_acquisition.release()->deleteLater();
        m_machine.handle(Core::Start{false}, Core::bootNow()); // One term, no other after it.
    }
    tell(acquired, m_term);
}

void Driver::extend(const Core::Renewed &renewed)
{
    if (m_term && m_term->extend(renewed.deadline))
        tell(renewed);
    else
        m_machine.handle(Core::Abandon{LostReason::LocalDeadlineExceeded}, Core::bootNow());
}

void Driver::end(const Core::Lost &lost)
{
    m_term->end(lost.reason);
    if (m_stallGuard)
        m_stallGuard->stop();
    m_engine.courier().post([term = std::exchange(m_term, {})] { term->tellLost(); });
    tell(lost);
}

/// There is a result, and it is not a win: the campaign ends.
void Driver::endAcquisition()
{
    m_acquisition.release()->deleteLater();
    m_machine.handle(Core::Stop{}, Core::bootNow());
}

void Driver::tell(Core::Output output, std::shared_ptr<Term> term)
{
    m_mailbox->post({std::move(output), std::move(term), m_order});
}

void Driver::write(const WriteJob &job)
{
    if (!job.term->isHeld()) {
        settle(job, Wire::WriteRefused{});
        return;
    }
    const Wire::FencedWrite message{job.term->key, job.term->session, job.writes};
    const Wire::HttpCall call = Wire::encode(message, m_settings.scope);
    if (call.body.size() > Wire::MaxTransaction) {
        settle(job,
               Wire::Failure{Wire::FailureKind::Rejected, 0,
                             u"the request has %1 bytes, more than Consul's %2"_s.arg(call.body.size())
                                 .arg(Wire::MaxTransaction)});
        return;
    }
    m_transport->send(call, m_settings.machine.writeTimeout(),
                      [this, job, call, sent = Core::bootNow(), message](const Wire::HttpAnswer &answer) {
                          log(call, answer, sent);
                          settle(job, Wire::decode(message, answer));
                      });
}

void Driver::settle(const WriteJob &job, const Wire::Reply &reply)
{
    WriteResult result{WriteOutcome::Unknown, {}};
    if (std::holds_alternative<Wire::Written>(reply)) {
        result.outcome = WriteOutcome::Written;
    } else if (std::holds_alternative<Wire::WriteRefused>(reply)) {
        result.outcome = WriteOutcome::Refused;
    } else if (const auto *failure = std::get_if<Wire::Failure>(&reply)) {
        using enum Wire::FailureKind;
        const bool nothingDone = failure->kind == Unreachable || failure->kind == Denied
            || failure->kind == RateLimited || failure->kind == Rejected;
        result = {nothingDone ? WriteOutcome::Refused : WriteOutcome::Unknown,
                  writeError(*failure, job.term->key)};
        censor(result.error.detail);
    }
    m_engine.courier().post([promise = job.promise, result] {
        promise->addResult(result);
        promise->finish();
    });
}

} // namespace Baton::Shell
