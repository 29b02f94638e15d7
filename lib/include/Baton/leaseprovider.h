// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/acquireresult.h>
#include <Baton/baton.h>
#include <Baton/leaderinfo.h>
#include <Baton/lease.h>
#include <Baton/leaseerror.h>
#include <Baton/leaseoptions.h>

#include <QtCore/QFuture>
#include <QtCore/QObject>
#include <QtCore/QVariant>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace Baton {

class LeaseProviderPrivate;

/*!
 * Campaigns for leadership of one election and says when it begins and when it ends.
 *
 * \code
 * Baton::LeaseOptions options;
 * options.serviceName = QStringLiteral("invoice-worker");
 * Baton::LeaseProvider leases(options);
 * QObject::connect(&leases, &Baton::LeaseProvider::leadershipAcquired, &app,
 *                  [](quint64 token) { qInfo("leading with token %llu", token); });
 * QObject::connect(&leases, &Baton::LeaseProvider::leadershipLost, &app,
 *                  [](Baton::LostReason reason) { qInfo("lost: %s", Baton::tag(reason).data()); });
 * leases.start();
 * \endcode
 *
 * It does not make the work of a leader safe by itself: a process that stands still between asking and acting
 * may act after its term. Only the resource can refuse that, by the token.
 *
 * Order: each leadershipAcquired is followed by exactly one leadershipLost before the next
 * leadershipAcquired. \c leading is never true before leadershipAcquired and may be false before
 * leadershipLost. A term that is over before its news reaches this object is not announced at all.
 *
 * Threads: used from the thread it lives in, where its signals are emitted; moving it is possible only before
 * start(). lease() may be called from any thread. All network traffic and timing happen on a thread of
 * Baton's, so a busy application keeps its lease.
 *
 * Clock: boot time, counting suspend. Durations in signals count from the moment of their emission.
 *
 * Errors: errorOccurred tells each kind once until it changes; none of them ends a term, and campaigning goes
 * on. Options that validate() refuses, or a missing QCoreApplication, are told the same way by start(), which
 * then does nothing.
 *
 * Lifetime: destroying it gives a lease up in order, within one second; of the signals only leadershipLost is
 * emitted then. It may be destroyed in a slot of its own. The end of the application gives leases up in
 * order, for all providers at once; one that is destroyed later only frees its memory.
 *
 * Logging: two categories, silent unless switched on. `baton.campaign` tells terms (info) and troubles
 * (warning), `baton.http` every request with its outcome (debug); each at most 20 lines a second, and what is
 * left out is counted. They are written on a thread of Baton's. No text, here or in a signal, contains a
 * token, a password or the value of a key.
 *
 * Pinned by tst_leaseprovider, tst_signals and tst_live_provider.
 */
class BATON_EXPORT LeaseProvider : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Baton::ProviderState state READ state NOTIFY stateChanged)
    Q_PROPERTY(bool leading READ isLeading NOTIFY stateChanged)
    Q_PROPERTY(QVariant token READ tokenVariant NOTIFY stateChanged)
    Q_PROPERTY(Baton::LeaderInfo leader READ leader NOTIFY leaderChanged)
    Q_PROPERTY(bool atRisk READ isAtRisk NOTIFY atRiskChanged)

