// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"
#include "models/itemroles.h"
#include "models/recordtable.h"
#include "models/statekind.h"

#include <Baton/clustersnapshot.h>

namespace Baton::Monitor {

/*!
 * The sessions of a snapshot as rows, in the order of their ids; see ElectionModel for what holds of both.
 *
 * It says nothing that Consul cannot know: a session's age is a lower bound unless it appeared while this
 * window looked, and the time that it has left is an upper bound.
 */
class SessionModel : public RecordTable<SessionRecord>
{
    Q_OBJECT
public:
    enum Column {
        State, ///< `holds 1`, `holds none`, `never expires`
        Id,
        Name,
        Node,
        Keys, ///< Lock keys under the watched prefixes that it holds.
        Created, ///< Sorted by CreateIndex.
        Left, ///< `at most 0:19`: until it is gone unless renewed.
        Ttl,
        LockDelay,
        Checks, ///< From here on hidden unless asked for.
        Odd, ///< What is unusual about it, in words.
        CreateIndex,
        ColumnCount,
    };
    Q_ENUM(Column)

    /// \a clock must outlive the model.
    explicit SessionModel(const Clock &clock, QObject *parent = nullptr);

    /// Shows \a snapshot from now on.
    void show(const ClusterSnapshot &snapshot);
    /// When Consul last answered anything (ConnectionReport::heard): the sessions shown were alive then.
    void setHeard(std::optional<std::chrono::nanoseconds> instant);

    [[nodiscard]] SessionPtr session(int row) const { return record(row); }

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// What is unusual about \a session, in words: never expires, no lock-delay, several keys, deletes keys.
    [[nodiscard]] static QStringList oddities(const SessionRecord &session);
    /// Whether there is any.
    [[nodiscard]] static bool isOdd(const SessionRecord &session);
    /// Untranslated words that `state:` knows.
    [[nodiscard]] static QStringList stateTags();

private:
    [[nodiscard]] QVariant roleOfRow(const SessionRecord &session, int role) const;
    [[nodiscard]] QString text(const SessionRecord &session, int column, int most) const;
    [[nodiscard]] QString leftText(const SessionRecord &session) const;
    [[nodiscard]] QVariant sortValue(const SessionRecord &session, int column) const;
    [[nodiscard]] QString exported(const SessionRecord &session, int column) const;
    [[nodiscard]] QString toolTip(const SessionRecord &session, int column) const;
    [[nodiscard]] QByteArray json(const SessionRecord &session) const;

    const Clock &m_clock;
    /// Not before the sessions were read, so that "gone by" is never too early.
    Nanoseconds m_aliveAt{};
};

} // namespace Baton::Monitor
