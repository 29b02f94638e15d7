// SPDX-License-Identifier: MIT
#include "answers.h"

#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>
#include <QtTest/QTest>

#include <limits>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;
using namespace std::chrono_literals;

class TestEncode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRequest_data();
    void everyRequest();
    void scope_data();
    void scope();
    void f12_lockDelayIsTextAndZeroIsSent_data();
    void f12_lockDelayIsTextAndZeroIsSent();
    void f32_keysSurvive_data();
    void f32_keysSurvive();
    void f32_scopeSurvives();
    void f41_waitIsWholeAndClamped_data();
    void f41_waitIsWholeAndClamped();
    void textsAreJson();
    void mostWritesAreSixtyOne();
};

void TestEncode::everyRequest_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("watch");
    QTest::addColumn<bool>("once");

    QTest::newRow("create without checks")
        << Request(CreateSession{u"svc @ host"_s, 10s, 9s, {}, {}}) << QByteArray("PUT")
        << QByteArray("/v1/session/create")
        << QByteArray(
               R"({"Name":"svc @ host","TTL":"10s","LockDelay":"9s","Behavior":"release","NodeChecks":[]})")
        << false << true;
    QTest::newRow("create with node check and two service checks")
        << Request(CreateSession{u"a"_s, 10s, 15s, {u"serfHealth"_s}, {u"service:x"_s, u"y"_s}})
        << QByteArray("PUT") << QByteArray("/v1/session/create")
        << QByteArray(R"({"Name":"a","TTL":"10s","LockDelay":"15s","Behavior":"release",)"
                      R"("NodeChecks":["serfHealth"],"ServiceChecks":[{"ID":"service:x"},{"ID":"y"}]})")
        << false << true;
    QTest::newRow("renew") << Request(RenewSession{Ours}) << QByteArray("PUT")
                           << "/v1/session/renew/" + Ours.toLatin1() << QByteArray() << false << false;
    QTest::newRow("inspect") << Request(InspectSession{Ours}) << QByteArray("GET")
                             << "/v1/session/info/" + Ours.toLatin1() + "?consistent" << QByteArray() << false
                             << false;
    QTest::newRow("destroy") << Request(DestroySession{Ours}) << QByteArray("PUT")
                             << "/v1/session/destroy/" + Ours.toLatin1() << QByteArray() << false << false;
    QTest::newRow("read") << Request(ReadKey{u"service/a/leader"_s}) << QByteArray("GET")
                          << QByteArray("/v1/kv/service/a/leader?consistent") << QByteArray() << false
                          << false;
    QTest::newRow("watch") << Request(WatchKey{u"k"_s, 42, 50s}) << QByteArray("GET")
                           << QByteArray("/v1/kv/k?consistent&index=42&wait=50000ms") << QByteArray() << true
                           << false;
    QTest::newRow("watch from zero starts at one")
        << Request(WatchKey{u"k"_s, 0, 50s}) << QByteArray("GET")
        << QByteArray("/v1/kv/k?consistent&index=1&wait=50000ms") << QByteArray() << true << false;
    QTest::newRow("watch from the greatest index")
        << Request(WatchKey{u"k"_s, std::numeric_limits<quint64>::max(), 1s}) << QByteArray("GET")
        << QByteArray("/v1/kv/k?consistent&index=18446744073709551615&wait=1000ms") << QByteArray() << true
        << false;

    const QByteArray session = Ours.toLatin1();
    const QByteArray lockAndGet = R"({"KV":{"Verb":"lock","Key":"k","Value":"aGk=","Session":")" + session
        + R"("}},{"KV":{"Verb":"get","Key":"k"}}])";
    QTest::newRow("lock an absent key")
        << Request(LockKey{u"k"_s, Ours, "hi", IfAbsent{}}) << QByteArray("PUT") << QByteArray("/v1/txn")
        << R"([{"KV":{"Verb":"check-not-exists","Key":"k"}},)" + lockAndGet << false << true;
    QTest::newRow("lock a free key")
        << Request(LockKey{u"k"_s, Ours, "hi", IfIndex{18446744073709551615U}}) << QByteArray("PUT")
        << QByteArray("/v1/txn")
        << R"([{"KV":{"Verb":"check-index","Key":"k","Index":18446744073709551615}},)" + lockAndGet << false
        << true;
    QTest::newRow("lock again") << Request(LockKey{u"k"_s, Ours, "hi", IfOurs{}}) << QByteArray("PUT")
                                << QByteArray("/v1/txn")
                                << R"([{"KV":{"Verb":"check-session","Key":"k","Session":")" + session
            + R"("}},)" + lockAndGet
                                << false << true;
    QTest::newRow("release") << Request(ReleaseKey{u"service/a/leader"_s, Ours}) << QByteArray("PUT")
                             << "/v1/kv/service/a/leader?release=" + session << QByteArray() << false
                             << false;
    QTest::newRow("fenced writes") << Request(
        FencedWrite{u"k"_s, Ours, {{u"a/1"_s, QByteArray("\0\xff", 2)}, {u"a/2"_s, {}}}})
                                   << QByteArray("PUT") << QByteArray("/v1/txn")
                                   << R"([{"KV":{"Verb":"check-session","Key":"k","Session":")" + session
            + R"("}},{"KV":{"Verb":"set","Key":"a/1","Value":"AP8="}},{"KV":{"Verb":"set","Key":"a/2","Value":""}}])"
                                   << false << true;
}

