// SPDX-License-Identifier: MIT
#include "commandreader.h"

#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

using namespace Baton::Tools;

using Lines = QList<QByteArray>;

class TestCommandReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void lines_data();
    void lines();
    void linesInPieces();
    void tooLong();
    void longestLine();
    void regularFile();
    void nothing();

private:
    void feed(const QByteArray &bytes) const;
    void closeInput();
    static Lines received(const QSignalSpy &spy);

    int m_pipe[2] = {-1, -1};
};

void TestCommandReader::init()
{
    QCOMPARE(::pipe2(m_pipe, O_CLOEXEC), 0);
    ::fcntl(m_pipe[1], F_SETPIPE_SZ, 1024 * 1024); // So that a test never blocks in feed().
}

void TestCommandReader::cleanup()
{
    closeInput();
    ::close(m_pipe[0]);
}

void TestCommandReader::feed(const QByteArray &bytes) const
{
    QCOMPARE(::write(m_pipe[1], bytes.constData(), size_t(bytes.size())), bytes.size());
}

void TestCommandReader::closeInput()
{
    if (m_pipe[1] >= 0)
        ::close(std::exchange(m_pipe[1], -1));
}

Lines TestCommandReader::received(const QSignalSpy &spy)
{
    Lines result;
    for (const auto &arguments : spy)
        result += arguments.first().toByteArray();
    return result;
}

void TestCommandReader::lines_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Lines>("expected");
    QTest::newRow("nothing") << QByteArray() << Lines{};
    QTest::newRow("one") << QByteArray("a\n") << Lines{"a"};
    QTest::newRow("several at once") << QByteArray("a\nb\n\nc d\n") << Lines{"a", "b", "", "c d"};
    QTest::newRow("no line feed at the end") << QByteArray("a\nquit") << Lines{"a", "quit"};
    QTest::newRow("null and more") << QByteArray("a\0\xff\r\n", 5) << Lines{QByteArray("a\0\xff\r", 4)};
}

void TestCommandReader::lines()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Lines, expected);
    CommandReader reader(m_pipe[0]);
    const QSignalSpy lines(&reader, &CommandReader::line);
    QSignalSpy ended(&reader, &CommandReader::ended);
    feed(bytes);
    closeInput();
    QVERIFY(ended.wait(30'000));
    QCOMPARE(received(lines), expected);
}

void TestCommandReader::linesInPieces()
{
    CommandReader reader(m_pipe[0]);
    QSignalSpy lines(&reader, &CommandReader::line);
    const QSignalSpy ended(&reader, &CommandReader::ended);
    feed("a\nrel");
    QVERIFY(lines.wait(30'000));
    QCOMPARE(received(lines), Lines{"a"});
    feed("ease\n");
    QVERIFY(lines.wait(30'000));
    QCOMPARE(received(lines), (Lines{"a", "release"}));
    QCOMPARE(ended.size(), 0);
}

void TestCommandReader::tooLong()
{
    CommandReader reader(m_pipe[0]);
    const QSignalSpy lines(&reader, &CommandReader::line);
    QSignalSpy tooLong(&reader, &CommandReader::tooLong);
    QSignalSpy ended(&reader, &CommandReader::ended);
    feed(QByteArray(CommandReader::MaxLine + 128 * 1024, 'x'));
    QVERIFY(tooLong.wait(30'000));
    feed(QByteArray(CommandReader::MaxLine + 128 * 1024, 'y') + "\nstatus\n");
    closeInput();
    QVERIFY(ended.wait(30'000));
    QCOMPARE(tooLong.size(), 1);
    QCOMPARE(received(lines), Lines{"status"});
}

void TestCommandReader::longestLine()
{
    CommandReader reader(m_pipe[0]);
    QSignalSpy lines(&reader, &CommandReader::line);
    const QByteArray line(CommandReader::MaxLine, 'x');
    feed(line + '\n');
    QVERIFY(lines.wait(30'000));
    QCOMPARE(received(lines), Lines{line});
}

void TestCommandReader::regularFile()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("a\nb");
    QVERIFY(file.seek(0));
    CommandReader reader(file.handle());
    const QSignalSpy lines(&reader, &CommandReader::line);
    QSignalSpy ended(&reader, &CommandReader::ended);
    QVERIFY(ended.wait(30'000));
    QCOMPARE(received(lines), (Lines{"a", "b"}));
}

void TestCommandReader::nothing()
{
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    CommandReader reader(descriptor);
    QSignalSpy ended(&reader, &CommandReader::ended);
    QVERIFY(ended.wait(30'000));
    ::close(descriptor);
}

QTEST_GUILESS_MAIN(TestCommandReader)
#include "tst_commandreader.moc"
