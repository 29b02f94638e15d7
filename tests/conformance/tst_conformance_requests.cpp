// SPDX-License-Identifier: MIT
#include "table.h"

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// What Consul answers to which request: the embedded agent and a real Consul, answer by answer. What a
// cluster says while it changes its leader is left out.
class TestConformanceRequests : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void sessions_data();
    void sessions() { compare(); }
    void locks_data();
    void locks() { compare(); }
    void transactions_data();
    void transactions() { compare(); }
    void reading_data();
    void reading() { compare(); }
    void keys_data();
    void keys() { compare(); }
    void checks_data();
    void checks() { compare(); }
    void catalog_data();
    void catalog();
    void paths_data();
    void paths() { compare(); }
    void aValueThatIsTooLong();

private:
    void compare()
    {
        QFETCH(QByteArrayList, lines);
        compareSides(lines, m_embedded, m_real);
    }

    EmbeddedSide m_embedded;
    RealSide m_real{ConsulAgent::Kind::Dev};
};

void TestConformanceRequests::initTestCase()
{
    QVERIFY(m_embedded.start(10s));
    QVERIFY2(m_real.start({}), qPrintable(m_real.agent().errorString()));
    qInfo("embedded agent: %s; real Consul: %s, process %lld", qPrintable(m_embedded.version()),
          qPrintable(m_real.version()), m_real.agent().processId());
    QCOMPARE(m_real.doubt(), QString());
    QVERIFY(m_embedded.version().contains("simulated"_L1));
}

