// SPDX-License-Identifier: MIT
#include "entry.h"
#include "fields.h"
#include "replies.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

Milliseconds millisecondsFrom(QByteArrayView header)
{
    constexpr quint64 Most = std::numeric_limits<Milliseconds::rep>::max();
    return Milliseconds(qint64(std::min(parseIndex(header).value_or(0), Most)));
}

KeyRead readFrom(const HttpAnswer &answer)
{
    const ListHeader header = listHeader(answer);
    return {{}, header.index, header.knownLeader, header.lastContact};
}

/// An absent key is 404 with an index and without a body. Without the index it is what Consul says of an
/// unknown path, and many a proxy of everything; with a body it is somebody's error page.
bool saysAbsent(const HttpAnswer &answer)
{
    return answer.status == StatusNotFound && answer.body.isEmpty() && !answer.consulIndex.isEmpty();
}

Reply keyReply(const QString &key, const HttpAnswer &answer)
{
    KeyRead read = readFrom(answer);
    if (saysAbsent(answer))
        return read;
    if (answer.status != StatusOk)
        return failureFor(answer);
    const std::optional<Json> json = jsonBody(answer);
    if (json && json->type == Json::Type::Array && json->items.size() == 1) {
        read.entry = entryFrom(json->items.front(), key);
        if (read.entry)
            return read;
    }
    return unexpected(answer, u"not the key's entry"_s);
}

} // namespace

/// An index of zero, which Consul never means, is no index to go on from.
ListHeader listHeader(const HttpAnswer &answer)
{
    ListHeader header;
    header.index = parseIndex(answer.consulIndex);
    if (header.index == 0U)
        header.index.reset();
    header.knownLeader = answer.consulKnownLeader != "false";
    header.lastContact = millisecondsFrom(answer.consulLastContact);
    header.filtered = answer.consulFiltered == "true";
    return header;
}

std::optional<KeyEntry> entryFrom(const Json &json, const QString &key)
{
    Fields fields(json);
    KeyEntry entry;
    entry.createIndex = fields.number(u"CreateIndex");
    entry.modifyIndex = fields.number(u"ModifyIndex");
    entry.lockIndex = fields.number(u"LockIndex");
    entry.flags = fields.number(u"Flags");
    entry.session = fields.optionalText(u"Session");
    entry.value = fields.bytes(u"Value");
    fields.require(fields.text(u"Key") == key && entry.modifyIndex > 0);
    return fields.ok() ? std::optional(entry) : std::nullopt;
}

Reply replyTo(const ReadKey &request, const HttpAnswer &answer)
{
    return keyReply(request.key, answer);
}

Reply replyTo(const WatchKey &request, const HttpAnswer &answer)
{
    return keyReply(request.key, answer);
}

Reply replyTo(const ReleaseKey &, const HttpAnswer &answer)
{
    if (answer.status != StatusOk)
        return failureFor(answer);
    const std::optional<Json> json = jsonBody(answer);
    if (json && json->type == Json::Type::True)
        return KeyReleased{true};
    if (json && json->type == Json::Type::False)
        return KeyReleased{false};
    return unexpected(answer, u"neither \"true\" nor \"false\""_s);
}

} // namespace Baton::Wire
