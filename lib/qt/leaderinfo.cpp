// SPDX-License-Identifier: MIT
#include <Baton/leaderinfo.h>

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
} // namespace Baton
