// SPDX-License-Identifier: MIT
#include "consuladdress.h"

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace Baton::Shell {
namespace {

constexpr quint16 HttpPort =
    80; ///< What Go's HTTP client, and so every tool of Consul, takes without a port.

struct Authority
{
    QString host;
    QString port;
};

/// Splits `host:port`, `[v6]:port`, `host`, `:port`; nothing where it is none of them.
std::optional<Authority> splitAuthority(const QString &text)
{
    if (text.startsWith(u'[')) {
        const auto end = text.indexOf(u']');
        if (end < 0)
            return std::nullopt;
        const QString rest = text.mid(end + 1);
        if (!rest.isEmpty() && !rest.startsWith(u':'))
            return std::nullopt;
        return Authority{text.mid(1, end - 1), rest.mid(1)};
    }
    return Authority{text.section(u':', 0, 0), text.section(u':', 1)};
}

std::optional<quint16> parsePort(const QString &text)
{
    if (text.isEmpty())
        return HttpPort;
    const bool digits =
        std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool ok = false;
    const quint16 port = text.toUShort(&ok);
    return digits && ok && port > 0 ? std::optional(port) : std::nullopt;
}

bool isHost(const QString &host)
{
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(host, QUrl::StrictMode);
    return url.isValid() && !url.host().isEmpty();
}

/// What can be said of a text before it is taken apart.
std::optional<QString> refusal(const QString &scheme, const QString &rest)
{
    if (scheme == "https"_L1)
        return u"TLS is not available yet, only http://"_s;
    if (scheme == "unix"_L1)
        return u"Unix sockets are not supported; use host:port"_s;
    if (scheme != "http"_L1)
        return u"unknown scheme in front of ://, only http:// is possible"_s;
    if (rest.contains(u'@'))
        return u"user name and password in the address are not supported"_s;
    if (std::any_of(rest.cbegin(), rest.cend(), [](QChar c) { return c.isSpace() || !c.isPrint(); }))
        return u"contains white space or control characters"_s;
    if (rest.contains(u'?') || rest.contains(u'#'))
        return u"must end after host, port and path"_s;
    return std::nullopt;
}

} // namespace

QUrl ConsulAddress::url(const QByteArray &target) const
{
    QUrl url = QUrl::fromEncoded(prefix + target, QUrl::StrictMode);
    url.setScheme(u"http"_s);
    url.setHost(host);
    url.setPort(port);
    return url;
}

std::variant<ConsulAddress, AddressProblem> parseConsulAddress(const QString &text)
{
    if (text.isEmpty())
        return ConsulAddress{};

    const auto separator = text.indexOf("://"_L1);
    const QString scheme = separator < 0 ? u"http"_s : text.left(separator);
    const QString rest = separator < 0 ? text : text.mid(separator + 3);
    if (const auto reason = refusal(scheme, rest))
        return AddressProblem{*reason};

    const auto slash = rest.indexOf(u'/');
    if (slash >= 0 && separator < 0)
        return AddressProblem{
            u"a path needs http:// and a host in front of it; Unix sockets are not supported"_s};
    const auto authority = splitAuthority(rest.left(slash));
    if (!authority)
        return AddressProblem{u"not of the form host:port or [IPv6 address]:port"_s};
    if (authority->port.contains(u':'))
        return AddressProblem{u"an IPv6 address needs brackets, as in [::1]:8500"_s};
    const auto port = parsePort(authority->port);
    if (!port)
        return AddressProblem{u"the port must be a number from 1 to 65535"_s};
    if (authority->host.isEmpty() && authority->port.isEmpty())
        return AddressProblem{u"names no host"_s};

    ConsulAddress address;
    address.port = *port;
    if (!authority->host.isEmpty())
        address.host = authority->host;
    if (!isHost(address.host))
        return AddressProblem{u"not a valid host name or IP address"_s};
    if (slash >= 0) {
        address.prefix = QUrl::toPercentEncoding(rest.mid(slash), "/");
        while (address.prefix.endsWith('/'))
            address.prefix.chop(1);
    }
    return address;
}

} // namespace Baton::Shell
