// SPDX-License-Identifier: MIT
#include "window.h"

#include "commandline.h"
#include "models/format.h"
#include "models/profiles.h"
#include "models/verdict.h"
#include "theme.h"
#include "views/firstrunpage.h"
#include "views/journalpage.h"
#include "views/overviewpage.h"
#include "views/provenanceline.h"
#include "views/rail.h"
#include "views/rowdelegate.h"
#include "views/sessionspage.h"
#include "views/tableview.h"
#include "views/verdictstrip.h"
#include "views/widgets.h"

#include <QtCore/QSettings>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QCloseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStackedWidget>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr QSize FirstSize{1180, 760};
constexpr std::chrono::milliseconds Slow{1'000};
constexpr std::chrono::milliseconds Fast{100};

const QString GeometryKey = u"window/geometry"_s;
const QString PageKey = u"window/page"_s;

QString sentence(const QString &text)
{
    return text.isEmpty() || text.endsWith(u'.') ? text : text + u'.';
}

} // namespace

Window::Window(const Services &services, QWidget *parent)
    : QWidget(parent), m_services(services), m_actions(this), m_rail(new Rail(this)),
      m_strip(new VerdictStrip(this)), m_provenance(new ProvenanceLine(m_actions, this)),
      m_content(new QStackedWidget(this)), m_trouble(new MessagePage(this))
{
    setWindowIcon(applicationIcon());
    setMinimumSize(LeastWindowSize);
    resize(FirstSize);
    layOut();
    addMenu();
    connectActions();
    connectTableActions();
    connect(&m_ticks, &QTimer::timeout, this, &Window::tick);
    restoreState();
    showConnection();
}

Window::~Window() = default;

void Window::layOut()
{
    for (QAction *page : m_actions.pages->actions())
        m_rail->addPage(page);
    m_content->addWidget(m_trouble);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_strip);
    right->addWidget(m_content, 1);
    auto *upper = new QHBoxLayout;
    upper->setSpacing(0);
    upper->addWidget(m_rail);
    upper->addLayout(right, 1);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(upper, 1);
    all->addWidget(m_provenance);
}

void Window::open(const ConnectionProfile &profile)
{
    Feed &feed = openFeed(profile.name);
    m_link = std::make_unique<Link>(profile, feed, m_services.journal);
    connect(m_link.get(), &Link::journalErrorChanged, this, [this](const QString &error) {
        if (!error.isEmpty())
            m_provenance->say(tr("The journal cannot be kept: %1").arg(Format::safe(error)));
    });
    m_startAfterPaint = true;
    update();
}

Feed &Window::openFeed(const QString &name, Clock::Source source)
{
    closeFeed();
    m_profileName = Format::safe(name);
    m_provenance->setProfile(m_profileName);
    m_feed = std::make_unique<Feed>(std::move(source));
    connectFeed();
    m_ticks.start(Slow);
    setReadOnly(true);
    showConnection();
    return *m_feed;
}

void Window::closeFeed()
{
    m_link.reset();
    for (Page *&page : m_pages) {
        if (page)
            page->saveTo(m_services.settings);
        delete page;
        page = nullptr;
    }
    m_feed.reset();
    m_places = {};
}

void Window::connectFeed()
{
    connect(m_feed.get(), &Feed::changed, this, &Window::showConnection);
    connect(m_feed.get(), &Feed::connectionChanged, this, &Window::showConnection);
    connect(m_feed.get(), &Feed::pausedChanged, this, [this] {
        m_actions.pause->setChecked(m_feed->isPaused());
        m_actions.pause->setIcon(glyphIcon(m_feed->isPaused() ? Glyph::Resume : Glyph::Pause));
        m_actions.pause->setText(m_feed->isPaused() ? tr("Resume") : tr("Pause"));
        showVerdict();
    });
    const auto moved = [this] {
        remember();
        updateActions();
    };
    connect(&m_feed->selection(), &Selection::electionsChanged, this, moved);
    connect(&m_feed->selection(), &Selection::sessionChanged, this, moved);
}

void Window::showConnection()
{
    showContent();
    if (Page *shown = page())
        shown->refresh();
    showVerdict();
    updateActions();
    if (m_feed)
        m_provenance->show(*m_feed);
}

void Window::showContent()
{
    m_rail->setVisible(m_feed != nullptr);
    m_strip->setVisible(m_feed != nullptr);
    m_provenance->setVisible(m_feed != nullptr);
    if (!m_feed) {
        if (!m_firstRun) {
            m_firstRun = new FirstRunPage(this);
            m_content->addWidget(m_firstRun);
            connect(m_firstRun, &FirstRunPage::submitted, this, [this](const ConnectionProfile &profile) {
                m_services.profiles.save(profile);
                m_services.profiles.setCurrent(profile.id);
                open(m_services.profiles.profile(profile.id).value_or(profile));
            });
        }
        m_content->setCurrentWidget(m_firstRun);
        return;
    }
    if (m_feed->hasData()) {
        Page *&shown = m_pages.at(std::size_t(m_pageId));
        const bool made = !shown;
        if (made)
            shown = makePage(m_pageId);
        m_content->setCurrentWidget(shown);
        if (made)
            shown->table().setFocus(Qt::OtherFocusReason);
    } else {
        showTrouble();
        const bool appears = m_content->currentWidget() != m_trouble || !focusWidget();
        m_content->setCurrentWidget(m_trouble);
        if (appears)
            m_trouble->setFocus(Qt::OtherFocusReason);
    }
}

