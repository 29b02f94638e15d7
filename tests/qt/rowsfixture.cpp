// SPDX-License-Identifier: MIT
#include "rowsfixture.h"

#include "core/lockvalue.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QThread>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace RowsFixture {

namespace {
int g_agents = 0;
}

Agent::Agent(const QString &key) : ScriptedAgent(key, Place::OwnThread), datacenter(u"dc%1"_s.arg(++g_agents))
{
}

void Agent::answerJson(Kind kind, int status, const QByteArray &body, int times)
{
    answer(kind, status, body, "application/json", times);
}

void Agent::answerAll(int status, const QByteArray &body, const QByteArray &type)
{
    for (const Kind kind : {Kind::Create, Kind::Renew, Kind::Info, Kind::Read, Kind::Watch, Kind::Txn,
                            Kind::Release, Kind::Destroy})
        answer(kind, status, body, type);
}

void addAnswersThatProveNothing()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("type");
    const auto row = [](const char *name, int status, const QByteArray &body, const QByteArray &type) {
        QTest::newRow(name) << status << body << type;
    };
    row("no cluster leader", 500, "rpc error: rpc error: No cluster leader", Text);
    row("call failed", 500, "rpc error making call: EOF", Text);
    row("nothing said", 500, "", Text);
    row("bad gateway", 502, Html, "text/html");
    row("unavailable", 503, Html, "text/html");
    row("gateway time-out", 504, Html, "text/html");
    row("too many requests", 429, "Your IP is issuing too many concurrent connections", Text);
    row("denied for a moment", 403, "Permission denied", Text);
    row("login page", 200, Html, "text/html");
    row("empty list", 200, "[]", "application/json");
    row("no JSON", 200, "[{", "application/json");
}

const char *name(Kind kind)
{
    switch (kind) {
    case Kind::Create:
        return "create";
    case Kind::Renew:
        return "renew";
    case Kind::Info:
        return "info";
    case Kind::Read:
        return "read";
    case Kind::Watch:
        return "watch";
    case Kind::Txn:
        return "txn";
    case Kind::Release:
        return "release";
    case Kind::Destroy:
        return "destroy";
    case Kind::Other:
        break;
    }
    return "other";
}

LeaseOptions shortLease(const ScriptedAgent &agent)
{
    LeaseOptions options;
    options.serviceName = u"test"_s;
    options.address = agent.url().toString();
    options.allowShortTtl = true;
    options.ttl = 500ms;
    options.margin = 500ms - ShortWindow;
    options.lockDelay = 500ms;
    options.renewInterval = RenewInterval;
    options.requestTimeout = 150ms;
    options.watchWait = 1s;
    options.stopTimeout = 500ms;
    options.instanceId = u"rows"_s;
    return options;
}

LeaseOptions longLease(const ScriptedAgent &agent)
{
    LeaseOptions options = shortLease(agent);
    options.ttl = 10s;
    options.margin = 1s;
    options.lockDelay = 10s;
    options.requestTimeout = 1s;
    return options;
}

LeaseOptions shortLease(const Agent &agent)
{
    LeaseOptions options = shortLease(static_cast<const ScriptedAgent &>(agent));
    options.datacenter = agent.datacenter;
    return options;
}

LeaseOptions longLease(const Agent &agent)
{
    LeaseOptions options = longLease(static_cast<const ScriptedAgent &>(agent));
    options.datacenter = agent.datacenter;
    return options;
}

QByteArray batonValue(const QString &session, std::chrono::milliseconds lockDelay)
{
    Core::LockValue value;
    value.instance = u"rival"_s;
    value.session = session;
    value.ttl = 10s;
    value.lockDelay = lockDelay;
    value.nonce = u"1"_s;
    return value.toJson();
}

QByteArray keyJson(const AgentState::Entry &entry)
{
    QByteArray session;
    if (!entry.session.isEmpty())
        session = R"(,"Session":")" + entry.session.toUtf8() + '"';
    return R"([{"LockIndex":)" + QByteArray::number(entry.lockIndex) + R"(,"Key":")" + Key.toUtf8()
        + R"(","Flags":0,"Value":")" + entry.value.toBase64() + '"' + session + R"(,"CreateIndex":)"
        + QByteArray::number(entry.createIndex) + R"(,"ModifyIndex":)" + QByteArray::number(entry.modifyIndex)
        + "}]";
}

QByteArray sessionJson(const QString &id, const QByteArray &ttl, const QByteArray &lockDelay,
                       const QByteArray &nodeChecks)
{
    return R"([{"ID":")" + id.toLatin1() + R"(","Name":"","Node":"n1","LockDelay":)" + lockDelay
        + R"(,"Behavior":"release","TTL":")" + ttl + R"(","NodeChecks":)" + nodeChecks
        + R"(,"ServiceChecks":null,"CreateIndex":5,"ModifyIndex":5}])";
}

