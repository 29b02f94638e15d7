// SPDX-License-Identifier: MIT
#pragma once

#include "actions.h"
#include "feed.h"
#include "link.h"
#include "places.h"
#include "theme.h"

#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

#include <array>
#include <memory>

class QSettings;
class QStackedWidget;

namespace Baton::Monitor {

class FirstRunPage;
class MessagePage;
class Page;
class Profiles;
class ProvenanceLine;
class Rail;
class VerdictStrip;

/*!
 * The window: rail, verdict, page and provenance. Pages are made when they are shown first; nothing reaches
 * the network before the first paint.
 */
class Window : public QWidget
{
    Q_OBJECT
public:
    struct Services
    {
        Profiles &profiles;
        Theme &theme;
        /// Where the state of the window is kept.
        QSettings &settings;
        Link::Journal journal = Link::Journal::Kept;
    };

    explicit Window(const Services &services, QWidget *parent = nullptr);
    ~Window() override;

    /// Watches the Consul of \a profile after the next paint; another one's data go.
    void open(const ConnectionProfile &profile);
    /// As open(), but whoever calls it brings the data: for tests.
    Feed &openFeed(const QString &name, Clock::Source source = {});

    /// Null before the first open().
    [[nodiscard]] Feed *feed() const { return m_feed.get(); }
    [[nodiscard]] Link *link() const { return m_link.get(); }
    [[nodiscard]] Actions &actions() { return m_actions; }

    void showPage(PageId id);
    [[nodiscard]] PageId pageId() const { return m_pageId; }
    /// Null while there is nothing to show.
    [[nodiscard]] Page *page() const;

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void layOut();
    void connectActions();
    void connectTableActions();
    void addMenu();
    void connectFeed();
    void closeFeed();

    void showConnection();
    void showVerdict();
    void showContent();
    void showTrouble();
    void updateActions();
    void tick();

    [[nodiscard]] Page *makePage(PageId id);
    [[nodiscard]] SessionPtr targetSession() const;
    [[nodiscard]] ElectionPtr targetElection() const;
    [[nodiscard]] Place place() const;
    void remember();
    void travel(const Place &place);
    void focusNextArea();

    void chooseTheme(ThemeChoice choice);
    void openSession();
    void openElection();
    void chooseConnection();
    void exportTable();
    void destroySession();
    void releaseLock();
    void say(const AdminResult &result, const QString &done);
    void setReadOnly(bool readOnly);

    void restoreState();
    void saveState() const;

    Services m_services;
    Actions m_actions;
    std::unique_ptr<Feed> m_feed;
    std::unique_ptr<Link> m_link;
    QString m_profileName;
    bool m_startAfterPaint = false;

    Rail *m_rail;
    VerdictStrip *m_strip;
    ProvenanceLine *m_provenance;
    QStackedWidget *m_content;
    FirstRunPage *m_firstRun = nullptr;
    MessagePage *m_trouble;
    std::array<Page *, 3> m_pages{};
    PageId m_pageId = PageId::Overview;
    QString m_worstKey;
    Places m_places;
    bool m_travelling = false;
    QTimer m_ticks;
};

} // namespace Baton::Monitor
