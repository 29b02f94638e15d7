// SPDX-License-Identifier: MIT
#include "agentproxy.h"
#include "campaignprocess.h"
#include "consulagent.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace Baton::Testing;
using namespace Qt::StringLiterals;

namespace {
// Standard output of a candidate, read by the test when it likes.
class OutputPipe
{
public:
    OutputPipe()
    {
        if (::pipe2(m_ends, O_CLOEXEC) != 0)
            qFatal("no pipe");
        ::fcntl(m_ends[0], F_SETFL, O_NONBLOCK);
    }
    ~OutputPipe() { closeReader(); }
    Q_DISABLE_COPY_MOVE(OutputPipe)

    void giveTo(CampaignProcess &process)
    {
        process.setInChild([end = m_ends[1]] { ::dup2(end, STDOUT_FILENO); });
    }
    // Once the candidate has it: the end of the candidate then is the end of the pipe.
    void closeWriter() { ::close(std::exchange(m_ends[1], -1)); }
    void closeReader()
    {
        if (m_ends[0] >= 0)
            ::close(std::exchange(m_ends[0], -1));
    }
    // All that is there; true at the end of the pipe.
    bool read(QByteArray &bytes) const
    {
        char piece[64 * 1024];
        ssize_t count = 0;
        while ((count = ::read(m_ends[0], piece, sizeof piece)) > 0)
            bytes.append(piece, count);
        return count == 0;
    }

private:
    int m_ends[2];
};
} // namespace

// Leadership does not depend on who reads what `baton campaign` writes, or writes what it reads.
class TestCampaignStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readerGoes_data();
    void readerGoes();
    void readerDoesNotRead();
    void readerOfAFullDisk();
    void endOfInputIsNotQuit();
    void endOfInputIsQuit();
    void f28_tokenStaysSecret();

private:
    QStringList options(const QString &address) const;
    QString holder() const;

    ConsulAgent m_agent;
};

void TestCampaignStreams::initTestCase()
{
    const QString root = u"00000000-1111-4222-8333-444444444444"_s; // Who sends no token has all rights.
    m_agent.setConfig({{u"acl"_s,
                        QJsonObject{{u"enabled"_s, true},
                                    {u"default_policy"_s, u"deny"_s},
                                    {u"tokens"_s, QJsonObject{{u"master"_s, root}, {u"default"_s, root}}}}}});
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
}

QStringList TestCampaignStreams::options(const QString &address) const
{
    return {u"--service"_s, QLatin1StringView(QTest::currentTestFunction()), u"--address"_s, address};
}

QString TestCampaignStreams::holder() const
{
    const QString key = u"service/%1/leader"_s.arg(QLatin1StringView(QTest::currentTestFunction()));
    return m_agent.key(key).value_or(StoredKey{}).session;
}

void TestCampaignStreams::readerGoes_data()
{
    QTest::addColumn<bool>("leads");
    QTest::newRow("of the leader") << true;
    QTest::newRow("of a waiting candidate, at once") << false;
}

void TestCampaignStreams::readerGoes()
{
    QFETCH(bool, leads);
    CampaignProcess other(options(m_agent.address()));
    if (!leads) {
        QVERIFY(other.start());
        WAIT_FOR_EVENTS(other, "acquired", 1);
    }
    OutputPipe pipe;
    CampaignProcess baton(options(m_agent.address()));
    pipe.giveTo(baton);
    QVERIFY(baton.start());
    pipe.closeWriter();
    QByteArray output;
    const QByteArray awaited = leads ? "\"acquired\"" : "\"waiting\"";
    QTRY_VERIFY_WITH_TIMEOUT((pipe.read(output), output.contains(awaited)), 30'000);
    pipe.closeReader();
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 74);
    QVERIFY(baton.errorOutput().contains("standard output"));
    if (leads)
        QVERIFY(holder().isEmpty());
    else
        QCOMPARE(holder(), other.last("acquired"_L1)["session"_L1].toString());
}

