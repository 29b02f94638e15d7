// SPDX-License-Identifier: MIT
#include "models/journalentry.h"
#include "models/jsontext.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QMetaEnum>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

/// The value of an enum of Baton with that tag.
template <typename Enum>
std::optional<Enum> fromTag(const QString &text)
{
    const QMetaEnum values = QMetaEnum::fromType<Enum>();
    for (int i = 0; i < values.keyCount(); ++i) {
        const auto value = Enum(values.value(i));
        if (tag(value) == text)
            return value;
    }
    return std::nullopt;
}

template <typename Enum>
QString text(Enum value)
{
    return QString(tag(value));
}

void addText(QJsonObject *line, const QString &name, const QString &value)
{
    if (!value.isEmpty())
        line->insert(name, value);
}

std::optional<quint64> indexFrom(const QJsonValue &value)
{
    bool ok = false;
    const quint64 index = value.isString() ? value.toString().toULongLong(&ok) : 0;
    if (ok)
        return index;
    return value.isDouble() && value.toInteger(-1) >= 0 ? std::optional(quint64(value.toInteger()))
                                                        : std::nullopt;
}

void addChange(QJsonObject *line, const JournalEntry &entry)
{
    line->insert(u"event"_s, text(entry.kind));
    addText(line, u"key"_s, entry.key);
    addText(line, u"session"_s, entry.session);
    addText(line, u"leader"_s, entry.leader);
    if (entry.token)
        line->insert(u"token"_s, jsonIndex(*entry.token));
    if (entry.end != TermEnd::Running)
        line->insert(u"end"_s, text(entry.end));
    if (entry.before)
        line->insert(u"before"_s, text(*entry.before));
    if (entry.after)
        line->insert(u"after"_s, text(*entry.after));
}

bool readChange(const QJsonObject &line, JournalEntry *entry)
{
    const auto kind = fromTag<ChangeKind>(line.value("event"_L1).toString());
    if (!kind)
        return false;
    entry->kind = *kind;
    entry->key = line.value("key"_L1).toString();
    entry->session = line.value("session"_L1).toString();
    entry->leader = line.value("leader"_L1).toString();
    entry->token = indexFrom(line.value("token"_L1));
    entry->end = fromTag<TermEnd>(line.value("end"_L1).toString()).value_or(TermEnd::Running);
    entry->before = fromTag<ElectionState>(line.value("before"_L1).toString());
    entry->after = fromTag<ElectionState>(line.value("after"_L1).toString());
    return true;
}

bool readConnection(const QJsonObject &line, JournalEntry *entry)
{
    const auto state = fromTag<ConnectionState>(line.value("connection"_L1).toString());
    if (!state)
        return false;
    entry->subject = JournalSubject::Connection;
    entry->connection = *state;
    entry->trouble =
        fromTag<ObserveTrouble>(line.value("trouble"_L1).toString()).value_or(ObserveTrouble::None);
    return true;
}

bool readDropped(const QJsonObject &line, JournalEntry *entry)
{
    const auto count = indexFrom(line.value("dropped"_L1));
    if (!count)
        return false;
    entry->subject = JournalSubject::Dropped;
    entry->dropped = *count;
    return true;
}

} // namespace

QByteArray JournalEntry::toJson() const
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC);
    QJsonObject line{{u"wall"_s, when.toString(Qt::ISODateWithMs)}};
    if (spread)
        line.insert(u"spread_ms"_s, qint64(spread->count()));
    switch (subject) {
    case JournalSubject::Change:
        addChange(&line, *this);
        break;
    case JournalSubject::Connection:
        line.insert(u"connection"_s, text(connection));
        if (trouble != ObserveTrouble::None)
            line.insert(u"trouble"_s, text(trouble));
        break;
    case JournalSubject::Dropped:
        line.insert(u"dropped"_s, jsonIndex(dropped));
        break;
    }
    addText(&line, u"evidence"_s, evidence);
    return QJsonDocument(line).toJson(QJsonDocument::Compact);
}

std::optional<JournalEntry> JournalEntry::fromJson(const QByteArray &line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QDateTime when = QDateTime::fromString(object.value("wall"_L1).toString(), Qt::ISODateWithMs);
    JournalEntry entry;
    if (!when.isValid()
        || !(readChange(object, &entry) || readConnection(object, &entry) || readDropped(object, &entry)))
        return std::nullopt;
    entry.wallMs = when.toMSecsSinceEpoch();
    const qint64 spreadMs = object.value("spread_ms"_L1).toInteger(-1);
    if (spreadMs >= 0)
        entry.spread = std::chrono::milliseconds(spreadMs);
    entry.evidence = object.value("evidence"_L1).toString();
    return entry;
}

} // namespace Baton::Monitor
