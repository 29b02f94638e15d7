// SPDX-License-Identifier: MIT
#include "side.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <functional>
#include <future>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Milliseconds = std::chrono::duration<double, std::milli>;

// How long things take: the embedded agent and a real Consul with short TTLs, figure by figure. A lower bound
// is a promise and is held to the millisecond; an upper one only ends what does not happen, since machines
// are busy.
//
// Left out are figures of clusters and of client agents, since the embedded agent is one server; those of
// single requests, which say how fast a machine is; and those of candidates, which are not Consul's.
class TestConformanceTiming : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void session_ends_at_twice_its_ttl();
    void lock_is_free_after_twice_the_ttl_and_the_lock_delay_data();
    void lock_is_free_after_twice_the_ttl_and_the_lock_delay();
    void renewing_starts_anew();
    void a_ttl_check_ends_its_session_data();
    void a_ttl_check_ends_its_session();
    void what_a_check_has_ended_stays_ended();
    void deregistered_service_ends_the_session_at_once();
    void destroyed_holder_leaves_its_lock_delay();
    void a_lock_in_flight_passes_the_lock_delay_unless_it_checks_the_index();
    void released_lock_is_free_at_once();
    void deleted_lock_is_free_at_once();
    void a_waiter_wakes_at_a_release();
    void a_query_ends_after_its_wait_and_up_to_a_sixteenth();
    void a_query_of_an_absent_key_wakes_at_any_write();
    void a_restart_starts_timers_anew_and_old_lock_delays_apply_again();
    void a_restore_brings_dead_sessions_back_and_drops_the_lock_delay();

private:
    using Measure = std::function<Milliseconds(const Side &)>;
    /// Fails unless both figures are at least \a least and at most \a slack more.
    void compare(const Measure &measure, Milliseconds least, Milliseconds slack = 3s);

    EmbeddedSide m_embedded;
    RealSide m_real{ConsulAgent::Kind::Dev};
};

namespace {

constexpr int Bound = 30'000; // For what takes a second, in milliseconds.

// Counts from its making, which is before the request that starts what is measured.
class Stopwatch
{
public:
    Stopwatch() { m_timer.start(); }
    [[nodiscard]] Milliseconds elapsed() const { return std::chrono::nanoseconds(m_timer.nsecsElapsed()); }
    // When \a condition became true; a negative time where it did not.
    [[nodiscard]] Milliseconds until(const std::function<bool()> &condition) const
    {
        return QTest::qWaitFor(condition, Bound) ? elapsed() : Milliseconds(-1);
    }

private:
    QElapsedTimer m_timer;
};

QByteArray members(Milliseconds ttl, Milliseconds lockDelay)
{
    const auto text = [](Milliseconds d) { return '"' + QByteArray::number(qint64(d.count())) + "ms\""; };
    return "\"NodeChecks\":[],\"LockDelay\":" + text(lockDelay)
        + (ttl > 0ms ? ",\"TTL\":" + text(ttl) : QByteArray());
}

QByteArray nextKey()
{
    static std::atomic_int number = 0;
    return "timing-" + QByteArray::number(++number);
}

// Takes the lock as Baton does: only when the key was seen free, and only while it is as it was seen. A plain
// acquire that is on its way when the holder's session ends would pass the lock-delay now and then.
bool takes(const Side &side, const QByteArray &key, const QByteArray &session)
{
    const HttpAnswer seen = side.request("GET", "/v1/kv/" + key);
    if (!seen.isOk() || seen.body.contains("Session"))
        return false;
    // Of a single key: its own.
    const QByteArray index = seen.header("X-Consul-Index");
    return side
        .request("PUT", "/v1/txn",
                 R"([{"KV":{"Verb":"check-index","Key":")" + key + R"(","Index":)" + index
                     + R"(}},{"KV":{"Verb":"lock","Key":")" + key + R"(","Value":"dw==","Session":")"
                     + session + R"("}}])")
        .isOk();
}

// A check of that TTL that passes, and a session that is bound to it and holds the key.
QByteArray holderBoundTo(const Side &side, const QByteArray &check, Milliseconds ttl)
{
    (void)side.request("PUT", "/v1/agent/service/register",
                       R"({"Name":")" + check + R"(","Check":{"CheckID":")" + check
                           + R"(","Status":"passing","TTL":")" + QByteArray::number(qint64(ttl.count()))
                           + R"(ms"}})");
    const QByteArray session =
        side.session(R"("NodeChecks":[],"LockDelay":"0s","ServiceChecks":[{"ID":")" + check + R"("}])");
    return side.put(check, "acquire=" + session) ? session : QByteArray();
}

