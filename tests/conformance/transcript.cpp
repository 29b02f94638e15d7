// SPDX-License-Identifier: MIT
#include "transcript.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <set>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

/// The first member \a name within \a value, at any depth.
QJsonValue member(const QJsonValue &value, const QString &name)
{
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        if (object.contains(name))
            return object[name];
        for (const auto &inner : object) {
            if (const QJsonValue found = member(inner, name); !found.isUndefined())
                return found;
        }
    }
    const QJsonArray items = value.toArray();
    for (const QJsonValue &item : items) {
        if (const QJsonValue found = member(item, name); !found.isUndefined())
            return found;
    }
    return QJsonValue::Undefined;
}

QJsonArray parsed(const QByteArray &body)
{
    return QJsonDocument::fromJson('[' + body + ']').array();
}

constexpr auto IndexMark = "#";
/// Smaller ones are Consul's way to say that there is none.
constexpr quint64 SmallestIndex = 2;

/// \a text with a mark before every Raft index in it.
QString marked(const QString &text)
{
    static const QRegularExpression indexes(
        uR"re((X-Consul-Index: |"(?:Create|Modify)Index":|modify index )(\d+))re"_s);
    return QString(text).replace(indexes, u"\\1"_s + QLatin1StringView(IndexMark) + u"\\2"_s);
}

} // namespace

QByteArray Transcript::filledIn(QByteArray text) const
{
    static const QRegularExpression holes(uR"(\$([A-Z]+)(?:\.([A-Za-z]+))?)"_s);
    QString filled = QString::fromUtf8(text);
    for (;;) {
        const QRegularExpressionMatch hole = holes.match(filled);
        if (!hole.hasMatch())
            break;
        QString value = QString::fromLatin1(m_key);
        const QByteArray name = hole.captured(1).toLatin1();
        const QString wanted = hole.captured(2).isEmpty() ? u"ID"_s : hole.captured(2);
        if (name != "K") {
            const HttpAnswer &answer = m_named[name];
            const QJsonValue found = member(parsed(answer.body), wanted);
            value = wanted == "Header"_L1 ? QString::fromLatin1(answer.header("X-Consul-Index"))
                : found.isString()        ? found.toString()
                                          : QString::number(found.toInteger());
        }
        filled.replace(hole.capturedStart(), hole.capturedLength(), value);
    }
    static const QRegularExpression zeros(u"%ZERO\\((\\d+)\\)"_s);
    if (const auto match = zeros.match(filled); match.hasMatch())
        filled.replace(match.captured(0), QString(match.captured(1).toInt(), u'0'));
    return filled.toUtf8();
}

void Transcript::ask(const QByteArray &line)
{
    QByteArray rest = line;
    QByteArray name;
    if (const qsizetype arrow = rest.lastIndexOf(" => "); arrow >= 0) {
        name = rest.mid(arrow + 4);
        rest.truncate(arrow);
    }
    const auto word = [&rest] {
        const qsizetype blank = rest.indexOf(' ');
        const QByteArray first = rest.left(blank < 0 ? rest.size() : blank);
        rest = blank < 0 ? QByteArray() : rest.mid(blank + 1);
        return first;
    };
    QByteArray token;
    if (rest.startsWith('@'))
        token = m_tokens[word().mid(1)];
    const QByteArray method = word();
    const QByteArray target = filledIn(word());
    m_exchanges.append({line, m_side.request(method, target, filledIn(rest), token)});
    if (!name.isEmpty())
        m_named[name] = m_exchanges.last().answer;
}

QByteArrayList Transcript::neutral(Indexes mode) const
{
    QStringList lines;
    for (const auto &[line, answer] : m_exchanges) {
        QStringList parts{QString::fromLatin1(line), answer.error + QString::number(answer.status)};
        for (const QByteArray name :
             {"Content-Type", "Allow", "Location", "X-Consul-Index", "X-Consul-Knownleader",
              "X-Consul-Lastcontact", "X-Consul-Effective-Consistency"}) {
            if (const QByteArray value = answer.header(name); !value.isNull())
                parts += QString::fromLatin1(name + ": " + value);
        }
        const bool isJson = answer.header("Content-Type") == "application/json";
        // A -dev agent indents, which is why the two are not compared byte by byte.
        parts += QString::fromUtf8(isJson ? QJsonDocument(parsed(answer.body)).toJson(QJsonDocument::Compact)
                                          : answer.body);
        lines += marked(parts.join(u" | "_s));
    }
    std::set<quint64> indexes;
    static const QRegularExpression index(u"#(\\d+)"_s);
    for (const QString &line : lines) {
        for (const auto &match : index.globalMatch(line))
            indexes.insert(match.captured(1).toULongLong());
    }
    static const QRegularExpression address(u"127\\.\\d+\\.\\d+\\.\\d+(:\\d+)?"_s);
    static const QRegularExpression uuid(u"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"_s);
    QStringList uuids;
    QByteArrayList result;
    for (QString line : lines) {
        if (mode == Indexes::LeftOut)
            line.replace(index, u"index"_s);
        int rank = 1;
        for (const quint64 value : indexes) {
            if (value >= SmallestIndex)
                line.replace(QRegularExpression(u"#%1\\b"_s.arg(value)), u"index-%1"_s.arg(rank++));
        }
        line.replace(address, u"ADDRESS"_s);
        for (const auto &match : uuid.globalMatch(line)) {
            if (!uuids.contains(match.captured()))
                uuids += match.captured();
        }
        for (const QString &id : uuids)
            line.replace(id, u"uuid-%1"_s.arg(uuids.indexOf(id) + 1));
        result += line.toUtf8();
    }
    return result;
}

void Transcript::cleanUp() const
{
    const QByteArray token = m_tokens["MASTER"];
    const QJsonArray sessions =
        parsed(m_side.request("GET", "/v1/session/list", {}, token).body).first().toArray();
    for (const QJsonValue &session : sessions)
        (void)m_side.request("PUT", "/v1/session/destroy/" + session["ID"_L1].toString().toLatin1(), {},
                             token);
    (void)m_side.request("DELETE", "/v1/kv/?recurse", {}, token);
}

} // namespace Baton::Testing
