// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <QtCore/QTimer>

#include <atomic>
#include <memory>
#include <vector>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about storms: however an outsider drives the candidate, its requests, signals and reports
/// stay few.
class TestRowsPace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f21_uselessIndexes();
    void f22_busyStore();
    void f24_everySecondPollFails();
    void f26_tooManyRequests();
};

namespace {
constexpr auto Watched = 2s;

/// A burst of some, then four a second, and a margin.
qsizetype mostPolls(Instant since)
{
    return 10 + 5 * qsizetype((bootNow() - since) / 1s + 1);
}
} // namespace

/// Polls that are answered at once, with every index that says nothing, each by an agent of its own: a few
/// requests a second, all of them from the beginning.
void TestRowsPace::f21_uselessIndexes()
{
    const QByteArrayList indexes = {"0", "abc", "-1", "1", "18446744073709551616", {}};
    struct Pair
    {
        Agent agent;
        std::unique_ptr<Candidate> candidate;
    };
    const Instant begin = bootNow();
    std::vector<std::unique_ptr<Pair>> pairs;
    for (qsizetype i = 0; i < 2 * indexes.size(); ++i) {
        const QByteArray &index = indexes[i / 2];
        const bool leading = i % 2 == 0;
        auto &pair = *pairs.emplace_back(std::make_unique<Pair>());
        pair.candidate = std::make_unique<Candidate>(longLease(pair.agent));
        if (leading) {
            QVERIFY(pair.candidate->lead());
        } else {
            pair.agent.setHolder(Stranger, batonValue(Stranger, 0ms));
            pair.candidate->provider.start();
            QVERIFY(pair.candidate->waitFor(u"waiting held"_s));
        }
        pair.agent.intercept(
            [index, body = keyJson(*pair.agent.key())](const Request &request, const Responder &responder) {
                Testing::Headers headers = {{"Content-Type", "application/json"}};
                if (!index.isNull())
                    headers.emplaceBack("X-Consul-Index", index);
                if (ScriptedAgent::kindOf(request) == Kind::Watch)
                    responder.reply(200, body, headers);
                return ScriptedAgent::kindOf(request) == Kind::Watch;
            });
        pair.agent.putValue("wakes the poll that is open");
    }
    const Instant ready = bootNow();
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > ready + Watched, Patience);
    for (const auto &pair : pairs) {
        const QList<ScriptedAgent::Seen> polls = pair->agent.seen(Kind::Watch);
        QVERIFY2(polls.size() >= 4, qPrintable(QString::number(polls.size())));
        QVERIFY2(polls.size() <= mostPolls(begin), qPrintable(QString::number(polls.size())));
        QCOMPARE(polls.last().request.query.queryItemValue(u"index"_s), u"1"_s);
        QCOMPARE(pair->candidate->count(u"lost"_s), 0);
        QVERIFY(pair->candidate->last(u"leader"_s)->text != u"leader none"_s);
    }
}

/// The key is absent and its holder's lock-delay is waited for; meanwhile somebody writes a hundred keys a
/// second, each of which wakes a poll of an absent key.
void TestRowsPace::f22_busyStore()
{
    Agent agent;
    agent.setHolder(Stranger, batonValue(Stranger, 60s));
    Candidate candidate(longLease(agent));
    candidate.provider.start();
    QVERIFY(candidate.waitFor(u"waiting held"_s));
    agent.deleteKey();
    QVERIFY(candidate.waitFor(u"waiting lock_delay"_s));
    QVERIFY(candidate.waitFor(u"leader none"_s));

    quint64 index = 1000;
    QTimer writer;
    QObject::connect(&writer, &QTimer::timeout, &writer, [&] { agent.setIndex(++index); });
    writer.start(10ms);
    const int before = agent.count(Kind::Watch);
    const Instant begin = bootNow();
    QTRY_VERIFY_WITH_TIMEOUT(bootNow() > begin + Watched, Patience);
    writer.stop();
    const int polls = agent.count(Kind::Watch) - before;
    QVERIFY(index > 1100);
    QVERIFY2(polls >= 4 && polls <= mostPolls(begin), qPrintable(QString::number(polls)));
    QCOMPARE(candidate.count(u"leader none"_s), 1);
    QCOMPARE(candidate.count(u"waiting lock_delay"_s), 1);
    QCOMPARE(agent.count(Kind::Txn), 0);
}

/// A mark, no loss, and no flood of reports: the mark does not come and go with every poll.
void TestRowsPace::f24_everySecondPollFails()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    const auto key = agent.key();
    std::atomic<int> polls = 0;
    agent.intercept([&, body = keyJson(*key), index = key->modifyIndex](const Request &request,
                                                                        const Responder &responder) {
        if (ScriptedAgent::kindOf(request) != Kind::Watch)
            return false;
        if (polls++ % 2 == 0)
            responder.reply(500, "rpc error making call: i/o deadline reached", {{"Content-Type", Text}});
        else
            responder.reply(
                200, body,
                {{"Content-Type", "application/json"}, {"X-Consul-Index", QByteArray::number(index + 1)}});
        return true;
    });
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error server_error watch"_s));
    QTRY_VERIFY_WITH_TIMEOUT(polls >= 16, Patience);
    QCOMPARE(candidate.terms().size(), 1);
    QVERIFY(candidate.provider.isLeading());
    QVERIFY2(
        candidate.count(u"error server_error"_s) <= 2,
        qPrintable(u"%1 reports of %2 polls"_s.arg(candidate.count(u"error server_error"_s)).arg(polls)));
}

/// First to everything but renewals, then to those too: the bound holds, and the pace is calm and uneven.
void TestRowsPace::f26_tooManyRequests()
{
    const QByteArray words =
        "Your IP is issuing too many concurrent connections, please rate limit your calls\n";
    Agent agent;
    LeaseOptions options = shortLease(agent);
    Candidate candidate(options);
    QVERIFY(candidate.lead());
    for (const Kind kind : {Kind::Create, Kind::Info, Kind::Read, Kind::Watch, Kind::Txn})
        agent.answer(kind, 429, words);
    agent.putValue("wakes the poll that is open");
    QVERIFY(candidate.waitFor(u"error rate_limited"_s));
    const int served = candidate.count(u"renewed"_s);
    QVERIFY(candidate.waitFor(u"renewed"_s, served + 10));
    QVERIFY(candidate.provider.isLeading());

    const Lease lease = candidate.provider.lease();
    agent.answer(Kind::Renew, 429, words);
    const Instant faulty = bootNow();
    QVERIFY(candidate.waitFor(u"lost local_deadline_exceeded"_s));
    QVERIFY(candidate.last(u"lost"_s)->at - faulty < ShortWindow + Late);
    QVERIFY(!lease.isHeld());

    QTRY_VERIFY_WITH_TIMEOUT(agent.count(Kind::Create) >= 5, Patience);
    const QList<ScriptedAgent::Seen> tries = agent.seen(Kind::Create); // The first was the good one.
    const auto gap = [&](int i) { return tries[i + 1].at - tries[i].at; };
    QVERIFY(gap(1) > 60ms);
    QVERIFY(gap(2) > 140ms);
    QVERIFY(gap(3) > 300ms);
    QVERIFY(gap(1) != 100ms && gap(2) != 200ms);
    QCOMPARE(candidate.count(u"error rate_limited"_s), 1);
    agent.heal();
    QVERIFY(candidate.waitFor(u"acquired"_s, 2));
}

QTEST_GUILESS_MAIN(TestRowsPace)
#include "tst_rows_pace.moc"
