// SPDX-License-Identifier: MIT
#pragma once

#include "feed.h"
#include "theme.h"

#include <QtWidgets/QWidget>

namespace Baton::Monitor {

class Actions;
class ElidedLabel;

/// The last line of the window: which Consul, how old its data are and what vouches for them.
class ProvenanceLine : public QWidget
{
    Q_OBJECT
public:
    explicit ProvenanceLine(Actions &actions, QWidget *parent = nullptr);

    void setProfile(const QString &name) { m_profile = name; }
    /// Something for a moment instead of the provenance: what an action did.
    void say(const QString &text);
    void show(const Feed &feed);
    /// What it says of \a feed.
    [[nodiscard]] static QStringList partsOf(const Feed &feed);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ElidedLabel *m_name;
    ElidedLabel *m_text;
    QString m_profile;
    QString m_said;
    std::optional<Nanoseconds> m_saidUntil;
    Role m_role = Role::Vacant;
    bool m_live = false;
};

} // namespace Baton::Monitor
