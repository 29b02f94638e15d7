// SPDX-License-Identifier: MIT
#include "answers.h"
#include "consul/queries.h"

#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;

namespace {
const QByteArray Session =
    R"({"ID":"6056010b-4175-11be-ecb1-b105a3701bf3","Name":"two","Node":"n1","LockDelay":0,)"
    R"("Behavior":"delete","TTL":"10s","NodeChecks":["serfHealth"],"ServiceChecks":null,)"
    R"("CreateIndex":11,"ModifyIndex":11})";
const QByteArray Key = R"({"LockIndex":1,"Key":"service/a/leader","Flags":0,"Value":"eA==","CreateIndex":14,)"
                       R"("ModifyIndex":15})";
} // namespace

/// Lists are as strict as single answers.
class TestDecodeLists : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sessions();
    void keys();
    void notALists_data();
    void notALists();
    void longLists();
    void leader();
    void acls_data();
    void acls();
    void unlock_data();
    void unlock();
    void targets();
};

void TestDecodeLists::sessions()
{
    HttpAnswer answer = withIndex(json(200, '[' + Session + ']'), "77");
    answer.consulFiltered = "true";
    const QueryReply reply = decodeQuery(ListSessions{}, answer);
    const auto *list = std::get_if<SessionsListed>(&reply);
    QVERIFY(list);
    QCOMPARE(list->sessions.size(), 1);
    QVERIFY(list->sessions.first().deletesKeys);
    QCOMPARE(list->header.index, std::optional<quint64>(77));
    QVERIFY(list->header.filtered);
    QVERIFY(std::holds_alternative<SessionsListed>(decodeQuery(ListSessions{}, json(200, "[]"))));
}

void TestDecodeLists::keys()
{
    const ListKeys query{u"service/"_s, {}, {}};
    const QueryReply reply = decodeQuery(query, withIndex(json(200, '[' + Key + ']'), "77"));
    const auto *list = std::get_if<KeysListed>(&reply);
    QVERIFY(list);
    QCOMPARE(list->keys.first().key, u"service/a/leader"_s);
    QCOMPARE(list->keys.first().entry.value, QByteArray("x"));
    const QueryReply none = decodeQuery(query, absent("77"));
    QVERIFY(std::get<KeysListed>(none).keys.isEmpty());
}

void TestDecodeLists::notALists_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::newRow("HTML") << html(200);
    QTest::newRow("an object") << json(200, "{}");
    QTest::newRow("cut") << json(200, '[' + Session + ',');
    QTest::newRow("cut after an item") << json(200, '[' + Key);
    QTest::newRow("more after the list") << json(200, '[' + Key + "]x");
    QTest::newRow("an item of another kind") << json(200, "[1]");
    QTest::newRow("a comma too many") << json(200, '[' + Key + ",]");
    QTest::newRow("a key of another prefix")
        << json(200, QByteArray('[' + Key + ']').replace("service/a", "other/a"));
    QTest::newRow("404 without an index") << answer(404, {}, {});
    QTest::newRow("404 with a page") << withIndex(html(404), "7");
    QTest::newRow("500") << plain(500, "No cluster leader");
    HttpAnswer unknown = json(200, '[' + Key + ']');
    unknown.lengthKnown = false;
    QTest::newRow("of unknown length") << unknown;
}

void TestDecodeLists::notALists()
{
    QFETCH(HttpAnswer, answer);
    QVERIFY(std::holds_alternative<Failure>(decodeQuery(ListSessions{}, answer)));
    QVERIFY(std::holds_alternative<Failure>(decodeQuery(ListKeys{u"service/"_s, {}, {}}, answer)));
}

/// Longer than the whole of any other answer may be.
void TestDecodeLists::longLists()
{
    QByteArrayList items;
    for (int i = 0; i < 6000; ++i)
        items += Session;
    const HttpAnswer answer = json(200, '[' + items.join(',') + ']');
    QVERIFY(answer.body.size() > MaxAnswer);
    const QueryReply reply = decodeQuery(ListSessions{}, answer);
    QCOMPARE(std::get<SessionsListed>(reply).sessions.size(), 6000);
    const QueryReply tooLong = decodeQuery(ListSessions{}, json(200, QByteArray(MaxList + 1, ' ')));
    QCOMPARE(std::get<Failure>(tooLong).kind, FailureKind::NotConsul);
}

