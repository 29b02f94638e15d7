// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/observeroptions.h>

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace Baton::Monitor {

/// Where a profile's ACL token comes from.
enum class TokenSource {
    None, ///< Anonymous.
    File, ///< ConnectionProfile::tokenFile.
    Environment, ///< The variable ConnectionProfile::tokenVariable.
};

/*!
 * Which Consul to watch, under a name. It says where its token is, and never contains one.
 *
 * A value.
 */
struct ConnectionProfile
{
    /// Names its settings and its journal; stays when the name changes.
    QString id;
    QString name;
    /// As ObserverOptions::address; without user name and password, which would be a secret in the settings.
    QString address;
    QString datacenter;
    QString nameSpace;
    QString partition;
    QStringList prefixes = {QStringLiteral("service/")};
    TokenSource tokenSource = TokenSource::None;
    QString tokenFile;
    QString tokenVariable = QStringLiteral("CONSUL_HTTP_TOKEN");

    /// A new one with an identity of its own.
    [[nodiscard]] static ConnectionProfile make(const QString &name, const QString &address);
    /// What Consul's own tools would use here: CONSUL_HTTP_ADDR and the others. Its id is always the same.
    [[nodiscard]] static ConnectionProfile
    fromEnvironment(const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());

    /// For a ClusterObserver or SessionAdmin. The token is read from \a environment where it comes from
    /// there.
    [[nodiscard]] ObserverOptions
    options(const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment()) const;

    /// What is wrong with it, one sentence each; empty where all is well. Never shows a secret.
    [[nodiscard]] QStringList
    validate(const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment()) const;

    bool operator==(const ConnectionProfile &) const = default;
};

/// \a address without user name and password.
[[nodiscard]] QString withoutCredentials(const QString &address);
/// It can be the name of a variable, so it is no token that somebody put into the wrong field.
[[nodiscard]] bool isVariable(const QString &name);
/// Likewise, the path of a file.
[[nodiscard]] bool isTokenFile(const QString &path);

} // namespace Baton::Monitor
