// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QUrl>

#include <variant>

namespace Baton::Shell {

/*!
 * Where the agent listens: LeaseOptions::address, or CONSUL_HTTP_ADDR, taken apart as Consul's own tools do.
 */
struct ConsulAddress
{
    QString host = QStringLiteral("127.0.0.1");
    quint16 port = 8500;
    QByteArray
        prefix; ///< Path of a reverse proxy in front of Consul, percent-encoded, without a slash at its end.

    /// Where a request with the path and query \a target (percent-encoded) goes.
    [[nodiscard]] QUrl url(const QByteArray &target) const;

    bool operator==(const ConsulAddress &) const = default;
};

/// Why an address cannot be used, in the user's terms. It repeats nothing that may be a password.
struct AddressProblem
{
    QString reason;
};

/*!
 * Reads \a text; an empty one is 127.0.0.1:8500. Consul's tools (1.8.7 asked, later ones read in source) use
 * port 80 where none is given, and the local machine where the host is empty; both hold here. What they fail
 * on only when they connect is refused here with the reason. A path after the host is the prefix of a reverse
 * proxy, as in the later tools (pull request 12914 of Consul); a lone `/` at the end, which the tools stumble
 * over, is harmless.
 */
[[nodiscard]] std::variant<ConsulAddress, AddressProblem> parseConsulAddress(const QString &text);

} // namespace Baton::Shell