void TestConformanceRequests::sessions_data()
{
    addRows({
        {"create, fine",
         {R"(PUT /v1/session/create {"Name":"x","TTL":"10s","LockDelay":"9s"} => S)",
          "GET /v1/session/info/$S", "PUT /v1/session/renew/$S", "GET /v1/session/list"}},
        {"create, empty", {"PUT /v1/session/create => S", "GET /v1/session/info/$S"}},
        {"TTL too short", {R"(PUT /v1/session/create {"TTL":"5s"})"}},
        {"TTL too long", {R"(PUT /v1/session/create {"TTL":"24h0m1s"})"}},
        {"TTL of 24 h", {R"(PUT /v1/session/create {"TTL":"24h"} => S)", "GET /v1/session/info/$S"}},
        {"TTL written in other ways",
         {R"(PUT /v1/session/create {"TTL":"1m30s"} => S)", "GET /v1/session/info/$S",
          R"(PUT /v1/session/create {"TTL":"0.5h"} => T)", "GET /v1/session/info/$T",
          R"(PUT /v1/session/create {"TTL":"15000ms"} => U)", "GET /v1/session/info/$U",
          R"(PUT /v1/session/create {"TTL":""} => V)", "GET /v1/session/info/$V"}},
        {"TTL not a duration",
         {R"(PUT /v1/session/create {"TTL":"abc"})", R"(PUT /v1/session/create {"TTL":"5"})",
          R"(PUT /v1/session/create {"TTL":"1x"})", R"(PUT /v1/session/create {"TTL":"5s5"})",
          R"(PUT /v1/session/create {"TTL":"-1s"})", R"(PUT /v1/session/create {"TTL":" 5s"})"}},
        {"TTL as a number", {R"(PUT /v1/session/create {"TTL":5})"}},
        {"lock-delay as nanoseconds",
         {R"(PUT /v1/session/create {"LockDelay":1500000000} => S)", "GET /v1/session/info/$S"}},
        {"lock-delay as seconds",
         {R"(PUT /v1/session/create {"LockDelay":5} => S)", "GET /v1/session/info/$S"}},
        {"lock-delay 61 s",
         {R"(PUT /v1/session/create {"LockDelay":"61s"} => S)", "GET /v1/session/info/$S"}},
        {"lock-delay 0", {R"(PUT /v1/session/create {"LockDelay":"0s"} => S)", "GET /v1/session/info/$S"}},
        {"lock-delay not a duration",
         {R"(PUT /v1/session/create {"LockDelay":"5"})", R"(PUT /v1/session/create {"LockDelay":"abc"})",
          R"(PUT /v1/session/create {"LockDelay":""})"}},
        {"broken JSON",
         {"PUT /v1/session/create {", R"(PUT /v1/session/create {"Name":"a)", "PUT /v1/session/create x"}},
        {"JSON of another kind",
         {"PUT /v1/session/create null => S", "GET /v1/session/info/$S", "PUT /v1/session/create {} x",
          R"(PUT /v1/session/create {"Name":5})"}},
        {"names in any case, and unknown ones",
         {R"(PUT /v1/session/create {"name":"n","ttl":"20s","foo":1} => S)", "GET /v1/session/info/$S"}},
        {"unknown check",
         {R"(PUT /v1/session/create {"NodeChecks":["nope"]})",
          R"(PUT /v1/session/create {"ServiceChecks":[{"ID":"nope"}]})",
          R"(PUT /v1/session/create {"Checks":["nope"]})"}},
        {"checks by their old name",
         {R"(PUT /v1/session/create {"Checks":["serfHealth"]} => S)", "GET /v1/session/info/$S"}},
        {"no node checks", {R"(PUT /v1/session/create {"NodeChecks":[]} => S)", "GET /v1/session/info/$S"}},
        {"unknown datacenter",
         {"PUT /v1/session/create?dc=nope {}", "GET /v1/session/list?dc=nope",
          "PUT /v1/session/renew/11111111-2222-3333-4444-555555555555?dc=nope"}},
        {"unknown node", {R"(PUT /v1/session/create {"Node":"nope"})"}},
        {"behaviour",
         {R"(PUT /v1/session/create {"Behavior":"delete"} => S)", "GET /v1/session/info/$S",
          R"(PUT /v1/session/create {"Behavior":"bogus"})"}},
        {"renew, session gone", {"PUT /v1/session/renew/11111111-2222-3333-4444-555555555555"}},
        {"renew, session destroyed",
         {"PUT /v1/session/create => S", "PUT /v1/session/destroy/$S", "PUT /v1/session/renew/$S"}},
        {"renewals change no index",
         {"PUT /v1/session/create => S", "GET /v1/session/info/$S", "PUT /v1/session/renew/$S",
          "GET /v1/session/info/$S"}},
        {"id not a uuid",
         {"PUT /v1/session/renew/abc", "PUT /v1/session/destroy/abc", "GET /v1/session/info/abc",
          "PUT /v1/session/renew/11111111-2222-3333-4444-55555555555Z"}},
        {"no id",
         {"PUT /v1/session/renew/", "PUT /v1/session/destroy/", "GET /v1/session/info/",
          "GET /v1/session/node/"}},
        {"destroy, unknown id", {"PUT /v1/session/destroy/11111111-2222-3333-4444-555555555555"}},
        {"info of an unknown id",
         {"PUT /v1/session/create => S", "GET /v1/session/info/11111111-2222-3333-4444-555555555555"}},
        {"sessions of a node",
         {"PUT /v1/session/create => S", "GET /v1/session/node/twin", "GET /v1/session/node/nope"}},
        {"wrong method",
         {"POST /v1/session/create {}", "GET /v1/session/create", "PUT /v1/session/list",
          "DELETE /v1/session/destroy/11111111-2222-3333-4444-555555555555"}},
    });
}

void TestConformanceRequests::locks_data()
{
    const QByteArray holder = R"(PUT /v1/session/create {"LockDelay":"15s"} => S)";
    const QByteArray rival = R"(PUT /v1/session/create {"LockDelay":"0s"} => R)";
    addRows({
        {"acquire, free", {holder, "PUT /v1/kv/$K?acquire=$S v", "GET /v1/kv/$K"}},
        {"acquire, held",
         {holder, rival, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K?acquire=$R w", "GET /v1/kv/$K"}},
        {"acquire, in lock-delay",
         {holder, rival, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/session/destroy/$S", "GET /v1/kv/$K",
          "PUT /v1/kv/$K?acquire=$R w", "GET /v1/kv/$K"}},
        {"acquire, session gone", {"PUT /v1/kv/$K?acquire=11111111-2222-3333-4444-555555555555 v"}},
        {"acquire, session not a uuid",
         {"PUT /v1/kv/$K?acquire=abc v", "PUT /v1/kv/$K?acquire= v", "PUT /v1/kv/$K?acquire v"}},
        {"acquire again, same value and another",
         {holder, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K?acquire=$S v", "GET /v1/kv/$K",
          "PUT /v1/kv/$K?acquire=$S w", "GET /v1/kv/$K"}},
        {"acquire with flags",
         {holder, "PUT /v1/kv/$K?acquire=$S&flags=3304740253564472344 v", "GET /v1/kv/$K"}},
        {"release, not the holder",
         {holder, rival, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K?release=$R", "GET /v1/kv/$K"}},
        {"release, holder",
         {holder, "PUT /v1/kv/$K?acquire=$S v", "GET /v1/kv/$K", "PUT /v1/kv/$K?release=$S", "GET /v1/kv/$K",
          "PUT /v1/kv/$K?acquire=$S w", "GET /v1/kv/$K"}},
        {"release, key absent",
         {holder, "PUT /v1/kv/$K?release=$S", "PUT /v1/kv/$K?release=abc", "PUT /v1/kv/$K?release="}},
        {"plain PUT on a locked key",
         {holder, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K w", "GET /v1/kv/$K",
          "PUT /v1/kv/$K?release=$S", "GET /v1/kv/$K"}},
        {"DELETE of a locked key",
         {holder, "PUT /v1/kv/$K?acquire=$S v", "GET /v1/kv/$K", "DELETE /v1/kv/$K",
          "PUT /v1/session/renew/$S", "PUT /v1/kv/$K?acquire=$S v", "GET /v1/kv/$K"}},
        {"deleted: a rival has it at once",
         {holder, rival, "PUT /v1/kv/$K?acquire=$S v", "DELETE /v1/kv/$K", "PUT /v1/kv/$K?acquire=$R w",
          "GET /v1/kv/$K"}},
        {"released in the holder's name: a rival has it at once",
         {holder, rival, "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K?release=$S x",
          "PUT /v1/kv/$K?acquire=$R w", "GET /v1/kv/$K"}},
        {"behaviour delete destroyed: key gone, lock-delay applies",
         {R"(PUT /v1/session/create {"Behavior":"delete","LockDelay":"15s"} => S)", rival,
          "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/session/destroy/$S", "GET /v1/kv/$K",
          "PUT /v1/kv/$K?acquire=$R w"}},
        {"one session, two keys",
         {holder, "PUT /v1/kv/$K/a?acquire=$S v", "PUT /v1/kv/$K/b?acquire=$S v",
          "PUT /v1/session/destroy/$S", "GET /v1/kv/$K/?recurse"}},
    });
}

void TestConformanceRequests::transactions_data()
{
    const QByteArray holder = R"(PUT /v1/session/create {"LockDelay":"15s"} => S)";
    const QByteArray rival = R"(PUT /v1/session/create {"LockDelay":"0s"} => R)";
    const QByteArray lock = R"({"KV":{"Verb":"lock","Key":"$K","Value":"dg==","Session":"$S"}})";
    const QByteArray rivals = R"({"KV":{"Verb":"lock","Key":"$K","Value":"dw==","Session":"$R"}})";
    const QByteArray get = R"({"KV":{"Verb":"get","Key":"$K"}})";
    const QByteArray absent = R"({"KV":{"Verb":"check-not-exists","Key":"$K"}})";
    const QByteArray stale = R"({"KV":{"Verb":"check-index","Key":"$K","Index":7}})";
    const QByteArray current = R"({"KV":{"Verb":"check-index","Key":"$K","Index":$E.ModifyIndex}})";
    const QByteArray ours = R"({"KV":{"Verb":"check-session","Key":"$K","Session":"$S"}})";
    const QByteArray gone =
        R"({"KV":{"Verb":"lock","Key":"$K","Value":"dg==","Session":"11111111-2222-3333-4444-555555555555"}})";
    const auto txn = [](const QByteArrayList &operations) {
        return "PUT /v1/txn [" + operations.join(',') + ']';
    };
    const QByteArray read = "GET /v1/kv/$K";
    addRows({
        {"lock, get, won", {holder, txn({lock, get}), read}},
        {"check-not-exists, lock, get, won", {holder, txn({absent, lock, get}), read}},
        {"check-index, lock, get, won",
         {holder, "PUT /v1/kv/$K x", "GET /v1/kv/$K => E", txn({current, lock, get}), read}},
        {"check-session, lock, get", {holder, txn({lock}), txn({ours, lock, get})}},
        {"held by another",
         {holder, rival, txn({lock}), txn({rivals, get}), txn({absent, rivals, get}),
          txn({stale, rivals, get}), read}},
        {"in lock-delay",
         {holder, rival, txn({lock}), "PUT /v1/session/destroy/$S", "GET /v1/kv/$K => E", txn({rivals, get}),
          txn({current, rivals, get}), txn({stale, rivals, get}), txn({current, gone, get}), read}},
        {"session gone", {txn({absent, gone, get}), "PUT /v1/kv/$K x", txn({gone, get})}},
        {"session missing or no uuid",
         {R"(PUT /v1/txn [{"KV":{"Verb":"lock","Key":"$K","Value":"dg=="}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"lock","Key":"$K","Session":"abc"}}])"}},
        {"again by the holder, same value", {holder, txn({lock, get}), txn({lock, get}), read}},
        {"again by the holder, other value",
         {holder, txn({lock, get}),
          R"(PUT /v1/txn [{"KV":{"Verb":"lock","Key":"$K","Value":"eA==","Session":"$S"}}])", read}},
        {"check-index stale", {"PUT /v1/kv/$K x", txn({stale, get}), txn({stale, absent, get})}},
        {"check-index on an absent key", {txn({stale, get})}},
        {"check-not-exists on a key that is there", {"PUT /v1/kv/$K x", txn({absent, get})}},
        {"check-session wrong", {holder, rival, txn({rivals}), txn({ours, get})}},
        {"check-session of an absent key", {holder, txn({ours})}},
        {"check-session, set: a fenced write",
         {holder, txn({lock}), txn({ours, R"({"KV":{"Verb":"set","Key":"$K/out","Value":"eA=="}})"}),
          "GET /v1/kv/$K/out"}},
        {"a failed transaction leaves nothing",
         {"PUT /v1/kv/$K x", txn({R"({"KV":{"Verb":"set","Key":"$K/new","Value":"eA=="}})", stale}),
          "GET /v1/kv/$K/new"}},
        {"unlock",
         {holder, rival, txn({lock}), R"(PUT /v1/txn [{"KV":{"Verb":"unlock","Key":"$K","Session":"$R"}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"unlock","Key":"$K","Session":"$S"}}])", read,
          R"(PUT /v1/txn [{"KV":{"Verb":"unlock","Key":"$K"}}])"}},
        {"set, delete",
         {txn({R"({"KV":{"Verb":"set","Key":"$K","Value":"MQ==","Flags":7}})",
               R"({"KV":{"Verb":"delete","Key":"$K"}})"}),
          read}},
        {"cas",
         {R"(PUT /v1/txn [{"KV":{"Verb":"cas","Key":"$K","Value":"MQ==","Index":5}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"cas","Key":"$K","Value":"MQ==","Index":0}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"cas","Key":"$K","Value":"MQ==","Index":0}}])", "GET /v1/kv/$K => E",
          R"(PUT /v1/txn [{"KV":{"Verb":"cas","Key":"$K","Value":"Mg==","Index":$E.ModifyIndex}}])", read}},
        {"delete-cas, delete-tree",
         {"PUT /v1/kv/$K x", "PUT /v1/kv/$K/y x",
          R"(PUT /v1/txn [{"KV":{"Verb":"delete-cas","Key":"$K","Index":1}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"delete-tree","Key":"$K"}}])", "GET /v1/kv/$K?recurse"}},
        {"only reads",
         {"PUT /v1/kv/$K x", txn({get}), txn({get, R"({"KV":{"Verb":"get-tree","Key":"$K"}})"}),
          "PUT /v1/txn?consistent [" + get + ']', "PUT /v1/kv/$K y", read}},
        {"get of an absent key", {txn({get})}},
        {"empty", {"PUT /v1/txn []", "PUT /v1/txn null", "PUT /v1/txn [{}]"}},
        {"no key", {R"(PUT /v1/txn [{"KV":{"Verb":"set","Value":"MQ=="}}])"}},
        {"sixty-five operations", {txn(QByteArrayList(65, get))}},
        {"sixty-four operations", {"PUT /v1/kv/$K x", txn(QByteArrayList(64, get))}},
        {"broken JSON", {R"(PUT /v1/txn [{"KV":)", "PUT /v1/txn", "PUT /v1/txn {}"}},
        {"value not base64",
         {R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":"$K","Value":"%%%"}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":"$K","Value":"M"}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":"$K","Value":"TQ==Q"}}])"}},
        {"unknown verb", {R"(PUT /v1/txn [{"KV":{"Verb":"nope","Key":"$K"}}])"}},
        {"a Session verb", {R"(PUT /v1/txn [{"Session":{"Verb":"delete","Session":{"ID":"x"}}}])"}},
        {"unknown or wrong members",
         {R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":"$K","Foo":1}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":5}}])",
          R"(PUT /v1/txn [{"KV":{"Verb":"set","Key":"$K","Index":"x"}}])"}},
        {"unknown datacenter", {"PUT /v1/txn?dc=nope []"}},
        {"names in any case", {"PUT /v1/kv/$K x", R"(PUT /v1/txn [{"kv":{"verb":"get","key":"$K"}}])"}},
    });
}

