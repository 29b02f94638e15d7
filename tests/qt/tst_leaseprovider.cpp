// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace RowsFixture;

/// What start() and stop() say, however often and at whatever moment they are called.
class TestLeaseProvider : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stoppedOnceForManyStops_data();
    void stoppedOnceForManyStops();
    void startTakesTheStopBack();
    void stopInTheSlotOfStopped();
    void stoppedOfAnAcquireAndOfAStop();
    void stopBeforeTheTokenFileIsRead_data();
    void stopBeforeTheTokenFileIsRead();
};

void TestLeaseProvider::stoppedOnceForManyStops_data()
{
    QTest::addColumn<QString>("moment");
    QTest::addColumn<int>("stops");
    for (const QString &moment :
         {u"never started"_s, u"just started"_s, u"opening"_s, u"waiting"_s, u"leading"_s, u"stopped"_s}) {
        for (const int stops : {1, 2, 5})
            QTest::addRow("%s, %d times", qPrintable(moment), stops) << moment << stops;
    }
}

void TestLeaseProvider::stoppedOnceForManyStops()
{
    QFETCH(QString, moment);
    QFETCH(int, stops);
    Agent agent;
    Candidate candidate(longLease(agent));
    LeaseProvider &provider = candidate.provider;
    int before = 0;
    if (moment == "waiting"_L1)
        agent.setHolder(Stranger, "somebody else");
    if (moment == "opening"_L1)
        agent.blackhole(Kind::Create);
    if (moment != "never started"_L1)
        provider.start();
    if (moment == "opening"_L1)
        QVERIFY(blockUntil([&] { return agent.count(Kind::Create) == 1; }));
    else if (moment == "waiting"_L1)
        QVERIFY(candidate.waitFor(u"waiting"_s));
    else if (moment == "leading"_L1 || moment == "stopped"_L1)
        QVERIFY(candidate.waitFor(u"acquired"_s));
    if (moment == "stopped"_L1) {
        provider.stop();
        QVERIFY(candidate.waitFor(u"stopped"_s));
        ++before;
    }

    for (int i = 0; i < stops; ++i)
        provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s, before + 1));
    QCOMPARE(provider.state(), ProviderState::Idle);
    agent.heal();
    agent.releaseKey();
    QVERIFY(candidate.lead()); // Whatever was on its way has arrived by then.
    QCOMPARE(candidate.count(u"stopped"_s), before + 1);
}

void TestLeaseProvider::startTakesTheStopBack()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    for (int i = 0; i < 3; ++i)
        candidate.provider.stop();
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.count(u"lost released"_s), 1);
    QCOMPARE(candidate.count(u"stopped"_s), 0);
}

void TestLeaseProvider::stopInTheSlotOfStopped()
{
    Agent agent;
    Candidate candidate(longLease(agent));
    QVERIFY(candidate.lead());
    QObject::connect(&candidate.provider, &LeaseProvider::stopped, &candidate.provider, [&] {
        if (candidate.count(u"stopped"_s) == 1)
            candidate.provider.stop();
    });
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s, 2)); // That stop() is another one, and is answered too.
    QVERIFY(candidate.lead()); // Whatever was on its way has arrived by then.
    QCOMPARE(candidate.count(u"stopped"_s), 2);
}

/// The campaign of an acquire() has ended, and stop() is called before that is known here.
void TestLeaseProvider::stoppedOfAnAcquireAndOfAStop()
{
    Agent agent;
    agent.goDown();
    Candidate candidate(longLease(agent));
    QCOMPARE(candidate.provider.tryAcquire().result().outcome,
             AcquireOutcome::Failed); // No event loop turned.
    candidate.provider.stop();
    agent.comeUp();
    QVERIFY(candidate.waitFor(u"stopped"_s));
    QVERIFY(candidate.lead()); // Whatever was on its way has arrived by then.
    QCOMPARE(candidate.count(u"stopped"_s), 1);
}

void TestLeaseProvider::stopBeforeTheTokenFileIsRead_data()
{
    QTest::addColumn<bool>("acquire");
    QTest::newRow("start()") << false;
    QTest::newRow("acquire()") << true;
}

/// The file gives its token only after stop(): what was asked for before it must not begin any more.
void TestLeaseProvider::stopBeforeTheTokenFileIsRead()
{
#ifdef Q_OS_UNIX
    QFETCH(bool, acquire);
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath(u"token"_s).toLocal8Bit();
    QCOMPARE(mkfifo(path.constData(), 0600), 0);
    Agent agent;
    LeaseOptions options = longLease(agent);
    options.tokenFile = QString::fromLocal8Bit(path);
    Candidate candidate(options);
    QFuture<AcquireResult> future;
    if (acquire)
        future = candidate.provider.acquire();
    else
        candidate.provider.start();
    candidate.provider.stop();
    QVERIFY(candidate.waitFor(u"stopped"_s));

    const int end = ::open(path.constData(), O_WRONLY);
    QCOMPARE(::write(end, "secret\n", 7), 7);
    ::close(end);
    if (acquire)
        QCOMPARE(future.result().outcome, AcquireOutcome::Cancelled);
    // The next order reads a file too, and so comes after what was asked for before.
    QCOMPARE(::unlink(path.constData()), 0);
    QFile file(options.tokenFile);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("secret\n") == 7);
    file.close();
    QCOMPARE(candidate.provider.acquire().result().outcome, AcquireOutcome::Won);
    QCOMPARE(agent.count(Kind::Create), 1);
    QCOMPARE(candidate.count(u"stopped"_s), 1);
#endif
}

QTEST_GUILESS_MAIN(TestLeaseProvider)
#include "tst_leaseprovider.moc"
