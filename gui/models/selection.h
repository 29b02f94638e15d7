// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QStringList>

namespace Baton::Monitor {

/*!
 * What is chosen, for all pages: elections, one of them the current one, a session, and what is pinned. It
 * holds identities, not rows, and keeps them while what they name is gone: an election that comes back is
 * chosen still.
 */
class Selection : public QObject
{
    Q_OBJECT
    Q_PROPERTY(QStringList elections READ elections WRITE setElections NOTIFY electionsChanged)
    Q_PROPERTY(QString current READ current NOTIFY electionsChanged)
    Q_PROPERTY(QString session READ session WRITE setSession NOTIFY sessionChanged)
public:
    using QObject::QObject;

    /// Keys, in the order in which they were chosen.
    [[nodiscard]] QStringList elections() const { return m_elections; }
    /// The one whose details are shown: the last of elections(); empty for none.
    [[nodiscard]] QString current() const;
    /// Repeated keys count once, where they come last.
    void setElections(const QStringList &keys);
    void choose(const QString &key) { setElections({key}); }
    void clear() { setElections({}); }
    [[nodiscard]] bool contains(const QString &key) const { return m_elections.contains(key); }

    [[nodiscard]] QString session() const { return m_session; }
    void setSession(const QString &id);

    /// Keys of elections or ids of sessions that come first.
    [[nodiscard]] QSet<QString> pinned() const { return m_pinned; }
    void togglePinned(const QString &key);

Q_SIGNALS:
    void electionsChanged();
    void sessionChanged();
    void pinnedChanged();

private:
    QStringList m_elections;
    QString m_session;
    QSet<QString> m_pinned;
};

} // namespace Baton::Monitor
