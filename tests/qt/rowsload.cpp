// SPDX-License-Identifier: MIT
#include "rowsload.h"

#include "consul/codec.h"
#include "qt/transport.h"
#include "testing/httpface.h"

#include <QtCore/QEventLoop>
#include <QtCore/QFile>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <atomic>
#include <memory>
#include <thread>

#ifdef Q_OS_LINUX
#include <malloc.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace RowsLoad {

using Baton::LeaseProvider;
using Baton::Shell::Transport;
using Baton::Testing::HttpFace;
using Baton::Testing::Request;
using Baton::Testing::Responder;

namespace {

constexpr int Patience = 10'000;
/// After the first tenth everything that is kept for good has been made.
constexpr qint64 AllowedGrowth = 1024 * 1024;

std::atomic<int> g_warnings = 0;
QtMessageHandler g_before = nullptr;

void countWarnings(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    g_warnings += type == QtWarningMsg || type == QtCriticalMsg;
    g_before(type, context, text);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool MemoryIsOurs = false; ///< A sanitizer keeps what was freed.
#else
constexpr bool MemoryIsOurs = true;
#endif

/// Bytes in use on the heap, and resident in memory; zero where that is not known.
struct Memory
{
    qint64 heap = 0;
    qint64 resident = 0;
};

Memory memory()
{
    Memory now;
#ifdef Q_OS_LINUX
    QFile statm(u"/proc/self/statm"_s);
    if (statm.open(QIODevice::ReadOnly))
        now.resident = statm.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE);
#if defined(__GLIBC__)
    now.heap = qint64(mallinfo2().uordblks);
#endif
#endif
    return now;
}

/// One life of a provider: ended at once, while waiting for leadership, while leading, after a stop.
void liveOnce(const Baton::LeaseOptions &options, int round)
{
    const auto provider = std::make_unique<LeaseProvider>(options);
    QSignalSpy acquired(provider.get(), &LeaseProvider::leadershipAcquired);
    QSignalSpy stopped(provider.get(), &LeaseProvider::stopped);
    provider->start();
    const int way = round % 5;
    if (way >= 2 && acquired.isEmpty())
        acquired.wait(Patience);
    if (way == 1 || way >= 3)
        provider->stop();
    if (way == 4 && stopped.isEmpty())
        stopped.wait(Patience);
}

} // namespace

void startStopFromAnotherThread(const Baton::LeaseOptions &options, int rounds)
{
    g_warnings = 0;
    g_before = qInstallMessageHandler(countWarnings);
    std::atomic<int> lived = 0;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        for (; lived < rounds; ++lived)
            liveOnce(options, lived);
    }));
    thread->start();
    const bool ended = QTest::qWaitFor([&] { return thread->isFinished(); }, Patience + rounds * 1000);
    if (!ended)
        qFatal("A provider hangs in round %d", int(lived));
    qInstallMessageHandler(g_before);
    QCOMPARE(g_warnings, 0);
    QCOMPARE(lived, rounds);
}

void polls(int count)
{
    int served = 0;
    HttpFace face([&](const Request &, const Responder &responder) {
        const int turn = ++served;
        responder.after(1ms, [responder, turn] {
            if (turn % 50 == 0)
                responder.reset();
            else if (turn % 20 == 0)
                responder.reply(500, "rpc error making call: EOF", {{"Content-Type", "text/plain"}});
            else
                responder.reply(404, {}, {{"X-Consul-Index", QByteArray::number(turn)}});
        });
    });
    QVERIFY(face.listen());
    Transport transport(face.url());
    QEventLoop loop;
    int done = 0;
    Memory early;
    Memory late;
    std::function<void()> next = [&] {
        if (done == count / 10)
            early = memory();
        if (done == count - count / 10)
            late = memory();
        if (done++ == count) {
            loop.quit();
            return;
        }
        const auto poll =
            Baton::Wire::encode(Baton::Wire::WatchKey{u"service/test/leader"_s, quint64(done), 1s}, {});
        const quint64 id = transport.send(poll, 10s, [&](const Baton::Wire::HttpAnswer &) { next(); });
        if (done % 10 == 0) {
            transport.cancel(id);
            QMetaObject::invokeMethod(&loop, next, Qt::QueuedConnection);
        }
    };
    next();
    loop.exec();
    qInfo("%d polls; from 10 %% to 90 %% the heap grew by %lld and the process by %lld bytes", count,
          late.heap - early.heap, late.resident - early.resident);
    QVERIFY(!MemoryIsOurs || late.heap - early.heap < AllowedGrowth);
    QVERIFY(!MemoryIsOurs || late.resident - early.resident < AllowedGrowth);
}

} // namespace RowsLoad
