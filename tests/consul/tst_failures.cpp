// SPDX-License-Identifier: MIT
#include "samples.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;

/// What is true for every request alike: trouble on the way, errors of servers, and answers that were
/// damaged.
class TestFailures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void brokenExchanges_data();
    void brokenExchanges();
    void f09_serverErrors_data();
    void f09_serverErrors();
    void everySampleIsState();
    void unknownLengthIsNoState();
    void tooLongIsNoState();
    void f69_everyPrefixIsNoState();
    void f69_mutationsNeverMakeAnotherState();
    void f63_detailsAreOneShortLine();
};

void TestFailures::brokenExchanges_data()
{
    QTest::addColumn<int>("exchange");
    QTest::addColumn<QString>("kind");
    QTest::newRow("unreachable") << int(Exchange::Unreachable) << u"Unreachable"_s;
    QTest::newRow("timed out") << int(Exchange::TimedOut) << u"TimedOut"_s;
    QTest::newRow("interrupted") << int(Exchange::Interrupted) << u"Interrupted"_s;
    QTest::newRow("too large") << int(Exchange::TooLarge) << u"NotConsul"_s;
}

void TestFailures::brokenExchanges()
{
    QFETCH(int, exchange);
    QFETCH(QString, kind);
    for (const Sample &sample : samples()) {
        HttpAnswer answer = sample.answer;
        answer.exchange = Exchange(exchange);
        answer.errorText = u"Connection\nrefused"_s;
        const Reply reply = decode(sample.request, answer);
        QCOMPARE(described(reply), kind);
        QCOMPARE(std::get<Failure>(reply).status, answer.status);
        QCOMPARE(std::get<Failure>(reply).detail, u"Connection refused"_s);
        answer.errorText.clear();
        QVERIFY(!std::get<Failure>(decode(sample.request, answer)).detail.isEmpty());
    }
}

void TestFailures::f09_serverErrors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("detail");
    for (const char *text :
         {"rpc error getting client: failed to get conn: dial tcp <nil>->10.0.0.9:8300: i/o timeout",
          "rpc error making call: EOF", "No known Consul servers", "No path to datacenter",
          "No cluster leader", "rpc error: rpc error: No cluster leader",
          "leadership lost while committing log"})
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(text);
    QTest::newRow("empty") << QByteArray() << u"no text"_s;
    QTest::newRow("a million characters")
        << QByteArray(1'000'000, 'x') << QString(MaxDetail - 1, u'x') + u'\u2026';
}

void TestFailures::f09_serverErrors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, detail);
    for (const Sample &sample : samples())
        QVERIFY(decode(sample.request, plain(500, text))
                == Reply(Failure{FailureKind::ServerError, 500, detail}));
}

void TestFailures::everySampleIsState()
{
    for (const Sample &sample : samples())
        QVERIFY2(!std::holds_alternative<Failure>(decode(sample.request, sample.answer)), sample.name);
}

void TestFailures::unknownLengthIsNoState()
{
    for (const Sample &sample : samples()) {
        HttpAnswer answer = sample.answer;
        answer.lengthKnown = false;
        QCOMPARE(described(decode(sample.request, answer)), u"Interrupted"_s);
    }
}

void TestFailures::tooLongIsNoState()
{
    for (const Sample &sample : samples()) {
        HttpAnswer answer = sample.answer;
        answer.body += QByteArray(MaxAnswer, ' ');
        QCOMPARE(described(decode(sample.request, answer)), u"NotConsul"_s);
    }
}

void TestFailures::f69_everyPrefixIsNoState()
{
    for (const Sample &sample : samples()) {
        const QByteArray whole = sample.answer.body.trimmed();
        for (qsizetype length = 0; length < whole.size(); ++length) {
            HttpAnswer answer = sample.answer;
            answer.body = whole.first(length);
            for (const Sample &other : samples()) {
                const Reply reply = decode(other.request, answer);
                QVERIFY2(std::holds_alternative<Failure>(reply),
                         qPrintable(u"%1 bytes of \"%2\" read as \"%3\": %4"_s.arg(length).arg(
                             QString::fromLatin1(sample.name), QString::fromLatin1(other.name),
                             described(reply))));
            }
        }
    }
}

void TestFailures::f69_mutationsNeverMakeAnotherState()
{
    constexpr quint32 Seed = 20240229;
    constexpr int Rounds = 1000;
    QRandomGenerator random(Seed);
    int failures = 0;
    for (const Sample &sample : samples()) {
        const Reply original = decode(sample.request, sample.answer);
        for (int round = 0; round < Rounds && !sample.answer.body.isEmpty(); ++round) {
            HttpAnswer answer = sample.answer;
            mutate(answer.body, random);
            const Reply reply = decode(sample.request, answer);
            failures += std::holds_alternative<Failure>(reply) ? 1 : 0;
            QVERIFY2(reply.index() == original.index() || std::holds_alternative<Failure>(reply),
                     qPrintable(u"seed %1, \"%2\", round %3: %4"_s.arg(Seed).arg(
                         QString::fromLatin1(sample.name), QString::number(round), described(reply))));
        }
    }
    QVERIFY(failures > Rounds); // Else the mutations did no harm, and the test showed nothing.
}

void TestFailures::f63_detailsAreOneShortLine()
{
    const QByteArray nasty = "<img src=x>\r\n\xe2\x80\xae"
                             "evil\x1b[31m"
        + QByteArray("\0", 1) + QByteArray("\xff\xfe line\n").repeated(1000);
    for (const Sample &sample : samples()) {
        for (const int status : {200, 301, 400, 403, 404, 409, 429, 500, 599, 0, -1}) {
            for (const HttpAnswer &answer : {plain(status, nasty), json(status, nasty)}) {
                const Reply reply = decode(sample.request, answer);
                QVERIFY(std::holds_alternative<Failure>(reply));
                const QString detail = std::get<Failure>(reply).detail;
                QVERIFY(!detail.isEmpty());
                QCOMPARE(detail, plainLine(detail)); // Nothing is left to replace or cut.
                QVERIFY(detail.size() <= MaxDetail);
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestFailures)
#include "tst_failures.moc"
