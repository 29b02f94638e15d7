// SPDX-License-Identifier: MIT
#pragma once

#include "eventline.h"

#include <Baton/clustersnapshot.h>

#include <QtCore/QList>

namespace Baton::Tools {

/// Who leads, in a few words on one line: the instance, else what the session or the value says, else "-".
[[nodiscard]] QString leaderText(const ElectionRecord &election);
/// Adds what is known of \a election; instants become dates by \a snapshot.
void addElection(EventLine &line, const ElectionRecord &election, const ClusterSnapshot &snapshot);
/// A table with headings, one line an election.
[[nodiscard]] QString electionTable(const ClusterSnapshot &snapshot);
/// What moved, as a line of text without its line feed.
[[nodiscard]] QString changeText(const ObservedChange &change);

} // namespace Baton::Tools
