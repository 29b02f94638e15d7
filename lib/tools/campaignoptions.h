// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCommandLineParser>

namespace Baton::Tools {

/// The options of `baton campaign` with their help.
void addCampaignOptions(QCommandLineParser &parser);

/// The help of `baton campaign`.
[[nodiscard]] QString campaignHelp(const QCommandLineParser &parser);

} // namespace Baton::Tools
