// SPDX-License-Identifier: MIT
#include "harness.h"

#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Core {

Settings balanced()
{
    Settings settings;
    settings.key = u"service/s/leader"_s;
    settings.sessionName = u"s"_s;
    settings.ttl = 10s;
    settings.lockDelay = 9s;
    settings.margin = 2s;
    settings.renewInterval = 2250ms;
    settings.requestTimeout = 2250ms;
    settings.watchWait = 50s;
    settings.stopTimeout = 5s;
    settings.instance = u"a"_s;
    settings.host = u"h"_s;
    settings.pid = 1;
    settings.version = u"1.0"_s;
    settings.seed = 1;
    return settings;
}

Wire::Reply created(const QString &session)
{
    return Wire::SessionCreated{session};
}

Wire::Reply renewed(const Settings &settings)
{
    Wire::SessionInfo info;
    info.ttl = settings.ttl;
    info.lockDelay = settings.lockDelay;
    info.nodeChecks = settings.nodeChecks;
    return Wire::SessionRenewed{info};
}

Wire::Reply sessionGone()
{
    return Wire::SessionGone{u"Session id not found"_s};
}

Wire::Reply sessionShown(std::optional<Milliseconds> ttl, Milliseconds lockDelay)
{
    Wire::SessionInfo info;
    info.ttl = ttl;
    info.lockDelay = lockDelay;
    return Wire::SessionShown{info};
}

Wire::Reply failure(Wire::FailureKind kind)
{
    return Wire::Failure{kind, 0, u"No cluster leader"_s};
}

Wire::Reply absent(std::optional<quint64> index)
{
    return Wire::KeyRead{std::nullopt, index, true, {}};
}

Wire::Reply freeKey(quint64 index, const QByteArray &value)
{
    Wire::KeyEntry entry;
    entry.modifyIndex = index;
    entry.value = value;
    return Wire::KeyRead{entry, index, true, {}};
}

Wire::Reply held(const QString &session, quint64 index, const QByteArray &value)
{
    Wire::KeyEntry entry;
    entry.modifyIndex = index;
    entry.session = session;
    entry.value = value;
    return Wire::KeyRead{entry, index, true, {}};
}

Wire::Reply won(quint64 index)
{
    return Wire::LockWon{index};
}

Wire::Reply refused(Wire::Refusal why)
{
    return Wire::LockRefused{why, {}};
}

Wire::Reply released(bool really)
{
    return Wire::KeyReleased{really};
}

Wire::Reply sessionDestroyed()
{
    return Wire::SessionDestroyed{};
}

Agent healthyAgent()
{
    // Copies are the same agent.
    const auto sessions = std::make_shared<int>(0);
    const auto index = std::make_shared<quint64>(1000);
    return [sessions, index](Kind kind, const Wire::Request &request) -> std::optional<Wire::Reply> {
        switch (kind) {
        case Kind::Create:
            return created(u"A%1"_s.arg(++*sessions));
        case Kind::Renew:
            return renewed();
        case Kind::Key:
            if (std::holds_alternative<Wire::WatchKey>(request))
                return std::nullopt;
            return absent(++*index);
        case Kind::ReadBack:
            return absent(++*index);
        case Kind::Lock:
            return won(++*index);
        case Kind::Inspect:
            return sessionShown();
        case Kind::Release:
            return released(true);
        case Kind::Destroy:
            return sessionDestroyed();
        }
        return std::nullopt;
    };
}

Agent agentWith(std::function<std::optional<Wire::Reply>()> key)
{
    return [key = std::move(key),
            others = healthyAgent()](Kind kind, const Wire::Request &request) -> std::optional<Wire::Reply> {
        if (kind == Kind::Key)
            return key();
        return kind == Kind::Lock ? std::nullopt : others(kind, request);
    };
}

QByteArray rivalValue(const QString &session, Milliseconds lockDelay)
{
    LockValue value;
    value.instance = u"b"_s;
    value.session = session;
    value.ttl = 10s;
    value.lockDelay = lockDelay;
    return value.toJson();
}

} // namespace Baton::Core
