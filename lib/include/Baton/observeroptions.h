// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/baton_global.h>

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>

namespace Baton {

/*!
 * Which Consul a ClusterObserver or a SessionAdmin looks at, and how often. The defaults look at the
 * elections under `service/` of the local agent. Nothing is checked until validate(), no file read and no
 * name resolved until the object that it is given to starts.
 *
 * A value: copy it freely, from any thread.
 *
 * Pinned by tst_observe_rows.
 */
struct BATON_EXPORT ObserverOptions
{
    /// Each prefix and the sessions need a connection of their own, and six to an agent are enough.
    static constexpr int MaxPrefixes = 4;
    /// Not asked more often than this, whatever is asked for: a busy Consul sends its whole list of sessions
    /// at each change.
    static constexpr std::chrono::milliseconds LeastFloor{250};

    /// The agent, in the forms of CONSUL_HTTP_ADDR; see LeaseOptions::address. Default: 127.0.0.1:8500.
    QString address;
    /// Default: empty, the agent's own.
    QString datacenter;
    /// Namespace (Consul Enterprise). Default: empty, not sent.
    QString nameSpace;
    /// Admin partition (Consul Enterprise). Default: empty, not sent.
    QString partition;
    /// ACL token, sent as a header only. Empty or blank means anonymous. Not together with tokenFile.
    QString token;
    /// File that contains the ACL token, read at start(). Not together with token.
    QString tokenFile;

    /// Where elections are looked for: 1 to MaxPrefixes beginnings of keys, none within another. An empty one
    /// is the whole store.
    QStringList prefixes = {QStringLiteral("service/")};
    /// How long Consul is asked to hold a long poll, 1 s to 10 min. A connection that died in silence is
    /// noticed sooner than that, by asking the agent every PulseInterval whether it is there.
    std::chrono::milliseconds wait{10'000};
    /// Least time from one question to the next of the same kind. Raised to LeastFloor, and to ten times what
    /// the last answer took to arrive and to read.
    std::chrono::milliseconds floor{LeastFloor};

    /// What fromEnvironment() found but cannot honour, one message each; validate() repeats them.
    QStringList environmentProblems;

    /// Options with what the environment says, as LeaseOptions::fromEnvironment() reads it.
    [[nodiscard]] static ObserverOptions
    fromEnvironment(const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());

    /// One message per problem, in English, beginning with the field's name; empty where all is well. Never
    /// shows a token or a password.
    [[nodiscard]] QStringList validate() const;

    bool operator==(const ObserverOptions &) const = default;
};

} // namespace Baton
