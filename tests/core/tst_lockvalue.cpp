// SPDX-License-Identifier: MIT
#include <core/lockvalue.h>

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QTest>

using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

LockValue fullValue()
{
    LockValue value;
    value.instance = u"worker-3 \u00e7 \"quoted\""_s;
    value.host = u"h1"_s;
    value.pid = 4711;
    value.version = u"1.2.3"_s;
    value.since = u"2024-05-06T07:08:09.010Z"_s;
    value.session = u"f1a2"_s;
    value.ttl = 10s;
    value.lockDelay = 9s;
    value.nonce = u"0123"_s;
    value.metadata = {{u"zone"_s, u"b"_s}, {u"url"_s, u"http://h/x?y"_s}};
    return value;
}

QByteArray with(const QString &name, const QJsonValue &member)
{
    QJsonObject object = QJsonDocument::fromJson(fullValue().toJson()).object();
    object.insert(name, member);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QByteArray without(const QString &name)
{
    QJsonObject object = QJsonDocument::fromJson(fullValue().toJson()).object();
    object.remove(name);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace

/// What stands under the key: written by Baton, and whatever else other clients put there.
class LockValueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void survives_the_round_trip();
    void members_are_the_contract();
    void foreign_value_data();
    void foreign_value();
    void strange_but_ours_data();
    void strange_but_ours();
    void every_prefix_is_foreign();
};

void LockValueTest::survives_the_round_trip()
{
    const LockValue value = fullValue();
    const auto read = LockValue::fromJson(value.toJson());
    QVERIFY(read);
    QCOMPARE(read->instance, value.instance);
    QCOMPARE(read->host, value.host);
    QCOMPARE(read->pid, value.pid);
    QCOMPARE(read->version, value.version);
    QCOMPARE(read->since, value.since);
    QCOMPARE(read->session, value.session);
    QCOMPARE(read->ttl, value.ttl);
    QCOMPARE(read->lockDelay, value.lockDelay);
    QCOMPARE(read->nonce, value.nonce);
    QCOMPARE(read->metadata, value.metadata);
}

/// Other programs read these names.
void LockValueTest::members_are_the_contract()
{
    const QJsonObject object = QJsonDocument::fromJson(fullValue().toJson()).object();
    QCOMPARE(object.keys(),
             QStringList({u"host"_s, u"instance"_s, u"lock_delay_ms"_s, u"metadata"_s, u"nonce"_s, u"pid"_s,
                          u"session"_s, u"since"_s, u"ttl_ms"_s, u"v"_s, u"version"_s}));
    QCOMPARE(object[u"v"_s].toInteger(), 1);
    QCOMPARE(object[u"lock_delay_ms"_s].toInteger(), 9000);
    LockValue plain = fullValue();
    plain.metadata.clear();
    QVERIFY(!QJsonDocument::fromJson(plain.toJson()).object().contains(u"metadata"_s));
}

void LockValueTest::foreign_value_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray("  \n");
    QTest::newRow("text") << QByteArray("worker-3");
    QTest::newRow("NUL") << QByteArray("\0{}", 3);
    QTest::newRow("invalid UTF-8") << QByteArray(
        "{\"v\":1,\"session\":\"\xff\xfe\",\"ttl_ms\":1,\"lock_delay_ms\":1}");
    QTest::newRow("null") << QByteArray("null");
    QTest::newRow("array") << QByteArray("[1]");
    QTest::newRow("empty object") << QByteArray("{}");
    QTest::newRow("another program's object") << QByteArray(R"({"Limit":1,"Holders":["a"]})");
    QTest::newRow("trailing text") << fullValue().toJson() + "x";
    QTest::newRow("nested without end") << QByteArray(100'000, '[');
    QTest::newRow("512 KiB of text") << QByteArray(512 * 1024, 'x');
    QTest::newRow("no version") << without(u"v"_s);
    QTest::newRow("version 0") << with(u"v"_s, 0);
    QTest::newRow("version as text") << with(u"v"_s, u"1"_s);
    QTest::newRow("no session") << without(u"session"_s);
    QTest::newRow("empty session") << with(u"session"_s, QString());
    QTest::newRow("session as a number") << with(u"session"_s, 7);
    QTest::newRow("no lock-delay") << without(u"lock_delay_ms"_s);
    QTest::newRow("negative lock-delay") << with(u"lock_delay_ms"_s, -1);
    QTest::newRow("lock-delay of a minute and a bit") << with(u"lock_delay_ms"_s, 60'001);
    QTest::newRow("lock-delay without end") << with(u"lock_delay_ms"_s, 1e300);
    QTest::newRow("lock-delay as text") << with(u"lock_delay_ms"_s, u"9000"_s);
    QTest::newRow("no TTL") << without(u"ttl_ms"_s);
    QTest::newRow("TTL 0") << with(u"ttl_ms"_s, 0);
    QTest::newRow("TTL of more than a day") << with(u"ttl_ms"_s, 86'400'001);
    QTest::newRow("TTL beyond 64 bits") << with(u"ttl_ms"_s, 1e30);
}

void LockValueTest::foreign_value()
{
    QFETCH(const QByteArray, value);
    QVERIFY(!LockValue::fromJson(value));
}

void LockValueTest::strange_but_ours_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("a later version with members unknown") << with(u"v"_s, 2).replace("{", "{\"new\":[1],");
    QTest::newRow("no lock-delay is one") << with(u"lock_delay_ms"_s, 0);
    QTest::newRow("the longest lock-delay") << with(u"lock_delay_ms"_s, 60'000);
    QTest::newRow("the longest TTL") << with(u"ttl_ms"_s, 86'400'000);
    QTest::newRow("pid as text") << with(u"pid"_s, u"x"_s);
    QTest::newRow("metadata is no object") << with(u"metadata"_s, 5);
    QTest::newRow("metadata with numbers") << with(u"metadata"_s, QJsonObject{{u"a"_s, 1}});
    QTest::newRow("a name of 10 000 characters") << with(u"instance"_s, QString(10'000, u'x'));
    QTest::newRow("mark-up and line breaks") << with(u"host"_s, u"<b>\n\u202e"_s);
}

void LockValueTest::strange_but_ours()
{
    QFETCH(const QByteArray, value);
    const auto read = LockValue::fromJson(value);
    QVERIFY(read);
    QCOMPARE(read->session, u"f1a2"_s);
}

void LockValueTest::every_prefix_is_foreign()
{
    const QByteArray value = fullValue().toJson();
    for (qsizetype length = 0; length < value.size(); ++length)
        QVERIFY2(!LockValue::fromJson(value.left(length)), QByteArray::number(length));
}

QTEST_APPLESS_MAIN(LockValueTest)
#include "tst_lockvalue.moc"
