// SPDX-License-Identifier: MIT
#pragma once

#include "acquisition.h"
#include "alarm.h"
#include "driverlink.h"
#include "mailbox.h"
#include "stallguard.h"
#include "transport.h"

#include <core/candidatemachine.h>

#include <QtCore/QObject>

#include <map>
#include <memory>

namespace Baton::Shell {

class Engine;

/// What a driver needs to know of its provider's options.
struct DriverSettings
{
    Core::Settings machine;
    Wire::Scope scope;
    QUrl base;
    QByteArray token;
    std::optional<std::chrono::milliseconds> stallLimit;
};

/*!
 * Runs one candidate machine on the engine's thread: hands it replies and time, carries out what it says. It
 * decides nothing itself but one thing: a lease that the application has already seen void is not extended.
 */
class Driver : public QObject
{
    Q_OBJECT
public:
    Driver(DriverSettings settings, std::shared_ptr<Mailbox> mailbox, Engine &engine);
    ~Driver() override;

    [[nodiscard]] std::shared_ptr<DriverLink> link() const { return m_link; }

    void input(const Core::Input &input);
    void setToken(const QByteArray &token);
    void start(quint64 order);
    void stop(quint64 order);
    void release(quint64 term);
    void drop(quint64 term, LostReason reason);
    enum class Patience { None, Some };
    void acquire(const AcquireJob &job, Patience patience = Patience::Some);
    void write(const WriteJob &job);
    void retire(quint64 order);

private:
    void pump();
    void pause();
    void resume();
    void carryOut(Core::Output output);
    void send(Core::Send send);
    void begin(const Core::Acquired &acquired);
    void extend(const Core::Renewed &renewed);
    void end(const Core::Lost &lost);
    void tell(Core::Output output, std::shared_ptr<Term> term = {});
    void censor(Core::Output &output) const;
    void censor(QString &text) const;
    void log(const Core::Output &output);
    void log(const Wire::HttpCall &call, const Wire::HttpAnswer &answer, Core::Instant sent);
    void settle(const WriteJob &job, const Wire::Reply &reply);
    bool isFree() const;
    bool obeys(quint64 order);
    void endAcquisition();

    const DriverSettings m_settings;
    Engine &m_engine;
    std::shared_ptr<Mailbox> m_mailbox;
    std::shared_ptr<DriverLink> m_link;
    Core::CandidateMachine m_machine;
    std::unique_ptr<Transport> m_transport;
    Alarm m_alarm;
    QByteArray m_token;
    std::map<quint64, quint64> m_calls; ///< The machine's request numbers to the transport's.
    std::shared_ptr<Term> m_term;
    std::unique_ptr<StallGuard> m_stallGuard; ///< Only where a limit is set.
    std::unique_ptr<Acquisition> m_acquisition;
    quint64 m_order = 0; ///< The last that was heard.
    bool m_byAcquire = false; ///< The campaign is that of an acquire(), not of a start().
    bool m_paused = false; ///< The application hangs.
    bool m_retired = false;
    bool m_pumping = false;
};

} // namespace Baton::Shell