void TestConformanceRequests::reading_data()
{
    addRows({
        {"absent",
         {"PUT /v1/kv/$K/other x", "GET /v1/kv/$K", "GET /v1/kv/$K?consistent", "GET /v1/kv/$K?stale",
          "GET /v1/kv/$K?raw", "GET /v1/kv/nothing?recurse", "GET /v1/kv/nothing?keys"}},
        {"wait and index that are none",
         {"GET /v1/kv/$K?wait=abc", "GET /v1/kv/$K?index=abc", "GET /v1/kv/$K?index=-1",
          "GET /v1/kv/$K?wait=5", "GET /v1/session/list?index=abc"}},
        {"stale and consistent", {"GET /v1/kv/$K?stale&consistent", "GET /v1/session/list?stale&consistent"}},
        {"an index from the future blocks", {"PUT /v1/kv/$K x", "GET /v1/kv/$K?index=1000000&wait=100ms"}},
        {"an index of the past does not",
         {"PUT /v1/kv/$K x => E", "GET /v1/kv/$K => E", "PUT /v1/kv/$K y",
          "GET /v1/kv/$K?index=$E.ModifyIndex&wait=10s"}},
        {"index 0 does not", {"PUT /v1/kv/$K x", "GET /v1/kv/$K?index=0&wait=10s"}},
        {"the wait of an absent key", {"GET /v1/kv/$K => E", "GET /v1/kv/$K?index=$E.Header&wait=100ms"}},
        {"indexes of a tree",
         {"PUT /v1/kv/$K/a x", "PUT /v1/kv/$K/b x", "GET /v1/kv/$K/?recurse", "DELETE /v1/kv/$K/b",
          "GET /v1/kv/$K/?recurse", "PUT /v1/kv/other x", "GET /v1/kv/$K/?recurse", "GET /v1/kv/$K/a"}},
        {"empty value", {"PUT /v1/kv/$K", "GET /v1/kv/$K", "GET /v1/kv/$K?raw"}},
        {"a write that changes nothing",
         {"PUT /v1/kv/$K x", "GET /v1/kv/$K", "PUT /v1/kv/$K x", "GET /v1/kv/$K"}},
        {"sessions",
         {"PUT /v1/session/create => S", "GET /v1/session/list", "PUT /v1/session/destroy/$S",
          "GET /v1/session/list", "GET /v1/session/list?index=1&wait=10s"}},
        {"unknown datacenter", {"GET /v1/kv/$K?dc=nope", "GET /v1/kv/$K?dc=dc1"}},
        {"namespaces", {"GET /v1/kv/$K?ns=x"}},
        {"a token where there are no ACLs",
         {"PUT /v1/kv/$K x", "GET /v1/kv/$K?token=99999999-0000-0000-0000-000000000000"}},
        {"status", {"GET /v1/status/leader", "GET /v1/status/peers", "GET /v1/catalog/datacenters"}},
    });
}

