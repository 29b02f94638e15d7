// SPDX-License-Identifier: MIT
#include "tokenfile.h"

#include <QtCore/QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Shell {

namespace {
/// A token is a few dozen characters; a file beyond this is another file.
constexpr qint64 MaxTokenFile = 4096;
} // namespace

TokenFile readTokenFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {{}, u"tokenFile: %1 cannot be read: %2"_s.arg(path, file.errorString())};
    const QByteArray content = file.read(MaxTokenFile + 1).trimmed();
    if (content.size() > MaxTokenFile)
        return {{}, u"tokenFile: %1 is longer than %2 bytes"_s.arg(path).arg(MaxTokenFile)};
    // A control character would split the header it is sent in.
    const bool clean =
        std::all_of(content.begin(), content.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (!clean)
        return {{}, u"tokenFile: %1 holds more than one word of visible ASCII characters"_s.arg(path)};
    return {content, {}};
}

} // namespace Baton::Shell