void TestCampaignStreams::readerDoesNotRead()
{
    AgentProxy proxy(m_agent);
    OutputPipe pipe;
    CampaignProcess baton(options(proxy.address()) + QStringList{u"--renew-interval"_s, u"100ms"_s});
    pipe.giveTo(baton);
    QVERIFY(baton.start());
    pipe.closeWriter();
    QTRY_VERIFY_WITH_TIMEOUT(!holder().isEmpty(), 30'000);
    const QString session = holder();

    // More than the pipe and the queue hold; then renewals go on, and so do fenced writes.
    for (int i = 0; i < 30'000; ++i)
        baton.write("status\n");
    baton.command("write data/unread x");
    QTRY_VERIFY_WITH_TIMEOUT(m_agent.key(u"data/unread"_s), 30'000);
    const auto renewals = proxy.count("PUT /v1/session/renew/");
    QTRY_VERIFY_WITH_TIMEOUT(proxy.count("PUT /v1/session/renew/") > renewals + 20, 30'000);
    QCOMPARE(holder(), session);

    // Once there is room, the next event has the number of those that are missing.
    QByteArray output;
    QTRY_VERIFY_WITH_TIMEOUT((pipe.read(output), output.contains("\"dropped\":")), 30'000);
    baton.command("quit");
    QTRY_VERIFY_WITH_TIMEOUT(pipe.read(output), 30'000);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QVERIFY(output.endsWith("\"event\":\"stopped\"}\n"));
    qint64 lines = 0;
    qint64 seq = 0;
    qint64 dropped = 0;
    for (const QByteArray &text : output.split('\n')) {
        if (text.isEmpty())
            continue;
        const QJsonObject line = QJsonDocument::fromJson(text).object();
        QVERIFY2(line["seq"_L1].toInteger() > seq, text);
        seq = line["seq"_L1].toInteger();
        QVERIFY2(line["event"_L1] != "lost"_L1, text);
        dropped = line.contains("dropped"_L1) ? line["dropped"_L1].toInteger() : dropped;
        ++lines;
    }
    QVERIFY(lines > 1000);
    QVERIFY(dropped > 0);
    QCOMPARE(dropped, seq - lines); // What is missing is known, to the line.
    QVERIFY(holder().isEmpty());
}

void TestCampaignStreams::readerOfAFullDisk()
{
    AgentProxy proxy(m_agent);
    CampaignProcess baton(options(proxy.address()) + QStringList{u"--renew-interval"_s, u"100ms"_s});
    baton.setInChild([] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); });
    QVERIFY(baton.start());
    QTRY_VERIFY_WITH_TIMEOUT(!holder().isEmpty(), 30'000);
    const auto renewals = proxy.count("PUT /v1/session/renew/");
    QTRY_VERIFY_WITH_TIMEOUT(proxy.count("PUT /v1/session/renew/") > renewals + 5, 30'000);
    QVERIFY(!holder().isEmpty());
    baton.signal(SIGTERM);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QVERIFY(holder().isEmpty());
}

void TestCampaignStreams::endOfInputIsNotQuit()
{
    CampaignProcess baton(options(m_agent.address()) + QStringList{u"--renew-interval"_s, u"100ms"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    baton.closeInput();
    const auto renewals = baton.count("renewed"_L1);
    WAIT_FOR_EVENTS(baton, "renewed", renewals + 5);
    QVERIFY(baton.isRunning());
    baton.signal(SIGTERM);
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.broken(), QString());
}

void TestCampaignStreams::endOfInputIsQuit()
{
    CampaignProcess baton(options(m_agent.address()) + QStringList{u"--quit-on-eof"_s});
    QVERIFY(baton.start());
    WAIT_FOR_EVENTS(baton, "acquired", 1);
    baton.closeInput();
    QVERIFY(baton.waitForExit());
    QCOMPARE(baton.exitCode(), 0);
    QCOMPARE(baton.count("released"_L1), 1);
    QVERIFY(holder().isEmpty());
    QCOMPARE(baton.broken(), QString());
}

// A wrong token by variable, then the right one by file, which wins; neither is ever shown.
void TestCampaignStreams::f28_tokenStaysSecret()
{
    const QString wrong = u"11111111-2222-4333-8444-555555555555"_s;
    const QString right = u"00000000-1111-4222-8333-444444444444"_s;
    CampaignProcess denied(options(m_agent.address()));
    denied.setVariable(u"CONSUL_HTTP_TOKEN"_s, wrong);
    QVERIFY(denied.start());
    WAIT_FOR_EVENTS(denied, "error", 1);
    QCOMPARE(denied.last("error"_L1)["code"_L1].toString(), u"denied"_s);
    QCOMPARE(denied.last("error"_L1)["status"_L1].toInteger(), 403);
    QCOMPARE(denied.count("session"_L1), 0);

    QTemporaryDir dir;
    QFile file(dir.filePath(u"token"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(right.toLatin1() + '\n');
    file.close();
    CampaignProcess leading(options(m_agent.address()) + QStringList{u"--token-file"_s, file.fileName()});
    leading.setVariable(u"CONSUL_HTTP_TOKEN"_s, wrong);
    QVERIFY(leading.start());
    WAIT_FOR_EVENTS(leading, "acquired", 1);

    for (CampaignProcess *process : {&denied, &leading}) {
        QFile commandLine(u"/proc/%1/cmdline"_s.arg(process->processId()));
        QVERIFY(commandLine.open(QIODevice::ReadOnly));
        QByteArray shown = commandLine.readAll();
        QVERIFY(shown.contains("campaign"));
        process->command("quit");
        QVERIFY(process->waitForExit());
        shown += process->output() + process->errorOutput();
        QVERIFY(!shown.contains(wrong.toLatin1()));
        QVERIFY(!shown.contains(right.toLatin1()));
        QCOMPARE(process->broken(), QString());
    }
}

QTEST_GUILESS_MAIN(TestCampaignStreams)
#include "tst_campaignstreams.moc"
