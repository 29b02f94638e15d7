// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Ending = SessionCloser::Ending;

/// The end of a session: released first where that is due, and destroyed until Consul says so or nothing is
/// left.
class SessionCloserTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void destroys_without_a_release();
    void releases_before_it_destroys();
    void unconfirmed_release_is_read_back_data();
    void unconfirmed_release_is_read_back();
    void key_still_ours_is_released_again();
    void without_the_right_it_destroys();
    void destroys_when_the_time_for_releasing_is_over();
    void failed_destroy_is_retried_to_the_end();
    void gives_up_what_is_never_answered();
    void answers_to_another_question_are_none_data();
    void answers_to_another_question_are_none();
    void closes_a_session_once();
    void several_at_once();
    void replies_of_others_are_not_taken();
    void f75_ghost_lock_ends_as_its_term_did_data();
    void f75_ghost_lock_ends_as_its_term_did();
    void remembers_sixteen();

private:
    /// The one request that is due now; fails the test where there is another number of them.
    Send theRequest();
    int requestsDue();
    void answer(const Send &send, const Wire::Reply &reply);

    const Settings m_settings = balanced();
    Instant m_now{1h};
    Random m_random;
    std::unique_ptr<Outbox> m_outbox;
    std::unique_ptr<TroubleLog> m_troubles;
    std::unique_ptr<SessionCloser> m_closer;
};

void SessionCloserTest::init()
{
    m_now = Instant{1h};
    m_outbox = std::make_unique<Outbox>();
    m_troubles = std::make_unique<TroubleLog>(*m_outbox);
    m_closer = std::make_unique<SessionCloser>(m_settings, *m_outbox, *m_troubles);
}

Send SessionCloserTest::theRequest()
{
    m_closer->work(m_now);
    std::optional<Send> result;
    int count = 0;
    while (const auto output = m_outbox->take()) {
        if (const auto *send = std::get_if<Send>(&*output)) {
            result = *send;
            ++count;
        }
    }
    if (count != 1)
        QTest::qFail(QByteArray::number(count) + " requests instead of one", __FILE__, __LINE__);
    return result.value_or(Send{});
}

int SessionCloserTest::requestsDue()
{
    m_closer->work(m_now);
    int count = 0;
    while (const auto output = m_outbox->take())
        count += std::holds_alternative<Send>(*output) ? 1 : 0;
    return count;
}

void SessionCloserTest::answer(const Send &send, const Wire::Reply &reply)
{
    QVERIFY(m_closer->handle(send.request, reply, m_now, m_random));
}

void SessionCloserTest::destroys_without_a_release()
{
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    QVERIFY(!m_closer->isEmpty());
    const Send destroy = theRequest();
    QCOMPARE(destroy.message, Wire::Request(Wire::DestroySession{u"S1"_s}));
    QCOMPARE(destroy.term, quint64(0));
    answer(destroy, sessionDestroyed());
    QVERIFY(m_closer->isEmpty());
    QVERIFY(!m_closer->nextTimeout());
    QCOMPARE(requestsDue(), 0);
}

void SessionCloserTest::releases_before_it_destroys()
{
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    const Send release = theRequest();
    QCOMPARE(release.message, Wire::Request(Wire::ReleaseKey{m_settings.key, u"S1"_s}));
    QCOMPARE(requestsDue(), 0); // One after the other.
    answer(release, released(true));
    const Send destroy = theRequest();
    QCOMPARE(destroy.message, Wire::Request(Wire::DestroySession{u"S1"_s}));
    answer(destroy, sessionDestroyed());
    QVERIFY(m_closer->isEmpty());
}

void SessionCloserTest::unconfirmed_release_is_read_back_data()
{
    QTest::addColumn<Wire::Reply>("reply");
    QTest::newRow("F65 false, since it was sent twice") << released(false);
    QTest::newRow("cut off") << failure(Wire::FailureKind::Interrupted);
    QTest::newRow("timed out") << failure(Wire::FailureKind::TimedOut);
    QTest::newRow("server error") << failure(Wire::FailureKind::ServerError);
}

void SessionCloserTest::unconfirmed_release_is_read_back()
{
    QFETCH(const Wire::Reply, reply);
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    answer(theRequest(), reply);
    m_now += 200ms;
    const Send readBack = theRequest();
    QCOMPARE(readBack.message, Wire::Request(Wire::ReadKey{m_settings.key}));
    answer(readBack, freeKey(9));
    QCOMPARE(theRequest().message, Wire::Request(Wire::DestroySession{u"S1"_s}));
}

void SessionCloserTest::key_still_ours_is_released_again()
{
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    answer(theRequest(), released(false));
    answer(theRequest(), held(u"S1"_s, 9, "v"));
    QCOMPARE(requestsDue(), 0); // Not at full speed.
    m_now += 200ms;
    const Send release = theRequest();
    QCOMPARE(release.message, Wire::Request(Wire::ReleaseKey{m_settings.key, u"S1"_s}));
    answer(release, released(true));
    QCOMPARE(theRequest().message, Wire::Request(Wire::DestroySession{u"S1"_s}));
}

void SessionCloserTest::without_the_right_it_destroys()
{
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    answer(theRequest(), failure(Wire::FailureKind::Denied));
    m_now += 1s;
    QCOMPARE(theRequest().message, Wire::Request(Wire::DestroySession{u"S1"_s}));
}

