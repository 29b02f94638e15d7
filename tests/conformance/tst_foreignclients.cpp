// SPDX-License-Identifier: MIT
#include <process.h>

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace Baton::Testing {

using namespace Qt::StringLiterals;

// Clients that nobody here wrote, against `baton agent`: Consul's own program and Debian's python3-consul. A
// client that cannot be had is a failure.
class TestForeignClients : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void consul_kv();
    void consul_lock();
    void consul_lock_waits_for_its_turn();
    void consul_lock_as_a_semaphore();
    void consul_members_and_catalog();
    void python_consul();
    void cleanupTestCase();

private:
    struct Run
    {
        int exitCode = -1;
        QByteArray output;
        QByteArray errors;
    };
    [[nodiscard]] Run consul(const QStringList &words, const QByteArray &input = {}) const;
    void begin(QProcess &process, const QStringList &words) const;

    QString m_consul;
    QProcess m_agent;
    QString m_host;
    QString m_port;
};

namespace {
constexpr int Bound = 30'000; // Milliseconds, for what takes a second.
}

void TestForeignClients::initTestCase()
{
    QProcess script;
    script.start(QStringLiteral(BATON_GET_CONSUL), QStringList());
    QVERIFY(script.waitForFinished(-1));
    QVERIFY2(script.exitCode() == 0, script.readAllStandardError());
    m_consul = QString::fromUtf8(script.readAllStandardOutput().trimmed());

    m_agent.setChildProcessModifier(endWithParent());
    m_agent.start(QStringLiteral(BATON_PROGRAM), {u"agent"_s});
    QTRY_VERIFY_WITH_TIMEOUT(m_agent.canReadLine(), Bound);
    const QString line = QString::fromUtf8(m_agent.readLine());
    const QRegularExpressionMatch url =
        QRegularExpression(u"http://([0-9.]+):([0-9]+)$"_s).match(line.trimmed());
    QVERIFY2(url.hasMatch(), qPrintable(line));
    m_host = url.captured(1);
    m_port = url.captured(2);
    qInfo("%s; %s", qPrintable(line.trimmed()), consul({u"version"_s}).output.split('\n').first().data());
}

void TestForeignClients::begin(QProcess &process, const QStringList &words) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"CONSUL_HTTP_ADDR"_s, m_host + u':' + m_port);
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier(endWithParent());
    process.start(m_consul, words);
}

TestForeignClients::Run TestForeignClients::consul(const QStringList &words, const QByteArray &input) const
{
    QProcess process;
    begin(process, words);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(Bound))
        return {-1, {}, "it does not end"};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void TestForeignClients::consul_kv()
{
    QCOMPARE(consul({u"kv"_s, u"put"_s, u"cli/a"_s, u"hello"_s}).output, "Success! Data written to: cli/a\n");
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"cli/a"_s}).output, "hello\n");
    QCOMPARE(consul({u"kv"_s, u"put"_s, u"-flags=7"_s, u"cli/b/c"_s, u"-"_s}, "from stdin").exitCode, 0);
    const QByteArray detailed = consul({u"kv"_s, u"get"_s, u"-detailed"_s, u"cli/b/c"_s}).output;
    for (const char *line :
         {"Flags            7", "LockIndex        0", "Session          -", "Value            from stdin"})
        QVERIFY2(detailed.contains(line), detailed);
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"-recurse"_s, u"cli/"_s}).output,
             "cli/a:hello\ncli/b/c:from stdin\n");
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"-keys"_s, u"-separator=/"_s, u"cli/"_s}).output, "cli/a\ncli/b/\n");
    QCOMPARE(consul({u"kv"_s, u"put"_s, u"-cas"_s, u"-modify-index=1"_s, u"cli/a"_s, u"x"_s}).errors,
             "Error! Did not write to cli/a: CAS failed\n");
    const QByteArray exported = consul({u"kv"_s, u"export"_s, u"cli/"_s}).output;
    QCOMPARE(consul({u"kv"_s, u"delete"_s, u"-recurse"_s, u"cli/"_s}).output,
             "Success! Deleted keys with prefix: cli/\n");
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"cli/a"_s}).errors, "Error! No key exists at: cli/a\n");
    QCOMPARE(consul({u"kv"_s, u"import"_s, u"-"_s}, exported).output, "Imported: cli/a\nImported: cli/b/c\n");
    QCOMPARE(consul({u"kv"_s, u"delete"_s, u"cli/a"_s}).output, "Success! Deleted key: cli/a\n");
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"cli/a"_s}).exitCode, 1);
}

