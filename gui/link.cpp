// SPDX-License-Identifier: MIT
#include "link.h"

#include "feed.h"
#include "models/journalkeeper.h"

namespace Baton::Monitor {
namespace {
/// Of earlier runs, to be looked through at once; the rest stays on disk.
constexpr qsizetype LinesAtStart = 20'000;
} // namespace

Link::Link(Feed &feed, Journal journal, QObject *parent)
    : QObject(parent)
    , m_feed(feed)
    , m_journal(journal)
{
}

Link::~Link() = default;

void Link::open(const ConnectionProfile &profile)
{
    close();
    m_profile = profile;
    openJournal();
    const ObserverOptions options = profile.options();
    m_admin = std::make_unique<SessionAdmin>(options);
    m_observer = std::make_unique<ClusterObserver>(options);
    ClusterObserver *observer = m_observer.get();
    connect(observer, &ClusterObserver::updated, &m_feed,
            [this, observer](const ClusterSnapshot &snapshot, const ClusterDelta &delta) {
                m_feed.show(snapshot, delta);
                m_feed.show(observer->connection());
            });
    connect(observer, &ClusterObserver::connectionChanged, &m_feed,
            [this](const ConnectionReport &report) { m_feed.show(report); });
    connect(observer, &ClusterObserver::heard, &m_feed,
            [this, observer] { m_feed.show(observer->connection()); });
    observer->start();
    m_feed.show(observer->connection());
    Q_EMIT profileChanged();
}

void Link::close()
{
    if (!m_observer)
        return;
    m_observer.reset();
    m_admin.reset();
    m_keeper.reset();
    m_feed.clear();
}

void Link::openJournal()
{
    m_keeper = std::make_unique<JournalKeeper>(JournalStore::folderOf(m_profile.id));
    JournalKeeper *keeper = m_keeper.get();
    connect(keeper, &JournalKeeper::loaded, &m_feed,
            [this](const StoredJournal &stored) { m_feed.journal().prepend(stored.entries); });
    connect(keeper, &JournalKeeper::errorChanged, this, &Link::journalErrorChanged);
    if (m_journal == Journal::Kept)
        connect(&m_feed, &Feed::journalGrew, keeper, &JournalKeeper::append);
    keeper->load(LinesAtStart);
}

void Link::refresh()
{
    if (m_observer)
        m_observer->refresh();
}

void Link::setHidden(bool hidden)
{
    if (m_observer)
        m_observer->setHidden(hidden);
}

void Link::destroySession(const SessionRecord &session, QObject *context, SessionAdmin::Done done)
{
    if (m_admin)
        m_admin->destroySession(session, context, std::move(done));
}

void Link::releaseKey(const ElectionRecord &election, QObject *context, SessionAdmin::Done done)
{
    if (m_admin)
        m_admin->releaseKey(election, context, std::move(done));
}

} // namespace Baton::Monitor
