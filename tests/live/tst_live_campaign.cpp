// SPDX-License-Identifier: MIT
#include "campaigncandidate.h"
#include "consulagent.h"

#include <QTest>

#include <algorithm>
#include <csignal>
#include <memory>
#include <vector>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int candidateCount = 8;
constexpr int termCount = 20;

struct Term
{
    quint64 token = 0;
    BootTime from{};
    std::optional<BootTime> until; // Nothing: as far as anybody said, it leads.
    QString who;
};

} // namespace

// Candidates as separate processes, `baton campaign`.
class TestLiveCampaign : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void twentyTerms();
    void f14_endsInOrder_data();
    void f14_endsInOrder();

private:
    CampaignCandidate *startOne();
    [[nodiscard]] CampaignCandidate *leader() const;
    [[nodiscard]] CampaignCandidate *leaderAfter(quint64 token) const;
    [[nodiscard]] QList<Term> terms() const;
    void release(CampaignCandidate *leader);
    void kill(CampaignCandidate *leader);
    void stopUntilTheNextLeads(CampaignCandidate *leader);
    void checkTerms() const;

    std::unique_ptr<ConsulAgent> m_agent;
    LeaseOptions m_options;
    std::vector<std::unique_ptr<CampaignCandidate>> m_candidates; // Dead ones stay, for what they said.
    QMap<quint64, BootTime> m_halted; // By token: a process that is dead or stands still leads no more.
};

void TestLiveCampaign::init()
{
    m_agent = std::make_unique<ConsulAgent>();
    m_agent->setConfig(shortSessions());
    QVERIFY2(m_agent->start(), qPrintable(m_agent->errorString()));
    m_options = quickOptions(*m_agent, QLatin1StringView(QTest::currentTestFunction()));
}

void TestLiveCampaign::cleanup()
{
    m_candidates.clear();
    m_halted.clear();
    m_agent.reset();
}

CampaignCandidate *TestLiveCampaign::startOne()
{
    m_candidates.push_back(std::make_unique<CampaignCandidate>(m_options));
    m_candidates.back()->start();
    return m_candidates.back().get();
}

CampaignCandidate *TestLiveCampaign::leader() const
{
    return leaderAfter(0);
}

CampaignCandidate *TestLiveCampaign::leaderAfter(quint64 token) const
{
    for (const auto &candidate : m_candidates) {
        if (!candidate->haltedAt() && candidate->term() && candidate->term()->token() > token)
            return candidate.get();
    }
    return nullptr;
}

QList<Term> TestLiveCampaign::terms() const
{
    QList<Term> result;
    for (const auto &candidate : m_candidates) {
        std::optional<Term> open;
        for (const auto &event : candidate->events()) {
            if (event.name == u"acquired") {
                open = Term{event.token(), event.at, std::nullopt, candidate->name()};
            } else if (open && event.endsATerm()) {
                open->until = std::min(event.at, m_halted.value(open->token, event.at));
                result.append(*std::exchange(open, std::nullopt));
            }
        }
        if (open) {
            if (m_halted.contains(open->token))
                open->until = m_halted.value(open->token);
            result.append(*open);
        }
    }
    std::sort(result.begin(), result.end(), [](const Term &a, const Term &b) { return a.from < b.from; });
    return result;
}

void TestLiveCampaign::release(CampaignCandidate *leader)
{
    const auto terms = leader->events(u"released"_s).size();
    leader->command("release");
    WAIT_FOR(leader->events(u"released"_s).size() > terms || !leader->term());
    leader->command("resume");
}

void TestLiveCampaign::kill(CampaignCandidate *leader)
{
    const quint64 token = leader->term()->token();
    leader->kill();
    m_halted.insert(token, *leader->haltedAt());
    startOne();
}

void TestLiveCampaign::stopUntilTheNextLeads(CampaignCandidate *leader)
{
    const auto term = *leader->term();
    QVERIFY(leader->freeze());
    m_halted.insert(term.token(), *leader->haltedAt());
    WAIT_FOR(leaderAfter(term.token()));

    // What it reads first when it goes on: who leads, and a write under the old term.
    const BootTime continued = bootTime();
    const auto said = leader->events().size();
    leader->command("status");
    leader->command("write work/" + QByteArray::number(term.token()) + " late");
    leader->thaw();
    const auto answer = [&](QStringView name) {
        const auto &events = leader->events();
        return std::find_if(events.begin() + said, events.end(), [&](const CampaignCandidate::Event &event) {
            return event.name == name && event.at >= continued;
        });
    };
    WAIT_FOR(answer(u"status") != leader->events().end());
    WAIT_FOR(answer(u"rejected") != leader->events().end());
    const auto status = *answer(u"status");
    // Its campaign for the next term goes on, and may win that; but the old one is over.
    QVERIFY(!status.fields.value(u"leading"_s).toBool() || status.token() > term.token());
    QVERIFY(answer(u"written") == leader->events().end());
    QVERIFY(!m_agent->key(u"work/%1"_s.arg(term.token())));
}

