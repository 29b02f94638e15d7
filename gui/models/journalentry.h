// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"
#include "models/statekind.h"

#include <Baton/clustersnapshot.h>

#include <QtCore/QByteArray>

#include <optional>

namespace Baton::Monitor {

/// What a line of the journal is about.
enum class JournalSubject {
    Change, ///< An ObservedChange.
    Connection, ///< Another ConnectionState.
    Dropped, ///< Changes that were too many to be kept.
};

/*!
 * A line of the journal, as it is shown, kept on disk and exported. Texts are as Consul has them: make them
 * safe (Format::safe()) before showing them; sentence() is safe.
 *
 * The format on disk is one JSON object a line with the members of \c this, tags for enums and dates in ISO
 * 8601; lines that a later version writes are read as far as they are understood.
 */
struct JournalEntry
{
    JournalSubject subject = JournalSubject::Change;
    /// UTC by this machine's clock, milliseconds since 1970.
    qint64 wallMs = 0;
    /// How far off that may be, to either side; nothing where it was there at the first look.
    std::optional<std::chrono::milliseconds> spread;

    ChangeKind kind = ChangeKind::StateChanged;
    QString key;
    QString session;
    QString leader;
    std::optional<quint64> token;
    TermEnd end = TermEnd::Running;
    std::optional<ElectionState> before;
    std::optional<ElectionState> after;
    /// One English line.
    QString evidence;

    /// Of Connection.
    ConnectionState connection = ConnectionState::Idle;
    ObserveTrouble trouble = ObserveTrouble::None;
    /// Of Dropped.
    quint64 dropped = 0;

    [[nodiscard]] static JournalEntry of(const ObservedChange &change, const ClusterSnapshot &snapshot);
    [[nodiscard]] static JournalEntry of(const ConnectionReport &report, const Clock &clock);
    [[nodiscard]] static JournalEntry droppedChanges(quint64 count, const QDateTime &when);

    [[nodiscard]] QDateTime date() const;
    /// The untranslated word: the tag of kind or connection, or "dropped".
    [[nodiscard]] QString tag() const;
    /// The kind in a few translated words.
    [[nodiscard]] QString kindText() const;
    /// What happened, as one translated sentence, safe to show.
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] StateKind stateKind() const;
    /// Worth a look.
    [[nodiscard]] bool isProblem() const;

    /// One line of compact JSON, without line end.
    [[nodiscard]] QByteArray toJson() const;
    /// Nothing where \a line is no such object or lacks what a line must have.
    [[nodiscard]] static std::optional<JournalEntry> fromJson(const QByteArray &line);

    bool operator==(const JournalEntry &) const = default;
};

} // namespace Baton::Monitor
