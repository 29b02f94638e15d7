// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>
#include <Baton/leaderinfo.h>
#include <Baton/leaseerror.h>
#include <Baton/leaseoptions.h>

#include <QtCore/QObject>

#include <chrono>
#include <memory>

namespace Baton {

class LeaderWatcherPrivate;

/*!
 * Says who leads one election, without being a candidate and without a session. It reports what the lock key
 * says; it does not say whether the leader acts, and no decision about the resource may rest on it.
 *
 * \code
 * Baton::LeaseOptions options;
 * options.serviceName = QStringLiteral("invoice-worker");
 * Baton::LeaderWatcher watcher(options);
 * QObject::connect(&watcher, &Baton::LeaderWatcher::leaderChanged, &app,
 *                  [](const Baton::LeaderInfo &leader) { show(leader.isNull() ? QStringLiteral("-") :
 * leader.instance); }); watcher.start(); \endcode
 *
 * "Nobody leads" is told only on a consistent read that says so. An outage, a missing right, an answer that
 * is not Consul's tell nothing: leader() stays what it was last, and \c current is false meanwhile.
 *
 * Order: the first leaderChanged follows the first answer, also where nobody leads; each later one is a
 * change of session, token or value. currentChanged follows the leaderChanged it belongs to.
 *
 * Of the options it uses which election and which Consul, watchWait (at most
 * MaxWait), and nothing else. Changes are told at
 * most ten times a second, the last one always.
 *
 * Threads: used from the thread it lives in, where its signals are emitted; that thread needs an event loop.
 *
 * Errors: errorOccurred tells each kind once until it changes, and retries go on by themselves.
 *
 * Lifetime: it may be destroyed at any moment, also in a slot of its own; nothing is waited for.
 *
 * Pinned by tst_leaderwatcher and tst_live_observe.
 */
class BATON_EXPORT LeaderWatcher : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Baton::LeaderInfo leader READ leader NOTIFY leaderChanged)
    Q_PROPERTY(bool current READ isCurrent NOTIFY currentChanged)

public:
    /// A connection that dies in silence is noticed soon after this.
    static constexpr std::chrono::milliseconds MaxWait{10'000};

    explicit LeaderWatcher(const LeaseOptions &options, QObject *parent = nullptr);
    ~LeaderWatcher() override;

    [[nodiscard]] LeaseOptions options() const;
    /// Who led at the last answer; null where nobody did, and before the first answer.
    [[nodiscard]] LeaderInfo leader() const;
    /// Consul is being watched, and leader() is what it has.
    [[nodiscard]] bool isCurrent() const;

public Q_SLOTS:
    /// Begins to watch. Does nothing where it does already.
    void start();
    /// Ends all requests at once; leader() stays.
    void stop();

Q_SIGNALS:
    void leaderChanged(const Baton::LeaderInfo &leader);
    void currentChanged(bool current);
    void errorOccurred(const Baton::LeaseError &error);
    void errorCleared(Baton::ErrorCode code);

private:
    friend class LeaderWatcherPrivate;
    std::unique_ptr<LeaderWatcherPrivate> d;
};

} // namespace Baton