void TestEncode::everyRequest()
{
    QFETCH(Request, request);
    const HttpCall call = encode(request);
    QTEST(call.method, "method");
    QTEST(call.target, "target");
    QTEST(call.body, "body");
    QTEST(call.role == Role::Watch, "watch");
    QTEST(call.once, "once");
    QCOMPARE(call.answerLimit, MaxAnswer);
}

void TestEncode::scope_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QByteArray>("target");
    const QByteArray all = "dc=d&ns=n&partition=p";
    const QByteArray session = Ours.toLatin1();
    QTest::newRow("create") << Request(CreateSession{}) << "/v1/session/create?" + all;
    QTest::newRow("renew") << Request(RenewSession{Ours}) << "/v1/session/renew/" + session + '?' + all;
    QTest::newRow("inspect") << Request(InspectSession{Ours})
                             << "/v1/session/info/" + session + "?consistent&" + all;
    QTest::newRow("destroy") << Request(DestroySession{Ours}) << "/v1/session/destroy/" + session + '?' + all;
    QTest::newRow("read") << Request(ReadKey{u"k"_s}) << "/v1/kv/k?consistent&" + all;
    QTest::newRow("watch") << Request(WatchKey{u"k"_s, 7, 1s})
                           << "/v1/kv/k?consistent&index=7&wait=1000ms&" + all;
    QTest::newRow("lock") << Request(LockKey{u"k"_s, Ours, {}, IfAbsent{}}) << "/v1/txn?" + all;
    QTest::newRow("release") << Request(ReleaseKey{u"k"_s, Ours})
                             << "/v1/kv/k?release=" + session + '&' + all;
    QTest::newRow("write") << Request(FencedWrite{u"k"_s, Ours, {{u"a"_s, {}}}}) << "/v1/txn?" + all;
}

void TestEncode::scope()
{
    QFETCH(Request, request);
    const HttpCall call = encode(request, {u"d"_s, u"n"_s, u"p"_s});
    QTEST(call.target, "target");

    // Consul does not apply the query's namespace to the operations of a transaction.
    const qsizetype operations = call.body.count("\"Verb\"");
    QCOMPARE(call.body.count(R"(,"Namespace":"n","Partition":"p"}})"), operations);

    const HttpCall bare = encode(request);
    QVERIFY(!bare.target.contains("dc=") && !bare.target.contains("ns=")
            && !bare.target.contains("partition="));
    QVERIFY(!bare.body.contains("Namespace") && !bare.body.contains("Partition"));
}

void TestEncode::f12_lockDelayIsTextAndZeroIsSent_data()
{
    QTest::addColumn<Milliseconds>("lockDelay");
    QTest::addColumn<QByteArray>("member");
    QTest::newRow("zero") << Milliseconds(0) << QByteArray(R"("LockDelay":"0s")");
    QTest::newRow("under a second") << Milliseconds(500) << QByteArray(R"("LockDelay":"500ms")");
    QTest::newRow("a second") << Milliseconds(1000) << QByteArray(R"("LockDelay":"1s")");
    QTest::newRow("not whole") << Milliseconds(1001) << QByteArray(R"("LockDelay":"1001ms")");
    QTest::newRow("a minute") << Milliseconds(60'000) << QByteArray(R"("LockDelay":"60s")");
}

void TestEncode::f12_lockDelayIsTextAndZeroIsSent()
{
    QFETCH(Milliseconds, lockDelay);
    QFETCH(QByteArray, member);
    const HttpCall call = encode(CreateSession{u"x"_s, 10s, lockDelay, {}, {}});
    QVERIFY2(call.body.contains(member), call.body.constData());
}

void TestEncode::f32_keysSurvive_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("path");
    QTest::newRow("space") << u"a b"_s << QByteArray("/v1/kv/a%20b");
    QTest::newRow("hash and question mark") << u"a#b?c"_s << QByteArray("/v1/kv/a%23b%3Fc");
    QTest::newRow("percent") << u"50%"_s << QByteArray("/v1/kv/50%25");
    QTest::newRow("looks encoded") << u"a%2Fb"_s << QByteArray("/v1/kv/a%252Fb");
    QTest::newRow("plus") << u"a+b"_s << QByteArray("/v1/kv/a%2Bb");
    QTest::newRow("cedilla") << u"\u00e7"_s << QByteArray("/v1/kv/%C3%A7");
    QTest::newRow("no-break space") << u"a\u00a0b"_s << QByteArray("/v1/kv/a%C2%A0b");
    QTest::newRow("emoji") << u"\U0001F451/x"_s << QByteArray("/v1/kv/%F0%9F%91%91/x");
    QTest::newRow("separators stay") << u"service/a.b_c-d~e/leader"_s
                                     << QByteArray("/v1/kv/service/a.b_c-d~e/leader");
    QTest::newRow("reserved") << u"a&b=c;d:e@f"_s << QByteArray("/v1/kv/a%26b%3Dc%3Bd%3Ae%40f");
}