// A holder's session is destroyed while three rivals lock without a pause, each request with these operations
// before its `lock`. Whether one of them has the lock, though its delay has only begun; nothing where there
// was no holder.
std::optional<bool> passesTheLockDelay(const Side &side,
                                       const std::function<QByteArray(const QByteArray &key)> &checks)
{
    constexpr int Rivals = 3;
    const QByteArray key = nextKey();
    const QByteArray holder = side.session(members(0ms, 60s));
    if (!side.put(key, "acquire=" + holder))
        return std::nullopt;
    const QByteArray before = checks(key);
    std::atomic_bool isOver = false;
    std::vector<std::future<void>> rivals;
    for (int i = 0; i < Rivals; ++i) {
        const QByteArray session = side.session(members(0ms, 0ms));
        const QByteArray body = '[' + before + R"({"KV":{"Verb":"lock","Key":")" + key
            + R"(","Value":"dw==","Session":")" + session + R"("}}])";
        rivals.push_back(std::async(std::launch::async, [&, body] {
            while (!isOver)
                (void)side.request("PUT", "/v1/txn", body);
        }));
    }
    (void)side.request("PUT", "/v1/session/destroy/" + holder);
    isOver = true;
    for (auto &rival : rivals)
        rival.wait();
    return side.request("GET", "/v1/kv/" + key).body.contains("Session");
}

bool pass(const Side &side, const QByteArray &check)
{
    return side.request("PUT", "/v1/agent/check/pass/" + check).isOk();
}

} // namespace

void TestConformanceTiming::initTestCase()
{
    QVERIFY(m_embedded.start(100ms));
    QVERIFY2(m_real.start({{u"session_ttl_min"_s, u"100ms"_s}}), qPrintable(m_real.agent().errorString()));
    qInfo("embedded agent: %s; real Consul: %s, process %lld", qPrintable(m_embedded.version()),
          qPrintable(m_real.version()), m_real.agent().processId());
    QCOMPARE(m_real.doubt(), QString());
}

void TestConformanceTiming::compare(const Measure &measure, Milliseconds least, Milliseconds slack)
{
    // Side by side, which saves half of the time.
    auto other = std::async(std::launch::async, [&] { return measure(m_embedded); });
    const Milliseconds real = measure(m_real);
    const Milliseconds embedded = other.get();
    qInfo("at least %.0f ms: embedded %.1f ms, real %.1f ms", least.count(), embedded.count(), real.count());
    for (const Milliseconds figure : {embedded, real}) {
        QVERIFY(figure >= least);
        QVERIFY(figure <= least + slack);
    }
}

void TestConformanceTiming::session_ends_at_twice_its_ttl()
{
    compare(
        [](const Side &side) {
            const Stopwatch watch;
            const QByteArray session = side.session(members(400ms, 0ms));
            return watch.until([&] { return !side.lives(session); });
        },
        800ms);
}

void TestConformanceTiming::lock_is_free_after_twice_the_ttl_and_the_lock_delay_data()
{
    QTest::addColumn<int>("ttlMs");
    QTest::addColumn<int>("lockDelayMs");
    QTest::newRow("no lock-delay") << 300 << 0;
    QTest::newRow("1 ms") << 300 << 1;
    QTest::newRow("300 ms") << 300 << 300;
    QTest::newRow("longer TTL") << 600 << 150;
}

void TestConformanceTiming::lock_is_free_after_twice_the_ttl_and_the_lock_delay()
{
    QFETCH(int, ttlMs);
    QFETCH(int, lockDelayMs);
    const auto ttl = std::chrono::milliseconds(ttlMs);
    const auto lockDelay = std::chrono::milliseconds(lockDelayMs);
    compare(
        [&](const Side &side) {
            const QByteArray key = nextKey();
            const QByteArray rival = side.session(members(0ms, 0ms));
            const Stopwatch watch;
            const QByteArray holder = side.session(members(ttl, lockDelay));
            if (!side.put(key, "acquire=" + holder))
                return Milliseconds(-1);
            return watch.until([&] { return takes(side, key, rival); });
        },
        2 * ttl + lockDelay);
}

void TestConformanceTiming::renewing_starts_anew()
{
    compare(
        [](const Side &side) {
            const QByteArray session = side.session(members(400ms, 0ms));
            const Stopwatch before;
            (void)before.until([&] { return before.elapsed() >= 300ms; });
            const Stopwatch watch;
            if (!side.request("PUT", "/v1/session/renew/" + session).isOk())
                return Milliseconds(-1);
            return watch.until([&] { return !side.lives(session); });
        },
        800ms);
}

void TestConformanceTiming::a_ttl_check_ends_its_session_data()
{
    QTest::addColumn<int>("ttlMs");
    for (const int ttl : {100, 250, 500, 1000})
        QTest::addRow("%d ms", ttl) << ttl;
}

