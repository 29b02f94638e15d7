// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace Baton::Shell {

struct TokenFile
{
    QByteArray token;
    QString problem; ///< Begins with "tokenFile: "; empty where all is well.
};

/// Reads the ACL token from \a path: one word of visible ASCII. It may block for as long as the file system
/// does.
[[nodiscard]] TokenFile readTokenFile(const QString &path);

} // namespace Baton::Shell
