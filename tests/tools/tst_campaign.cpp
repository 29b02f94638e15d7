// SPDX-License-Identifier: MIT
#include "campaignprocess.h"
#include "consulagent.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Baton::Testing;
using namespace Qt::StringLiterals;

// `baton campaign` against a real Consul: what it does, and what it says about it.
class TestCampaign : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void termsAndCommands();
    void anotherTakesOver();
    void f14_signalEndsItInOrder_data();
    void f14_signalEndsItInOrder();
    void secondSignalEndsItAtOnce();
    void quitWithAFrozenAgent();
    void riskAndLoss();
    void sessionDestroyed();
    void writeWhoseAnswerIsLost();
    void addressByOptionWins();

private:
    QStringList options(const QString &instance) const;
    QStringList quickOptions() const;
    StoredKey stored() const;
    bool sessionExists(const QString &id) const;

    ConsulAgent m_agent;
    QString m_service;
    QString m_key;
};

void TestCampaign::initTestCase()
{
    m_agent.setConfig({{u"session_ttl_min"_s, u"100ms"_s}});
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

// An election for each row.
void TestCampaign::init()
{
    static int rows = 0;
    m_service = u"%1-%2"_s.arg(QLatin1StringView(QTest::currentTestFunction())).arg(++rows);
    m_key = u"service/%1/leader"_s.arg(m_service);
}

QStringList TestCampaign::options(const QString &instance) const
{
    return {u"--service"_s, m_service, u"--address"_s, m_agent.address(), u"--instance"_s, instance};
}

// The lease lasts 1.6 s after a renewal, and Consul ends the session after 4 s.
QStringList TestCampaign::quickOptions() const
{
    return options(u"a"_s)
        + QStringList{u"--allow-short-ttl"_s, u"--ttl"_s, u"2s"_s, u"--lock-delay"_s, u"2s"_s,
                      u"--margin"_s,          u"400ms"_s};
}

StoredKey TestCampaign::stored() const
{
    return m_agent.key(m_key).value_or(StoredKey{});
}

bool TestCampaign::sessionExists(const QString &id) const
{
    const auto answer = m_agent.request("GET", "/v1/session/info/" + id.toLatin1());
    return !QJsonDocument::fromJson(answer.body).array().isEmpty();
}

void TestCampaign::termsAndCommands()
{
    CampaignProcess baton(options(u"a"_s));
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    const QJsonObject acquired = baton.last("acquired"_L1);
    const QString session = acquired["session"_L1].toString();
    QCOMPARE(baton.last("started"_L1)["key"_L1].toString(), m_key);
    QCOMPARE(baton.last("started"_L1)["pid"_L1].toInteger(), baton.processId());
    QCOMPARE(baton.last("started"_L1)["window_ms"_L1].toInteger(), 8000);
    QCOMPARE(baton.last("session"_L1)["session"_L1].toString(), session);
    QCOMPARE(stored().session, session);
    QCOMPARE(stored().modifyIndex, quint64(acquired["token"_L1].toInteger()));
    QVERIFY(acquired["left_ms"_L1].toInteger() > 0 && acquired["left_ms"_L1].toInteger() <= 8000);

    baton.command("write data/" + m_service.toLatin1() + "  two  blanks, kept ");
    WAIT_FOR_EVENTS(baton, "written", 1);
    QCOMPARE(m_agent.key(u"data/"_s + m_service)->value, QByteArray(" two  blanks, kept "));
    QCOMPARE(baton.last("written"_L1)["token"_L1], acquired["token"_L1]);
    baton.command("write a//b x");
    WAIT_FOR_EVENTS(baton, "rejected", 1);
    QCOMPARE(baton.last("rejected"_L1)["key"_L1].toString(), u"a//b"_s);
    QVERIFY(!baton.last("rejected"_L1)["detail"_L1].toString().isEmpty());
    baton.command("status");
    WAIT_FOR_EVENTS(baton, "status", 1);
    QCOMPARE(baton.last("status"_L1)["leading"_L1].toBool(), true);
    QCOMPARE(baton.last("status"_L1)["token"_L1], acquired["token"_L1]);
    QVERIFY(baton.last("status"_L1)["left_ms"_L1].toInteger() > 0);
    WAIT_FOR_EVENTS(baton, "renewed", 1);
    QVERIFY(baton.last("renewed"_L1)["left_ms"_L1].toInteger() > 0);
    QVERIFY(baton.last("renewed"_L1)["round_trip_us"_L1].toInteger() > 0);
    baton.command("frobnicate");
    WAIT_FOR_EVENTS(baton, "error", 1);
    QVERIFY(baton.last("error"_L1)["detail"_L1].toString().contains("'frobnicate'"_L1));

    baton.command("release");
    WAIT_FOR_EVENTS(baton, "released", 1);
    QTRY_VERIFY(!sessionExists(session));
    QVERIFY(stored().session.isEmpty());
    baton.command("write data/" + m_service.toLatin1() + " late");
    WAIT_FOR_EVENTS(baton, "rejected", 2);
    QVERIFY(!baton.last("rejected"_L1).contains("token"_L1));
    QCOMPARE(m_agent.key(u"data/"_s + m_service)->value, QByteArray(" two  blanks, kept "));

    baton.command("resume");
    WAIT_FOR_EVENTS(baton, "acquired", 2);
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.count("released"_L1), 2);
    QCOMPARE(baton.count("lost"_L1), 0);
    QVERIFY(stored().session.isEmpty());
    QCOMPARE(baton.broken(), QString());
    QCOMPARE(baton.errorOutput(), QByteArray());
}

