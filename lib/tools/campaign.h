// SPDX-License-Identifier: MIT
#pragma once

#include "commandline.h"
#include "commandreader.h"
#include "eventlog.h"
#include "providerevents.h"

#include <Baton/fencedkv.h>
#include <Baton/leaseprovider.h>

#include <QtCore/QObject>

#include <optional>

namespace Baton::Tools {

/*!
 * `baton campaign`: a LeaseProvider that says what happens to it as JSON Lines and takes commands by lines.
 * Leadership never depends on who reads the one or writes the other.
 */
class Campaign : public QObject
{
    Q_OBJECT
public:
    explicit Campaign(const CampaignCommand &command, QObject *parent = nullptr);

    void start();
    /// Gives up in order, then finished(). The first exit code stands.
    void quit(int exitCode);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void obey(const QByteArray &line);
    void write(const QByteArray &arguments);
    void tellWrite(const QString &key, std::optional<quint64> token, const WriteResult &result);
    void complain(const QString &detail);
    void refused(const LeaseError &error);
    void finishWhenDone();

    const CampaignCommand m_command;
    LeaseProvider m_provider;
    EventLog m_log;
    ProviderEvents m_events;
    CommandReader m_in;
    int m_pendingWrites = 0;
    bool m_stopped = false; ///< Everything is given up after quit().
    bool m_finished = false; ///< finished() was emitted.
    std::optional<int> m_exitCode; ///< Set once it is to end.
};

} // namespace Baton::Tools
