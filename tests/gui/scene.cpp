// SPDX-License-Identifier: MIT
#include "scene.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Testing {
namespace {

using Nanoseconds = std::chrono::nanoseconds;

ObservedTime seen(Nanoseconds ago)
{
    return {Scene::Now - ago - 300ms, Scene::Now - ago};
}

ObservedTime firstLook()
{
    return {std::nullopt, Scene::Now - 3h};
}

QString uuid(int number)
{
    return u"%1-0c4f-4b6e-9d2a-%2"_s.arg(uint(number) * 2654435761U, 8, 16, QLatin1Char('0'))
        .arg(number, 12, 16, QLatin1Char('0'));
}

SessionRecord session(int number, const QString &name, const QString &node, const QStringList &keys = {})
{
    SessionRecord record;
    record.id = uuid(number);
    record.name = name;
    record.node = node;
    record.ttl = 10s;
    record.lockDelay = 9s;
    record.createIndex = 70'000 + quint64(number);
    record.created = number % 2 ? seen(std::chrono::minutes(number)) : firstLook();
    record.keys = keys;
    return record;
}

ElectionRecord election(const QString &name, ElectionState state, ObservedTime since)
{
    ElectionRecord record;
    record.key = u"service/%1/leader"_s.arg(name);
    record.name = name;
    record.prefix = u"service/"_s;
    record.state = state;
    record.since = since;
    record.createIndex = 1'000;
    record.modifyIndex = 1'219;
    record.lockIndex = 4;
    return record;
}

void lead(ElectionRecord *record, const SessionRecord &by, const QString &instance, quint64 token, bool baton)
{
    record->leader.key = record->key;
    record->leader.session = by.id;
    record->leader.index = token;
    record->leader.isBaton = baton;
    if (baton) {
        record->leader.instance = instance;
        record->leader.host = by.node;
        record->leader.pid = 4'000 + by.createIndex % 1'000;
        record->leader.ttl = by.ttl;
        record->leader.lockDelay = by.lockDelay;
    }
    record->session = std::make_shared<SessionRecord>(by);
    record->token = token;
    record->tokenIsSure = baton;
    record->highestToken = token;
}

TermRecord term(const QString &leader, quint64 token, Nanoseconds from, Nanoseconds to, TermEnd end)
{
    TermRecord record;
    record.session = uuid(int(token));
    record.leader = leader;
    record.token = token;
    record.from = seen(from);
    record.to = seen(to);
    record.end = end;
    return record;
}

} // namespace

void Scene::addElection(const ElectionRecord &record)
{
    m_elections += std::make_shared<ElectionRecord>(record);
}

void Scene::addSession(const SessionRecord &record)
{
    m_sessions += std::make_shared<SessionRecord>(record);
}

void Scene::commit()
{
    ClusterSnapshot next = m_snapshot;
    std::ranges::sort(m_elections, {}, [](const ElectionPtr &e) { return e->key; });
    std::ranges::sort(m_sessions, {}, [](const SessionPtr &s) { return s->id; });
    next.elections = m_elections;
    next.sessions = m_sessions;
    ++next.number;
    next.complete = true;
    next.made = Now;
    const QDateTime wall(QDate(2026, 3, 14), QTime(14, 3, 41), Qt::UTC);
    next.wallOffset = std::chrono::milliseconds(wall.toMSecsSinceEpoch()) - Nanoseconds(Now);
    next.sessionsVisible = Visibility::Everything;
    PrefixReport prefix;
    prefix.prefix = u"service/"_s;
    prefix.visibility = Visibility::Everything;
    next.prefixes = {prefix};
    m_delta = ClusterDelta::between(m_snapshot, next);
    m_snapshot = next;
}

