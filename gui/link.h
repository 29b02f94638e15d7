// SPDX-License-Identifier: MIT
#pragma once

#include "models/connectionprofile.h"

#include <Baton/ClusterObserver>
#include <Baton/SessionAdmin>

#include <QtCore/QObject>

#include <memory>

namespace Baton::Monitor {

class Feed;
class JournalKeeper;

/*!
 * The only part of the window that reaches a network and a disk: watches the Consul of one profile, brings
 * what it sees to a Feed, keeps the journal, and ends sessions when it is told to. From its making to its
 * end.
 */
class Link : public QObject
{
    Q_OBJECT
public:
    /// Whether the journal is kept on disk, or only read from there.
    enum class Journal { Kept, ReadOnly };

    /// \a feed must outlive it.
    Link(const ConnectionProfile &profile, Feed &feed, Journal journal, QObject *parent = nullptr);
    ~Link() override;

    void start();
    [[nodiscard]] const ConnectionProfile &profile() const { return m_profile; }

    /// Lines of earlier runs are in the feed.
    [[nodiscard]] bool isJournalLoaded() const { return m_journalLoaded; }

    void refresh();
    /// Nobody looks: ask less often.
    void setHidden(bool hidden);

    void destroySession(const SessionRecord &session, QObject *context, SessionAdmin::Done done);
    void releaseKey(const ElectionRecord &election, QObject *context, SessionAdmin::Done done);

Q_SIGNALS:
    /// The journal cannot be written, and why; empty once it can.
    void journalErrorChanged(const QString &error);

private:
    void openJournal(Journal journal);

    ConnectionProfile m_profile;
    Feed &m_feed;
    bool m_journalLoaded = false;
    std::unique_ptr<JournalKeeper> m_keeper;
    std::unique_ptr<ClusterObserver> m_observer;
    std::unique_ptr<SessionAdmin> m_admin;
};

} // namespace Baton::Monitor