void TestEncode::f32_keysSurvive()
{
    QFETCH(QString, key);
    QFETCH(QByteArray, path);
    const QList<HttpCall> calls = {encode(ReadKey{key}), encode(WatchKey{key, 5, 1s}),
                                   encode(ReleaseKey{key, Ours})};
    for (const HttpCall &call : calls) {
        const QByteArray sent = call.target.left(call.target.indexOf('?'));
        QCOMPARE(sent, path);
        QCOMPARE(QUrl::fromPercentEncoding(sent), u"/v1/kv/"_s + key);
        // Neither the network layer's own parser nor its writer may change a byte of it.
        const QUrl url = QUrl::fromEncoded("http://127.0.0.1:8500" + call.target, QUrl::StrictMode);
        QVERIFY2(url.isValid(), qPrintable(url.errorString()));
        QCOMPARE(url.toEncoded(), "http://127.0.0.1:8500" + call.target);
    }
}

void TestEncode::f32_scopeSurvives()
{
    const HttpCall call = encode(ReadKey{u"k"_s}, {u"a+b"_s, u"\u00e7 &=#"_s, {}});
    QCOMPARE(call.target, "/v1/kv/k?consistent&dc=a%2Bb&ns=%C3%A7%20%26%3D%23");
    const QUrlQuery query(QUrl::fromEncoded(call.target));
    QCOMPARE(query.queryItemValue(u"dc"_s, QUrl::FullyDecoded), u"a+b"_s);
    QCOMPARE(query.queryItemValue(u"ns"_s, QUrl::FullyDecoded), u"\u00e7 &=#"_s);
}

void TestEncode::f41_waitIsWholeAndClamped_data()
{
    QTest::addColumn<Milliseconds>("wait");
    QTest::addColumn<QByteArray>("sent");
    QTest::newRow("negative") << Milliseconds(-1) << QByteArray("1ms");
    QTest::newRow("zero") << Milliseconds(0) << QByteArray("1ms");
    QTest::newRow("shortest") << Milliseconds(1) << QByteArray("1ms");
    QTest::newRow("under a second") << Milliseconds(999) << QByteArray("999ms");
    QTest::newRow("longest") << Milliseconds(600'000) << QByteArray("600000ms");
    QTest::newRow("two hours") << Milliseconds(2h) << QByteArray("600000ms");
    QTest::newRow("greatest") << Milliseconds::max() << QByteArray("600000ms");
}

void TestEncode::f41_waitIsWholeAndClamped()
{
    QFETCH(Milliseconds, wait);
    QFETCH(QByteArray, sent);
    QVERIFY(encode(WatchKey{u"k"_s, 1, wait}).target.endsWith("&wait=" + sent));
}

void TestEncode::textsAreJson()
{
    const HttpCall call =
        encode(CreateSession{u"\"\\\n\t\u0001\u007f<\u00e7\U0001F451"_s, 10s, 1s, {u"a\"b"_s}, {}});
    QCOMPARE(
        call.body,
        QByteArray("{\"Name\":\"\\\"\\\\\\u000a\\u0009\\u0001\x7f<\xc3\xa7\xf0\x9f\x91\x91\",\"TTL\":\"10s\","
                   "\"LockDelay\":\"1s\",\"Behavior\":\"release\",\"NodeChecks\":[\"a\\\"b\"]}"));
}

void TestEncode::mostWritesAreSixtyOne()
{
    FencedWrite request{u"k"_s, Ours, {}};
    for (int i = 0; i < FencedWrite::MaxWrites; ++i)
        request.writes.append({QString::number(i), {}});
    const qsizetype operations = encode(request).body.count("\"Verb\"");
    QCOMPARE(operations, qsizetype(62));
    QVERIFY(operations <= 64); // Consul's limit.
}

QTEST_GUILESS_MAIN(TestEncode)
#include "tst_encode.moc"
