// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>
#include <Baton/observeroptions.h>

#include <QtCore/QObject>

#include <memory>

namespace Baton {

class ClusterObserverPrivate;

/*!
 * Watches the elections and sessions of one datacenter. It only reads: nothing it does can change who leads.
 *
 * \code
 * Baton::ClusterObserver observer(Baton::ObserverOptions::fromEnvironment());
 * QObject::connect(&observer, &Baton::ClusterObserver::updated, &model,
 *                  [&](const Baton::ClusterSnapshot &now, const Baton::ClusterDelta &delta) { show(now,
 * delta); }); observer.start(); \endcode
 *
 * Order: the first updated() has a snapshot with everything that could be read; a part that is refused is
 * missing from it and says so in its Provenance, a part that is not answered holds it back. Each later one
 * has the difference to the one before. No two of them are nearer than 250 ms, however busy Consul is, and
 * none comes while the slots of the one before still run: changes are gathered, and none of them is lost up
 * to MaxChanges at a time.
 *
 * Outages: the last snapshot stays, connection() says that it is stale and why, and it goes on by itself:
 * retries begin at 100 ms and grow to 5 s. An index that is missing, zero or runs backwards makes it start
 * again from the beginning, calmly; what the new answer shows is a change like any other.
 *
 * Threads: used from the thread it lives in, where its signals are emitted; that thread needs an event loop.
 * Network, parsing and comparing happen on one thread of Baton's for all observers of the process.
 *
 * Connections: one for the sessions, one for each prefix, one for everything short. Long polls, answered at
 * the first change, and never asked more often than ObserverOptions::floor allows.
 *
 * Clock: boot time, counting suspend.
 *
 * Errors: values in connection(), never the end of it. Options that validate() refuses, a token file that
 * cannot be read, or a missing QCoreApplication, make start() do nothing but say so there (Refused).
 *
 * Lifetime: it may be destroyed at any moment, also in a slot of its own; nothing is waited for.
 *
 * Unstable until 1.0. Pinned by tst_observe_* and tst_live_observe.
 */
class BATON_EXPORT ClusterObserver : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Baton::ConnectionState state READ state NOTIFY connectionChanged)
    Q_PROPERTY(bool hidden READ isHidden WRITE setHidden NOTIFY hiddenChanged)

public:
    /// Changes kept between two updates.
    static constexpr int MaxChanges = 10'000;
    /// How often the agent is asked whether it is there; hidden, every HiddenFloor.
    static constexpr std::chrono::milliseconds PulseInterval{2'000};
    /// The floor while nobody looks.
    static constexpr std::chrono::milliseconds HiddenFloor{5'000};
    /// For how long an election whose key was deleted is kept.
    static constexpr std::chrono::minutes GoneKept{60};

    explicit ClusterObserver(const ObserverOptions &options, QObject *parent = nullptr);
    ~ClusterObserver() override;

    [[nodiscard]] ObserverOptions options() const;

    /// What was told last; number 0 before the first. It stays over stop() and a later start().
    [[nodiscard]] ClusterSnapshot snapshot() const;
    [[nodiscard]] ConnectionReport connection() const;
    [[nodiscard]] ConnectionState state() const;

    /// Nobody looks at present: asks at most every HiddenFloor.
    [[nodiscard]] bool isHidden() const;
    void setHidden(bool hidden);

public Q_SLOTS:
    /// Begins to watch. Does nothing where it does already.
    void start();
    /// Ends all requests at once. No signal comes after it but connectionChanged().
    void stop();
    /// Asks for everything anew, at once: for a button. Ignored within the floor after the last one.
    void refresh();

Q_SIGNALS:
    /// Records differ, or the snapshot became complete.
    void updated(const Baton::ClusterSnapshot &snapshot, const Baton::ClusterDelta &delta);
    /// Another state or another error. Ages of data that go on changing are not told; see heard().
    void connectionChanged(const Baton::ConnectionReport &report);
    /// Consul answered, and connection() has new instants; at most every 250 ms.
    void heard();
    void hiddenChanged(bool hidden);

private:
    friend class ClusterObserverPrivate;
    std::unique_ptr<ClusterObserverPrivate> d;
};

} // namespace Baton
