// SPDX-License-Identifier: MIT
#pragma once

#include "courier.h"
#include "driver.h"
#include "log.h"

#include <QtCore/QHash>
#include <QtCore/QMutex>
#include <QtCore/QThread>

#include <chrono>
#include <memory>
#include <vector>

namespace Baton::Shell {

/*!
 * The engine thread, on which every driver lives, and the courier. One for the process, from the first
 * start() of a provider to the end of the application object, when all leases are given up together.
 */
class Engine
{
public:
    /// All leases of a process are given up within this at the application's end.
    static constexpr std::chrono::milliseconds ShutdownTimeout{1000};

    /// Null where there is no QCoreApplication.
    static std::shared_ptr<Engine> instance();

    Engine();
    ~Engine();
    Q_DISABLE_COPY_MOVE(Engine)

    /// Any thread. The settings' token floor is raised to what this process has seen.
    std::shared_ptr<DriverLink> createDriver(DriverSettings settings, std::shared_ptr<Mailbox> mailbox);
    Courier &courier() { return m_courier; }
    /// Engine thread.
    Log &campaignLog() { return m_campaignLog; }
    Log &httpLog() { return m_httpLog; }
    /// What Qt has made of its global objects for the network.
    enum class Network { Made, Used, Answered };
    /// exit() leaves the application object alone, so its post routine does not run; an exit handler does. It
    /// has to run before the global objects go that the engine uses, and so to be registered after each time
    /// that some were made.
    static void endWithProcess(Network network);
    /// Engine thread: a token that no later term of this process may fall below.
    void noteToken(const DriverSettings &settings, quint64 token);
    /// Engine thread.
    void forget(Driver *driver);

private:
    static void shutDown();
    static QString election(const DriverSettings &settings);
    void endAll();

    struct Entry
    {
        Driver *driver;
        std::shared_ptr<DriverLink> link;
        std::shared_ptr<Mailbox> mailbox;
    };
    Courier m_courier;
    // Made with the engine, by a thread of the application: a filter of its own is called for each category.
    Log m_campaignLog{Shell::campaignLog, m_courier};
    Log m_httpLog{Shell::httpLog, m_courier};
    QThread m_thread;
    QObject m_context; ///< Lives on the engine thread.
    QMutex m_mutex;
    QWaitCondition m_gone; ///< A driver has.
    std::vector<Entry> m_drivers;
    QHash<QString, quint64> m_tokens;
};

} // namespace Baton::Shell
