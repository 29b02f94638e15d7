// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// When a session is renewed, and what becomes of renewals that fail.
class RenewalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts_from_the_last_one_sent();
    void one_at_a_time();
    void waiting_renews_too();
    void retries_within_jitter_data();
    void retries_within_jitter();
    void success_resets_the_retries();
    void failures_end_nothing_data();
    void failures_end_nothing();
    void f03_three_errors();
    void f02_no_leader_after_the_grant();
    void f07_gone_is_final();
    void f28_denied_is_retried_fast_only_while_leading();
    void unfit_session_extends_nothing();
};

namespace {

Duration ms(double count)
{
    return Duration{Duration::rep(count * 1e6)};
}

/// How long after one failure the next try came, \a tries times.
std::vector<Duration> retries(Harness &h, size_t tries, Wire::FailureKind kind)
{
    std::vector<Duration> waits;
    while (waits.size() < tries) {
        h.answer(Kind::Renew, failure(kind));
        const Instant failed = h.now();
        while (!h.isPending(Kind::Renew))
            h.advance(*h.machine().nextTimeout() - h.now());
        waits.push_back(h.now() - failed);
    }
    return waits;
}

} // namespace

void RenewalTest::counts_from_the_last_one_sent()
{
    Harness h;
    h.toLeading();
    for (int i = 1; i <= 5; ++i) {
        h.advance(2250ms - (i == 1 ? 0ms : 700ms));
        QCOMPARE(h.sent(Kind::Renew), i + 1); // One verified the session.
        h.advance(700ms); // However late the answer, the next is due from the instant of the send.
        h.answer(Kind::Renew, renewed());
    }
    const auto sent = h.timesOf(Kind::Renew);
    for (size_t i = 1; i < sent.size(); ++i)
        QCOMPARE(sent.at(i) - sent.at(i - 1), Duration{2250ms});
}

void RenewalTest::one_at_a_time()
{
    Settings settings = balanced();
    settings.requestTimeout = 7s;
    Harness h(settings);
    h.toLeading();
    h.forget();
    h.advance(7900ms);
    QCOMPARE(h.sent(Kind::Renew), 1);
}

void RenewalTest::waiting_renews_too()
{
    Harness h;
    h.toWaiting();
    h.forget();
    h.serve([](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed()) : std::nullopt;
    });
    h.advance(45s);
    QCOMPARE(h.sent(Kind::Renew), 20);
    QVERIFY(h.all<Renewed>().empty()); // That is said of a lease.
}

void RenewalTest::retries_within_jitter_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %llu", seed) << seed;
}

void RenewalTest::retries_within_jitter()
{
    QFETCH(const quint64, seed);
    Settings settings = balanced();
    settings.seed = seed;
    Harness h(settings);
    h.toLeading();
    h.advance(2250ms);
    const auto waits = retries(h, 6, Wire::FailureKind::ServerError);
    const double expected[] = {100, 200, 400, 800, 1000, 1000};
    for (size_t i = 0; i < waits.size(); ++i) {
        QVERIFY2(waits.at(i) >= ms(0.8 * expected[i]), qPrintable(u"try %1 too early"_s.arg(i)));
        QVERIFY2(waits.at(i) <= ms(1.2 * expected[i]), qPrintable(u"try %1 too late"_s.arg(i)));
    }
}

void RenewalTest::success_resets_the_retries()
{
    Harness h;
    h.toLeading();
    h.advance(2250ms);
    (void)retries(h, 5, Wire::FailureKind::TimedOut);
    h.answer(Kind::Renew, renewed());
    h.advance(2250ms);
    QVERIFY(retries(h, 1, Wire::FailureKind::TimedOut).front() <= 120ms);
}

void RenewalTest::failures_end_nothing_data()
{
    QTest::addColumn<Wire::FailureKind>("kind");
    using enum Wire::FailureKind;
    QTest::newRow("unreachable") << Unreachable;
    QTest::newRow("timed out") << TimedOut;
    QTest::newRow("interrupted") << Interrupted;
    QTest::newRow("server error") << ServerError;
    QTest::newRow("denied") << Denied;
    QTest::newRow("rate limited") << RateLimited;
    QTest::newRow("rejected") << Rejected;
    QTest::newRow("not Consul, such as a proxy's 404") << NotConsul;
}

