// SPDX-License-Identifier: MIT
#include "rowsload.h"

#include "rowsfixture.h"

#include "consul/codec.h"
#include "qt/transport.h"
#include "testing/httpface.h"

#include <QtCore/QEventLoop>
#include <QtCore/QFile>
#include <QtCore/QPointer>
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

using RowsFixture::blockUntil;
using RowsFixture::bootNow;
using RowsFixture::Kind;
using RowsFixture::Patience;

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

/// Counts the warnings of its lifetime.
struct Warnings
{
    Warnings()
    {
        g_warnings = 0;
        g_before = qInstallMessageHandler(countWarnings);
    }
    ~Warnings() { qInstallMessageHandler(g_before); }
    Q_DISABLE_COPY_MOVE(Warnings)
};

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
    const Warnings warnings;
    std::atomic<int> lived = 0;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        for (; lived < rounds; ++lived)
            liveOnce(options, lived);
    }));
    thread->start();
    const bool ended = QTest::qWaitFor([&] { return thread->isFinished(); }, Patience + rounds * 1000);
    if (!ended)
        qFatal("A provider hangs in round %d", int(lived));
    QCOMPARE(g_warnings, 0);
    QCOMPARE(lived, rounds);
}

namespace {

enum class Way {
    AtOnce,
    MidBody,
    TimingOut,
    InAcquired,
    InLost,
    InWaiting,
    InStateChanged,
    InSessionOpened,
    InLeaderChanged,
    InRenewed,
    InError,
    InErrorCleared,
    InStopped,
    WithAFuture,
    Count
};

template <typename Signal>
void destroyIn(LeaseProvider *provider, Signal signal)
{
    QObject::connect(provider, signal, provider, [provider] { delete provider; });
}

/// Brings \a provider to its end; true for those that end in a slot of their own.
bool endsItself(LeaseProvider *provider, Way way, RowsFixture::Agent &agent)
{
    using P = LeaseProvider;
    switch (way) {
    case Way::InAcquired:
        return destroyIn(provider, &P::leadershipAcquired), true;
    case Way::InLost:
        QObject::connect(provider, &P::leadershipAcquired, provider, [&agent] { agent.deleteKey(); });
        return destroyIn(provider, &P::leadershipLost), true;
    case Way::InWaiting:
        agent.setHolder(RowsFixture::Stranger, "somebody else");
        return destroyIn(provider, &P::waiting), true;
    case Way::InStateChanged:
        return destroyIn(provider, &P::stateChanged), true;
    case Way::InSessionOpened:
        return destroyIn(provider, &P::sessionOpened), true;
    case Way::InLeaderChanged:
        return destroyIn(provider, &P::leaderChanged), true;
    case Way::InRenewed:
        return destroyIn(provider, &P::renewed), true;
    case Way::InError:
        agent.answer(Kind::Create, 500, "No cluster leader");
        return destroyIn(provider, &P::errorOccurred), true;
    case Way::InErrorCleared:
        agent.answer(Kind::Create, 500, "No cluster leader", RowsFixture::Text, 1);
        return destroyIn(provider, &P::errorCleared), true;
    case Way::InStopped:
        QObject::connect(provider, &P::leadershipAcquired, provider, &P::stop);
        return destroyIn(provider, &P::stopped), true;
    case Way::MidBody:
        agent.intercept([](const Request &, const Responder &responder) {
            responder.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{");
            return true;
        });
        return false;
    case Way::TimingOut:
        agent.blackhole();
        return false;
    case Way::AtOnce:
    case Way::WithAFuture:
    case Way::Count:
        break;
    }
    return false;
}

void destroyOnce(RowsFixture::Agent &agent, Way way, int round)
{
    Baton::LeaseOptions options = longLease(agent);
    options.requestTimeout = 100ms;
    options.stopTimeout = 20ms; // An agent that is silent is not waited for longer.
    auto *const provider = new LeaseProvider(options);
    const QPointer<LeaseProvider> alive(provider);
    const bool itself = endsItself(provider, way, agent);
    const auto begun = bootNow();
    QFuture<Baton::AcquireResult> future;
    if (way == Way::WithAFuture)
        future = provider->acquire();
    else
        provider->start();
    if (itself) {
        QTRY_VERIFY_WITH_TIMEOUT(!alive, Patience);
    } else {
        if (way == Way::MidBody)
            QTRY_VERIFY_WITH_TIMEOUT(agent.count(Kind::Create) > 0, Patience);
        // About when the first request times out, now before and now after that.
        if (way == Way::TimingOut)
            QTRY_VERIFY_WITH_TIMEOUT(bootNow() > begun + 95ms + (round % 100) * 100us, Patience);
        delete provider;
    }
    QVERIFY(way != Way::WithAFuture || blockUntil([&] { return future.isFinished(); }));
}

} // namespace

void destroyInEveryState(int rounds)
{
    const Warnings warnings;
    for (int round = 0; round < rounds; ++round) {
        // Of its own, since one that was silent still holds what the last provider could not give up.
        RowsFixture::Agent agent;
        destroyOnce(agent, Way(round % int(Way::Count)), round / int(Way::Count));
        if (QTest::currentTestFailed())
            qFatal("in round %d", round);
    }
    QCOMPARE(g_warnings, 0);
}

void agentAwayAndBack(int rounds)
{
    RowsFixture::Agent agent;
    RowsFixture::Candidate candidate(shortLease(agent));
    QVERIFY(candidate.lead());
    for (int round = 1; round <= rounds; ++round) {
        const Baton::Lease lease = candidate.provider.lease();
        switch (round % 3) {
        case 0:
            agent.blackhole();
            break;
        case 1:
            agent.goDown();
            break;
        default:
            agent.answerAll(500, "No cluster leader");
        }
        QVERIFY(candidate.waitFor(u"lost local_deadline_exceeded"_s, round));
        QVERIFY(!candidate.provider.isLeading() && !lease.isHeld());
        QCOMPARE(candidate.provider.property("token"), QVariant());
        agent.heal();
        agent.killSession(lease.session()); // Consul has ended it meanwhile.
        if (round % 3 == 1)
            agent.comeUp();
        QVERIFY(candidate.waitFor(u"acquired"_s, round + 1));
        QVERIFY(candidate.provider.token() > lease.token());
        QCOMPARE(candidate.terms().size(), 2 * round + 1);
    }
    QCOMPARE(candidate.count(u"stopped"_s), 0);
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
