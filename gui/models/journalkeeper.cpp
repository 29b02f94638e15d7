// SPDX-License-Identifier: MIT
#include "models/journalkeeper.h"

namespace Baton::Monitor {

JournalKeeper::JournalKeeper(const QString &folder, QObject *parent)
    : QObject(parent), m_worker(new QObject), m_store(std::make_unique<JournalStore>(folder))
{
    m_thread.setObjectName(QStringLiteral("journal"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

JournalKeeper::~JournalKeeper()
{
    // Queued behind the lines that wait, so that they are written first.
    QMetaObject::invokeMethod(
        m_worker, [this] { m_thread.quit(); }, Qt::QueuedConnection);
    m_thread.wait();
}

void JournalKeeper::load(qsizetype most)
{
    QMetaObject::invokeMethod(
        m_worker,
        [this, most] {
            const StoredJournal journal = m_store->read(most);
            QMetaObject::invokeMethod(
                this, [this, journal] { Q_EMIT loaded(journal); }, Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void JournalKeeper::append(const QList<JournalEntry> &entries)
{
    if (entries.isEmpty())
        return;
    if (m_waiting + entries.size() > MaxWaiting) {
        m_lost += quint64(entries.size());
        return;
    }
    m_waiting += entries.size();
    QMetaObject::invokeMethod(
        m_worker,
        [this, entries] {
            m_store->append(entries);
            m_waiting -= entries.size();
            tellError(m_store->error());
        },
        Qt::QueuedConnection);
}

void JournalKeeper::tellError(const QString &error)
{
    if (error == m_toldError)
        return;
    m_toldError = error;
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT errorChanged(error); }, Qt::QueuedConnection);
}

} // namespace Baton::Monitor
