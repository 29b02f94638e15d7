// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/leaseoptions.h>

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace Baton::Tools {

/// What `baton campaign` was asked to do.
struct CampaignCommand
{
    LeaseOptions options;
    bool quitOnEof = false;

    QString error; ///< One line that names the option; empty where all is well.
    QString help; ///< To be printed instead of campaigning.
};

/// Reads the words after `campaign`; options win over the environment.
[[nodiscard]] CampaignCommand parseCampaign(const QStringList &words, const QProcessEnvironment &environment);

/// `500ms`, `10s`, `1m30s`, `2h`; nothing for anything else, also without a unit.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(QStringView text);

} // namespace Baton::Tools