void TestDecodeLists::leader()
{
    QCOMPARE(std::get<ConsulLeader>(decodeQuery(AskLeader{}, json(200, "\"127.0.0.1:8300\""))).address,
             u"127.0.0.1:8300"_s);
    QVERIFY(std::get<ConsulLeader>(decodeQuery(AskLeader{}, json(200, "\"\""))).address.isEmpty());
    QVERIFY(std::holds_alternative<Failure>(decodeQuery(AskLeader{}, html(200))));
}

void TestDecodeLists::acls_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<int>("mayHide"); // -1: a failure.
    QTest::newRow("disabled") << plain(401, "ACL support disabled") << 0;
    QTest::newRow("401 of somebody else") << plain(401, "log in") << -1;
    QTest::newRow("unknown token") << plain(403, "ACL not found") << 1;
    QTest::newRow("a token with some policy") << json(200, R"({"Policies":[{"ID":"x","Name":"p"}]})") << 1;
    QTest::newRow("a token without policies") << json(200, "{}") << 1;
    QTest::newRow("global management") << json(
        200, R"({"Policies":[{"ID":"00000000-0000-0000-0000-000000000001","Name":"global-management"}]})")
                                       << 0;
    QTest::newRow("HTML") << html(200) << -1;
}

void TestDecodeLists::acls()
{
    QFETCH(HttpAnswer, answer);
    QFETCH(int, mayHide);
    const QueryReply reply = decodeQuery(AskAcls{}, answer);
    const auto *state = std::get_if<AclState>(&reply);
    QCOMPARE(state ? int(state->mayHide) : -1, mayHide);
}

void TestDecodeLists::unlock_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<QString>("reply");
    const QByteArray entry = R"({"KV":)" + Key + '}';
    QTest::newRow("released") << json(200, R"({"Results":[)" + entry + ',' + entry + R"(],"Errors":null})")
                              << u"released"_s;
    QTest::newRow("the index has moved") << json(
        409,
        R"({"Results":null,"Errors":[{"OpIndex":0,"What":"failed index check for key \"service/a/leader\", )"
        R"(current modify index 34 != 15"},{"OpIndex":1,"What":"failed to unlock key \"service/a/leader\", )"
        R"(lock isn't held, or is held by another session"}]})")
                                         << u"stale"_s;
    QTest::newRow("denied") << json(409,
                                    R"({"Results":null,"Errors":[{"OpIndex":1,"What":"Permission denied"}]})")
                            << u"failure"_s;
    QTest::newRow("hidden") << json(200, R"({"Results":[],"Errors":null})") << u"failure"_s;
    QTest::newRow("HTML") << html(200) << u"failure"_s;
}

void TestDecodeLists::unlock()
{
    QFETCH(HttpAnswer, answer);
    const QueryReply reply = decodeQuery(UnlockKey{u"service/a/leader"_s, Ours, 15, "x"}, answer);
    const auto *released = std::get_if<KeyReleased>(&reply);
    const QString said = released && released->released ? u"released"_s
        : std::holds_alternative<LockRefused>(reply)    ? u"stale"_s
                                                        : u"failure"_s;
    QTEST(said, "reply");
}

void TestDecodeLists::targets()
{
    const Scope scope{u"dc 1"_s, {}, {}};
    QCOMPARE(encodeQuery(ListKeys{u"service/"_s, {}, {}}, scope).target,
             QByteArray("/v1/kv/service/?recurse&dc=dc%201"));
    QCOMPARE(encodeQuery(ListKeys{{}, {}, {}}).target, QByteArray("/v1/kv/?recurse"));
    QCOMPARE(encodeQuery(ListSessions{0, Milliseconds(1000)}).target,
             QByteArray("/v1/session/list?index=1&wait=1000ms"));
    QCOMPARE(encodeQuery(UnlockKey{u"k"_s, u"s"_s, 7, "x"}).body,
             QByteArray(R"([{"KV":{"Verb":"check-index","Key":"k","Index":7}},)"
                        R"({"KV":{"Verb":"unlock","Key":"k","Value":"eA==","Session":"s"}}])"));
    QVERIFY(encodeQuery(UnlockKey{}).once);
}

QTEST_GUILESS_MAIN(TestDecodeLists)
#include "tst_decodelists.moc"
