// SPDX-License-Identifier: MIT
#include "campaignprocess.h"
#include "consulagent.h"

#include <QTest>

using namespace Baton::Testing;
using namespace Qt::StringLiterals;

// `baton campaign` where a real Consul comes late, goes, and comes again, and where input ends early.
class TestCampaignRecovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void consulComesUp();
    void writeBeforeTheEndOfInput();

private:
    QStringList options(const QString &service) const
    {
        return {u"--service"_s, service, u"--address"_s, m_agent.address()};
    }

    ConsulAgent m_agent;
};

void TestCampaignRecovery::initTestCase()
{
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

void TestCampaignRecovery::consulComesUp()
{
    m_agent.kill(); // Its address and port stay its own.
    CampaignProcess baton(options(u"late"_s));
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "error", 1);
    QCOMPARE(baton.last("error"_L1)["code"_L1].toString(), u"unreachable"_s);
    QVERIFY(baton.isRunning());

    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    // While it starts, Consul answers before it can make sessions; that is another kind, told once as well.
    const auto unreachable =
        std::count_if(baton.lines().begin(), baton.lines().end(),
                      [](const QJsonObject &line) { return line["code"_L1].toString() == "unreachable"_L1; });
    QCOMPARE(unreachable, 1);
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.broken(), QString());
}

void TestCampaignRecovery::writeBeforeTheEndOfInput()
{
    CampaignProcess baton(options(u"eof"_s) + QStringList{u"--quit-on-eof"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    baton.write("write data/eof last words"); // Not even a line feed at its end.
    baton.closeInput();
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    // Release and write are sent side by side, so Consul may refuse it; but it is answered, and truly.
    QCOMPARE(baton.count("written"_L1) + baton.count("rejected"_L1), 1);
    QCOMPARE(m_agent.key(u"data/eof"_s).has_value(), baton.count("written"_L1) == 1);
    QCOMPARE(baton.story().last(), u"stopped"_s);
    QCOMPARE(baton.broken(), QString());
}

QTEST_GUILESS_MAIN(TestCampaignRecovery)
#include "tst_campaignrecovery.moc"
