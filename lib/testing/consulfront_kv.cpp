// SPDX-License-Identifier: MIT
#include "consulfront.h"

#include "consuljson.h"
#include "gojson.h"

#include <QtCore/QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {

constexpr qsizetype MaxValueSize = 512 * 1024; ///< Consul's `kv_max_value_size`.

/// What Go's strconv says of a number that is none; nothing of one that is.
std::optional<AgentAnswer> numberProblem(const QString &text)
{
    bool isNumber = false;
    (void)text.toULongLong(&isNumber);
    if (isNumber && !text.startsWith(u'+'))
        return std::nullopt;
    return textAnswer(500, u"strconv.ParseUint: parsing %1: invalid syntax"_s.arg(goQuoted(text)));
}

/// Two parameters of which Consul takes only one.
std::optional<AgentAnswer> conflict(const QUrlQuery &query, const QStringList &exclusive)
{
    const auto isGiven = [&query](const QString &name) { return query.hasQueryItem(name); };
    if (std::ranges::count_if(exclusive, isGiven) < 2)
        return std::nullopt;
    QStringList items;
    const auto pairs = query.queryItems(QUrl::FullyDecoded);
    for (const auto &[name, value] : pairs) {
        const QByteArray escaped = QUrl::toPercentEncoding(value).replace("%20", "+");
        items += name + u'=' + QString::fromLatin1(escaped);
    }
    items.sort();
    return textAnswer(400, "Conflicting flags: "_L1 + items.join(u'&'));
}

/// Keys under \a prefix, cut behind the first \a separator that follows it.
QStringList keyNames(const std::vector<KvEntry> &entries, const QString &prefix, const QString &separator)
{
    QStringList names;
    for (const KvEntry &entry : entries) {
        const qsizetype cut = separator.isEmpty() ? -1 : entry.key.indexOf(separator, prefix.size());
        const QString name = cut < 0 ? entry.key : entry.key.left(cut + separator.size());
        if (names.isEmpty() || names.last() != name)
            names += name;
    }
    return names;
}

AgentAnswer rawAnswer(const QByteArray &value)
{
    return {200,
            value,
            {{"Content-Security-Policy", "sandbox"},
             {"Content-Type", "text/plain"},
             {"X-Content-Type-Options", "nosniff"}}};
}

std::optional<Verb> verbNamed(const QString &name)
{
    static const std::map<QString, Verb> verbs = {
        {u"set"_s, Verb::Set},
        {u"cas"_s, Verb::Cas},
        {u"delete"_s, Verb::Delete},
        {u"delete-cas"_s, Verb::DeleteCas},
        {u"delete-tree"_s, Verb::DeleteTree},
        {u"lock"_s, Verb::Lock},
        {u"unlock"_s, Verb::Unlock},
        {u"get"_s, Verb::Get},
        {u"get-tree"_s, Verb::GetTree},
        {u"check-index"_s, Verb::CheckIndex},
        {u"check-session"_s, Verb::CheckSession},
        {u"check-not-exists"_s, Verb::CheckNotExists},
    };
    const auto found = verbs.find(name);
    return found == verbs.end() ? std::nullopt : std::optional(found->second);
}

/// A transaction as it was sent.
struct SentTransaction
{
    Transaction transaction;
    std::vector<TxnError> errors; ///< Verbs that Consul does not know.
    QString problem; ///< Why it cannot be read; empty where it can.
};

SentTransaction parseTransaction(const QByteArray &body)
{
    SentTransaction sent;
    const auto parsed = parseGoJson(body);
    if (const QString *error = std::get_if<QString>(&parsed))
        return {{}, {}, *error};
    const QJsonValue &list = std::get<QJsonValue>(parsed);
    if (!list.isArray() && !list.isNull())
        return {{}, {}, u"json: cannot unmarshal object into Go value of type api.TxnOps"_s};
    int number = 0;
    const QJsonArray operations = list.toArray();
    for (const QJsonValue &item : operations) {
        GoObject outer(item);
        const QJsonValue kv = outer.value(u"KV"_s);
        outer.refuseOthers();
        GoObject fields(kv, u"KVTxnOp.KV"_s);
        const QString verb = fields.text(u"Verb"_s);
        Operation operation;
        operation.key = fields.text(u"Key"_s);
        operation.value = fields.bytes(u"Value"_s);
        operation.flags = fields.number(u"Flags"_s);
        operation.index = fields.number(u"Index"_s);
        operation.session = fields.text(u"Session"_s);
        (void)fields.value(u"Namespace"_s);
        fields.refuseOthers();
        for (const GoObject *object : {&outer, &fields}) {
            if (!object->problem().isEmpty())
                return {{}, {}, object->problem()};
        }
        if (kv.isNull())
            continue;
        if (const auto known = verbNamed(verb))
            operation.verb = *known;
        else
            sent.errors.push_back({number, u"unknown KV verb %1"_s.arg(goQuoted(verb))});
        sent.transaction.operations.push_back(operation);
        ++number;
    }
    return sent;
}

} // namespace

