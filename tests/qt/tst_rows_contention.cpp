// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <QtCore/QFutureWatcher>

#include <algorithm>
#include <memory>
#include <vector>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// Field reports about many candidates at once: time budgets are kept, and one of them wins.
class TestRowsContention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f41_budgets();
    void f41_oneWins();
};

namespace {

using Timeout = std::optional<std::chrono::milliseconds>;

/// One acquire() of a provider of its own, and when it had a result.
struct Attempt
{
    Attempt(const Agent &agent, Timeout timeout_) : timeout(timeout_), provider(longLease(agent))
    {
        QObject::connect(&watcher, &QFutureWatcherBase::finished, &watcher, [this] { ended = bootNow(); });
        watcher.setFuture(provider.acquire(timeout));
    }

    [[nodiscard]] bool isFinished() const { return ended.has_value(); }
    [[nodiscard]] AcquireOutcome outcome() const { return watcher.result().outcome; }

    const Timeout timeout;
    const Instant begun = bootNow();
    std::optional<Instant> ended;
    LeaseProvider provider;
    QFutureWatcher<AcquireResult> watcher;
};

} // namespace

void TestRowsContention::f41_budgets()
{
    Agent agent;
    agent.setHolder(Stranger, batonValue(Stranger, 0ms));
    const Timeout timeouts[] = {std::chrono::milliseconds::min(), -1ms,        0ms, 1ms, 999ms, 2h,
                                std::chrono::milliseconds::max(), std::nullopt};
    std::vector<std::unique_ptr<Attempt>> attempts;
    for (size_t i = 0; i < 50; ++i)
        attempts.push_back(std::make_unique<Attempt>(agent, timeouts[i % std::size(timeouts)]));

    const auto isShort = [](const auto &attempt) { return attempt->timeout && *attempt->timeout <= 999ms; };
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::all_of(attempts, [&](const auto &a) { return a->isFinished() == isShort(a); }),
        Patience);
    Core::Duration worst{};
    for (const auto &attempt : attempts) {
        if (!isShort(attempt))
            continue;
        QCOMPARE(attempt->outcome(), AcquireOutcome::TimedOut);
        const auto took = *attempt->ended - attempt->begun;
        QVERIFY(took >= std::max(*attempt->timeout, 0ms));
        worst = std::max(worst, took - std::max(*attempt->timeout, 0ms));
    }
    qInfo("the latest time-out came %.1f ms after its time", double(worst.count()) / 1e6);
    QVERIFY(worst < 2 * Late); // Fifty providers, each with its connections.

    // The others still wait, and can be called off.
    const Instant cancelled = bootNow();
    for (const auto &attempt : attempts)
        attempt->watcher.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(attempts, [](const auto &a) { return a->isFinished(); }),
                             Patience);
    QVERIFY(bootNow() - cancelled < Late);
    QCOMPARE(agent.count(Kind::Txn), 0);
    for (const auto &seen : agent.seen(Kind::Watch))
        QCOMPARE(seen.request.query.queryItemValue(u"wait"_s), u"1000ms"_s);
}

void TestRowsContention::f41_oneWins()
{
    Agent agent;
    agent.setHolder(Stranger, batonValue(Stranger, 0ms));
    std::vector<std::unique_ptr<Candidate>> candidates;
    for (int i = 0; i < 20; ++i) {
        candidates.push_back(std::make_unique<Candidate>(longLease(agent)));
        candidates.back()->provider.start();
    }
    for (const auto &candidate : candidates)
        QVERIFY(candidate->waitFor(u"waiting held"_s));
    agent.releaseKey();
    const auto leaders = [&] {
        return std::ranges::count_if(candidates, [](const auto &c) { return c->provider.isLeading(); });
    };
    QTRY_COMPARE_WITH_TIMEOUT(leaders(), 1, Patience);
    const QString session = agent.key()->session;
    for (const auto &candidate : candidates) {
        if (!candidate->provider.isLeading())
            QVERIFY(candidate->waitFor(u"leader "_s + session));
    }
    QCOMPARE(leaders(), 1);
    QCOMPARE(agent.key()->lockIndex, 2); // The stranger's lock and one more.
    for (const auto &candidate : candidates)
        QVERIFY(candidate->errors.isEmpty());
}

QTEST_GUILESS_MAIN(TestRowsContention)
#include "tst_rows_contention.moc"
