// SPDX-License-Identifier: MIT
#pragma once

#include "commandline.h"
#include "commandreader.h"
#include "eventline.h"
#include "linewriter.h"

#include <Baton/fencedkv.h>
#include <Baton/leaseprovider.h>

#include <QtCore/QObject>

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
    /// Gives up in order, then finished().
    void quit(int exitCode);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void tellEvents();
    void tellProviderEvents();
    void tellStarted();
    void tellLost(LostReason reason);
    void tellError(const LeaseError &error);
    void tellStatus();
    void complain(const QString &detail);
    void obey(const QByteArray &line);
    void write(const QByteArray &arguments);
    void tellWritten(const QString &key, quint64 token, const WriteResult &result);
    void stopped();

    EventLine event(QLatin1StringView name);
    void tell(const EventLine &line);

    const CampaignCommand m_command;
    LeaseProvider m_provider;
    LineWriter m_out;
    CommandReader m_in;
    const QString m_boot;
    const QString m_host;
    const QString m_instance;
    quint64 m_seq = 0;
    quint64 m_token = 0; ///< Of the announced term.
    std::optional<int> m_exitCode; ///< Set once it is to end.
};

} // namespace Baton::Tools