void TestCampaign::anotherTakesOver()
{
    CampaignProcess first(options(u"a"_s));
    QVERIFY(first.start());
    WAIT_FOR_EVENTS(first, "acquired", 1);
    CampaignProcess second(options(u"b"_s));
    QVERIFY(second.start());
    WAIT_FOR_EVENTS(second, "waiting", 1);
    QCOMPARE(second.last("waiting"_L1)["why"_L1].toString(), u"held"_s);
    QCOMPARE(second.last("waiting"_L1)["session"_L1], first.last("acquired"_L1)["session"_L1]);
    WAIT_FOR_EVENTS(second, "leader", 1);
    QCOMPARE(second.last("leader"_L1)["leader"_L1].toString(), u"a"_s);
    QCOMPARE(second.last("leader"_L1)["token"_L1], first.last("acquired"_L1)["token"_L1]);
    QCOMPARE(second.last("leader"_L1)["instance"_L1].toString(), u"b"_s);
    QCOMPARE(second.count("acquired"_L1), 0);

    first.command("quit");
    WAIT_FOR_EVENTS(second, "acquired", 1);
    QVERIFY(second.last("acquired"_L1)["token"_L1].toInteger()
            > first.last("acquired"_L1)["token"_L1].toInteger());
    QVERIFY(first.waitForExit());
    // Both read the same clock, and the old term is over before the new one begins.
    QVERIFY(first.last("released"_L1)["t"_L1].toInteger() < second.last("acquired"_L1)["t"_L1].toInteger());
    QCOMPARE(first.last("released"_L1)["boot"_L1], second.last("acquired"_L1)["boot"_L1]);
    second.command("quit");
    QVERIFY(second.waitForExit());
    QCOMPARE(first.broken(), QString());
    QCOMPARE(second.broken(), QString());
}

void TestCampaign::f14_signalEndsItInOrder_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestCampaign::f14_signalEndsItInOrder()
{
    QFETCH(int, number);
    CampaignProcess baton(options(u"a"_s));
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    baton.signal(number);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.story().mid(baton.story().size() - 2), (QStringList{u"released"_s, u"stopped"_s}));
    QVERIFY(stored().session.isEmpty());
    QVERIFY(!sessionExists(baton.last("acquired"_L1)["session"_L1].toString()));
    QCOMPARE(baton.broken(), QString());
}

