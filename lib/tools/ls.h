// SPDX-License-Identifier: MIT
#pragma once

#include "observecommand.h"

#include <Baton/clusterobserver.h>

namespace Baton::Tools {

/// `baton ls`: the first snapshot, printed.
class Ls : public QObject
{
    Q_OBJECT
public:
    explicit Ls(const ObserveCommand &command, QObject *parent = nullptr);
    void start();

Q_SIGNALS:
    void finished(int exitCode);

private:
    void print(const ClusterSnapshot &snapshot);
    void giveUp();
    void look(const ConnectionReport &report);
    void finish(int exitCode);

    const ObserveCommand m_command;
    ClusterObserver m_observer;
    bool m_finished = false;
};

} // namespace Baton::Tools
