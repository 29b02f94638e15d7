// SPDX-License-Identifier: MIT
#pragma once

#include "models/journalstore.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

namespace Baton::Monitor {

/*!
 * A JournalStore on a thread of its own, so that the window never waits for a disk. Lines are written in the
 * order in which they are given; at most MaxWaiting wait for a slow disk, what does not fit is counted and
 * lost.
 *
 * Lifetime: destroying it writes what waits.
 */
class JournalKeeper : public QObject
{
    Q_OBJECT
public:
    static constexpr int MaxWaiting = 50'000;

    explicit JournalKeeper(const QString &folder, QObject *parent = nullptr);
    ~JournalKeeper() override;

    /// Reads the newest \a most lines; loaded() brings them.
    void load(qsizetype most);
    void append(const QList<JournalEntry> &entries);
    /// Lines that were not written because the disk was too slow.
    [[nodiscard]] quint64 lost() const { return m_lost; }

Q_SIGNALS:
    void loaded(const Baton::Monitor::StoredJournal &journal);
    /// Lines cannot be written, and why; empty once they can again.
    void errorChanged(const QString &error);

private:
    /// On the thread.
    void tellError(const QString &error);

    QThread m_thread;
    /// Lives on the thread; what is to be done there is queued to it.
    QObject *m_worker;
    /// Used on the thread alone, as is what follows it.
    std::unique_ptr<JournalStore> m_store;
    QString m_toldError;
    /// Lines that are queued.
    std::atomic<qsizetype> m_waiting = 0;
    quint64 m_lost = 0;
};

} // namespace Baton::Monitor
