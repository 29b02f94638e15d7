// SPDX-License-Identifier: MIT
#pragma once

#include "models/journalentry.h"

#include <QtCore/QFile>
#include <QtCore/QList>
#include <QtCore/QLockFile>
#include <QtCore/QString>

#include <memory>

namespace Baton::Monitor {

/// What was read back from disk.
struct StoredJournal
{
    /// Oldest first, at most as many as were asked for: the newest.
    QList<JournalEntry> entries;
    /// Lines that are no journal lines: cut by a crash, or written by somebody else.
    int badLines = 0;
};

/*!
 * The journal of one profile on disk: JSON Lines in two files, of which the older is dropped when the newer
 * has reached half of the bound. A line that a crash has cut is left out when reading, and does not spoil the
 * next one.
 *
 * Of several windows with the same profile the first keeps the journal; the others read it only
 * (isWritable()).
 *
 * One thread at a time; it reads and writes as it is called. Files can be read by their owner alone. Errors:
 * a write that fails makes error() say so, loses the lines, and is tried again with the next ones.
 */
class JournalStore
{
public:
    /// Of both files together.
    static constexpr qint64 MaxBytes = 64 * 1024 * 1024;
    /// Longer lines are not ours.
    static constexpr qint64 MaxLine = 64 * 1024;

    /// \a folder is made when something is written. \a maxBytes is another bound for tests.
    explicit JournalStore(const QString &folder, qint64 maxBytes = MaxBytes);

    /// The newest lines, at most \a most.
    [[nodiscard]] StoredJournal read(qsizetype most) const;
    /// Whether all of \a entries were written.
    bool append(const QList<JournalEntry> &entries);

    [[nodiscard]] bool isWritable() const { return m_lock != nullptr; }
    /// The system's own words, or empty.
    [[nodiscard]] QString error() const { return m_error; }

    /// The folder of the profile with the identity \a id, under the application's data.
    [[nodiscard]] static QString folderOf(const QString &id);

private:
    [[nodiscard]] QString current() const;
    [[nodiscard]] QString older() const;
    bool open();
    bool rotate();
    bool fail(const QString &why);

    QString m_folder;
    qint64 m_maxBytes;
    std::unique_ptr<QLockFile> m_lock;
    QFile m_file;
    QString m_error;
};

} // namespace Baton::Monitor