ConsulFront::Reply ConsulFront::kv(const Call &call)
{
    if (call.request.method == "GET")
        return readKeys(call);
    if (auto problem = parameterProblem(call))
        return *problem;
    return call.isPut() ? putKey(call) : deleteKey(call);
}

ConsulFront::Reply ConsulFront::readKeys(const Call &call)
{
    const QString &key = call.rest;
    const bool isTree = call.has(u"recurse"_s) || call.has(u"keys"_s);
    if (key.isEmpty() && !isTree)
        return textAnswer(400, u"Missing key name"_s);
    const bool namesOnly = call.has(u"keys"_s);
    const bool raw = call.has(u"raw"_s) && !isTree;
    const QString separator = call.parameter(u"separator"_s);
    const auto render = [=](const Reading &reading) -> AgentAnswer {
        const Headers headers = readHeaders(reading.index);
        // An empty store has a list of names, an empty folder has none.
        const bool isEmptyRoot = namesOnly && key.isEmpty() && reading.status == 404;
        if (reading.status == 404 && !isEmptyRoot)
            return {404, {}, Headers{{"Vary", "Accept-Encoding"}} + headers};
        if (reading.status != 200 && !isEmptyRoot)
            return refusedRead(reading);
        if (raw)
            return withHeaders(rawAnswer(reading.entries.front().value), headers);
        if (namesOnly)
            return withHeaders(jsonAnswer(textsJson(keyNames(reading.entries, key, separator))), headers);
        QByteArrayList entries;
        for (const KvEntry &entry : reading.entries)
            entries += entryJson(entry);
        return withHeaders(jsonAnswer(listJson(entries)), headers);
    };
    return query(call, isTree ? Query(PrefixQuery{key}) : Query(KeyQuery{key}), render);
}

ConsulFront::Reply ConsulFront::putKey(const Call &call)
{
    if (call.rest.isEmpty())
        return textAnswer(400, u"Missing key name"_s);
    if (auto problem = conflict(call.request.query, {u"cas"_s, u"acquire"_s, u"release"_s}))
        return *problem;
    PutKey put;
    put.key = call.rest;
    for (const QString &name : {u"flags"_s, u"cas"_s}) {
        if (!call.has(name))
            continue;
        if (auto problem = numberProblem(call.parameter(name)))
            return *problem;
    }
    put.flags = call.parameter(u"flags"_s).toULongLong();
    if (call.has(u"cas"_s))
        put.cas = call.parameter(u"cas"_s).toULongLong();
    if (call.has(u"acquire"_s))
        put.acquire = call.parameter(u"acquire"_s);
    if (call.has(u"release"_s))
        put.release = call.parameter(u"release"_s);
    if (call.request.body.size() > MaxValueSize)
        return textAnswer(
            413,
            u"Request body(%1 bytes) too large, max size: %2 bytes. See "
            "https://www.consul.io/docs/agent/options.html#kv_max_value_size."_s.arg(call.request.body.size())
                .arg(MaxValueSize));
    put.value = call.request.body;
    return writtenOrNot(call, put);
}

ConsulFront::Reply ConsulFront::deleteKey(const Call &call)
{
    DeleteKey remove{call.rest, call.has(u"recurse"_s), {}};
    if (remove.key.isEmpty() && !remove.recurse)
        return textAnswer(400, u"Missing key name"_s);
    if (auto problem = conflict(call.request.query, {u"recurse"_s, u"cas"_s}))
        return *problem;
    if (call.has(u"cas"_s)) {
        if (auto problem = numberProblem(call.parameter(u"cas"_s)))
            return *problem;
        remove.cas = call.parameter(u"cas"_s).toULongLong();
    }
    return writtenOrNot(call, remove);
}

/// A transaction that only reads goes another way in Consul, and its answer says so.
ConsulFront::Reply ConsulFront::transact(const Call &call)
{
    if (auto problem = parameterProblem(call))
        return *problem;
    SentTransaction sent = parseTransaction(call.request.body);
    if (!sent.problem.isEmpty())
        return textAnswer(400, "Failed to parse body: "_L1 + sent.problem);
    const bool writes = std::ranges::any_of(sent.transaction.operations, isWrite, &Operation::verb);
    const auto render = [writes](const Outcome &outcome) {
        if (!outcome.ok() && outcome.status != 409)
            return textAnswer(outcome.status, outcome.text);
        if (writes)
            return jsonAnswer(transactionJson(outcome, {}), outcome.status);
        static const QByteArray tail =
            R"(,"Index":0,"LastContact":0,"KnownLeader":true,"ConsistencyLevel":"")";
        return withHeaders(jsonAnswer(transactionJson(outcome, tail), outcome.status),
                           {{"X-Consul-Knownleader", "true"}, {"X-Consul-Lastcontact", "0"}});
    };
    if (!sent.errors.empty())
        return render({.status = 409, .errors = std::move(sent.errors)});
    if (!writes)
        return render(m_model.execute(sent.transaction, call.rights, call.now));
    return write(call, sent.transaction, render);
}

} // namespace Baton::Testing