QString sessionIn(const Request &request)
{
    for (const auto operation : QJsonDocument::fromJson(request.body).array()) {
        const QString session = operation.toObject()["KV"_L1].toObject()["Session"_L1].toString();
        if (!session.isEmpty())
            return session;
    }
    return {};
}

Candidate::Candidate(const LeaseOptions &options) : provider(options)
{
    listen();
}

void Candidate::listen()
{
    using P = LeaseProvider;
    QObject::connect(&provider, &P::leadershipAcquired, &provider, [this](quint64 token) {
        check(!m_announced, "acquired before the term before was lost");
        check(token > m_lastToken, "a token that does not rise");
        m_announced = true;
        m_lastToken = token;
        say(u"acquired %1"_s.arg(token));
    });
    QObject::connect(&provider, &P::leadershipLost, &provider, [this](LostReason reason) {
        check(m_announced, "lost without acquired");
        check(!provider.isLeading(), "leading in leadershipLost");
        check(provider.lease().isNull(), "a lease in leadershipLost");
        m_announced = false;
        say(u"lost "_s + tag(reason));
    });
    QObject::connect(&provider, &P::stateChanged, &provider, [this](ProviderState state) {
        check(m_announced || !provider.isLeading(), "leading, but not announced");
        check(m_announced || state != ProviderState::Leading, "in state Leading, but not announced");
        say(u"state "_s + tag(state));
    });
    QObject::connect(&provider, &P::errorOccurred, &provider, [this](const LeaseError &error) {
        errors.append(error);
        say(u"error %1 %2"_s.arg(tag(error.code), tag(error.step)));
    });
    QObject::connect(&provider, &P::errorCleared, &provider,
                     [this](ErrorCode code) { say(u"cleared "_s + tag(code)); });
    QObject::connect(&provider, &P::waiting, &provider,
                     [this](WaitReason reason) { say(u"waiting "_s + tag(reason)); });
    QObject::connect(&provider, &P::leaderChanged, &provider, [this](const LeaderInfo &leader) {
        say(u"leader "_s + (leader.isNull() ? u"none"_s : leader.session));
    });
    QObject::connect(&provider, &P::renewed, &provider, [this] { say(u"renewed"_s); });
    QObject::connect(&provider, &P::leadershipAtRisk, &provider, [this] { say(u"at_risk"_s); });
    QObject::connect(&provider, &P::leadershipSafe, &provider, [this] { say(u"safe"_s); });
    QObject::connect(&provider, &P::stopped, &provider, [this] {
        check(!m_announced, "stopped while leading");
        say(u"stopped"_s);
    });
}

void Candidate::say(const QString &text)
{
    events.append({text, bootNow()});
}

void Candidate::check(bool promise, const char *text) const
{
    if (!promise)
        QTest::qFail(text, __FILE__, __LINE__);
}

bool Candidate::lead()
{
    const int before = count(u"acquired"_s);
    provider.start();
    return waitFor(u"acquired"_s, before + 1);
}

bool Candidate::waitFor(const QString &text, int times) const
{
    return QTest::qWaitFor([&] { return count(text) >= times; }, Patience);
}

int Candidate::count(const QString &text) const
{
    return int(
        std::ranges::count_if(events, [&](const Event &event) { return event.text.startsWith(text); }));
}

std::optional<Candidate::Event> Candidate::last(const QString &text) const
{
    const auto found = std::find_if(events.crbegin(), events.crend(),
                                    [&](const Event &event) { return event.text.startsWith(text); });
    return found == events.crend() ? std::nullopt : std::optional(*found);
}

QStringList Candidate::terms() const
{
    QStringList result;
    for (const Event &event : events) {
        if (event.text.startsWith("acquired"_L1) || event.text.startsWith("lost"_L1))
            result.append(event.text);
    }
    return result;
}

void checkThatItLeads(const Agent &agent, Candidate &candidate)
{
    QVERIFY(candidate.lead());
    QCOMPARE(candidate.terms(), QStringList{u"acquired %1"_s.arg(agent.key()->modifyIndex)});
    QCOMPARE(agent.key()->lockIndex, 1);
    QCOMPARE(candidate.provider.lease().session(), agent.key()->session);
    QCOMPARE(candidate.errors.size(), 1);
    QCOMPARE(candidate.count(u"cleared"_s), 1);
    const QString message = candidate.errors.first().message();
    QVERIFY2(message.size() < 500 && !message.contains(u'\n'), qPrintable(message.left(1000)));
}

Instant deadlineOf(const Lease &lease)
{
    return bootNow() + lease.remaining();
}

bool blockUntil(const std::function<bool()> &condition)
{
    const Instant end = bootNow() + std::chrono::milliseconds{Patience};
    while (!condition()) {
        if (bootNow() > end)
            return false;
        QThread::yieldCurrentThread();
    }
    return true;
}

} // namespace RowsFixture