void TestConformanceRequests::keys_data()
{
    addRows({
        {"put, get, delete",
         {"PUT /v1/kv/$K hello", "GET /v1/kv/$K", "DELETE /v1/kv/$K", "GET /v1/kv/$K", "DELETE /v1/kv/$K"}},
        {"raw", {"PUT /v1/kv/$K hello", "GET /v1/kv/$K?raw", "GET /v1/kv/$K?recurse&raw"}},
        {"flags",
         {"PUT /v1/kv/$K?flags=42 x", "GET /v1/kv/$K", "PUT /v1/kv/$K?flags=18446744073709551615 x",
          "PUT /v1/kv/$K?flags=abc x", "PUT /v1/kv/$K?flags=-1 x"}},
        {"cas",
         {"PUT /v1/kv/$K?cas=5 x", "PUT /v1/kv/$K?cas=0 x", "PUT /v1/kv/$K?cas=0 y", "GET /v1/kv/$K => E",
          "PUT /v1/kv/$K?cas=$E.ModifyIndex z", "GET /v1/kv/$K", "PUT /v1/kv/$K?cas=abc x",
          "PUT /v1/kv/$K?cas= x"}},
        {"delete with cas",
         {"DELETE /v1/kv/$K?cas=5", "PUT /v1/kv/$K x", "DELETE /v1/kv/$K?cas=1", "DELETE /v1/kv/$K?cas=0",
          "GET /v1/kv/$K => E", "DELETE /v1/kv/$K?cas=$E.ModifyIndex", "GET /v1/kv/$K",
          "DELETE /v1/kv/$K?cas=abc"}},
        {"recurse",
         {"PUT /v1/kv/$K/a/b x", "PUT /v1/kv/$K/c x", "PUT /v1/kv/$K/a/d x", "GET /v1/kv/$K/?recurse",
          "GET /v1/kv/$K/a?recurse", "DELETE /v1/kv/$K/a?recurse", "GET /v1/kv/$K/?recurse"}},
        {"keys",
         {"PUT /v1/kv/$K/a/b x", "PUT /v1/kv/$K/c x", "PUT /v1/kv/$K/a/d x", "GET /v1/kv/$K/?keys",
          "GET /v1/kv/$K/?keys&separator=/", "GET /v1/kv/$K?keys&separator=/", "GET /v1/kv/?keys&separator=/",
          "GET /v1/kv/$K/?keys&recurse"}},
        {"no name", {"GET /v1/kv/", "PUT /v1/kv/ x", "DELETE /v1/kv/", "GET /v1/kv/?keys"}},
        {"flags that exclude each other",
         {"PUT /v1/kv/$K?cas=1&acquire=a%20b x", "PUT /v1/kv/$K?release=b&acquire=a x",
          "DELETE /v1/kv/$K?recurse&cas=3"}},
        {"wrong method", {"POST /v1/kv/$K x", "PATCH /v1/kv/$K x"}},
        {"a value of 512 KiB", {"PUT /v1/kv/$K %ZERO(524288)"}},
        {"markup and other letters",
         {"PUT /v1/kv/$K <\"&\xc3\xa9", "GET /v1/kv/$K", R"(PUT /v1/session/create {"Name":"<é\"&"} => S)",
          "GET /v1/session/info/$S"}},
    });
}

