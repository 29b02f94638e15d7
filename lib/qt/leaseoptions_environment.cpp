// SPDX-License-Identifier: MIT
#include <Baton/leaseoptions.h>

using namespace Qt::StringLiterals;

namespace Baton {
namespace {

/// What Go's strconv.ParseBool, with which Consul's tools read their switches, takes for true and false.
std::optional<bool> parseSwitch(const QString &text)
{
    static const QStringList on = {u"1"_s, u"t"_s, u"T"_s, u"true"_s, u"TRUE"_s, u"True"_s};
    static const QStringList off = {u"0"_s, u"f"_s, u"F"_s, u"false"_s, u"FALSE"_s, u"False"_s};
    if (on.contains(text))
        return true;
    if (off.contains(text))
        return false;
    return std::nullopt;
}

} // namespace

LeaseOptions LeaseOptions::fromEnvironment(const QProcessEnvironment &environment)
{
    LeaseOptions options;
    options.address = environment.value(u"CONSUL_HTTP_ADDR"_s);
    options.nameSpace = environment.value(u"CONSUL_NAMESPACE"_s);
    options.partition = environment.value(u"CONSUL_PARTITION"_s);
    options.tokenFile = environment.value(u"CONSUL_HTTP_TOKEN_FILE"_s);
    if (options.tokenFile.isEmpty())
        options.token = environment.value(u"CONSUL_HTTP_TOKEN"_s);

    // Consul's tools never go back to plain HTTP once TLS was asked for, whatever the address says. A switch
    // that they cannot read they warn about and go on in plain text; a token must not be risked on a typing
    // error.
    const QString ssl = environment.value(u"CONSUL_HTTP_SSL"_s);
    if (const auto on = parseSwitch(ssl); on == true)
        options.environmentProblems += u"CONSUL_HTTP_SSL: TLS is not available yet"_s;
    else if (!on && !ssl.isEmpty())
        options.environmentProblems += u"CONSUL_HTTP_SSL: must be true or false"_s;
    if (!environment.value(u"CONSUL_HTTP_AUTH"_s).isEmpty())
        options.environmentProblems += u"CONSUL_HTTP_AUTH: HTTP basic authentication is not supported"_s;
    return options;
}

} // namespace Baton