void SessionCloserTest::destroys_when_the_time_for_releasing_is_over()
{
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    const Instant begin = m_now;
    Send send = theRequest();
    while (!std::holds_alternative<Wire::DestroySession>(send.message)) {
        QVERIFY(m_now < begin + 10s);
        answer(send, failure());
        m_now += 2s;
        send = theRequest();
    }
    QVERIFY(m_now >= begin + m_settings.stopTimeout);
}

void SessionCloserTest::failed_destroy_is_retried_to_the_end()
{
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    const Instant begin = m_now;
    int tries = 0;
    while (!m_closer->isEmpty()) {
        const Send destroy = theRequest();
        QCOMPARE(destroy.message, Wire::Request(Wire::DestroySession{u"S1"_s}));
        answer(destroy, failure());
        QVERIFY(++tries < 60);
        const auto next = m_closer->nextTimeout();
        QVERIFY(next && *next > m_now);
        m_now = *next;
        if (m_now >= begin + m_settings.sessionEnd())
            QCOMPARE(requestsDue(), 0); // Twice the TTL and a lock-delay: it has ended by itself.
    }
    QCOMPARE(m_now, begin + 29s);
    QVERIFY(tries > 25);
}

void SessionCloserTest::gives_up_what_is_never_answered()
{
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    const Send destroy = theRequest();
    QCOMPARE(m_closer->nextTimeout(), std::optional(m_now + 29s));
    m_now += 29s;
    m_closer->work(m_now);
    const auto output = m_outbox->take();
    QVERIFY(output);
    QCOMPARE(std::get<Cancel>(*output).request, destroy.request);
    QVERIFY(m_closer->isEmpty());
    QVERIFY(!m_closer->handle(destroy.request, sessionDestroyed(), m_now, m_random));
}

void SessionCloserTest::answers_to_another_question_are_none_data()
{
    QTest::addColumn<Wire::Reply>("reply");
    QTest::newRow("a read that shows the session") << held(u"S1"_s, 10, "v");
    QTest::newRow("a refused release") << released(false);
    QTest::newRow("a session") << created(u"S1"_s);
}

/// A session that was lost is not released, whatever comes.
void SessionCloserTest::answers_to_another_question_are_none()
{
    QFETCH(const Wire::Reply, reply);
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    answer(theRequest(), reply);
    QCOMPARE(requestsDue(), 0); // Not at once, either.
    m_now += 200ms;
    QVERIFY(std::holds_alternative<Wire::DestroySession>(theRequest().message));
}

void SessionCloserTest::closes_a_session_once()
{
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    m_closer->close(u"S1"_s, Ending::ReleaseThenDestroy, m_now);
    answer(theRequest(), sessionDestroyed());
    QVERIFY(m_closer->isEmpty());
}

void SessionCloserTest::several_at_once()
{
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    const Send first = theRequest();
    m_closer->close(u"S2"_s, Ending::ReleaseThenDestroy, m_now);
    const Send second = theRequest();
    answer(second, released(true));
    answer(theRequest(), sessionDestroyed());
    QVERIFY(!m_closer->isEmpty());
    answer(first, sessionDestroyed());
    QVERIFY(m_closer->isEmpty());
}

void SessionCloserTest::replies_of_others_are_not_taken()
{
    QVERIFY(!m_closer->handle(0, sessionDestroyed(), m_now, m_random));
    m_closer->close(u"S1"_s, Ending::Destroy, m_now);
    QVERIFY(!m_closer->handle(0, sessionDestroyed(), m_now, m_random)); // It has no request under way yet.
    const Send destroy = theRequest();
    QVERIFY(!m_closer->handle(destroy.request + 1, sessionDestroyed(), m_now, m_random));
    QVERIFY(!m_closer->isEmpty());
}

void SessionCloserTest::f75_ghost_lock_ends_as_its_term_did_data()
{
    QTest::addColumn<Ending>("ending");
    QTest::newRow("given up in order: released at once") << Ending::ReleaseThenDestroy;
    QTest::newRow("lost: destroyed, never released") << Ending::Destroy;
}

void SessionCloserTest::f75_ghost_lock_ends_as_its_term_did()
{
    QFETCH(const Ending, ending);
    m_closer->claims(u"S1"_s, m_now);
    QVERIFY(m_closer->isEmpty()); // Not one of its own.
    m_closer->close(u"S1"_s, ending, m_now);
    Send send = theRequest();
    if (ending == Ending::ReleaseThenDestroy) {
        answer(send, released(true));
        send = theRequest();
    }
    answer(send, sessionDestroyed());
    QVERIFY(m_closer->isPast(u"S1"_s));

    m_now += 3s;
    m_closer->claims(u"S1"_s, m_now);
    m_closer->claims(u"S2"_s, m_now);
    QCOMPARE(std::holds_alternative<Wire::ReleaseKey>(theRequest().message),
             ending == Ending::ReleaseThenDestroy);
}

void SessionCloserTest::remembers_sixteen()
{
    for (int i = 1; i <= 17; ++i)
        m_closer->close(u"S%1"_s.arg(i), Ending::Destroy, m_now);
    QVERIFY(!m_closer->isPast(u"S1"_s));
    QVERIFY(m_closer->isPast(u"S2"_s));
    QVERIFY(m_closer->isPast(u"S17"_s));
}

QTEST_APPLESS_MAIN(SessionCloserTest)
#include "tst_sessioncloser.moc"
