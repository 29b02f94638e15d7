// SPDX-License-Identifier: MIT
#include "leaderfrom.h"

#include <QtCore/QCoreApplication>

namespace Baton {
namespace {

// String-based queued connections look the type up by name, so it must be known before the first of them.
void registerLeaderInfo()
{
    qRegisterMetaType<LeaderInfo>();
}
Q_CONSTRUCTOR_FUNCTION(registerLeaderInfo)

} // namespace

LeaderInfo Shell::leaderFrom(const QString &key, const QString &session, quint64 index,
                             const std::optional<Core::LockValue> &value)
{
    LeaderInfo info;
    info.key = key;
    info.session = session;
    info.index = index;
    if (value && value->session == session) {
        info.isBaton = true;
        info.instance = value->instance;
        info.host = value->host;
        info.pid = value->pid;
        info.version = value->version;
        info.since = QDateTime::fromString(value->since, Qt::ISODateWithMs);
        info.ttl = value->ttl;
        info.lockDelay = value->lockDelay;
        info.metadata = value->metadata;
    }
    return info;
}

} // namespace Baton
