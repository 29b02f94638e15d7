// SPDX-License-Identifier: MIT
#include "table.h"

#include <QJsonDocument>

namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// What tokens may do, and what is hidden from them: both sides deny whatever is not allowed.
class TestConformanceRights : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void rights_data();
    void rights();

private:
    [[nodiscard]] bool allow(const QByteArray &name, const QByteArray &rules,
                             const EmbeddedAgent::TokenRights &rights);

    EmbeddedSide m_embedded;
    RealSide m_real{ConsulAgent::Kind::Dev};
    QMap<QByteArray, QByteArray> m_tokens;
};

// A token of that name on both sides.
bool TestConformanceRights::allow(const QByteArray &name, const QByteArray &rules,
                                  const EmbeddedAgent::TokenRights &rights)
{
    const QByteArray secret =
        "bbbbbbbb-0000-0000-0000-" + QByteArray::number(m_tokens.size()).rightJustified(12, '0');
    const QJsonObject policy{{u"Name"_s, QString::fromLatin1(name)},
                             {u"Rules"_s, QString::fromLatin1(rules)}};
    const HttpAnswer made =
        m_real.request("PUT", "/v1/acl/policy", QJsonDocument(policy).toJson(), MasterToken);
    const HttpAnswer given = m_real.request(
        "PUT", "/v1/acl/token", R"({"SecretID":")" + secret + R"(","Policies":[{"Name":")" + name + R"("}]})",
        MasterToken);
    m_embedded.allow(secret, rights);
    m_tokens[name] = secret;
    return made.isOk() && given.isOk();
}

void TestConformanceRights::initTestCase()
{
    QVERIFY(m_embedded.start(10s));
    m_embedded.denyByDefault();
    m_real.setToken(MasterToken);
    m_real.agent().setToken(MasterToken);
    const QJsonObject tokens{{u"master"_s, QString::fromLatin1(MasterToken)}};
    QVERIFY2(
        m_real.start(
            {{u"acl"_s,
              QJsonObject{{u"enabled"_s, true}, {u"default_policy"_s, u"deny"_s}, {u"tokens"_s, tokens}}}}),
        qPrintable(m_real.agent().errorString()));
    qInfo("embedded agent: %s; real Consul: %s, process %lld", qPrintable(m_embedded.version()),
          qPrintable(m_real.version()), m_real.agent().processId());
    QCOMPARE(m_real.doubt(), QString());
    m_tokens["MASTER"] = MasterToken;
    m_tokens["BOGUS"] = "99999999-0000-0000-0000-000000000000";
    QVERIFY(allow("KEYS", R"(key_prefix "" { policy = "write" })", {true, true, false, false, false}));
    QVERIFY(allow("READER", R"(key_prefix "" { policy = "read" } session_prefix "" { policy = "read" })",
                  {true, false, true, false, false}));
    QVERIFY(
        allow("SESSIONS", R"(session_prefix "" { policy = "write" })", {false, false, true, true, false}));
    QVERIFY(allow("CANDIDATE", R"(key_prefix "" { policy = "write" } session_prefix "" { policy = "write" })",
                  {true, true, true, true, false}));
    QVERIFY(
        allow("SERVICES", R"(service_prefix "" { policy = "write" })", {false, false, false, false, true}));
}