void TestConformanceTiming::a_ttl_check_ends_its_session()
{
    QFETCH(int, ttlMs);
    const auto ttl = std::chrono::milliseconds(ttlMs);
    compare(
        [&](const Side &side) {
            const QByteArray key = nextKey();
            const QByteArray rival = side.session(members(0ms, 0ms));
            if (holderBoundTo(side, key, ttl).isEmpty())
                return Milliseconds(-1);
            const Stopwatch watch;
            if (!pass(side, key))
                return Milliseconds(-1);
            return watch.until([&] { return takes(side, key, rival); });
        },
        ttl);
}

void TestConformanceTiming::what_a_check_has_ended_stays_ended()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const QByteArray check = nextKey();
        const QByteArray session = holderBoundTo(*side, check, 150ms);
        QTRY_VERIFY_WITH_TIMEOUT(!side->lives(session), Bound);
        QVERIFY(pass(*side, check));
        QVERIFY2(!side->lives(session), qPrintable(side->name()));
        QCOMPARE(side->request("PUT", "/v1/session/renew/" + session).status, 404);
        (void)holderBoundTo(*side, check, 10s); // Registers it anew.
        QVERIFY2(!side->lives(session), qPrintable(side->name()));
    }
}

void TestConformanceTiming::deregistered_service_ends_the_session_at_once()
{
    compare(
        [](const Side &side) {
            const QByteArray key = nextKey();
            const QByteArray session = holderBoundTo(side, key, 30s);
            const Stopwatch watch;
            if (session.isEmpty() || !side.request("PUT", "/v1/agent/service/deregister/" + key).isOk())
                return Milliseconds(-1);
            return watch.until([&] { return !side.lives(session); });
        },
        0ms);
}

void TestConformanceTiming::destroyed_holder_leaves_its_lock_delay()
{
    compare(
        [](const Side &side) {
            const QByteArray key = nextKey();
            const QByteArray rival = side.session(members(0ms, 0ms));
            const QByteArray holder = side.session(members(0ms, 300ms));
            if (!side.put(key, "acquire=" + holder))
                return Milliseconds(-1);
            const Stopwatch watch;
            (void)side.request("PUT", "/v1/session/destroy/" + holder);
            return watch.until([&] { return takes(side, key, rival); });
        },
        300ms);
}

void TestConformanceTiming::a_lock_in_flight_passes_the_lock_delay_unless_it_checks_the_index()
{
    constexpr int Most = 1000; // Rounds; about one in four passes.
    constexpr int Guarded = 50;
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const auto nothing = [](const QByteArray &) { return QByteArray(); };
        int rounds = 1;
        while (rounds < Most && passesTheLockDelay(*side, nothing) == false)
            ++rounds;
        QVERIFY2(rounds < Most, qPrintable(side->name()));
        qInfo("%s: a lock without a check passed in round %d", qPrintable(side->name()), rounds);
        const auto checkIndex = [side](const QByteArray &key) {
            return R"({"KV":{"Verb":"check-index","Key":")" + key + R"(","Index":)"
                + QByteArray::number(side->modifyIndex(key)) + "}},";
        };
        for (int i = 0; i < Guarded; ++i)
            QCOMPARE(passesTheLockDelay(*side, checkIndex), std::optional(false));
    }
}

void TestConformanceTiming::released_lock_is_free_at_once()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const QByteArray key = nextKey();
        const QByteArray holder = side->session(members(0ms, 60s));
        const QByteArray rival = side->session(members(0ms, 0ms));
        QVERIFY(side->put(key, "acquire=" + holder));
        QVERIFY(side->put(key, "release=" + holder, {}));
        QVERIFY2(side->put(key, "acquire=" + rival), qPrintable(side->name()));
    }
}

void TestConformanceTiming::deleted_lock_is_free_at_once()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const QByteArray key = nextKey();
        const QByteArray holder = side->session(members(0ms, 60s));
        const QByteArray rival = side->session(members(0ms, 0ms));
        QVERIFY(side->put(key, "acquire=" + holder));
        const quint64 token = side->modifyIndex(key);
        QVERIFY(side->request("DELETE", "/v1/kv/" + key).isOk());
        QVERIFY2(side->put(key, "acquire=" + rival), qPrintable(side->name()));
        QVERIFY(side->modifyIndex(key) > token);
        QVERIFY(side->lives(holder));
    }
}

void TestConformanceTiming::a_waiter_wakes_at_a_release()
{
    compare(
        [](const Side &side) {
            const QByteArray key = nextKey();
            const QByteArray holder = side.session(members(0ms, 0ms));
            if (!side.put(key, "acquire=" + holder))
                return Milliseconds(-1);
            const QByteArray index = QByteArray::number(side.modifyIndex(key));
            auto waiter = std::async(std::launch::async, [&] {
                return side.request("GET", "/v1/kv/" + key + "?wait=20s&index=" + index);
            });
            const Stopwatch watch;
            if (!side.put(key, "release=" + holder, {}))
                return Milliseconds(-1);
            const HttpAnswer answer = waiter.get();
            const bool isNews =
                answer.isOk() && answer.header("X-Consul-Index").toULongLong() > index.toULongLong();
            return isNews ? watch.elapsed() : Milliseconds(-1);
        },
        0ms);
}

