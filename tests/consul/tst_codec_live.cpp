// SPDX-License-Identifier: MIT
#include "answers.h"
#include "consulagent.h"

#include <QtCore/QJsonObject>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton::Wire;
using namespace Baton::Wire::Samples;
using namespace std::chrono_literals;
using Baton::Testing::ConsulAgent;

/// Every request and every reply of the codec, spoken with a real Consul.
class TestCodecLive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void sessionFromCreateToDestroy();
    void sessionsRefused_data();
    void sessionsRefused();
    void watchEndsWithAChangeOrItsWait();
    void lockUnderEveryGuard();
    void lockRefusedInEveryWay();
    void lockDelayIsTold();
    void releaseIsTrueOrFalse();
    void fencedWrites();
    void f32_keysSurvive_data();
    void f32_keysSurvive();
    void f32_unprintableKeysAreRefused_data();
    void f32_unprintableKeysAreRefused();
    void whatIsNoKeyIsNotAbsent();
    void indentedAnswersAreReadAlike();
    void denied_data();
    void denied();

private:
    Reply ask(const Request &request, const Scope &scope = {});
    void speakTo(const ConsulAgent &agent, const QByteArray &token = {});
    Baton::Wire::HttpAnswer exchange(const HttpCall &call);
    QString newSession(Milliseconds lockDelay = 0ms);
    KeyRead read(const QString &key);

    QNetworkAccessManager m_network;
    ConsulAgent m_agent{ConsulAgent::Kind::Server};
    QString m_address;
    QString m_node;
    QByteArray m_token;
};

namespace {

constexpr int PatienceMs = 30'000; // For an answer; a loaded machine may be slow.
const QString Nobody = u"00000000-0000-4000-8000-000000000000"_s;

} // namespace

void TestCodecLive::initTestCase()
{
    QVERIFY2(m_agent.start(), qPrintable(m_agent.errorString()));
    speakTo(m_agent);
}

void TestCodecLive::speakTo(const ConsulAgent &agent, const QByteArray &token)
{
    m_address = agent.address();
    m_node = agent.nodeName();
    m_token = token;
}

Baton::Wire::HttpAnswer TestCodecLive::exchange(const HttpCall &call)
{
    QNetworkRequest request(QUrl::fromEncoded(m_address.toLatin1() + call.target, QUrl::StrictMode));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setRawHeader("Accept-Encoding", "identity");
    if (!m_token.isEmpty())
        request.setRawHeader("X-Consul-Token", m_token);
    const std::unique_ptr<QNetworkReply> reply(m_network.sendCustomRequest(request, call.method, call.body));
    QSignalSpy finished(reply.get(), &QNetworkReply::finished);
    Baton::Wire::HttpAnswer answer;
    if (!finished.wait(PatienceMs))
        return answer;
    answer.exchange = Exchange::Complete;
    answer.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    answer.contentType = reply->rawHeader("Content-Type");
    answer.consulIndex = reply->rawHeader("X-Consul-Index");
    answer.consulKnownLeader = reply->rawHeader("X-Consul-Knownleader");
    answer.consulLastContact = reply->rawHeader("X-Consul-Lastcontact");
    answer.lengthKnown =
        reply->hasRawHeader("Content-Length") || reply->rawHeader("Transfer-Encoding") == "chunked";
    answer.body = reply->readAll();
    return answer;
}

Reply TestCodecLive::ask(const Request &request, const Scope &scope)
{
    return decode(request, exchange(encode(request, scope)));
}

QString TestCodecLive::newSession(Milliseconds lockDelay)
{
    const Reply reply = ask(CreateSession{u"codec"_s, 10s, lockDelay, {}, {}});
    const auto *created = std::get_if<SessionCreated>(&reply);
    return created ? created->session : QString();
}

KeyRead TestCodecLive::read(const QString &key)
{
    const Reply reply = ask(ReadKey{key});
    const auto *result = std::get_if<KeyRead>(&reply);
    return result ? *result : KeyRead();
}

