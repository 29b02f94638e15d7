// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

namespace Baton::Monitor {

enum class PageId { Overview, Sessions, Journal };

/// Where somebody is: a page and what is chosen.
struct Place
{
    PageId page = PageId::Overview;
    /// The election or the session, by the page.
    QString chosen;

    bool operator==(const Place &) const = default;
};

/// Where somebody has been, for going back and forward.
class Places
{
public:
    static constexpr int MaxPlaces = 100;

    /// \a place is the present one from now on; what lay ahead is forgotten.
    void go(const Place &place)
    {
        if (!m_places.isEmpty() && m_places.at(m_at) == place)
            return;
        m_places.resize(m_places.isEmpty() ? 0 : m_at + 1);
        m_places += place;
        if (m_places.size() > MaxPlaces)
            m_places.removeFirst();
        m_at = int(m_places.size()) - 1;
    }
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }
    /// Only where that is possible.
    Place back() { return m_places.at(--m_at); }
    Place forward() { return m_places.at(++m_at); }

private:
    QList<Place> m_places;
    int m_at = 0;
};

} // namespace Baton::Monitor