void Window::showTrouble()
{
    const ConnectionReport &report = m_feed->connection();
    Message message;
    message.glyph = Glyph::Connect;
    message.role = Role::Muted;
    message.title = tr("Connecting to %1").arg(m_profileName);
    if (!report.error.isOk()) {
        const TroubleText trouble = troubleText(report.error);
        message.glyph = report.error.trouble == ObserveTrouble::Denied ? Glyph::Hidden : Glyph::Stale;
        message.role = Role::Vacant;
        message.title = tr("%1 cannot be watched").arg(m_profileName);
        message.cause = sentence(trouble.cause);
        message.advice = sentence(trouble.remedy);
        message.detail = trouble.detail;
    }
    m_trouble->show(message, {m_actions.retry, m_actions.connection});
}

void Window::showVerdict()
{
    StripText text;
    if (!m_feed)
        return m_strip->setText(text);
    m_worstKey.clear();
    if (m_feed->hasData()) {
        const Verdict found = verdict(m_feed->snapshot(), m_feed->connection(), m_feed->clock().now());
        text = {glyphOf(found.kind), roleOf(found.kind), found.sentence, found.secondLine()};
        m_worstKey = found.key;
    } else if (m_feed->connection().error.isOk()) {
        text = {Glyph::Stale, Role::Vacant, tr("Connecting"), tr("Nothing has been read yet")};
    } else {
        text = {Glyph::Stale, Role::Vacant, tr("Nothing can be said"),
                troubleText(m_feed->connection().error).cause};
    }
    if (m_feed->isPaused()) {
        const QString since = Format::timeOfDay(m_feed->clock().date(*m_feed->pausedAt()));
        text.note = text.note.isEmpty() ? tr("Paused since %1").arg(since)
                                        : tr("Paused since %1. %2").arg(since, text.note);
    }
    m_strip->setText(text);
    setWindowTitle(u"%1 – %2"_s.arg(text.headline, m_profileName));
}

Page *Window::page() const
{
    return m_feed && m_feed->hasData() ? m_pages.at(std::size_t(m_pageId)) : nullptr;
}

Page *Window::makePage(PageId id)
{
    Page *made = nullptr;
    switch (id) {
    case PageId::Overview:
        made = new OverviewPage(*m_feed, m_actions, this);
        break;
    case PageId::Sessions:
        made = new SessionsPage(*m_feed, m_actions, this);
        break;
    case PageId::Journal:
        made = new JournalPage(*m_feed, m_actions, this);
        break;
    }
    made->table().addAction(m_actions.pin);
    made->table().setCompact(m_actions.compact->isChecked());
    made->restoreFrom(m_services.settings);
    m_content->addWidget(made);
    return made;
}

void Window::showPage(PageId id)
{
    m_pageId = id;
    m_actions.pages->actions().at(int(id))->setChecked(true);
    showConnection();
    if (Page *shown = page())
        shown->table().setFocus(Qt::OtherFocusReason);
    remember();
}

Place Window::place() const
{
    switch (m_pageId) {
    case PageId::Overview:
        return {m_pageId, m_feed->selection().current()};
    case PageId::Sessions:
        return {m_pageId, m_feed->selection().session()};
    case PageId::Journal:
        return {m_pageId, {}};
    }
    Q_UNREACHABLE();
}

void Window::remember()
{
    if (m_feed && m_feed->hasData() && !m_travelling)
        m_places.go(place());
    m_actions.back->setEnabled(m_places.canGoBack());
    m_actions.forward->setEnabled(m_places.canGoForward());
}

void Window::travel(const Place &place)
{
    m_travelling = true;
    if (place.page == PageId::Overview)
        m_feed->selection().choose(place.chosen);
    else if (place.page == PageId::Sessions)
        m_feed->selection().setSession(place.chosen);
    showPage(place.page);
    m_travelling = false;
    remember();
}

void Window::tick()
{
    showVerdict();
    m_provenance->show(*m_feed);
    Page *shown = page();
    if (shown)
        shown->tick();
    const bool fast = shown && shown->countsFast() && !m_feed->clock().isFrozen();
    const auto interval = fast ? Fast : Slow;
    if (m_ticks.intervalAsDuration() != interval)
        m_ticks.setInterval(interval);
}

void Window::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange && m_link)
        m_link->setHidden(isMinimized());
}

bool Window::event(QEvent *event)
{
    if (event->type() == QEvent::ThemeChange)
        m_services.theme.followSystem();
    return QWidget::event(event);
}

void Window::paintEvent(QPaintEvent *event)
{
    QWidget::paintEvent(event);
    if (!m_startAfterPaint)
        return;
    m_startAfterPaint = false;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_link)
                m_link->start();
        },
        Qt::QueuedConnection);
}

void Window::closeEvent(QCloseEvent *event)
{
    saveState();
    QWidget::closeEvent(event);
}

void Window::restoreState()
{
    restoreGeometry(m_services.settings.value(GeometryKey).toByteArray());
    const int page = m_services.settings.value(PageKey).toInt();
    m_pageId = PageId(qBound(0, page, int(m_pages.size()) - 1));
    m_actions.pages->actions().at(int(m_pageId))->setChecked(true);
}

void Window::saveState() const
{
    m_services.settings.setValue(GeometryKey, saveGeometry());
    m_services.settings.setValue(PageKey, int(m_pageId));
    for (const Page *page : m_pages) {
        if (page)
            page->saveTo(m_services.settings);
    }
}

} // namespace Baton::Monitor