void TestCodecLive::sessionFromCreateToDestroy()
{
    const Reply created = ask(CreateSession{u"svc @ <host> \u00e7"_s, 10s, 1500ms, {u"serfHealth"_s}, {}});
    QVERIFY2(std::holds_alternative<SessionCreated>(created), qPrintable(described(created)));
    const QString id = std::get<SessionCreated>(created).session;

    const Reply renewed = ask(RenewSession{id});
    QVERIFY2(std::holds_alternative<SessionRenewed>(renewed), qPrintable(described(renewed)));
    const SessionInfo info = std::get<SessionRenewed>(renewed).info;
    QCOMPARE(info.name, u"svc @ <host> \u00e7"_s);
    QCOMPARE(info.node, m_node);
    QVERIFY(info.ttl == std::optional<Milliseconds>(10s));
    QCOMPARE(info.lockDelay, 1500ms);
    QCOMPARE(info.nodeChecks, QStringList{u"serfHealth"_s});
    QVERIFY(info.createIndex > 0);
    QVERIFY(ask(InspectSession{id}) == Reply(SessionShown{info}));

    QVERIFY(ask(DestroySession{id}) == Reply(SessionDestroyed{}));
    QCOMPARE(described(ask(InspectSession{id})), u"gone"_s);
    QCOMPARE(described(ask(RenewSession{id})), u"gone"_s);
    QVERIFY(ask(DestroySession{id}) == Reply(SessionDestroyed{})); // Consul says so of any id.
}

