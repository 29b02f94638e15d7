// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton.h>

#include <QtCore/QMap>
#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace Baton {

/*!
 * The timings a lease runs with: LeaseOptions with every default filled in. Meaningful only for options that
 * validate() accepts.
 *
 * All are counted on the clock that goes on during suspend.
 */
struct LeaseTimings
{
    /// What Consul is asked to keep the session for without a renewal; it ends it at twice that.
    std::chrono::milliseconds ttl{};
    /// For how long Consul refuses the lock after a session that held it was ended.
    std::chrono::milliseconds lockDelay{};
    /// What the TTL is shortened by.
    std::chrono::milliseconds margin{};
    /// How long a lease is valid after the last acknowledged renewal was sent: `min(ttl - margin, 0.9 x
    /// lockDelay)`, `ttl - margin` where lockDelay is zero.
    std::chrono::milliseconds window{};
    /// From one renewal to the next.
    std::chrono::milliseconds renewInterval{};
    /// After which a request counts as unanswered.
    std::chrono::milliseconds requestTimeout{};
    /// How long Consul is asked to hold a long poll.
    std::chrono::milliseconds watchWait{};
    /// How long stop() waits for the term's work to return before it stands down without a hand-over.
    std::chrono::milliseconds stopTimeout{};
};

/*!
 * How long a failure keeps the election without a leader: from \c origin to the next leadershipAcquired.
 * A prediction, not a bound: a loaded or partitioned Consul can take longer.
 */
struct FailoverPrediction
{
    /// The instant the three figures are counted from.
    FailoverOrigin origin = FailoverOrigin::LastRenewal;
    /// False where leadership stays where it is; the figures are zero then.
    bool leadershipMoves = true;
    /// No healthy Consul is faster: what it promises, not what it does.
    std::chrono::milliseconds earliest{};
    /// What was measured.
    std::chrono::milliseconds expected{};
    /// Later than this is worth a look.
    std::chrono::milliseconds latest{};
};

/*!
 * What a LeaseProvider campaigns for, where, and with which timings. Only serviceName (or key) must be set.
 * Filling the fields in has no effect by itself, and nothing is checked until validate().
 *
 * \code
 * Baton::LeaseOptions options = Baton::LeaseOptions::fromEnvironment();
 * options.serviceName = QStringLiteral("invoice-worker");
 * options.ttl = std::chrono::seconds(30);
 * options.lockDelay = std::chrono::seconds(30);
 * for (const QString &problem : options.validate())
 *     qWarning("%s", qUtf8Printable(problem));
 * const auto crash = options.predictedFailover(Baton::FailureKind::ProcessCrash);
 * qInfo("the next leader after %lld ms", static_cast<long long>(crash.expected.count()));
 * \endcode
 *
 * Timings that are unset take the default of \c profile; timings() gives the values in force. Zero is a
 * value, not "unset". Wherever a range is given, validate() holds to it.
 *
 * No file is read and no name resolved here: both happen once the provider runs.
 *
 * A value: copy it freely, from any thread. A provider keeps its own copy; changing the original later
 * changes nothing.
 *
 * Pinned by tst_leaseoptions and tst_prediction.
 */
struct BATON_EXPORT LeaseOptions
{
    // Which election:

    /// Name of the election; the lock key is `service/<serviceName>/leader`. Letters, digits, `.`, `_`, `-`
    /// are safe with every Consul; `/` groups. May be empty only where \c key is set.
    QString serviceName;
    /// The lock key itself, where it must be another one. Default: empty, see serviceName.
    QString key;

    // Which Consul:

    /// The agent, in the forms of CONSUL_HTTP_ADDR: `host:port`, `http://host:port`, `http://host/prefix`,
    /// `[::1]:8500`. A host without a port means port 80, as for Consul's own tools. Default: 127.0.0.1:8500.
    /// TLS (`https://`) is not available yet, and Unix sockets are not supported.
    QString address;
    /// Datacenter of the election. Default: empty, the agent's own.
    QString datacenter;
    /// Namespace (Consul Enterprise). Default: empty, not sent.
    QString nameSpace;
    /// Admin partition (Consul Enterprise). Default: empty, not sent.
    QString partition;
    /// ACL token, sent as a header only. Empty or blank means anonymous. Visible ASCII characters only. Not
    /// together with tokenFile.
    QString token;
    /// File that contains the ACL token. Default: empty, none. Not together with token.
    QString tokenFile;

    // Timing:

    /// Defaults of the timings and node checks. Profile::Fast is not available yet and refused by validate().
    Profile profile = Profile::Balanced;
    /// TTL of the session, 10 s to 24 h. Default: 10 s.
    std::optional<std::chrono::milliseconds> ttl;
    /// Lock-delay of the session, 0 to 60 s. Default: 9 s (Conservative: 15 s). At 0 a session that is ended
    /// from outside lets a rival in before this leader can know, so two may lead at once.
    std::optional<std::chrono::milliseconds> lockDelay;
    /// Safety margin, above 0 and below ttl. Default: 2 s.
    std::optional<std::chrono::milliseconds> margin;
    /// From one renewal to the next, at least 50 ms. Renewal, time-out and one retry must fit into the
    /// window. Default: `min(ttl / 3, lockDelay / 4)`, `ttl / 3` where lockDelay is zero.
    std::optional<std::chrono::milliseconds> renewInterval;
    /// After which a request counts as unanswered, at least 100 ms. Default: renewInterval, at least 100 ms.
    std::optional<std::chrono::milliseconds> requestTimeout;
    /// How long Consul is asked to hold a long poll, 1 s to 10 min. Default: 50 s.
    std::optional<std::chrono::milliseconds> watchWait;
    /// How long stop() waits for the term's work to return before it stands down without a hand-over, 0 to
    /// 60 s. Default: 5 s.
    std::optional<std::chrono::milliseconds> stopTimeout;
    /// Give the lease up, as LostReason::ApplicationStalled, when the provider's thread has not turned its
    /// event loop for this long: a hung application need not lead for ever. 100 ms to 1 h. Default: unset,
    /// off.
    std::optional<std::chrono::milliseconds> stallLimit;
    /// Accept a ttl under 10 s, for servers whose `session_ttl_min` is lower. Others refuse the session.
    bool allowShortTtl = false;

    // Who is campaigning:

    /// Name of this candidate, shown to others, at most 256 characters. Default: empty, `<host>-<pid>`.
    QString instanceId;
    /// More to show to others, as part of the lock's value; at most 8 KiB in all. Never a secret: whoever may
    /// read the key reads it.
    QMap<QString, QString> metadata;
    /// Name of the session in Consul, at most 256 characters. Default: empty, `baton <lock key> <instance>`.
    QString sessionName;
    /// Ids of health checks, registered with the same agent by the application, that end the session when
    /// they turn critical. They must exist and not be critical when the campaign starts. Default: none.
    QStringList sessionChecks;
    /// Highest token that the resource has seen, where the application knows it: every token handed out is
    /// greater. Default: 0.
    quint64 tokenFloor = 0;

    /// What fromEnvironment() found but cannot honour, one message each; validate() repeats them. Clear it to
    /// go on without.
    QStringList environmentProblems;

    // What follows from it:

    /*!
     * Options with what the environment says, read as Consul's own tools do: CONSUL_HTTP_ADDR,
     * CONSUL_HTTP_TOKEN, CONSUL_HTTP_TOKEN_FILE (it wins over the former), CONSUL_NAMESPACE,
     * CONSUL_PARTITION. Empty variables count as unset. CONSUL_HTTP_SSL (if true) and CONSUL_HTTP_AUTH would
     * change what the address means and cannot be honoured yet, so they become environmentProblems.
     */
    [[nodiscard]] static LeaseOptions
    fromEnvironment(const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());

    /// One message per problem, in English, beginning with the field's name; empty where all is well. Never
    /// shows a token or a password.
    [[nodiscard]] QStringList validate() const;

    /// The key that is locked: key, else `service/<serviceName>/leader`.
    [[nodiscard]] QString lockKey() const;
    /// The timings in force.
    [[nodiscard]] LeaseTimings timings() const;
    /// Node checks of the session: `serfHealth` for Profile::Conservative, else none.
    [[nodiscard]] QStringList nodeChecks() const;
    /// instanceId, else `<host>-<pid>`.
    [[nodiscard]] QString effectiveInstanceId() const;
    /// sessionName, else `baton <lock key> <instance>`.
    [[nodiscard]] QString effectiveSessionName() const;

    /*!
     * How long \a failure keeps the election without a leader, if another candidate waits on a healthy
     * Consul.
     *
     * | failure | origin | earliest | expected | latest |
     * |---|---|---|---|---|
     * | HandOver | release sent | 0 | 5 ms | 50 ms |
     * | ProcessCrash, ProcessFrozen | last renewal | ttl + lockDelay | 2 ttl + lockDelay | expected + 1 s |
     * | … with sessionChecks | last renewal | lockDelay | as above | as above |
     * | AgentLost, MachineLost, NetworkCut | last renewal | as a crash | as a crash | as a crash |
     * | … with the node check serfHealth | last renewal | lockDelay + 4 s | lockDelay + 6 s | as a crash |
     * | ConsulLeaderLost | last renewal | window + lockDelay | 15 s (or window) + lockDelay | see below |
     *
     * Consul promises not to end a session before its TTL and ends it at twice that. Counted from the death
     * itself a crash takes up to renewInterval less, since the last renewal was that much earlier.
     *
     * A change of Consul's own leader stops renewals for 11.4 to 18.9 s at Consul's default raft_multiplier
     * of 5 (1.6 to 2.2 s at 1). Leadership stays where window is longer than that and a renewal interval; ttl
     * and lockDelay of 30 s do. Else the leader stands down and ends its session as soon as Consul answers
     * again, at the latest after 18.9 s, renewInterval, requestTimeout, a pause of 1.2 s and the second that
     * a crash is granted too; lockDelay follows.
     */
    [[nodiscard]] FailoverPrediction predictedFailover(FailureKind failure) const;
};

} // namespace Baton
