// SPDX-License-Identifier: MIT
#include "models/electionmodel.h"
#include "models/journalmodel.h"
#include "models/sessionmodel.h"
#include "models/tablefilter.h"
#include "models/verdict.h"

#include <Baton/boottime.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QElapsedTimer>
#include <QtCore/QTextStream>

#include <algorithm>
#include <functional>
#include <vector>

/*
 * What the dashboard's models cost the GUI thread with 5,000 sessions and 1,000 elections: each line is one
 * operation, with the median, the 99th percentile and the worst of its runs. A frame has 16 ms.
 */
using namespace Baton;
using namespace Baton::Monitor;
using namespace Qt::StringLiterals;

namespace {

constexpr int Sessions = 5'000;
constexpr int Elections = 1'000;
constexpr int Runs = 200;

/// Deltas come every 250 ms, so 20 changes a second are five a delta.
constexpr int ChangesPerBatch = 5;

QString nameOf(int number)
{
    return u"election-%1"_s.arg(number, 4, 10, '0'_L1);
}

SessionPtr session(int number, int version)
{
    SessionRecord record;
    record.id = u"%1-0000-4000-8000-%2"_s.arg(number, 8, 16, '0'_L1).arg(number, 12, 10, '0'_L1);
    record.name = u"baton service/%1/leader host-%2"_s.arg(nameOf(number % Elections)).arg(number);
    record.node = u"node-%1"_s.arg(number % 97);
    record.ttl = std::chrono::seconds(10);
    record.lockDelay = std::chrono::seconds(15);
    record.createIndex = quint64(1'000 + (number * 7919) % 65'537 + version * 100'000);
    record.created.by = bootTime();
    if (number < Elections)
        record.keys = {u"service/%1/leader"_s.arg(nameOf(number))};
    return std::make_shared<const SessionRecord>(record);
}

ElectionPtr election(int number, const SessionPtr &holder, int version)
{
    ElectionRecord record;
    record.name = nameOf(number);
    record.key = u"service/%1/leader"_s.arg(record.name);
    record.prefix = u"service/"_s;
    record.state = ElectionState::Led;
    record.session = holder;
    record.leader.session = holder->id;
    record.leader.instance = u"host-%1"_s.arg(number);
    record.leader.isBaton = true;
    record.token = quint64(1'000 + (number * 7919) % 65'537 + version);
    record.tokenIsSure = true;
    record.highestToken = *record.token;
    record.since = {.after = bootTime() - std::chrono::milliseconds(300), .by = bootTime()};
    return std::make_shared<const ElectionRecord>(record);
}

ClusterSnapshot bigCluster()
{
    ClusterSnapshot snapshot;
    snapshot.number = 1;
    snapshot.complete = true;
    for (int number = 0; number < Sessions; ++number)
        snapshot.sessions.append(session(number, 0));
    for (int number = 0; number < Elections; ++number)
        snapshot.elections.append(election(number, snapshot.sessions[number], 0));
    PrefixReport prefix;
    prefix.prefix = u"service/"_s;
    prefix.visibility = Visibility::Everything;
    snapshot.prefixes.append(prefix);
    return snapshot;
}

void measure(const QString &what, const std::function<void(int run)> &operation, int runs = Runs)
{
    std::vector<double> costs;
    for (int run = 0; run < runs; ++run) {
        QElapsedTimer timer;
        timer.start();
        operation(run);
        costs.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(costs.begin(), costs.end());
    QTextStream(stdout) << what.leftJustified(58)
                        << u"median %1  p99 %2  worst %3 ms\n"_s.arg(costs[costs.size() / 2], 8, 'f', 3)
                               .arg(costs[costs.size() * 99 / 100], 8, 'f', 3)
                               .arg(costs.back(), 8, 'f', 3);
}

/// Everything that one window holds, with tables that are sorted and shown.
struct Window
{
    explicit Window(const ClusterSnapshot &snapshot)
    {
        sessionRows.setSourceModel(&sessions);
        sessionRows.sort(SessionModel::Created);
        electionRows.setSourceModel(&elections);
        electionRows.sort(ElectionModel::Token);
        journalRows.setSourceModel(&journal);
        show(snapshot);
    }

    void show(const ClusterSnapshot &snapshot)
    {
        sessions.show(snapshot);
        elections.show(snapshot);
    }

    Clock clock;
    SessionModel sessions{clock};
    ElectionModel elections{clock};
    JournalModel journal{clock};
    TableFilter sessionRows;
    TableFilter electionRows;
    TableFilter journalRows;
};

int place(int run, int change, int size)
{
    return (run * 31 + change * 997) % size;
}

void measureBatches(Window &window, ClusterSnapshot &snapshot)
{
    measure(u"batch: %1 sessions and elections changed"_s.arg(ChangesPerBatch), [&](int run) {
        for (int change = 0; change < ChangesPerBatch; ++change) {
            const int number = place(run, change, Elections);
            snapshot.sessions[number] = session(number, run + 1);
            snapshot.elections[number] = election(number, snapshot.sessions[number], run + 1);
        }
        window.show(snapshot);
    });
    measure(u"batch: %1 sessions gone, %1 come back"_s.arg(ChangesPerBatch), [&](int run) {
        QList<SessionPtr> gone;
        for (int change = 0; change < ChangesPerBatch; ++change)
            gone.append(snapshot.sessions.takeAt(place(run, change, int(snapshot.sessions.size()))));
        window.show(snapshot);
        snapshot.sessions += gone;
        std::sort(snapshot.sessions.begin(), snapshot.sessions.end(),
                  [](const SessionPtr &a, const SessionPtr &b) { return a->id < b->id; });
        window.show(snapshot);
    });
    measure(u"batch: nothing changed"_s, [&](int) { window.show(snapshot); });
    window.sessionRows.touch();
    measure(u"batch: %1 sessions changed, order held"_s.arg(ChangesPerBatch), [&](int run) {
        for (int change = 0; change < ChangesPerBatch; ++change) {
            const int number = place(run, change, Sessions);
            snapshot.sessions[number] = session(number, run + 1);
        }
        window.show(snapshot);
    });
    window.sessionRows.release();
}

void measureHands(Window &window, ClusterSnapshot &snapshot)
{
    TableFilter &rows = window.sessionRows;
    measure(
        u"order held, then let go: 5,000 sessions sorted anew"_s,
        [&](int run) {
            rows.touch();
            snapshot.sessions[place(run, 0, Sessions)] = session(place(run, 0, Sessions), run + 1);
            window.show(snapshot);
            rows.release();
        },
        20);
    measure(
        u"sort 5,000 sessions by another column"_s,
        [&](int run) { rows.sort(run % 2 ? SessionModel::Name : SessionModel::Created); }, 20);
    measure(
        u"filter 5,000 sessions, a letter more or less"_s,
        [&](int run) { rows.setFilterText(run % 2 ? u"host-12"_s : u"host-1"_s); }, 20);
    rows.setFilterText({});
    measure(
        u"filter 5,000 sessions with a regular expression"_s,
        [&](int run) { rows.setFilterText(run % 2 ? u"re:host-1\\d+$"_s : u"re:host-.*7"_s); }, 20);
    rows.setFilterText({});
    measure(
        u"count the rows of all scopes"_s,
        [&](int) {
            rows.setSourceModel(&window.sessions); // Forgets what was counted.
            volatile int counted = rows.count(TableFilter::Scope::Problems);
            Q_UNUSED(counted)
        },
        20);
}

void measureRest(Window &window, const ClusterSnapshot &snapshot)
{
    ConnectionReport report;
    report.state = ConnectionState::Live;
    measure(u"verdict on 1,000 elections"_s, [&](int) {
        const Verdict result = verdict(snapshot, report, window.clock.now());
        Q_UNUSED(result)
    });
    measure(u"tick of 1,000 elections"_s, [&](int) { window.elections.tick(); });
    ObservedChange change;
    change.kind = ChangeKind::LeaderElected;
    change.key = u"service/election-0001/leader"_s;
    change.at.by = window.clock.now();
    const QList<JournalEntry> burst(250, JournalEntry::of(change, snapshot));
    measure(
        u"journal: 250 lines more, 200,000 kept"_s, [&](int) { window.journal.append(burst); }, 1'600);
    measure(u"texts of 40 visible rows of sessions"_s, [&](int) {
        for (int row = 0; row < 40; ++row) {
            for (int column = 0; column < SessionModel::Checks; ++column)
                window.sessionRows.index(row, column).data();
        }
    });
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    ClusterSnapshot snapshot = bigCluster();
    measure(
        u"first snapshot: 5,000 sessions, 1,000 elections"_s, [&](int) { const Window window(snapshot); }, 5);
    Window window(snapshot);
    measureBatches(window, snapshot);
    measureHands(window, snapshot);
    measureRest(window, snapshot);
    return 0;
}