void TestCodecLive::sessionsRefused_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QString>("nameSpace");
    QTest::addColumn<QString>("datacenter");
    QTest::addColumn<QString>("reply");
    const Request good = CreateSession{u"x"_s, 10s, 9s, {}, {}};
    QTest::newRow("f10 TTL too short")
        << Request(CreateSession{u"x"_s, 9s, 9s, {}, {}}) << QString() << QString() << u"Rejected"_s;
    QTest::newRow("f10 TTL too long")
        << Request(CreateSession{u"x"_s, 86'401s, 9s, {}, {}}) << QString() << QString() << u"Rejected"_s;
    QTest::newRow("f37 check missing") << Request(CreateSession{u"x"_s, 10s, 9s, {u"nope"_s}, {}})
                                       << QString() << QString() << u"NodeUnhealthy"_s;
    QTest::newRow("f49 namespace") << good << u"team"_s << QString() << u"Rejected"_s;
    QTest::newRow("unknown datacenter") << good << QString() << u"a+b"_s << u"ServerError"_s;
    QTest::newRow("renewed id no UUID")
        << Request(RenewSession{u"x"_s}) << QString() << QString() << u"Rejected"_s;
}

void TestCodecLive::sessionsRefused()
{
    QFETCH(Request, request);
    QFETCH(QString, nameSpace);
    QFETCH(QString, datacenter);
    QTEST(described(ask(request, {datacenter, nameSpace, {}})), "reply");
}

void TestCodecLive::watchEndsWithAChangeOrItsWait()
{
    const QString key = u"codec/watch"_s;
    const KeyRead absent = read(key);
    QVERIFY(!absent.entry && absent.index);
    QVERIFY(absent.knownLeader);

    QVERIFY(m_agent.putKey(key, "one"));
    const Reply changed = ask(WatchKey{key, *absent.index, 20s});
    const auto *first = std::get_if<KeyRead>(&changed);
    QVERIFY(first && first->entry);
    QCOMPARE(first->entry->value, QByteArray("one"));
    QVERIFY(*first->index > *absent.index);

    const Reply unchanged = ask(WatchKey{key, *first->index, 10ms});
    QVERIFY(unchanged == changed);
}

void TestCodecLive::lockUnderEveryGuard()
{
    const QString key = u"codec/guards"_s;
    const QString session = newSession();

    const Reply first = ask(LockKey{key, session, "{}", IfAbsent{}});
    QVERIFY2(std::holds_alternative<LockWon>(first), qPrintable(described(first)));
    const quint64 token = std::get<LockWon>(first).index;
    const KeyRead held = read(key);
    QVERIFY(held.entry);
    QCOMPARE(held.entry->modifyIndex, token);
    QCOMPARE(held.entry->session.value_or(QString()), session);
    QCOMPARE(held.entry->value, QByteArray("{}"));

    QVERIFY(ask(LockKey{key, session, "{}", IfOurs{}}) == first); // A lost answer, asked for again.
    const Reply lifted = ask(LockKey{key, session, "{1}", IfOurs{}});
    QVERIFY2(std::holds_alternative<LockWon>(lifted), qPrintable(described(lifted)));
    QVERIFY(std::get<LockWon>(lifted).index > token);

    QVERIFY(ask(ReleaseKey{key, session}) == Reply(KeyReleased{true}));
    const KeyRead free = read(key);
    QVERIFY(free.entry && !free.entry->session && free.entry->value.isEmpty());
    const Reply again = ask(LockKey{key, session, QByteArray("\0\xff", 2), IfIndex{free.entry->modifyIndex}});
    QVERIFY2(std::holds_alternative<LockWon>(again), qPrintable(described(again)));
    QVERIFY(std::get<LockWon>(again).index > std::get<LockWon>(lifted).index);
}

void TestCodecLive::lockRefusedInEveryWay()
{
    const QString key = u"codec/refused"_s;
    const QString holder = newSession();
    const QString rival = newSession();

    QCOMPARE(described(ask(LockKey{key, Nobody, "x", IfAbsent{}})), u"gone"_s);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfIndex{5}})), u"refused StaleGuard"_s);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfOurs{}})), u"refused StaleGuard"_s);

    const Reply won = ask(LockKey{key, holder, "x", IfAbsent{}});
    QVERIFY2(std::holds_alternative<LockWon>(won), qPrintable(described(won)));
    const quint64 token = std::get<LockWon>(won).index;
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfAbsent{}})), u"refused Held"_s);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfIndex{token}})), u"refused Held"_s);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfIndex{token - 1}})), u"refused Held"_s);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfOurs{}})), u"refused Held"_s);
    QCOMPARE(described(ask(LockKey{key, Nobody, "x", IfIndex{token}})), u"gone"_s);
    QCOMPARE(described(ask(LockKey{key, holder, "x", IfAbsent{}})), u"refused StaleGuard"_s);
    QCOMPARE(described(ask(LockKey{key, holder, "x", IfIndex{token + 1}})), u"refused StaleGuard"_s);
    QCOMPARE(read(key).entry.value_or(KeyEntry()).modifyIndex, token); // None of them changed anything.

    QVERIFY(ask(ReleaseKey{key, holder}) == Reply(KeyReleased{true}));
    QCOMPARE(described(ask(LockKey{key, holder, "x", IfIndex{token}})), u"refused StaleGuard"_s);
    QCOMPARE(described(ask(LockKey{key, holder, "x", IfOurs{}})), u"refused StaleGuard"_s);
}

void TestCodecLive::lockDelayIsTold()
{
    const QString key = u"codec/delay"_s;
    const QString holder = newSession(60s);
    const QString rival = newSession();
    QVERIFY(std::holds_alternative<LockWon>(ask(LockKey{key, holder, "x", IfAbsent{}})));
    QVERIFY(ask(DestroySession{holder}) == Reply(SessionDestroyed{}));

    const KeyRead free = read(key);
    QVERIFY(free.entry && !free.entry->session);
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfIndex{free.entry->modifyIndex}})),
             u"refused LockDelay"_s);
    // The delay is told before anything else is looked at.
    QCOMPARE(described(ask(LockKey{key, rival, "x", IfIndex{1}})), u"refused LockDelay"_s);
    QCOMPARE(described(ask(LockKey{key, Nobody, "x", IfAbsent{}})), u"refused LockDelay"_s);
}