void RenewalTest::failures_end_nothing()
{
    QFETCH(const Wire::FailureKind, kind);
    Harness h;
    h.toLeading();
    const Instant sent = h.now();
    h.serve([kind](Kind, const Wire::Request &) { return failure(kind); });
    h.advance(8s - 1ms);
    QCOMPARE(h.state(), State::Leading);
    QVERIFY(h.all<Lost>().empty());
    h.advance(1ms);
    QCOMPARE(h.all<Lost>().size(), 1);
    QCOMPARE(h.all<Lost>().front().reason, LostReason::LocalDeadlineExceeded);
    QCOMPARE(h.timesOf<Lost>().front(), sent + 8s);
}

void RenewalTest::f03_three_errors()
{
    Harness h;
    h.toLeading();
    h.advance(2250ms);
    h.news();
    (void)retries(h, 3, Wire::FailureKind::ServerError);
    h.answer(Kind::Renew, renewed());
    // Told once; no signal of the lease but that it goes on.
    const QStringList news = h.news();
    QCOMPARE(news.count(u"trouble:renew_session:server_error"_s), 1);
    QCOMPARE(news.mid(news.size() - 2), QStringList({u"mended:server_error"_s, u"renewed"_s}));
    QCOMPARE(h.all<Acquired>().size(), 1);
    QVERIFY(h.all<AtRisk>().empty());
    QCOMPARE(h.state(), State::Leading);
}

void RenewalTest::f02_no_leader_after_the_grant()
{
    Harness h;
    h.toLeading();
    const Instant granted = h.now();
    h.forget();
    h.serve([](Kind, const Wire::Request &) { return failure(); });
    h.advance(1min);
    QCOMPARE(h.timesOf<Lost>(), std::vector{granted + 8s});
    QCOMPARE(h.all<TroubleSeen>().size(),
             1); // One report for the minute: the kind is the same in every step.
    // Quiet: a create a second, and the destruction of the session until it has ended by itself.
    QVERIFY(h.sent(Kind::Create) <= 60);
    QVERIFY(h.sent(Kind::Destroy) <= 40);
}

void RenewalTest::f07_gone_is_final()
{
    Harness h;
    h.toLeading();
    h.advance(2250ms);
    h.news();
    h.answer(Kind::Renew, sessionGone());
    QCOMPARE(h.news().front(), u"lost:session_expired"_s);
    QCOMPARE(h.all<Lost>().front().evidence, u"Session id not found"_s);
    h.forget();
    h.advance(20s);
    QCOMPARE(h.sent(Kind::Renew), 0);
}

void RenewalTest::f28_denied_is_retried_fast_only_while_leading()
{
    Harness leader;
    leader.toLeading();
    leader.advance(2250ms);
    QVERIFY(retries(leader, 1, Wire::FailureKind::Denied).front() <= 120ms);

    Harness waiter;
    waiter.toWaiting();
    waiter.advance(2250ms);
    const auto waits = retries(waiter, 6, Wire::FailureKind::Denied);
    QVERIFY(waits.front() >= 400ms);
    QVERIFY(waits.back() >= 4s);
    QVERIFY(waits.back() <= 6s);
}

/// A session with a shorter lock-delay does not cover what the lease promises.
void RenewalTest::unfit_session_extends_nothing()
{
    Settings shorter = balanced();
    shorter.lockDelay = 1s;
    Harness h;
    h.toLeading();
    const Instant sent = h.now();
    h.serve([&](Kind kind, const Wire::Request &) {
        return kind == Kind::Renew ? std::optional(renewed(shorter)) : std::nullopt;
    });
    h.advance(10s);
    QVERIFY(h.all<Renewed>().empty());
    QCOMPARE(h.timesOf<Lost>(), std::vector{sent + 8s});
}

QTEST_APPLESS_MAIN(RenewalTest)
#include "tst_renewal.moc"