void TestForeignClients::consul_lock()
{
    const Run run = consul({u"lock"_s, u"-verbose"_s, u"cli/lock"_s, u"echo led; exit 0"_s});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.output.contains("\nled\n"), run.output);
    QVERIFY2(run.output.contains("Cleanup succeeded"), run.output);
    QCOMPARE(consul({u"kv"_s, u"get"_s, u"-recurse"_s, u"cli/lock"_s}).output, "");
}

// Two at once: the second leads when the first has released, woken by its blocking query.
void TestForeignClients::consul_lock_waits_for_its_turn()
{
    QProcess first;
    begin(first, {u"lock"_s, u"-pass-stdin"_s, u"cli/turn"_s, u"echo first; read line; echo over"_s});
    QTRY_VERIFY_WITH_TIMEOUT(first.canReadLine(), Bound);
    QCOMPARE(first.readLine(), "first\n");

    QProcess second;
    begin(second, {u"lock"_s, u"-verbose"_s, u"cli/turn"_s, u"echo second"_s});
    QTRY_VERIFY_WITH_TIMEOUT(second.bytesAvailable() > 0, Bound);
    const Run held = consul({u"kv"_s, u"get"_s, u"-detailed"_s, u"cli/turn/.lock"_s});
    QVERIFY2(!held.output.contains("Session          -"), held.output);
    QVERIFY(!second.readAllStandardOutput().contains("\nsecond\n"));

    first.write("\n");
    QVERIFY(first.waitForFinished(Bound));
    QCOMPARE(first.exitCode(), 0);
    QVERIFY(second.waitForFinished(Bound));
    QCOMPARE(second.exitCode(), 0);
    QVERIFY(second.readAllStandardOutput().contains("\nsecond\n"));
}

void TestForeignClients::consul_lock_as_a_semaphore()
{
    const Run run = consul({u"lock"_s, u"-n=2"_s, u"-verbose"_s, u"cli/semaphore"_s, u"echo one of two"_s});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.output.contains("\none of two\n"), run.output);
}

void TestForeignClients::consul_members_and_catalog()
{
    QVERIFY(consul({u"members"_s}).output.contains("embedded"));
    QVERIFY(consul({u"catalog"_s, u"nodes"_s}).output.contains("embedded"));
    QCOMPARE(consul({u"catalog"_s, u"datacenters"_s}).output, "dc1\n");
    QCOMPARE(consul({u"catalog"_s, u"services"_s}).output, "consul\n");
}

void TestForeignClients::python_consul()
{
    QProcess python;
    python.setProcessChannelMode(QProcess::MergedChannels);
    python.setChildProcessModifier(endWithParent());
    python.start(QStringLiteral(BATON_PYTHON_CLIENT), {m_host, m_port});
    QVERIFY2(python.waitForFinished(Bound), qPrintable(python.errorString()));
    const QByteArray output = python.readAll();
    QVERIFY2(output == "PASS\n" && python.exitCode() == 0, output);
}

void TestForeignClients::cleanupTestCase()
{
    m_agent.terminate();
    QVERIFY(m_agent.waitForFinished(Bound));
    QCOMPARE(m_agent.exitCode(), 0);
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestForeignClients)
#include "tst_foreignclients.moc"