void TestCodecLive::releaseIsTrueOrFalse()
{
    const QString key = u"codec/release"_s;
    const QString session = newSession();
    QVERIFY(ask(ReleaseKey{key, session}) == Reply(KeyReleased{false}));
    QVERIFY(std::holds_alternative<LockWon>(ask(LockKey{key, session, "x", IfAbsent{}})));
    QVERIFY(ask(ReleaseKey{key, Nobody}) == Reply(KeyReleased{false}));
    QVERIFY(ask(ReleaseKey{key, session}) == Reply(KeyReleased{true}));
    QVERIFY(ask(ReleaseKey{key, session}) == Reply(KeyReleased{false}));
}

void TestCodecLive::fencedWrites()
{
    const QString lock = u"codec/fence"_s;
    const QString session = newSession();
    const FencedWrite two{lock, session, {{u"codec/fenced/1"_s, "a"}, {u"codec/fenced/2"_s, {}}}};
    QCOMPARE(described(ask(two)), u"write refused"_s); // There is no lock key.

    const Reply won = ask(LockKey{lock, session, "x", IfAbsent{}});
    QVERIFY2(std::holds_alternative<LockWon>(won), qPrintable(described(won)));
    const Reply written = ask(two);
    QVERIFY2(std::holds_alternative<Written>(written), qPrintable(described(written)));
    QVERIFY(std::get<Written>(written).index > std::get<LockWon>(won).index);
    QCOMPARE(read(u"codec/fenced/1"_s).entry.value_or(KeyEntry()).value, QByteArray("a"));
    QVERIFY(read(u"codec/fenced/2"_s).entry);
    QVERIFY(ask(two) == written); // The same values again change nothing.

    FencedWrite most{lock, session, {}};
    for (int i = 0; i < FencedWrite::MaxWrites; ++i)
        most.writes.append({u"codec/fenced/%1"_s.arg(i), QByteArray::number(i)});
    QVERIFY(std::holds_alternative<Written>(ask(most)));

    const FencedWrite foreign{lock, Nobody, {{u"codec/fenced/1"_s, "late"}}};
    QCOMPARE(described(ask(foreign)), u"write refused"_s);
    QVERIFY(ask(ReleaseKey{lock, session}) == Reply(KeyReleased{true}));
    QCOMPARE(described(ask(two)), u"write refused"_s);
    QCOMPARE(read(u"codec/fenced/1"_s).entry.value_or(KeyEntry()).value, QByteArray("1"));
}

void TestCodecLive::f32_keysSurvive_data()
{
    QTest::addColumn<QString>("key");
    for (const QString &key :
         {u"codec/a b"_s, u"codec/a#b?c"_s, u"codec/50%"_s, u"codec/a%2Fb"_s, u"codec/a+b"_s,
          u"codec/\u00e7"_s, u"codec/\U0001F451"_s, u"codec/\"q\"\\<&>"_s, u"codec/..a/b.."_s})
        QTest::newRow(qPrintable(key)) << key;
}

void TestCodecLive::f32_keysSurvive()
{
    QFETCH(QString, key);
    QVERIFY(!keyProblem(key));
    const QString session = newSession();
    const Reply won = ask(LockKey{key, session, "x", IfAbsent{}});
    QVERIFY2(std::holds_alternative<LockWon>(won), qPrintable(described(won)));
    QCOMPARE(read(key).entry.value_or(KeyEntry()).session.value_or(QString()), session);
    QCOMPARE(described(ask(LockKey{key, newSession(), "x", IfAbsent{}})), u"refused Held"_s);
    QVERIFY(ask(ReleaseKey{key, session}) == Reply(KeyReleased{true}));
}

