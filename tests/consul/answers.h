// SPDX-License-Identifier: MIT
#pragma once

#include "consul/codec.h"

#include <QtCore/QMetaType>

/// Answers as they come off the wire, and replies in words, for the tests of the codec.
namespace Baton::Wire::Samples {

using namespace Qt::StringLiterals;

inline const QString Ours = u"6056010b-4175-11be-ecb1-b105a3701bf3"_s;
inline const QString Theirs = u"72f4406c-b94e-393a-cc88-e10509e9c05f"_s;

inline HttpAnswer answer(int status, const QByteArray &contentType, const QByteArray &body)
{
    HttpAnswer result;
    result.exchange = Exchange::Complete;
    result.status = status;
    result.contentType = contentType;
    result.lengthKnown = true;
    result.body = body;
    return result;
}

inline HttpAnswer json(int status, const QByteArray &body)
{
    return answer(status, "application/json", body);
}

inline HttpAnswer plain(int status, const QByteArray &body)
{
    return answer(status, "text/plain; charset=utf-8", body);
}

inline HttpAnswer html(int status)
{
    return answer(status, "text/html", "<html><body><h1>It works!</h1></body></html>\n");
}

inline HttpAnswer withIndex(HttpAnswer result, const QByteArray &index)
{
    result.consulIndex = index;
    return result;
}

inline HttpAnswer absent(const QByteArray &index)
{
    return withIndex(answer(404, {}, {}), index);
}

inline QString kindName(FailureKind kind)
{
    switch (kind) {
    case FailureKind::Unreachable:
        return u"Unreachable"_s;
    case FailureKind::TimedOut:
        return u"TimedOut"_s;
    case FailureKind::Interrupted:
        return u"Interrupted"_s;
    case FailureKind::ServerError:
        return u"ServerError"_s;
    case FailureKind::NodeUnhealthy:
        return u"NodeUnhealthy"_s;
    case FailureKind::Denied:
        return u"Denied"_s;
    case FailureKind::RateLimited:
        return u"RateLimited"_s;
    case FailureKind::Rejected:
        return u"Rejected"_s;
    case FailureKind::NotConsul:
        return u"NotConsul"_s;
    }
    return u"?"_s;
}

inline QString refusalName(Refusal why)
{
    switch (why) {
    case Refusal::Held:
        return u"Held"_s;
    case Refusal::LockDelay:
        return u"LockDelay"_s;
    case Refusal::StaleGuard:
        return u"StaleGuard"_s;
    }
    return u"?"_s;
}

struct Describe
{
    QString operator()(const Failure &reply) const { return kindName(reply.kind); }
    QString operator()(const SessionCreated &reply) const { return u"created "_s + reply.session; }
    QString operator()(const SessionRenewed &reply) const { return u"renewed "_s + reply.info.id; }
    QString operator()(const SessionShown &reply) const { return u"shown "_s + reply.info.id; }
    QString operator()(const SessionGone &) const { return u"gone"_s; }
    QString operator()(const SessionDestroyed &) const { return u"destroyed"_s; }
    QString operator()(const KeyRead &reply) const
    {
        const QString index = reply.index ? QString::number(*reply.index) : u"none"_s;
        const QString entry = reply.entry ? QString::number(reply.entry->modifyIndex) : u"absent"_s;
        return u"read %1 index %2"_s.arg(entry, index);
    }
    QString operator()(const LockWon &reply) const { return u"won %1"_s.arg(reply.index); }
    QString operator()(const LockRefused &reply) const { return u"refused "_s + refusalName(reply.why); }
    QString operator()(const KeyReleased &reply) const { return reply.released ? u"true"_s : u"false"_s; }
    QString operator()(const Written &reply) const { return u"written %1"_s.arg(reply.index); }
    QString operator()(const WriteRefused &) const { return u"write refused"_s; }
};

/// The kind of \a reply with its most telling member; of a failure only the kind.
inline QString described(const Reply &reply)
{
    return std::visit(Describe(), reply);
}

} // namespace Baton::Wire::Samples

Q_DECLARE_METATYPE(Baton::Wire::Request)
Q_DECLARE_METATYPE(Baton::Wire::HttpAnswer)