Scene Scene::small()
{
    Scene scene;
    const auto led = [&scene](int number, const QString &name, const QString &instance, Nanoseconds ago,
                              quint64 token) {
        const SessionRecord by = session(number, u"baton "_s + instance, u"node-%1"_s.arg(number),
                                         {u"service/%1/leader"_s.arg(name)});
        ElectionRecord record = election(name, ElectionState::Led, ago > 2h ? firstLook() : seen(ago));
        lead(&record, by, instance, token, true);
        if (ago < 1h) {
            record.history +=
                term(instance + u"-old"_s, token - 15, ago + 31min, ago + 9300ms, TermEnd::SessionEnded);
            record.previous = record.history.constLast();
        }
        scene.addSession(by);
        scene.addElection(record);
    };
    led(1, u"billing"_s, u"api-5"_s, 159s, 1'219);
    led(2, u"mail-outbound"_s, u"mail-2"_s, 4h, 902);
    led(3, u"payroll/eu"_s, u"pay-eu-1"_s, 25min, 74'112);
    led(4, u"payroll/us"_s, u"pay-us-1"_s, 4h, 73'004);
    led(5, u"search-indexer"_s, u"search-a"_s, 47min, 5'512);
    led(6, u"thumbnailer"_s, u"thumb-3"_s, 4h, 611);

    SessionRecord endless = session(7, u"cron-lock"_s, u"node-3"_s, {u"service/cron-lock/leader"_s});
    endless.ttl.reset();
    ElectionRecord cron = election(u"cron-lock"_s, ElectionState::NeverExpires, firstLook());
    lead(&cron, endless, {}, 412, false);
    cron.foreignValue = "node-3";
    scene.addSession(endless);
    scene.addElection(cron);

    const SessionRecord legacy =
        session(8, u"legacy <b>app</b>"_s, u"legacy-02"_s, {u"service/report-nightly/leader"_s});
    ElectionRecord report = election(u"report-nightly"_s, ElectionState::Led, firstLook());
    lead(&report, legacy, {}, 877, false);
    report.foreignValue = "legacy text value";
    scene.addSession(legacy);
    scene.addElection(report);

    ElectionRecord invoice = election(u"invoice-worker"_s, ElectionState::LockDelay, seen(700ms));
    invoice.lockDelay = LockDelayWindow{seen(700ms), 2s};
    invoice.highestToken = 1'204;
    invoice.history = {term(u"worker-3"_s, 1'190, 53min, 21min, TermEnd::Released),
                       term(u"worker-1"_s, 1'204, 20min, 700ms, TermEnd::SessionEnded)};
    invoice.previous = invoice.history.constLast();
    scene.addElection(invoice);

    ElectionRecord orphan = election(u"stock-sync"_s, ElectionState::Orphaned, seen(4min));
    orphan.leader.key = orphan.key;
    orphan.leader.session = uuid(77);
    orphan.evidence = u"session/info does not know the session"_s;
    scene.addElection(orphan);

    ElectionRecord vacant = election(u"image-cleanup"_s, ElectionState::Vacant, firstLook());
    scene.addElection(vacant);
    ElectionRecord hidden = election(u"vault-sync"_s, ElectionState::HolderHidden, firstLook());
    hidden.leader.key = hidden.key;
    hidden.leader.session = uuid(78);
    scene.addElection(hidden);

    scene.addSession(session(9, u"ci-runner"_s, u"node-9"_s));
    scene.addSession(session(10, {}, u"node-9"_s));
    SessionRecord eraser = session(11, u"eraser"_s, u"node-4"_s);
    eraser.deletesKeys = true;
    eraser.lockDelay = 0s;
    scene.addSession(eraser);
    scene.commit();

    ObservedChange lost;
    lost.kind = ChangeKind::LeaderLost;
    lost.number = 1;
    lost.at = seen(700ms);
    lost.seenAt = QDateTime(QDate(2026, 3, 14), QTime(14, 3, 40), Qt::UTC);
    lost.key = invoice.key;
    lost.leader = u"worker-1"_s;
    lost.token = 1'204;
    lost.end = TermEnd::SessionEnded;
    ObservedChange won = lost;
    won.kind = ChangeKind::LeaderElected;
    won.number = 2;
    won.at = seen(159s);
    won.key = u"service/billing/leader"_s;
    won.leader = u"api-5"_s;
    won.token = 1'219;
    won.end = TermEnd::Running;
    scene.m_delta.changes = {won, lost};
    return scene;
}

Scene Scene::large(int elections, int sessions, quint32 seed)
{
    Scene scene;
    scene.m_random.seed(seed);
    for (int i = 0; i < sessions; ++i) {
        const QString name = u"worker-%1"_s.arg(i, 5, 10, QLatin1Char('0'));
        const bool holds = i < elections;
        const QString of = u"job-%1"_s.arg(i, 4, 10, QLatin1Char('0'));
        const SessionRecord by = session(i + 1, name, u"node-%1"_s.arg(i % 50),
                                         holds ? QStringList{u"service/%1/leader"_s.arg(of)} : QStringList());
        scene.addSession(by);
        if (!holds)
            continue;
        ElectionRecord record = election(of, ElectionState::Led, seen(std::chrono::seconds(i)));
        lead(&record, by, name, 1'000 + quint64(i), true);
        scene.addElection(record);
    }
    scene.commit();
    return scene;
}

void Scene::change(int count)
{
    for (int i = 0; i < count; ++i) {
        const int row = int(m_random.bounded(m_elections.size()));
        ElectionRecord record = *m_elections.at(row);
        record.token = ++m_index;
        record.since = seen(0s);
        m_elections[row] = std::make_shared<ElectionRecord>(record);

        // A session ends, and another one comes.
        const int gone = int(m_random.bounded(m_sessions.size()));
        SessionRecord made = *m_sessions.at(gone);
        made.id = uuid(int(m_index));
        made.createIndex = m_index;
        m_sessions[gone] = std::make_shared<SessionRecord>(made);
    }
    commit();
}

ConnectionReport Scene::live()
{
    ConnectionReport report;
    report.state = ConnectionState::Live;
    report.since = Now - 3h;
    report.dataFrom = Nanoseconds(Now) - 400ms;
    report.heard = Nanoseconds(Now) - 400ms;
    report.index = 74'407;
    report.knownLeader = true;
    report.consistency = Consistency::Consistent;
    report.connections = 3;
    return report;
}

ConnectionReport Scene::failed(ConnectionState state, const ObserveError &error)
{
    ConnectionReport report;
    report.state = state;
    report.since = Nanoseconds(Now) - 5s;
    report.error = error;
    return report;
}

} // namespace Baton::Testing
