// SPDX-License-Identifier: MIT
#pragma once

#include "models/connectionprofile.h"

#include <QtCore/QList>
#include <QtCore/QObject>

#include <optional>

class QSettings;

namespace Baton::Monitor {

/*!
 * The connection profiles, kept in settings, and which of them is in use. Names are unique: a second one of
 * the same name gets a number. Settings that cannot be understood are left out. None ever contains a token:
 * what stands in the place of a file or a variable and cannot be the name of one is not written.
 */
class Profiles : public QObject
{
    Q_OBJECT
public:
    /// Reads \a settings, which must outlive it.
    explicit Profiles(QSettings &settings, QObject *parent = nullptr);

    /// In the order in which they were made.
    [[nodiscard]] QList<ConnectionProfile> all() const { return m_profiles; }
    [[nodiscard]] std::optional<ConnectionProfile> profile(const QString &id) const;
    /// The one used last; nothing at the first run.
    [[nodiscard]] std::optional<ConnectionProfile> current() const { return profile(m_current); }

    /// Adds \a profile, or replaces that of the same id, and writes the settings.
    void save(ConnectionProfile profile);
    void remove(const QString &id);
    void setCurrent(const QString &id);

Q_SIGNALS:
    void changed();
    void currentChanged();

private:
    void write();
    [[nodiscard]] QString uniqueName(const ConnectionProfile &profile) const;

    QSettings &m_settings;
    QList<ConnectionProfile> m_profiles;
    QString m_current;
};

} // namespace Baton::Monitor