void TestConformanceRequests::checks_data()
{
    const QByteArray bound = R"(PUT /v1/session/create {"NodeChecks":[],"ServiceChecks":[{"ID":"$K"}]} => S)";
    addRows({
        {"a session bound to a service's TTL check",
         {R"(PUT /v1/agent/service/register {"Name":"$K","Check":{"CheckID":"$K","TTL":"10s","Status":"passing"}})",
          bound, "GET /v1/session/info/$S", "PUT /v1/agent/service/deregister/$K",
          "GET /v1/session/info/$S"}},
        {"a critical check refuses a session and ends one",
         {R"(PUT /v1/agent/check/register {"Name":"$K","TTL":"10s"})", bound, "PUT /v1/agent/check/pass/$K",
          bound, "PUT /v1/agent/check/warn/$K", "GET /v1/session/info/$S", "PUT /v1/agent/check/fail/$K",
          "GET /v1/session/info/$S", "PUT /v1/agent/check/pass/$K", "GET /v1/session/info/$S",
          "PUT /v1/agent/check/deregister/$K"}},
        {"a check that is deregistered ends its session",
         {R"(PUT /v1/agent/check/register {"Name":"$K","TTL":"10s","Status":"passing"})", bound,
          "PUT /v1/agent/check/deregister/$K", "GET /v1/session/info/$S"}},
        {"unknown",
         {"PUT /v1/agent/check/pass/$K", "PUT /v1/agent/check/fail/$K", "PUT /v1/agent/check/warn/$K",
          R"(PUT /v1/agent/check/update/$K {"Status":"passing"})", "PUT /v1/agent/check/deregister/$K",
          "PUT /v1/agent/service/deregister/$K", "GET /v1/agent/service/$K"}},
        {"update",
         {R"(PUT /v1/agent/check/register {"Name":"$K","TTL":"10s"})",
          R"(PUT /v1/agent/check/update/$K {"Status":"passing","Output":"o"})",
          R"(PUT /v1/agent/check/update/$K {"Status":"bogus"})", "GET /v1/agent/checks",
          "PUT /v1/agent/check/deregister/$K", "GET /v1/agent/checks"}},
        {"what cannot be registered",
         {R"(PUT /v1/agent/check/register {"Name":"x"})", R"(PUT /v1/agent/check/register {"TTL":"5s"})",
          "PUT /v1/agent/check/register {", R"(PUT /v1/agent/check/register {"Name":"x","TTL":"abc"})",
          R"(PUT /v1/agent/check/register {"Name":"x","TTL":"5s","Foo":1})",
          R"(PUT /v1/agent/check/register {"Name":"x","TTL":"5s","ServiceID":"nope"})",
          R"(PUT /v1/agent/service/register {"ID":"x"})", "PUT /v1/agent/service/register {",
          R"(PUT /v1/agent/service/register {"Name":"x","Bogus":1})"}},
        {"services",
         {R"(PUT /v1/agent/service/register {"Name":"web","ID":"$K","Tags":["a"],"Port":80,"Meta":{"k":"v"}})",
          "GET /v1/agent/services", "PUT /v1/agent/service/deregister/$K", "GET /v1/agent/services"}},
        {"ids of checks",
         {R"(PUT /v1/agent/service/register {"Name":"$K","Checks":[{"TTL":"10s"},{"TTL":"20s"}]})",
          "GET /v1/agent/checks", "PUT /v1/agent/service/deregister/$K", "GET /v1/agent/checks"}},
    });
}

