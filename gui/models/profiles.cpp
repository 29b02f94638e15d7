// SPDX-License-Identifier: MIT
#include "models/profiles.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSettings>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

const QString Group = u"profiles"_s;
const QString OrderKey = u"order"_s;
const QString CurrentKey = u"current"_s;

/// It becomes the name of a folder.
bool isId(const QString &id)
{
    static const QRegularExpression form(uR"(^[A-Za-z0-9-]{1,64}$)"_s);
    return form.match(id).hasMatch();
}

QString sourceText(TokenSource source)
{
    switch (source) {
    case TokenSource::None:
        return u"none"_s;
    case TokenSource::File:
        return u"file"_s;
    case TokenSource::Environment:
        return u"environment"_s;
    }
    Q_UNREACHABLE();
}

TokenSource sourceFrom(const QString &text)
{
    for (const TokenSource source : {TokenSource::File, TokenSource::Environment}) {
        if (text == sourceText(source))
            return source;
    }
    return TokenSource::None;
}

/// No token gets into the settings, also not by way of the wrong field.
ConnectionProfile harmless(ConnectionProfile profile)
{
    profile.address = withoutCredentials(profile.address);
    if (!isTokenFile(profile.tokenFile))
        profile.tokenFile.clear();
    if (!isVariable(profile.tokenVariable))
        profile.tokenVariable.clear();
    return profile;
}

ConnectionProfile readOne(const QSettings &settings, const QString &id)
{
    const auto text = [&](const QString &name) { return settings.value(id + '/'_L1 + name).toString(); };
    ConnectionProfile profile;
    profile.id = id;
    profile.name = text(u"name"_s);
    profile.address = text(u"address"_s);
    profile.datacenter = text(u"datacenter"_s);
    profile.nameSpace = text(u"namespace"_s);
    profile.partition = text(u"partition"_s);
    // An empty prefix is the whole store, and an empty list would be nothing.
    const QStringList prefixes = settings.value(id + u"/prefixes"_s).toStringList();
    if (!prefixes.isEmpty())
        profile.prefixes = prefixes;
    profile.tokenSource = sourceFrom(text(u"token_source"_s));
    profile.tokenFile = text(u"token_file"_s);
    profile.tokenVariable = text(u"token_variable"_s);
    return harmless(profile);
}

void writeOne(QSettings &settings, const ConnectionProfile &profile)
{
    settings.beginGroup(profile.id);
    settings.setValue(u"name"_s, profile.name);
    settings.setValue(u"address"_s, profile.address);
    settings.setValue(u"datacenter"_s, profile.datacenter);
    settings.setValue(u"namespace"_s, profile.nameSpace);
    settings.setValue(u"partition"_s, profile.partition);
    settings.setValue(u"prefixes"_s, profile.prefixes);
    settings.setValue(u"token_source"_s, sourceText(profile.tokenSource));
    settings.setValue(u"token_file"_s, profile.tokenFile);
    settings.setValue(u"token_variable"_s, profile.tokenVariable);
    settings.endGroup();
}

} // namespace

Profiles::Profiles(QSettings &settings, QObject *parent) : QObject(parent), m_settings(settings)
{
    m_settings.beginGroup(Group);
    const QStringList order = m_settings.value(OrderKey).toStringList();
    for (const QString &id : order) {
        if (!isId(id) || profile(id))
            continue;
        const ConnectionProfile found = readOne(m_settings, id);
        if (!found.name.isEmpty())
            m_profiles.append(found);
    }
    m_current = m_settings.value(CurrentKey).toString();
    m_settings.endGroup();
}

void Profiles::write()
{
    m_settings.beginGroup(Group);
    m_settings.remove(QString());
    QStringList order;
    for (const ConnectionProfile &profile : std::as_const(m_profiles)) {
        order += profile.id;
        writeOne(m_settings, profile);
    }
    m_settings.setValue(OrderKey, order);
    m_settings.setValue(CurrentKey, m_current);
    m_settings.endGroup();
}

std::optional<ConnectionProfile> Profiles::profile(const QString &id) const
{
    const auto found = std::find_if(m_profiles.cbegin(), m_profiles.cend(),
                                    [&](const ConnectionProfile &profile) { return profile.id == id; });
    return found == m_profiles.cend() ? std::nullopt : std::optional(*found);
}

void Profiles::save(ConnectionProfile profile)
{
    if (!isId(profile.id))
        return;
    profile = harmless(profile);
    profile.name = uniqueName(profile);
    const auto found = std::find_if(m_profiles.begin(), m_profiles.end(),
                                    [&](const ConnectionProfile &old) { return old.id == profile.id; });
    if (found == m_profiles.end())
        m_profiles.append(profile);
    else if (*found == profile)
        return;
    else
        *found = profile;
    write();
    Q_EMIT changed();
    if (profile.id == m_current)
        Q_EMIT currentChanged();
}

void Profiles::remove(const QString &id)
{
    if (!m_profiles.removeIf([&](const ConnectionProfile &profile) { return profile.id == id; }))
        return;
    const bool wasCurrent = id == m_current;
    if (wasCurrent)
        m_current.clear();
    write();
    Q_EMIT changed();
    if (wasCurrent)
        Q_EMIT currentChanged();
}

void Profiles::setCurrent(const QString &id)
{
    if (id == m_current || !profile(id))
        return;
    m_current = id;
    write();
    Q_EMIT currentChanged();
}

QString Profiles::uniqueName(const ConnectionProfile &profile) const
{
    const auto isTaken = [&](const QString &name) {
        return std::any_of(m_profiles.cbegin(), m_profiles.cend(), [&](const ConnectionProfile &other) {
            return other.id != profile.id && other.name == name;
        });
    };
    QString name = profile.name;
    for (int number = 2; isTaken(name); ++number)
        name = u"%1 (%2)"_s.arg(profile.name).arg(number);
    return name;
}

} // namespace Baton::Monitor