void TestCampaign::secondSignalEndsItAtOnce()
{
    CampaignProcess baton(options(u"a"_s) + QStringList{u"--stop-timeout"_s, u"60s"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    QVERIFY(m_agent.freeze());
    const QScopeGuard thaw([this] { m_agent.thaw(); });
    baton.signal(SIGTERM);
    WAIT_FOR_EVENTS(baton, "released", 1);
    baton.signal(SIGINT);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 128 + SIGINT);
    QCOMPARE(baton.count("stopped"_L1), 0);
}

void TestCampaign::quitWithAFrozenAgent()
{
    CampaignProcess baton(options(u"a"_s) + QStringList{u"--stop-timeout"_s, u"1s"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    QVERIFY(m_agent.freeze());
    const QScopeGuard thaw([this] { m_agent.thaw(); });
    QElapsedTimer clock;
    clock.start();
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QVERIFY2(clock.elapsed() < 10'000, QByteArray::number(clock.elapsed()));
    qInfo("ended after %lld ms", clock.elapsed());
    QCOMPARE(baton.count("released"_L1), 1);
    QCOMPARE(baton.count("stopped"_L1), 1);
    QCOMPARE(baton.broken(), QString());
}

void TestCampaign::riskAndLoss()
{
    CampaignProcess baton(quickOptions());
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    // Half of the window passes without a renewal, but not all of it. Where the machine is too busy for that,
    // the term is lost, and the next one is asked.
    const QScopeGuard thaw([this] { m_agent.thaw(); });
    for (int attempt = 1; baton.count("safe"_L1) == 0 && attempt <= 5; ++attempt) {
        WAIT_FOR_EVENTS(baton, "acquired", baton.count("lost"_L1) + 1);
        const auto risks = baton.count("at_risk"_L1);
        QVERIFY(m_agent.freeze());
        WAIT_FOR_EVENTS(baton, "at_risk", risks + 1);
        m_agent.thaw();
        const auto ends = baton.count("safe"_L1) + baton.count("lost"_L1);
        QTRY_VERIFY_WITH_TIMEOUT(baton.count("safe"_L1) + baton.count("lost"_L1) > ends, 30'000);
    }
    QCOMPARE(baton.count("safe"_L1), 1);
    QVERIFY(baton.last("at_risk"_L1)["left_ms"_L1].toInteger() < 800);

    const auto losses = baton.count("lost"_L1);
    QVERIFY(m_agent.freeze());
    WAIT_FOR_EVENTS(baton, "lost", losses + 1);
    QCOMPARE(baton.last("lost"_L1)["reason"_L1].toString(), u"local_deadline_exceeded"_s);
    m_agent.thaw();
    WAIT_FOR_EVENTS(baton, "acquired", losses + 2);
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.count("released"_L1), 1);
    QCOMPARE(baton.broken(), QString());
}

void TestCampaign::sessionDestroyed()
{
    CampaignProcess baton(options(u"a"_s) + QStringList{u"--lock-delay"_s, u"1s"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    QVERIFY(m_agent.destroySession(baton.last("acquired"_L1)["session"_L1].toString()));
    WAIT_FOR_EVENTS(baton, "lost", 1);
    QCOMPARE(baton.last("lost"_L1)["reason"_L1].toString(), u"session_expired"_s);
    QVERIFY(!baton.last("lost"_L1)["detail"_L1].toString().isEmpty());
    WAIT_FOR_EVENTS(baton, "acquired", 2);
    QCOMPARE(baton.last("waiting"_L1)["why"_L1].toString(), u"lock_delay"_s);
    QVERIFY(baton.last("waiting"_L1)["retry_in_ms"_L1].toInteger() <= 1000);
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.broken(), QString());
}

// It may have been written, so it is not called rejected; and quitting answers it before the end.
void TestCampaign::writeWhoseAnswerIsLost()
{
    CampaignProcess baton(options(u"a"_s));
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    QVERIFY(m_agent.freeze());
    const QScopeGuard thaw([this] { m_agent.thaw(); });
    baton.command("write data/lost x");
    baton.command("quit");
    QVERIFY(baton.waitForExit());
    const auto answer = std::find_if(baton.lines().begin(), baton.lines().end(), [](const QJsonObject &line) {
        return line["key"_L1] == "data/lost"_L1;
    });
    QVERIFY(answer != baton.lines().end());
    QCOMPARE((*answer)["event"_L1].toString(), u"error"_s);
    QCOMPARE((*answer)["outcome"_L1].toString(), u"unknown"_s);
    QCOMPARE((*answer)["step"_L1].toString(), u"write"_s);
    QCOMPARE(baton.story().last(), u"stopped"_s);
    QCOMPARE(baton.broken(), QString());
}

void TestCampaign::addressByOptionWins()
{
    CampaignProcess baton(options(u"a"_s));
    baton.setVariable(u"CONSUL_HTTP_ADDR"_s, u"127.0.0.1:1"_s);
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    CampaignProcess byVariable({u"--service"_s, m_service});
    byVariable.setVariable(u"CONSUL_HTTP_ADDR"_s, m_agent.address());
    QVERIFY(byVariable.start());
    WAIT_FOR_EVENTS(byVariable, "waiting", 1);
}

QTEST_GUILESS_MAIN(TestCampaign)
#include "tst_campaign.moc"
