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
 * The only part of the window that reaches a network and a disk: watches the Consul of one profile, brings what it sees
 * to a Feed, keeps the journal, and ends sessions when it is told to.
 */
class Link : public QObject
{
    Q_OBJECT
public:
    /// Whether the journal is kept on disk, or only read from there.
    enum class Journal { Kept, ReadOnly };

    Link(Feed &feed, Journal journal, QObject *parent = nullptr);
    ~Link() override;

    /// Watches the Consul of \a profile, and no other any more.
    void open(const ConnectionProfile &profile);
    void close();
    [[nodiscard]] bool isOpen() const { return m_observer != nullptr; }
    [[nodiscard]] const ConnectionProfile &profile() const { return m_profile; }

    void refresh();
    /// Nobody looks: ask less often.
    void setHidden(bool hidden);

    void destroySession(const SessionRecord &session, QObject *context, SessionAdmin::Done done);
    void releaseKey(const ElectionRecord &election, QObject *context, SessionAdmin::Done done);

Q_SIGNALS:
    void profileChanged();
    /// The journal cannot be written, and why; empty once it can.
    void journalErrorChanged(const QString &error);

private:
    void openJournal();

    Feed &m_feed;
    Journal m_journal;
    ConnectionProfile m_profile;
    std::unique_ptr<ClusterObserver> m_observer;
    std::unique_ptr<SessionAdmin> m_admin;
    std::unique_ptr<JournalKeeper> m_keeper;
};

} // namespace Baton::Monitor
