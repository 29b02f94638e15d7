// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/leaseoptions.h>

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace Baton::Tools {

/// What `baton campaign` was asked to do.
struct CampaignCommand
{
    LeaseOptions options;
    bool quitOnEof = false;
    QString tokenFileName; ///< What the user set LeaseOptions::tokenFile by: an option or a variable.

    QString error; ///< One line that names the option or variable; empty where all is well.
    QString answer; ///< To be printed instead of campaigning: help or version.
};

/// Reads the words after `campaign`; options win over the environment. Reads no file.
[[nodiscard]] CampaignCommand parseCampaign(const QStringList &words, const QProcessEnvironment &environment);

/// \a text on one line that is safe to show on a terminal: every control character becomes a question mark.
[[nodiscard]] QString printable(const QString &text);

} // namespace Baton::Tools