void TestLiveCampaign::twentyTerms()
{
    // Consul ends a session of these after 2 s. A machine so busy that a lease of 0.9 s is lost for want of a
    // renewal adds terms and breaks no rule.
    m_options.ttl = 1s;
    m_options.lockDelay = 1s;
    m_options.margin = 100ms;
    for (int i = 0; i < candidateCount; ++i)
        startOne();
    const auto waiting = [this] {
        return std::count_if(m_candidates.begin(), m_candidates.end(),
                             [](const auto &candidate) { return candidate->isWaiting(); });
    };
    WAIT_FOR(leader() && waiting() == candidateCount - 1);
    QCOMPARE(terms().size(), 1);

    quint64 last = 0;
    for (int done = 0; done < termCount; ++done) {
        WAIT_FOR(leaderAfter(last));
        CampaignCandidate *current = leaderAfter(last);
        last = current->term()->token();
        if (done % 3 == 0)
            release(current);
        else if (done % 3 == 1)
            kill(current);
        else
            stopUntilTheNextLeads(current);
        if (QTest::currentTestFailed())
            return;
    }
    WAIT_FOR(leaderAfter(last));
    checkTerms();
}

void TestLiveCampaign::checkTerms() const
{
    const QList<Term> all = terms();
    QVERIFY(all.size() > termCount);
    BootTime nearest = BootTime::max();
    for (qsizetype i = 1; i < all.size(); ++i) {
        const Term &before = all.at(i - 1);
        const Term &after = all.at(i);
        QVERIFY2(after.token > before.token, qPrintable(after.who));
        QVERIFY2(before.until && *before.until <= after.from,
                 qPrintable(u"%1 with token %2 and %3 with token %4 lead at once"_s.arg(before.who)
                                .arg(before.token)
                                .arg(after.who)
                                .arg(after.token)));
        nearest = std::min(nearest, after.from - *before.until);
    }
    QVERIFY(!all.last().until);
    // Each process for itself: acquired and an end take turns.
    for (const auto &candidate : m_candidates) {
        bool leads = false;
        for (const auto &event : candidate->events()) {
            if (event.name != u"acquired" && !event.endsATerm())
                continue;
            QVERIFY2(leads == event.endsATerm(), qPrintable(candidate->name()));
            leads = !leads;
        }
    }
    qInfo("%lld terms, tokens %llu to %llu; an end came %.1f ms or more before the next beginning",
          static_cast<long long>(all.size()), all.first().token, all.last().token, inMs(nearest));
}

void TestLiveCampaign::f14_endsInOrder_data()
{
    QTest::addColumn<int>("agent");
    QTest::addColumn<std::chrono::milliseconds>("bound");
    QTest::newRow("healthy agent") << 0 << 3000ms;
    // 5 s are what stop() is given.
    QTest::newRow("frozen agent") << 1 << 8000ms;
    QTest::newRow("dead agent") << 2 << 8000ms;
}

void TestLiveCampaign::f14_endsInOrder()
{
    QFETCH(int, agent);
    QFETCH(std::chrono::milliseconds, bound);
    // Long enough that the lease is still held when it shall end.
    m_options = balancedOptions(*m_agent, m_options.serviceName);
    CampaignCandidate *leader = startOne();
    WAIT_FOR(leader->term());
    CampaignCandidate *rival = startOne();
    WAIT_FOR(rival->isWaiting());
    if (agent == 1)
        QVERIFY(m_agent->freeze());
    else if (agent == 2)
        m_agent->kill();

    const BootTime asked = bootTime();
    leader->signal(SIGTERM);
    WAIT_FOR(!leader->isRunning());
    const BootTime took = bootTime() - asked;
    qInfo("ended after %.1f ms", inMs(took));
    QCOMPARE(leader->exitCode(), 0);
    QVERIFY(took < bound);
    QCOMPARE(leader->events(u"released"_s).size(), 1);
    QCOMPARE(leader->events().last().name, u"stopped"_s);
    if (agent != 0)
        return;
    WAIT_FOR(rival->term());
    qInfo("the next led %.1f ms after the signal, %.1f ms after the lease was given up",
          inMs(rival->term()->at - asked),
          inMs(rival->term()->at - leader->events(u"released"_s).first().at));
    QVERIFY(rival->term()->at > leader->events(u"released"_s).first().at);
    QVERIFY(rival->term()->token() > leader->events(u"acquired"_s).first().token());
}

QTEST_GUILESS_MAIN(TestLiveCampaign)

#include "tst_live_campaign.moc"
