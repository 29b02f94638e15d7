// SPDX-License-Identifier: MIT
#include "models/connectionprofile.h"

#include "models/format.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QRegularExpression>
#include <QtCore/QUuid>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Profile)
};

/// Of the profile that is made of the environment.
constexpr auto EnvironmentId = "environment"_L1;

constexpr auto TokenVariable = "CONSUL_HTTP_TOKEN"_L1;

} // namespace

ConnectionProfile ConnectionProfile::make(const QString &name, const QString &address)
{
    ConnectionProfile profile;
    profile.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    profile.name = name;
    profile.address = address;
    return profile;
}

ConnectionProfile ConnectionProfile::fromEnvironment(const QProcessEnvironment &environment)
{
    const ObserverOptions found = ObserverOptions::fromEnvironment(environment);
    ConnectionProfile profile;
    profile.id = EnvironmentId;
    profile.name = Text::tr("Environment");
    profile.address = withoutCredentials(found.address);
    profile.datacenter = found.datacenter;
    profile.nameSpace = found.nameSpace;
    profile.partition = found.partition;
    profile.prefixes = found.prefixes;
    if (!found.tokenFile.isEmpty()) {
        profile.tokenSource = TokenSource::File;
        profile.tokenFile = QDir::current().absoluteFilePath(found.tokenFile);
    } else if (!found.token.isEmpty()) {
        profile.tokenSource = TokenSource::Environment;
        profile.tokenVariable = TokenVariable;
    }
    return profile;
}

ObserverOptions ConnectionProfile::options(const QProcessEnvironment &environment) const
{
    ObserverOptions options;
    options.address = address;
    options.datacenter = datacenter;
    options.nameSpace = nameSpace;
    options.partition = partition;
    options.prefixes = prefixes;
    switch (tokenSource) {
    case TokenSource::None:
        break;
    case TokenSource::File:
        options.tokenFile = tokenFile;
        break;
    case TokenSource::Environment:
        options.token = environment.value(tokenVariable);
        break;
    }
    if (id == EnvironmentId)
        options.environmentProblems = ObserverOptions::fromEnvironment(environment).environmentProblems;
    return options;
}

QStringList ConnectionProfile::validate(const QProcessEnvironment &environment) const
{
    QStringList problems;
    if (name.trimmed().isEmpty())
        problems += Text::tr("The profile needs a name.");
    if (withoutCredentials(address) != address)
        problems +=
            Text::tr("The address must not contain a user name or a password: it is kept in the settings.");
    if (tokenSource == TokenSource::File && !isTokenFile(tokenFile))
        problems += Text::tr("The token file must be given with its whole path.");
    if (tokenSource == TokenSource::Environment) {
        if (!isVariable(tokenVariable))
            problems += Text::tr("The token's variable must be the name of one, such as CONSUL_HTTP_TOKEN.");
        else if (!environment.contains(tokenVariable))
            problems += Text::tr("The environment has no variable %1.").arg(tokenVariable);
    }
    if (problems.isEmpty()) {
        const QStringList others = options(environment).validate();
        for (const QString &problem : others)
            problems += Format::safe(problem, Format::DetailLength);
    }
    return problems;
}

QString withoutCredentials(const QString &address)
{
    // What stands before the last @ of the host's part is not the host.
    static const QRegularExpression credentials(uR"(^([A-Za-z][A-Za-z0-9+.-]*://)?[^/?#]*@)"_s);
    QString bare = address;
    return bare.replace(credentials, uR"(\1)"_s);
}

bool isVariable(const QString &name)
{
    static const QRegularExpression form(uR"(^[A-Za-z_][A-Za-z0-9_]*$)"_s);
    return form.match(name).hasMatch();
}

bool isTokenFile(const QString &path)
{
    return QDir::isAbsolutePath(path);
}

} // namespace Baton::Monitor
