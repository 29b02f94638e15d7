// SPDX-License-Identifier: MIT
#include "gojson.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

QString typeName(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return u"bool"_s;
    case QJsonValue::Double:
        return u"number"_s;
    case QJsonValue::String:
        return u"string"_s;
    case QJsonValue::Array:
        return u"array"_s;
    default:
        return u"object"_s;
    }
}

/// The place of the first byte of \a text that cannot be base64, as Go counts it; nothing where there is
/// none.
std::optional<qsizetype> firstWrongByte(const QByteArray &text)
{
    constexpr qsizetype Quantum = 4;
    const QByteArray digits = text.trimmed();
    const auto result = QByteArray::fromBase64Encoding(digits, QByteArray::AbortOnBase64DecodingErrors);
    if (result && digits.size() % Quantum == 0)
        return std::nullopt;
    static constexpr QByteArrayView Alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    qsizetype at = 0;
    while (at < digits.size() && Alphabet.contains(digits[at]))
        ++at;
    if (at == digits.size()) // Cut short inside its last quantum.
        return digits.size() / Quantum * Quantum;
    while (at < digits.size() && digits[at] == '=' && at % Quantum >= 2)
        ++at;
    return at;
}

/// How far the value at the beginning of \a text reaches; nothing where it does not end.
std::optional<qsizetype> sizeOfValue(const QByteArray &text)
{
    int depth = 0;
    bool isString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isString && c == '\\')
            ++i;
        else if (c == '"')
            isString = !isString;
        else if (!isString && (c == '{' || c == '['))
            ++depth;
        else if (!isString && (c == '}' || c == ']'))
            --depth;
        const bool isWord = depth == 0 && !isString && c != '"' && c != '}' && c != ']';
        if (depth == 0 && !isString && !isWord)
            return i + 1;
        if (isWord && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
            return i;
    }
    return depth == 0 && !isString ? std::optional(text.size()) : std::nullopt;
}

} // namespace

std::variant<QJsonValue, QString> parseGoJson(const QByteArray &body)
{
    const QByteArray text = body.trimmed();
    if (text.isEmpty())
        return u"EOF"_s;
    static constexpr QByteArrayView Beginnings = "{[\"-0123456789tfn";
    if (!Beginnings.contains(text.front()))
        return u"invalid character '%1' looking for beginning of value"_s.arg(
            QString::fromUtf8(text).front());
    const std::optional<qsizetype> size = sizeOfValue(text);
    if (!size)
        return u"unexpected EOF"_s;
    // QJsonDocument takes arrays and objects only, so the value goes into an array.
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson('[' + text.first(*size) + ']', &error);
    if (error.error == QJsonParseError::NoError)
        return document.array().first();
    const qsizetype at = std::clamp<qsizetype>(error.offset - 1, 0, *size - 1);
    return u"invalid character '%1' looking for beginning of value"_s.arg(QLatin1Char(text[at]));
}

GoObject::GoObject(const QJsonValue &value, const QString &path) : m_members(value.toObject()), m_path(path)
{
    if (!value.isObject() && !value.isNull())
        complain(u"json: cannot unmarshal %1 into Go value"_s.arg(typeName(value)));
}

GoObject GoObject::parse(const QByteArray &body)
{
    const auto parsed = parseGoJson(body);
    if (const QJsonValue *value = std::get_if<QJsonValue>(&parsed))
        return GoObject(*value);
    GoObject broken(QJsonValue::Null);
    broken.complain(std::get<QString>(parsed));
    return broken;
}

QJsonValue GoObject::value(const QString &name)
{
    m_asked += name;
    for (auto member = m_members.constBegin(); member != m_members.constEnd(); ++member) {
        if (member.key().compare(name, Qt::CaseInsensitive) == 0)
            return member.value();
    }
    return QJsonValue::Null;
}

bool GoObject::has(const QString &name)
{
    return !value(name).isNull();
}

QString GoObject::text(const QString &name)
{
    const QJsonValue found = value(name);
    if (!found.isString() && !found.isNull())
        complainOfType(name, found, u"string"_s);
    return found.toString();
}

quint64 GoObject::number(const QString &name)
{
    const QJsonValue found = value(name);
    if (!found.isDouble() && !found.isNull())
        complainOfType(name, found, u"uint64"_s);
    return quint64(found.toInteger());
}

QStringList GoObject::texts(const QString &name)
{
    const QJsonValue found = value(name);
    if (!found.isArray() && !found.isNull())
        complainOfType(name, found, u"[]string"_s);
    QStringList list;
    const QJsonArray items = found.toArray();
    for (const QJsonValue &item : items)
        list += item.toString();
    return list;
}

QByteArray GoObject::bytes(const QString &name)
{
    const QByteArray digits = text(name).toLatin1();
    if (const auto wrong = firstWrongByte(digits))
        complain(u"illegal base64 data at input byte %1"_s.arg(*wrong));
    return QByteArray::fromBase64(digits);
}

Core::Duration GoObject::duration(const QString &name, Core::Duration preset)
{
    const QJsonValue found = value(name);
    if (found.isNull())
        return preset;
    if (found.isDouble())
        return Core::Duration(found.toInteger());
    const auto parsed = parseGoDuration(text(name));
    if (const QString *error = std::get_if<QString>(&parsed)) {
        complain(*error);
        return preset;
    }
    return std::get<Core::Duration>(parsed);
}

void GoObject::refuseOthers()
{
    const QStringList names = m_members.keys();
    for (const QString &name : names) {
        if (!m_asked.contains(name, Qt::CaseInsensitive))
            complain(u"json: unknown field %1"_s.arg(goQuoted(name)));
    }
}

void GoObject::complain(const QString &problem)
{
    if (m_problem.isEmpty())
        m_problem = problem;
}

void GoObject::complainOfType(const QString &name, const QJsonValue &value, const QString &type)
{
    complain(u"json: cannot unmarshal %1 into Go struct field %2.%3 of type %4"_s.arg(typeName(value), m_path,
                                                                                      name, type));
}

} // namespace Baton::Testing
