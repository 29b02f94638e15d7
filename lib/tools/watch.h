// SPDX-License-Identifier: MIT
#pragma once

#include "eventlog.h"
#include "observecommand.h"

#include <Baton/clusterobserver.h>

namespace Baton::Tools {

/// `baton watch`: every change as a line, from the present state on.
class Watch : public QObject
{
    Q_OBJECT
public:
    explicit Watch(const ObserveCommand &command, QObject *parent = nullptr);
    void start();
    void quit(int exitCode);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void tellAll(const ClusterSnapshot &snapshot, const ClusterDelta &delta);
    void tellChange(const ObservedChange &change);
    void tellConnection(const ConnectionReport &report);
    void writeText(const QString &line);
    [[nodiscard]] bool concerns(const QString &key) const;

    const ObserveCommand m_command;
    ClusterObserver m_observer;
    EventLog m_log; ///< With --json.
    LineWriter m_text; ///< Without.
    bool m_begun = false; ///< The present state was told.
    bool m_finished = false;
};

} // namespace Baton::Tools