public:
    /// Does nothing until start() or acquire(). \a options are not looked at before that.
    explicit LeaseProvider(const LeaseOptions &options, QObject *parent = nullptr);
    ~LeaseProvider() override;

    /// A copy of what it was made with. Any thread.
    [[nodiscard]] LeaseOptions options() const;

    /// As the last stateChanged told. It may still be Leading when isLeading() is false already.
    [[nodiscard]] ProviderState state() const;
    /// Computed at each call: announced, and the deadline has not passed.
    [[nodiscard]] bool isLeading() const;
    /// The fencing token while isLeading(), else nothing.
    [[nodiscard]] std::optional<quint64> token() const;
    /// The announced term; null when none. Any thread.
    [[nodiscard]] Lease lease() const;
    /// Who leads as far as this candidate saw; null when nobody does.
    [[nodiscard]] LeaderInfo leader() const;
    /// Half of the lease's window has passed without an acknowledged renewal.
    [[nodiscard]] bool isAtRisk() const;
    /// What the last leadershipLost rests on, in one English line for logs; may be empty.
    [[nodiscard]] QString lostEvidence() const;

    /*!
     * Campaigns for one term, for at most \a timeout (no limit where unset). The term is released in order
     * when the last copy of the result's lease goes; a future that is cancelled or dropped gives it up too.
     * After the term it does not campaign again. Fails with ErrorCode::Busy while another acquire() or a
     * start() is active.
     *
     * The result needs no event loop, so QFuture::waitForFinished() may be called; the signals need one as
     * always. Continuations without a context run on a thread of Baton's.
     */
    [[nodiscard]] QFuture<AcquireResult>
    acquire(std::optional<std::chrono::milliseconds> timeout = std::nullopt);
    /// The same, with \a done called in the thread of \a context; given up where \a context goes before that.
    void acquire(QObject *context, std::function<void(const Baton::AcquireResult &)> done,
                 std::optional<std::chrono::milliseconds> timeout = std::nullopt);
    /// Takes the lock only if that can be had at once: Won, Contended, or Failed at the first error.
    [[nodiscard]] QFuture<AcquireResult> tryAcquire();

public Q_SLOTS:
    /// Campaigns until stop(); campaigns again after a loss. Does nothing where it is campaigning already.
    /// While a stop() is still under way it takes that back: the campaign goes on when the present term is
    /// given up, without stopped().
    void start();
    /// Gives up in order and ends at stopped(): at once where nothing was held, else within stopTimeout after
    /// the slots of leadershipLost have returned.
    void stop();

Q_SIGNALS:
    /// A term has begun: isLeading() was true a moment ago. \a token is greater than that of every former
    /// leader of this key.
    void leadershipAcquired(quint64 token);
    /// The term is over, and isLeading() false already. Exactly once for each leadershipAcquired; the lock of
    /// a term that ended in order is given up when all slots of this signal have returned.
    void leadershipLost(Baton::LostReason reason);
    /// No renewal has been acknowledged for half of the window; the lease ends in \a left unless one is.
    void leadershipAtRisk(std::chrono::milliseconds left);
    /// A renewal was acknowledged after leadershipAtRisk.
    void leadershipSafe();
    /// Only on a change, after leadershipAcquired or leadershipLost where one goes with it.
    void stateChanged(Baton::ProviderState state);
    /// Another holder of the lock, or another value of it, was seen; null where nobody holds it. May be this
    /// candidate itself.
    void leaderChanged(const Baton::LeaderInfo &leader);
    /// Goes with leadershipAtRisk and leadershipSafe; false again where the term ends meanwhile.
    void atRiskChanged(bool atRisk);
    /// A renewal was acknowledged: the lease ends in \a left unless another is. \a roundTrip is from send to
    /// answer.
    void renewed(std::chrono::milliseconds left, std::chrono::microseconds roundTrip);
    /// Not leading, and why. \a holder is the session that holds the lock, empty where none does; \a retryIn
    /// is when the lock is tried next, where that is known.
    void waiting(Baton::WaitReason reason, const QString &holder,
                 std::optional<std::chrono::milliseconds> retryIn);
    /// A Consul session was opened for the next term.
    void sessionOpened(const QString &session);
    /// Something stands in the way: once a kind until that is cleared or its words change. It goes on trying,
    /// except after ErrorCode::InvalidOptions, NoApplication and Busy.
    void errorOccurred(const Baton::LeaseError &error);
    /// What errorOccurred told of is over.
    void errorCleared(Baton::ErrorCode code);
    /// Everything is given up; start() may be called again. Once for one or several calls of stop(), and at
    /// the end of an acquire().
    void stopped();

private:
    QVariant tokenVariant() const;

    friend class LeaseProviderPrivate;
    std::unique_ptr<LeaseProviderPrivate> d;
};

} // namespace Baton