void TestConformanceRequests::catalog_data()
{
    const QByteArray web =
        R"(PUT /v1/agent/service/register {"Name":"web","Tags":["a"],"Port":80,"Check":{"TTL":"10s"}})";
    const QByteArray end = "PUT /v1/agent/service/deregister/web";
    addRows({
        {"nodes",
         {"GET /v1/catalog/nodes", "GET /v1/catalog/node/nope", "GET /v1/catalog/node/",
          "GET /v1/catalog/nodes?dc=nope", "GET /v1/health/node/twin", "GET /v1/health/node/nope",
          "GET /v1/health/node/"}},
        {"services",
         {web, "GET /v1/catalog/services", "GET /v1/catalog/service/web", "GET /v1/catalog/service/nope",
          "GET /v1/catalog/service/web?tag=a", "GET /v1/catalog/service/web?tag=b", end,
          "GET /v1/catalog/services"}},
        {"health",
         {web, "GET /v1/health/service/web", "GET /v1/health/service/web?passing",
          "GET /v1/health/checks/web", "GET /v1/health/state/critical", "GET /v1/health/state/any",
          "PUT /v1/agent/check/pass/service:web?note=n", "GET /v1/health/service/web?passing",
          "GET /v1/health/state/critical", "GET /v1/health/state/passing", end, "GET /v1/health/service/web",
          "GET /v1/health/service/", "GET /v1/health/state/"}},
    });
}

