// SPDX-License-Identifier: MIT
#include "errortext.h"

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

struct KnownText
{
    QLatin1StringView begin;
    QLatin1StringView end; ///< Empty: anything may follow.
    Meaning meaning;
};

/// Source: agent/consul/state/txn.go, kvs.go and session.go and acl/errors.go of Consul; tst_codec_live
/// has 1.8.7 say most of them.
constexpr KnownText KnownTexts[] = {
    {"failed to lock key "_L1, ", lock is already held"_L1, Meaning::Held},
    {"failed to lock key "_L1, " due to lock delay"_L1, Meaning::LockDelay},
    {"failed index check for key "_L1, {}, Meaning::StaleIndex},
    {"failed to check index, key "_L1, " doesn't exist"_L1, Meaning::StaleIndex},
    {"key "_L1, " exists"_L1, Meaning::StaleIndex},
    {"failed session check for key "_L1, {}, Meaning::StaleSession},
    {"failed to check session, key "_L1, " doesn't exist"_L1, Meaning::StaleSession},
    {"key "_L1, " doesn't exist"_L1, Meaning::NothingToRead},
    {"Permission denied"_L1, {}, Meaning::Denied},
    {"ACL not found"_L1, {}, Meaning::Denied},
    {"Missing check "_L1, " registration"_L1, Meaning::NodeUnhealthy},
    {"Missing node registration"_L1, {}, Meaning::NodeUnhealthy},
    {"Check "_L1, " is in critical state"_L1, Meaning::NodeUnhealthy},
    {"Invalid Session TTL "_L1, {}, Meaning::BadArgument},
    {"Session TTL "_L1, {}, Meaning::BadArgument},
    {"failed session lookup: index error: UUID must be "_L1, {}, Meaning::BadArgument},
};

constexpr QLatin1StringView Prefixes[] = {
    "rpc error making call: "_L1,
    "rpc error: "_L1,
    "raft apply failed: "_L1,
};

QStringView withoutPrefixes(QStringView text)
{
    bool found = true;
    while (found) {
        found = false;
        for (const QLatin1StringView prefix : Prefixes) {
            if (text.startsWith(prefix)) {
                text = text.sliced(prefix.size());
                found = true;
            }
        }
    }
    return text;
}

/// `invalid session "<uuid>"`, with our id, an empty one or none at all. "Invalid Session TTL" is another
/// matter.
bool saysSessionGone(QStringView text, QStringView session)
{
    constexpr QLatin1StringView Begin = "invalid session"_L1;
    if (!text.startsWith(Begin, Qt::CaseInsensitive))
        return false;
    const QStringView rest = text.sliced(Begin.size());
    if (rest.isEmpty())
        return text.startsWith(u'I');
    if (rest.size() < 3 || !rest.startsWith(" \""_L1) || !rest.endsWith(u'"'))
        return false;
    const QStringView id = rest.sliced(2).chopped(1);
    return id.isEmpty() || id == session;
}

} // namespace

Meaning meaningOf(QStringView text, QStringView session)
{
    const QStringView said = withoutPrefixes(text.trimmed());
    if (saysSessionGone(said, session))
        return Meaning::SessionGone;
    for (const KnownText &known : KnownTexts) {
        if (said.size() >= known.begin.size() + known.end.size() && said.startsWith(known.begin)
            && said.endsWith(known.end))
            return known.meaning;
    }
    return Meaning::Unknown;
}

} // namespace Baton::Wire
