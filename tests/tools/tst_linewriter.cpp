// SPDX-License-Identifier: MIT
#include "linewriter.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace Baton::Tools;
using namespace std::chrono_literals;

namespace {
constexpr int PipeSize = 4096; // The least that Linux offers.

struct Pipe
{
    Pipe()
    {
        if (::pipe2(ends, O_CLOEXEC) != 0)
            qFatal("no pipe");
        ::fcntl(in(), F_SETPIPE_SZ, PipeSize);
        ::fcntl(out(), F_SETFL, O_NONBLOCK);
    }
    ~Pipe()
    {
        closeReader();
        ::close(in());
    }
    Q_DISABLE_COPY_MOVE(Pipe)

    int in() const { return ends[1]; }
    int out() const { return ends[0]; }
    void closeReader()
    {
        if (out() >= 0)
            ::close(std::exchange(ends[0], -1));
    }
    // What is there at the moment.
    QByteArray read() const
    {
        QByteArray all(PipeSize, Qt::Uninitialized);
        const auto count = ::read(out(), all.data(), size_t(all.size()));
        return all.first(std::max<qsizetype>(count, 0));
    }

    int ends[2];
};
} // namespace

class TestLineWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }
    void inOrder();
    void nobodyReads();
    void readerComesBack();
    void readerGoesWhileNothingIsWritten();
    void readerGoesInTheMiddleOfALine();
    void cannotBeWrittenTo();
    void madeNonBlockingByAnother();
    void diskFull();
    void regularFile();
};

void TestLineWriter::inOrder()
{
    const Pipe pipe;
    LineWriter writer(pipe.in());
    QByteArray expected;
    for (int i = 0; i < 100; ++i) {
        const QByteArray line = QByteArray::number(i) + '\n';
        expected += line;
        QVERIFY(writer.write(line));
    }
    writer.flush(30s);
    QCOMPARE(pipe.read(), expected);
    QCOMPARE(writer.dropped(), 0u);
}

void TestLineWriter::nobodyReads()
{
    const Pipe pipe;
    const QByteArray line = QByteArray(1023, 'x') + '\n';
    LineWriter writer(pipe.in());
    const QSignalSpy closed(&writer, &LineWriter::closed);
    // The queue, the pipe, and the line that the thread is stuck with.
    const auto fits = LineWriter::MaxQueued / line.size() + PipeSize / line.size() + 1;
    int taken = 0;
    for (int i = 0; i < fits + 100; ++i)
        taken += writer.write(line);
    QVERIFY(taken >= LineWriter::MaxQueued / line.size());
    QVERIFY(taken <= fits);
    QCOMPARE(writer.dropped(), quint64(fits + 100 - taken));

    QElapsedTimer clock;
    clock.start();
    writer.flush(50ms);
    QVERIFY(clock.elapsed() >= 49);
    QCOMPARE(closed.size(), 0);
} // And its end does not wait for the reader.

void TestLineWriter::readerComesBack()
{
    const Pipe pipe;
    LineWriter writer(pipe.in());
    QByteArray expected;
    for (int i = 0; i < 1000; ++i) {
        const QByteArray line = QByteArray::number(i).rightJustified(99, '0') + '\n';
        expected += line;
        QVERIFY(writer.write(line));
    }
    QByteArray read;
    QTRY_COMPARE_WITH_TIMEOUT((read += pipe.read()).size(), expected.size(), 30'000);
    QCOMPARE(read, expected);
    QCOMPARE(writer.dropped(), 0u);
}

void TestLineWriter::readerGoesWhileNothingIsWritten()
{
    Pipe pipe;
    LineWriter writer(pipe.in());
    QSignalSpy closed(&writer, &LineWriter::closed);
    pipe.closeReader();
    QVERIFY(closed.wait(30'000));
    QVERIFY(!writer.write("x\n"));
    QCOMPARE(writer.dropped(), 1u);
    QCOMPARE(closed.size(), 1);
}

void TestLineWriter::readerGoesInTheMiddleOfALine()
{
    Pipe pipe;
    LineWriter writer(pipe.in());
    QSignalSpy closed(&writer, &LineWriter::closed);
    QVERIFY(writer.write(QByteArray(3 * PipeSize, 'x') + '\n'));
    QVERIFY(writer.write("y\n"));
    QByteArray read;
    QTRY_VERIFY(!(read += pipe.read()).isEmpty());
    pipe.closeReader();
    writer.flush(30s); // Does not wait for what cannot be written.
    QVERIFY(closed.wait(30'000));
    QCOMPARE(closed.size(), 1);
}

void TestLineWriter::cannotBeWrittenTo()
{
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    LineWriter writer(descriptor);
    QSignalSpy closed(&writer, &LineWriter::closed);
    writer.write("x\n");
    QVERIFY(closed.wait(30'000));
    ::close(descriptor);
}

void TestLineWriter::madeNonBlockingByAnother()
{
    const Pipe pipe;
    ::fcntl(pipe.in(), F_SETFL, O_NONBLOCK);
    LineWriter writer(pipe.in());
    const QSignalSpy closed(&writer, &LineWriter::closed);
    const QByteArray line = QByteArray(10 * PipeSize, 'x') + '\n';
    QVERIFY(writer.write(line));
    QByteArray read;
    QTRY_COMPARE_WITH_TIMEOUT((read += pipe.read()).size(), line.size(), 30'000);
    QCOMPARE(closed.size(), 0);
}

void TestLineWriter::diskFull()
{
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    QVERIFY(full >= 0);
    LineWriter writer(full);
    const QSignalSpy closed(&writer, &LineWriter::closed);
    QVERIFY(writer.write("a\n"));
    QVERIFY(writer.write("b\n"));
    QTRY_COMPARE(writer.dropped(), 2u);
    QCOMPARE(closed.size(), 0);
    QVERIFY(writer.write("c\n"));
    QTRY_COMPARE(writer.dropped(), 3u);
    ::close(full);
}

void TestLineWriter::regularFile()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    LineWriter writer(file.handle());
    const QSignalSpy closed(&writer, &LineWriter::closed);
    QVERIFY(writer.write("a\n"));
    QVERIFY(writer.write("b\n"));
    writer.flush(30s);
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), QByteArray("a\nb\n"));
    QCOMPARE(closed.size(), 0);
}

QTEST_GUILESS_MAIN(TestLineWriter)
#include "tst_linewriter.moc"
