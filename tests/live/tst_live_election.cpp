// SPDX-License-Identifier: MIT
#include "candidate.h"
#include "consulagent.h"

#include <lab/candidateprocess.h>
#include <lab/failoverlog.h>

#include <QTest>

#include <map>
#include <memory>

using namespace Baton;
using namespace Baton::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Lab::CandidateProcess;

// Eight processes in one election, on a real Consul, whose leader goes in three ways.
class TestLiveElection : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void eightCandidatesTwentyTerms();

private:
    void follow(CandidateProcess &candidate);
    CandidateProcess *leader() const;

    std::vector<std::unique_ptr<CandidateProcess>> m_candidates;
    Lab::FailoverLog m_log;
    // Terms begun and ended as each process itself told it; a killed one cannot tell the end.
    std::map<QString, int> m_open;
    QStringList m_broken;
};

void TestLiveElection::follow(CandidateProcess &candidate)
{
    connect(&candidate, &CandidateProcess::event, this, [this, &candidate](const QJsonObject &line) {
        const QString kind = line["event"_L1].toString();
        const CandidateProcess::Instant at{line["t"_L1].toInteger()};
        int &open = m_open[candidate.name()];
        if (kind == "acquired"_L1) {
            if (++open != 1)
                m_broken += u"%1 acquired twice"_s.arg(candidate.name());
            m_log.begin(candidate.name(), candidate.token().value_or(0), at);
        } else if (kind == "lost"_L1 || kind == "released"_L1) {
            if (--open != 0)
                m_broken += u"%1 lost what it did not have"_s.arg(candidate.name());
            m_log.end(candidate.name(), std::min(at, candidate.localDeadline()));
        }
    });
}

CandidateProcess *TestLiveElection::leader() const
{
    CandidateProcess *found = nullptr;
    for (const auto &candidate : m_candidates) {
        if (candidate->condition() == CandidateProcess::Condition::Leading)
            found = candidate.get();
    }
    return found;
}

void TestLiveElection::eightCandidatesTwentyTerms()
{
    constexpr int Candidates = 8;
    constexpr qsizetype Terms = 20;
    ConsulAgent agent;
    agent.setConfig(shortSessions());
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    for (int i = 1; i <= Candidates; ++i) {
        const QString name = u"candidate-%1"_s.arg(i);
        m_candidates.push_back(std::make_unique<CandidateProcess>(
            name, QStringLiteral(BATON_PROGRAM),
            QStringList{u"campaign"_s, u"--service"_s, u"eight"_s, u"--address"_s, agent.address(),
                        u"--instance"_s, name, u"--ttl"_s, u"1s"_s, u"--lock-delay"_s, u"1s"_s, u"--margin"_s,
                        u"200ms"_s, u"--allow-short-ttl"_s}));
        follow(*m_candidates.back());
    }
    for (const auto &candidate : m_candidates)
        candidate->start();
    WAIT_FOR(leader());

    while (m_log.terms().size() < size_t(Terms)) {
        CandidateProcess *former = leader();
        QVERIFY(former);
        const size_t before = m_log.terms().size();
        switch (before % 3) {
        case 0:
            former->command("release");
            WAIT_FOR(m_log.terms().size() > before);
            former->command("resume");
            break;
        case 1:
            former->crash();
            WAIT_FOR(!former->isRunning());
            m_log.end(former->name(), bootTime());
            m_open[former->name()] = 0;
            WAIT_FOR(m_log.terms().size() > before);
            former->start();
            break;
        default:
            former->freeze();
            WAIT_FOR(m_log.terms().size() > before);
            m_log.end(former->name(), former->localDeadline());
            former->thaw();
            WAIT_FOR(!former->token());
        }
        WAIT_FOR(leader());
        QVERIFY2(m_broken.isEmpty(), qPrintable(m_broken.join(u'\n')));
    }
    for (const auto &candidate : m_candidates)
        candidate->terminate();
    WAIT_FOR(
        std::none_of(m_candidates.begin(), m_candidates.end(), [](const auto &c) { return c->isRunning(); }));

    for (const auto &[name, open] : m_open)
        QVERIFY2(open == 0, qPrintable(u"%1 never told the end of its last term"_s.arg(name)));
    QVERIFY(m_log.tokensRise());
    QCOMPARE(m_log.overlaps(), 0);
    QStringList tokens;
    for (const auto &term : m_log.terms())
        tokens += QString::number(term.token);
    qInfo("%zu terms of %d candidates, tokens %s, overlaps %d", m_log.terms().size(), Candidates,
          qPrintable(tokens.join(u" < "_s)), m_log.overlaps());
}

QTEST_GUILESS_MAIN(TestLiveElection)
#include "tst_live_election.moc"