void TestConformanceTiming::a_query_ends_after_its_wait_and_up_to_a_sixteenth()
{
    compare(
        [](const Side &side) {
            const QByteArray key = nextKey();
            if (!side.put(key, {}))
                return Milliseconds(-1);
            const QByteArray index = QByteArray::number(side.modifyIndex(key));
            const Stopwatch watch;
            const HttpAnswer answer = side.request("GET", "/v1/kv/" + key + "?wait=800ms&index=" + index);
            return answer.header("X-Consul-Index") == index ? watch.elapsed() : Milliseconds(-1);
        },
        800ms, 50ms + 1s);
}

// On the real one it is any write that touches the branch of its tree where the key would be; the embedded
// agent knows no branches.
void TestConformanceTiming::a_query_of_an_absent_key_wakes_at_any_write()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const QByteArray folder = nextKey();
        const QByteArray absent = "/v1/kv/" + folder + "/2";
        QVERIFY(side->put(folder + "/1", {}));
        const QByteArray index = side->request("GET", absent).header("X-Consul-Index");
        auto waiter = std::async(std::launch::async,
                                 [&] { return side->request("GET", absent + "?wait=20s&index=" + index); });
        QVERIFY(side->put(folder + "/3", {}));
        const HttpAnswer answer = waiter.get();
        QCOMPARE(answer.status, 404);
        QVERIFY2(answer.header("X-Consul-Index").toULongLong() > index.toULongLong(),
                 qPrintable(side->name()));
    }
}

void TestConformanceTiming::a_restart_starts_timers_anew_and_old_lock_delays_apply_again()
{
    RealSide real{ConsulAgent::Kind::Server};
    QVERIFY2(real.start({{u"session_ttl_min"_s, u"100ms"_s}}), qPrintable(real.agent().errorString()));
    QCOMPARE(real.doubt(), QString());
    // Long enough for a server that needs its time from the end of its log to its first answer.
    constexpr auto lockDelay = 4s;
    constexpr auto ttl = 1s;
    for (Side *side : std::initializer_list<Side *>{&m_embedded, &real}) {
        const QByteArray key = nextKey();
        const QByteArray former = side->session(members(0ms, lockDelay));
        const QByteArray rival = side->session(members(0ms, 0ms));
        QVERIFY(side->put(key, "acquire=" + former));
        QVERIFY(side->request("PUT", "/v1/session/destroy/" + former).isOk());
        QVERIFY(Stopwatch().until([&] { return takes(*side, key, rival); }) >= 0ms);
        QVERIFY(side->put(key, "release=" + rival, {}));
        QVERIFY(side->put(key, "acquire=" + rival)); // Free for good, until ...
        QVERIFY(side->put(key, "release=" + rival, {}));

        const QByteArray session = side->session(members(ttl, 0ms));
        const Stopwatch watch;
        QVERIFY(side->restart());
        QVERIFY2(!side->put(key, "acquire=" + rival), qPrintable(side->name()));
        const Milliseconds gone = watch.until([&] { return !side->lives(session); });
        QVERIFY2(gone >= 2 * ttl, qPrintable(side->name()));
        qInfo("%s: session gone %.0f ms after the restart began", qPrintable(side->name()), gone.count());
    }
}

void TestConformanceTiming::a_restore_brings_dead_sessions_back_and_drops_the_lock_delay()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const QByteArray key = nextKey();
        const QByteArray holder = side->session(members(0ms, 60s));
        QVERIFY(side->put(key, "acquire=" + holder));
        const quint64 token = side->modifyIndex(key);
        const QByteArray snapshot = side->request("GET", "/v1/snapshot").body;
        QVERIFY(side->request("PUT", "/v1/session/destroy/" + holder).isOk());
        const QByteArray rival = side->session(members(0ms, 0ms));
        QVERIFY2(!side->put(key, "acquire=" + rival), qPrintable(side->name()));

        QVERIFY(side->request("PUT", "/v1/snapshot", snapshot).isOk());
        QVERIFY2(side->lives(holder), qPrintable(side->name()));
        QVERIFY(!side->lives(rival));
        QCOMPARE(side->modifyIndex(key), token);
        const QByteArray next = side->session(members(0ms, 0ms));
        QVERIFY(side->put(key, "release=" + holder, {}));
        QVERIFY2(side->put(key, "acquire=" + next), qPrintable(side->name()));
        QVERIFY(side->modifyIndex(key) > token);
    }
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestConformanceTiming)
#include "tst_conformance_timing.moc"
