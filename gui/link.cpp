// SPDX-License-Identifier: MIT
#include "link.h"

#include "feed.h"
#include "models/journalkeeper.h"

namespace Baton::Monitor {
namespace {
/// Of earlier runs, to be looked through at once; the rest stays on disk.
constexpr qsizetype LinesAtStart = 20'000;
} // namespace

Link::Link(const ConnectionProfile &profile, Feed &feed, Journal journal, QObject *parent)
    : QObject(parent), m_profile(profile), m_feed(feed),
      m_observer(std::make_unique<ClusterObserver>(profile.options())),
      m_admin(std::make_unique<SessionAdmin>(profile.options()))
{
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
    openJournal(journal);
}

Link::~Link() = default;

void Link::start()
{
    m_observer->start();
    m_feed.show(m_observer->connection());
}

void Link::openJournal(Journal journal)
{
    m_keeper = std::make_unique<JournalKeeper>(JournalStore::folderOf(m_profile.id));
    JournalKeeper *keeper = m_keeper.get();
    connect(keeper, &JournalKeeper::loaded, &m_feed, [this](const StoredJournal &stored) {
        m_feed.journal().prepend(stored.entries);
        m_journalLoaded = true;
    });
    connect(keeper, &JournalKeeper::errorChanged, this, &Link::journalErrorChanged);
    if (journal == Journal::Kept)
        connect(&m_feed, &Feed::journalGrew, keeper, &JournalKeeper::append);
    keeper->load(LinesAtStart);
}

void Link::refresh()
{
    m_observer->refresh();
}

void Link::setHidden(bool hidden)
{
    m_observer->setHidden(hidden);
}

void Link::destroySession(const SessionRecord &session, QObject *context, SessionAdmin::Done done)
{
    m_admin->destroySession(session, context, std::move(done));
}

void Link::releaseKey(const ElectionRecord &election, QObject *context, SessionAdmin::Done done)
{
    m_admin->releaseKey(election, context, std::move(done));
}

} // namespace Baton::Monitor