void TestCodecLive::f32_unprintableKeysAreRefused_data()
{
    QTest::addColumn<QString>("key");
    for (const QString &key : {u"a\u00a0b"_s, u"a\u200db"_s, u"a\u007fb"_s, u"a\nb"_s, u"a\U00100000b"_s})
        QTest::newRow(qPrintable(u"U+%1"_s.arg(key.toUcs4().at(1), 4, 16))) << key;
}

void TestCodecLive::f32_unprintableKeysAreRefused()
{
    QFETCH(QString, key);
    QVERIFY(keyProblem(key)); // For this is what would come of them:
    QCOMPARE(described(ask(ReadKey{key})), u"Rejected"_s);
    QCOMPARE(described(ask(ReleaseKey{key, Nobody})), u"Rejected"_s);
}

void TestCodecLive::whatIsNoKeyIsNotAbsent()
{
    HttpCall elsewhere = encode(ReadKey{u"k"_s});
    elsewhere.target.replace("/v1/kv/", "/v1/no-such-thing/");
    const Baton::Wire::HttpAnswer answer = exchange(elsewhere);
    QCOMPARE(answer.status, 404);
    QVERIFY(answer.body.isEmpty());
    QCOMPARE(described(decode(ReadKey{u"k"_s}, answer)), u"NotConsul"_s);

    QCOMPARE(described(ask(ReadKey{u"a//b"_s})), u"NotConsul"_s); // F31: a redirect.
}

void TestCodecLive::indentedAnswersAreReadAlike()
{
    ConsulAgent agent(ConsulAgent::Kind::Dev);
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    const QScopeGuard back([this] { speakTo(m_agent); });
    speakTo(agent);
    QVERIFY(exchange(encode(InspectSession{Nobody})).body.endsWith('\n'));
    sessionFromCreateToDestroy();
    lockUnderEveryGuard();
    lockRefusedInEveryWay();
    releaseIsTrueOrFalse();
    fencedWrites();
}

void TestCodecLive::denied_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::newRow("anonymous") << QByteArray("anonymous");
    QTest::newRow("f28 unknown token") << QByteArray("11111111-2222-4333-8444-555555555555");
}

void TestCodecLive::denied()
{
    QFETCH(QByteArray, token);
    ConsulAgent agent(ConsulAgent::Kind::Dev);
    const QString master = u"00000000-1111-4222-8333-444444444444"_s; // Who sends none has all rights.
    agent.setConfig(
        {{u"acl"_s,
          QJsonObject{{u"enabled"_s, true},
                      {u"default_policy"_s, u"deny"_s},
                      {u"tokens"_s, QJsonObject{{u"master"_s, master}, {u"default"_s, master}}}}}});
    QVERIFY2(agent.start(), qPrintable(agent.errorString()));
    const QScopeGuard back([this] { speakTo(m_agent); });
    speakTo(agent);
    const QString session = newSession();
    QVERIFY(std::holds_alternative<LockWon>(ask(LockKey{u"k"_s, session, "x", IfAbsent{}})));

    speakTo(agent, token);
    QCOMPARE(described(ask(CreateSession{u"x"_s, 10s, 0ms, {}, {}})), u"Denied"_s);
    QCOMPARE(described(ask(RenewSession{session})), u"Denied"_s);
    QCOMPARE(described(ask(DestroySession{session})), u"Denied"_s);
    QCOMPARE(described(ask(ReadKey{u"k"_s})), u"Denied"_s);
    QCOMPARE(described(ask(LockKey{u"k"_s, session, "x", IfOurs{}})), u"Denied"_s);
    QCOMPARE(described(ask(ReleaseKey{u"k"_s, session})), u"Denied"_s);
    QCOMPARE(described(ask(FencedWrite{u"k"_s, session, {{u"a"_s, "x"}}})), u"Denied"_s);
    // A session that exists, hidden from the anonymous token (F17).
    QVERIFY(!std::holds_alternative<SessionShown>(ask(InspectSession{session})));
}

QTEST_GUILESS_MAIN(TestCodecLive)
#include "tst_codec_live.moc"
