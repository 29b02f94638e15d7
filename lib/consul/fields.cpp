// SPDX-License-Identifier: MIT
#include "fields.h"

#include "codec.h"

namespace Baton::Wire {

Fields::Fields(const Json &object) : m_object(object), m_ok(object.type == Json::Type::Object) { }

const Json *Fields::required(QStringView name, Json::Type type)
{
    const Json *member = m_object.member(name);
    if (member && member->type == type)
        return member;
    m_ok = false;
    return nullptr;
}

quint64 Fields::number(QStringView name)
{
    const Json *member = required(name, Json::Type::Number);
    const std::optional<quint64> value = member ? parseIndex(member->text.toLatin1()) : std::nullopt;
    require(value.has_value());
    return value.value_or(0);
}

QString Fields::text(QStringView name)
{
    const Json *member = required(name, Json::Type::String);
    return member ? member->text : QString();
}

QByteArray Fields::bytes(QStringView name)
{
    const Json *null = m_object.member(name);
    if (null && null->type == Json::Type::Null)
        return {};
    const Json *member = required(name, Json::Type::String);
    if (!member)
        return {};
    const QByteArray base64 = member->text.toLatin1();
    const QByteArray value = QByteArray::fromBase64(base64);
    // Only the one canonical spelling comes out of a round trip; everything else was not written by Consul.
    require(value.toBase64() == base64);
    return value;
}

std::optional<QString> Fields::optionalText(QStringView name)
{
    if (!m_object.member(name))
        return std::nullopt;
    const QString value = text(name);
    return value.isEmpty() ? std::nullopt : std::optional(value);
}

const std::vector<Json> &Fields::list(QStringView name)
{
    static const std::vector<Json> Empty;
    const Json *member = m_object.member(name);
    if (!member || member->type == Json::Type::Null)
        return Empty;
    member = required(name, Json::Type::Array);
    return member ? member->items : Empty;
}

QStringList Fields::texts(QStringView name)
{
    QStringList result;
    for (const Json &item : list(name)) {
        require(item.type == Json::Type::String);
        result.append(item.text);
    }
    return result;
}

} // namespace Baton::Wire