void TestConformanceRights::rights_data()
{
    const QByteArray held = "@MASTER PUT /v1/session/create => S";
    const QByteArray lockedByIt = "@MASTER PUT /v1/kv/$K?acquire=$S v";
    const QByteArray lock = R"({"KV":{"Verb":"lock","Key":"$K","Value":"dg==","Session":"$S"}})";
    const QByteArray get = R"({"KV":{"Verb":"get","Key":"$K"}})";
    const QByteArray index = R"({"KV":{"Verb":"check-index","Key":"$K","Index":7}})";
    const QByteArray session = R"({"KV":{"Verb":"check-session","Key":"$K","Session":"$S"}})";
    const auto txn = [](const QByteArrayList &operations) {
        return "PUT /v1/txn [" + operations.join(',') + ']';
    };
    addRows({
        {"no token",
         {held, lockedByIt, "GET /v1/kv/$K", "GET /v1/kv/$K?consistent", "GET /v1/kv/absent",
          "GET /v1/kv/$K?recurse", "GET /v1/kv/$K?keys", "GET /v1/kv/?keys", "GET /v1/kv/$K?raw",
          "PUT /v1/kv/$K x", "PUT /v1/kv/$K?acquire=$S v", "PUT /v1/kv/$K?release=$S", "DELETE /v1/kv/$K",
          "DELETE /v1/kv/$K?recurse"}},
        {"no token, sessions",
         {held, "PUT /v1/session/create", "PUT /v1/session/renew/$S", "PUT /v1/session/destroy/$S",
          "GET /v1/session/info/$S", "GET /v1/session/list", "GET /v1/session/node/twin",
          "PUT /v1/session/renew/11111111-2222-3333-4444-555555555555",
          "PUT /v1/session/destroy/11111111-2222-3333-4444-555555555555"}},
        {"no token, transactions",
         {held, lockedByIt, txn({index, lock, get}), txn({get}), txn({lock}), txn({session, get}),
          txn({get, lock})}},
        {"bogus token",
         {held, lockedByIt, "@BOGUS GET /v1/kv/$K", "@BOGUS GET /v1/kv/$K?recurse", "@BOGUS PUT /v1/kv/$K x",
          "@BOGUS PUT /v1/session/create", "@BOGUS PUT /v1/session/renew/$S",
          "@BOGUS PUT /v1/session/destroy/$S", "@BOGUS GET /v1/session/info/$S",
          "@BOGUS GET /v1/session/list", "@BOGUS " + txn({lock, get}), "@BOGUS " + txn({get})}},
        {"bogus token, session gone",
         {"@BOGUS PUT /v1/session/renew/11111111-2222-3333-4444-555555555555",
          "@BOGUS PUT /v1/session/destroy/11111111-2222-3333-4444-555555555555"}},
        {"token in the address",
         {held, lockedByIt, "GET /v1/kv/$K?token=" + MasterToken,
          "GET /v1/kv/$K?token=99999999-0000-0000-0000-000000000000"}},
        {"keys but no sessions",
         {held, "@KEYS PUT /v1/kv/$K?acquire=$S v", "@KEYS GET /v1/kv/$K", "@KEYS PUT /v1/session/create",
          "@KEYS PUT /v1/session/renew/$S", "@KEYS GET /v1/session/info/$S", "@KEYS GET /v1/session/list",
          "@KEYS " + txn({session, get})}},
        {"sessions but no keys",
         {"@SESSIONS PUT /v1/session/create => S", "@SESSIONS PUT /v1/session/renew/$S",
          "@SESSIONS GET /v1/session/info/$S", "@SESSIONS PUT /v1/kv/$K?acquire=$S v",
          "@SESSIONS GET /v1/kv/$K", "@SESSIONS " + txn({lock, get}),
          "@SESSIONS PUT /v1/session/destroy/$S"}},
        {"read only",
         {held, lockedByIt, "@READER GET /v1/kv/$K", "@READER GET /v1/kv/?recurse",
          "@READER GET /v1/session/list", "@READER PUT /v1/kv/$K x", "@READER DELETE /v1/kv/$K",
          "@READER PUT /v1/session/create", "@READER PUT /v1/session/renew/$S", "@READER " + txn({get}),
          "@READER " + txn({lock, get})}},
        {"a candidate",
         {"@CANDIDATE PUT /v1/session/create => S", "@CANDIDATE " + txn({lock, get}),
          "@CANDIDATE PUT /v1/session/renew/$S", "@CANDIDATE PUT /v1/kv/$K?release=$S",
          "@CANDIDATE PUT /v1/session/destroy/$S"}},
        {"services",
         {R"(PUT /v1/agent/service/register {"Name":"$K"})",
          R"(@BOGUS PUT /v1/agent/service/register {"Name":"$K"})",
          R"(@SERVICES PUT /v1/agent/service/register {"Name":"$K"})",
          "@SERVICES PUT /v1/agent/service/deregister/$K"}},
    });
}

void TestConformanceRights::rights()
{
    QFETCH(QByteArrayList, lines);
    compareSides(lines, m_embedded, m_real, m_tokens);
}

} // namespace Baton::Testing

QTEST_GUILESS_MAIN(Baton::Testing::TestConformanceRights)
#include "tst_conformance_rights.moc"
