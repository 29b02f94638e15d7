// SPDX-License-Identifier: MIT
#include "models/journalstore.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QStandardPaths>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::JournalStore)
};

constexpr QFile::Permissions OwnerFile = QFile::ReadOwner | QFile::WriteOwner;
constexpr QFile::Permissions OwnerFolder = OwnerFile | QFile::ExeOwner;

/// Adds the lines of \a bytes to \a journal, last first, up to \a most.
void readBackwards(const QByteArray &bytes, qsizetype most, StoredJournal *journal)
{
    qsizetype end = bytes.size();
    while (end > 0 && journal->entries.size() < most) {
        const qsizetype begin = bytes.lastIndexOf('\n', end - 1) + 1;
        const qsizetype length = end - begin;
        if (length > 0) {
            const auto entry = length > JournalStore::MaxLine
                ? std::nullopt
                : JournalEntry::fromJson(QByteArray::fromRawData(bytes.constData() + begin, length));
            if (entry)
                journal->entries.append(*entry);
            else
                ++journal->badLines;
        }
        end = begin - 1;
    }
}

/// The last \a most bytes; the first line of them may be cut, and so counts as a bad one.
QByteArray tailOf(const QString &path, qint64 most)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max(qint64(0), file.size() - most));
    return file.read(most);
}

} // namespace

JournalStore::JournalStore(const QString &folder, qint64 maxBytes)
    : m_folder(folder), m_maxBytes(maxBytes) { }

QString JournalStore::folderOf(const QString &id)
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/journal/"_s + id;
}

QString JournalStore::current() const
{
    return m_folder + u"/journal.jsonl"_s;
}

QString JournalStore::older() const
{
    return m_folder + u"/journal.1.jsonl"_s;
}

StoredJournal JournalStore::read(qsizetype most) const
{
    StoredJournal journal;
    for (const QString &path : {current(), older()}) {
        if (journal.entries.size() < most)
            readBackwards(tailOf(path, m_maxBytes), most, &journal);
    }
    std::reverse(journal.entries.begin(), journal.entries.end());
    return journal;
}

bool JournalStore::append(const QList<JournalEntry> &entries)
{
    if (!open())
        return false;
    QByteArray bytes;
    const auto write = [&] {
        const bool written = m_file.write(bytes) == bytes.size() && m_file.flush();
        bytes.clear();
        return written;
    };
    for (const JournalEntry &entry : entries) {
        const QByteArray line = entry.toJson() + '\n';
        const qint64 size = m_file.size() + bytes.size();
        if (size > 0 && size + line.size() > m_maxBytes / 2) {
            if (!write())
                return fail(m_file.errorString());
            if (!rotate())
                return false;
        }
        bytes += line;
    }
    if (!write())
        return fail(m_file.errorString());
    m_error.clear();
    return true;
}

bool JournalStore::open()
{
    if (m_file.isOpen())
        return true;
    if (!QDir().mkpath(m_folder))
        return fail(Text::tr("The folder %1 cannot be made").arg(m_folder));
    QFile::setPermissions(m_folder, OwnerFolder);
    if (!m_lock) {
        auto lock = std::make_unique<QLockFile>(m_folder + u"/journal.lock"_s);
        // Only a process that lives holds it, however long ago it took it.
        lock->setStaleLockTime(0);
        if (!lock->tryLock(0))
            return fail(lock->error() == QLockFile::LockFailedError
                            ? Text::tr("Another window keeps the journal of this profile")
                            : Text::tr("The journal cannot be locked"));
        m_lock = std::move(lock);
    }
    m_file.setFileName(current());
    if (!m_file.open(QIODevice::ReadWrite | QIODevice::Append, OwnerFile))
        return fail(m_file.errorString());
    // What a crash or a full disk has cut becomes a line of its own, so that it spoils no other one.
    char last = '\n';
    if (m_file.size() > 0 && m_file.seek(m_file.size() - 1))
        m_file.getChar(&last);
    if (last != '\n' && m_file.write("\n") != 1)
        return fail(m_file.errorString());
    return true;
}

bool JournalStore::rotate()
{
    m_file.close();
    QFile::remove(older());
    if (!QFile::rename(current(), older()))
        return fail(Text::tr("%1 cannot be renamed").arg(current()));
    return open();
}

bool JournalStore::fail(const QString &why)
{
    m_error = why;
    // Opening it anew mends a line that was written in part.
    m_file.close();
    return false;
}

} // namespace Baton::Monitor
