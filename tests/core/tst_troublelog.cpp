// SPDX-License-Identifier: MIT
#include <core/troublelog.h>

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What fails is told once a kind until it changes, and told to be over once.
class TroubleLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void told_once_and_over_once();
    void nothing_failed_nothing_is_over();
    void kind_of_two_steps_is_over_when_both_work();
    void other_kind_ends_the_first();
    void missing_right_is_told_for_each_step();
    void details_are_passed_on();
    void every_kind_of_failure_has_a_code_data();
    void every_kind_of_failure_has_a_code();
    void f24_every_second_try_fails();
    void clear_ends_everything();

private:
    /// What came out since the last call, in short.
    QStringList news();
    void fail(Step step, Wire::FailureKind kind) { m_log->failed(step, Wire::Failure{kind, 0, {}}); }
    void setTime(Duration at) { m_log->setNow(Instant{1h + at}); }

    std::unique_ptr<Outbox> m_outbox;
    std::unique_ptr<TroubleLog> m_log;
};

void TroubleLogTest::init()
{
    m_outbox = std::make_unique<Outbox>();
    m_log = std::make_unique<TroubleLog>(*m_outbox);
    setTime(0s);
}

QStringList TroubleLogTest::news()
{
    QStringList words;
    while (const auto output = m_outbox->take()) {
        if (const auto *seen = std::get_if<TroubleSeen>(&*output))
            words += tag(seen->trouble.step) + u':' + tag(seen->trouble.code);
        else if (const auto *over = std::get_if<TroubleOver>(&*output))
            words += u"over:"_s + tag(over->code);
    }
    return words;
}

void TroubleLogTest::told_once_and_over_once()
{
    for (int i = 0; i < 100; ++i) {
        setTime(std::chrono::minutes{i});
        fail(Step::Watch, Wire::FailureKind::ServerError);
    }
    QCOMPARE(news(), QStringList({u"watch:server_error"_s}));
    m_log->worked(Step::Watch);
    m_log->worked(Step::Watch);
    QCOMPARE(news(), QStringList({u"over:server_error"_s}));
    setTime(200min);
    fail(Step::Watch, Wire::FailureKind::ServerError);
    QCOMPARE(news(), QStringList({u"watch:server_error"_s}));
}

void TroubleLogTest::nothing_failed_nothing_is_over()
{
    m_log->worked(Step::Lock);
    m_log->clear();
    QCOMPARE(news(), QStringList());
}

void TroubleLogTest::kind_of_two_steps_is_over_when_both_work()
{
    fail(Step::Watch, Wire::FailureKind::Unreachable);
    fail(Step::RenewSession, Wire::FailureKind::Unreachable);
    QCOMPARE(news(), QStringList({u"watch:unreachable"_s}));
    m_log->worked(Step::Watch);
    QCOMPARE(news(), QStringList());
    m_log->worked(Step::RenewSession);
    QCOMPARE(news(), QStringList({u"over:unreachable"_s}));
}

void TroubleLogTest::other_kind_ends_the_first()
{
    fail(Step::Watch, Wire::FailureKind::Unreachable);
    fail(Step::Watch, Wire::FailureKind::ServerError);
    QCOMPARE(news(), QStringList({u"watch:unreachable"_s, u"over:unreachable"_s, u"watch:server_error"_s}));
}

void TroubleLogTest::missing_right_is_told_for_each_step()
{
    fail(Step::CreateSession, Wire::FailureKind::Denied);
    fail(Step::Watch, Wire::FailureKind::Denied);
    fail(Step::CreateSession, Wire::FailureKind::Denied);
    QCOMPARE(news(), QStringList({u"create_session:denied"_s, u"watch:denied"_s}));
    m_log->worked(Step::CreateSession);
    QCOMPARE(news(), QStringList());
    m_log->worked(Step::Watch);
    QCOMPARE(news(), QStringList({u"over:denied"_s}));
}

void TroubleLogTest::details_are_passed_on()
{
    m_log->failed(Step::Lock, Wire::Failure{Wire::FailureKind::Rejected, 400, u"bad"_s});
    const auto output = m_outbox->take();
    QVERIFY(output);
    const auto &trouble = std::get<TroubleSeen>(*output).trouble;
    QCOMPARE(trouble.step, Step::Lock);
    QCOMPARE(trouble.code, ErrorCode::Rejected);
    QCOMPARE(trouble.status, 400);
    QCOMPARE(trouble.detail, u"bad"_s);
}

void TroubleLogTest::every_kind_of_failure_has_a_code_data()
{
    QTest::addColumn<Wire::FailureKind>("kind");
    QTest::addColumn<ErrorCode>("code");
    using K = Wire::FailureKind;
    using C = ErrorCode;
    QTest::newRow("unreachable") << K::Unreachable << C::Unreachable;
    QTest::newRow("timed out") << K::TimedOut << C::TimedOut;
    QTest::newRow("interrupted") << K::Interrupted << C::Interrupted;
    QTest::newRow("server error") << K::ServerError << C::ServerError;
    QTest::newRow("node unhealthy") << K::NodeUnhealthy << C::NodeUnhealthy;
    QTest::newRow("denied") << K::Denied << C::Denied;
    QTest::newRow("rate limited") << K::RateLimited << C::RateLimited;
    QTest::newRow("rejected") << K::Rejected << C::Rejected;
    QTest::newRow("not Consul") << K::NotConsul << C::NotConsul;
}

void TroubleLogTest::every_kind_of_failure_has_a_code()
{
    QFETCH(const Wire::FailureKind, kind);
    QFETCH(const ErrorCode, code);
    fail(Step::Lock, kind);
    QCOMPARE(news(), QStringList({QString(u"lock:"_s + tag(code))}));
}

/// An outage that comes and goes is not told at its own rate.
void TroubleLogTest::f24_every_second_try_fails()
{
    for (int i = 0; i < 100; ++i) {
        setTime(i * 500ms);
        fail(Step::Watch, Wire::FailureKind::ServerError);
        m_log->worked(Step::Watch);
    }
    const QStringList told = news();
    QCOMPARE(told.size(), 10); // Five times in 50 s, and each time that it is over.
    for (qsizetype i = 0; i < told.size(); ++i)
        QCOMPARE(told.at(i), i % 2 == 0 ? u"watch:server_error"_s : u"over:server_error"_s);
    // What lasts is told in the end, though it began a moment after the last report.
    setTime(50s);
    fail(Step::Watch, Wire::FailureKind::ServerError);
    (void)news();
    m_log->worked(Step::Watch);
    (void)news();
    setTime(55s);
    fail(Step::Watch, Wire::FailureKind::ServerError);
    QCOMPARE(news(), QStringList());
    setTime(61s);
    fail(Step::Watch, Wire::FailureKind::ServerError);
    QCOMPARE(news(), QStringList({u"watch:server_error"_s}));
}

void TroubleLogTest::clear_ends_everything()
{
    fail(Step::Watch, Wire::FailureKind::ServerError);
    fail(Step::Lock, Wire::FailureKind::ServerError);
    fail(Step::CreateSession, Wire::FailureKind::Unreachable);
    (void)news();
    m_log->clear();
    QStringList told = news();
    told.sort();
    QCOMPARE(told, QStringList({u"over:server_error"_s, u"over:unreachable"_s}));
    fail(Step::Watch, Wire::FailureKind::ServerError);
    QCOMPARE(news(), QStringList({u"watch:server_error"_s})); // News again, however soon.
}

QTEST_APPLESS_MAIN(TroubleLogTest)
#include "tst_troublelog.moc"