// Consul gives every table of its catalog an index of its own; the embedded agent has one for all.
void TestConformanceRequests::catalog()
{
    QFETCH(QByteArrayList, lines);
    compareSides(lines, m_embedded, m_real, {}, Transcript::Indexes::LeftOut);
}

void TestConformanceRequests::paths_data()
{
    addRows({
        {"unknown", {"GET /v1/nonsense", "GET /v2/kv/a", "GET /v1/session/foo", "GET /v1/agent/nonsense"}},
        {"no slash at the end", {"PUT /v1/kv x", "PUT /v1/session/renew"}},
        {"empty segments",
         {"PUT /v1/kv/x//y 1", "PUT /v1/kv//x 1", "PUT /v1/kv/x%2F%2Fy 1",
          "PUT /v1/kv/x%2F%2Fy%20z?flags=3 1"}},
        {"dots", {"PUT /v1/kv/x/./y 1", "PUT /v1/kv/x/../y?flags=3 1"}},
        {"a slash at the end is part of the key", {"PUT /v1/kv/$K/ 1", "GET /v1/kv/$K/", "GET /v1/kv/$K"}},
        {"encoded once",
         {"PUT /v1/kv/$K%20b%2Bc%23%3F%25%C3%A9 1", "GET /v1/kv/$K%20b%2Bc%23%3F%25%C3%A9",
          "PUT /v1/kv/$K+b 1", "GET /v1/kv/$K%2Bb"}},
        {"not printable", {"PUT /v1/kv/a%0Ab 1"}},
    });
}

// Some servers answer, some reset the connection while the value is still being sent.
void TestConformanceRequests::aValueThatIsTooLong()
{
    for (const Side *side : std::initializer_list<const Side *>{&m_embedded, &m_real}) {
        const HttpAnswer answer = side->request("PUT", "/v1/kv/long", QByteArray(512 * 1024 + 1, '0'));
        QVERIFY2(answer.status == 413 || answer.status == 0, qPrintable(side->name()));
        if (answer.status == 413)
            QVERIFY(answer.body.startsWith("Request body(524289 bytes) too large, max size: 524288 bytes."));
        QCOMPARE(side->request("GET", "/v1/kv/long").status, 404);
    }
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestConformanceRequests)
#include "tst_conformance_requests.moc"
