// SPDX-License-Identifier: MIT
#include <Baton/LeaseOptions>

#include <QtCore/QCoreApplication>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace Baton;

using Milliseconds = std::chrono::milliseconds;
using MaybeMilliseconds = std::optional<Milliseconds>;

namespace {

LeaseOptions validOptions()
{
    LeaseOptions options;
    options.serviceName = u"invoice-worker"_s;
    return options;
}

} // namespace

class TestLeaseOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void timings_data();
    void timings();
    void profilesThemselves_data();
    void profilesThemselves();
    void f10_f38_ttl_data();
    void f10_f38_ttl();
    void f12_lockDelay_data();
    void f12_lockDelay();
    void f41_waits_data();
    void f41_waits();
    void marginAndWindow_data();
    void marginAndWindow();
    void extremesAreOnlyRefused();
    void f31_keys_data();
    void f31_keys();
    void token_data();
    void token();
    void candidate();
    void everyProblemIsNamed();
    void environment();
    void environmentThatCannotBeHonoured_data();
    void environmentThatCannotBeHonoured();
};

void TestLeaseOptions::defaults()
{
    const LeaseOptions options = validOptions();
    QCOMPARE(options.validate(), QStringList());
    QCOMPARE(options.profile, Profile::Balanced);
    QCOMPARE(options.lockKey(), u"service/invoice-worker/leader"_s);
    QVERIFY(options.effectiveInstanceId().endsWith(u"-%1"_s.arg(QCoreApplication::applicationPid())));
    QCOMPARE(options.effectiveSessionName(),
             u"baton service/invoice-worker/leader %1"_s.arg(options.effectiveInstanceId()));
    QCOMPARE(options.tokenFloor, 0u);

    LeaseOptions named = options;
    named.key = u"mine"_s;
    named.instanceId = u"a"_s;
    QCOMPARE(named.lockKey(), u"mine"_s);
    QCOMPARE(named.effectiveSessionName(), u"baton mine a"_s);
    named.sessionName = u"b"_s;
    QCOMPARE(named.effectiveSessionName(), u"b"_s);
}

void TestLeaseOptions::timings_data()
{
    QTest::addColumn<Profile>("profile");
    QTest::addColumn<MaybeMilliseconds>("ttl");
    QTest::addColumn<MaybeMilliseconds>("lockDelay");
    QTest::addColumn<LeaseTimings>("timings");
    QTest::newRow("conservative") << Profile::Conservative << MaybeMilliseconds() << MaybeMilliseconds()
                                  << LeaseTimings{10s, 15s, 2s, 8s, 3333ms, 3333ms, 50s, 5s};
    QTest::newRow("balanced") << Profile::Balanced << MaybeMilliseconds() << MaybeMilliseconds()
                              << LeaseTimings{10s, 9s, 2s, 8s, 2250ms, 2250ms, 50s, 5s};
    QTest::newRow("window bounded by the lock-delay")
        << Profile::Balanced << MaybeMilliseconds(10s) << MaybeMilliseconds(5s)
        << LeaseTimings{10s, 5s, 2s, 4500ms, 1250ms, 1250ms, 50s, 5s};
    QTest::newRow("lock-delay zero bounds nothing")
        << Profile::Balanced << MaybeMilliseconds(10s) << MaybeMilliseconds(0s)
        << LeaseTimings{10s, 0s, 2s, 8s, 3333ms, 3333ms, 50s, 5s};
    QTest::newRow("time-out of at least 100 ms")
        << Profile::Balanced << MaybeMilliseconds(10s) << MaybeMilliseconds(340ms)
        << LeaseTimings{10s, 340ms, 2s, 306ms, 85ms, 100ms, 50s, 5s};
    QTest::newRow("window never rounded up")
        << Profile::Balanced << MaybeMilliseconds(10s) << MaybeMilliseconds(555ms)
        << LeaseTimings{10s, 555ms, 2s, 499ms, 138ms, 138ms, 50s, 5s};
    QTest::newRow("long TTL") << Profile::Balanced << MaybeMilliseconds(30s) << MaybeMilliseconds(30s)
                              << LeaseTimings{30s, 30s, 2s, 27s, 7500ms, 7500ms, 50s, 5s};
}

void TestLeaseOptions::timings()
{
    QFETCH(Profile, profile);
    QFETCH(MaybeMilliseconds, ttl);
    QFETCH(MaybeMilliseconds, lockDelay);
    QFETCH(LeaseTimings, timings);
    LeaseOptions options = validOptions();
    options.profile = profile;
    options.ttl = ttl;
    options.lockDelay = lockDelay;
    QCOMPARE(options.validate(), QStringList());
    const LeaseTimings actual = options.timings();
    QCOMPARE(actual.ttl.count(), timings.ttl.count());
    QCOMPARE(actual.lockDelay.count(), timings.lockDelay.count());
    QCOMPARE(actual.margin.count(), timings.margin.count());
    QCOMPARE(actual.window.count(), timings.window.count());
    QCOMPARE(actual.renewInterval.count(), timings.renewInterval.count());
    QCOMPARE(actual.requestTimeout.count(), timings.requestTimeout.count());
    QCOMPARE(actual.watchWait.count(), timings.watchWait.count());
    QCOMPARE(actual.stopTimeout.count(), timings.stopTimeout.count());
}

void TestLeaseOptions::profilesThemselves_data()
{
    QTest::addColumn<Profile>("profile");
    QTest::addColumn<QStringList>("problems");
    QTest::addColumn<QStringList>("nodeChecks");
    QTest::newRow("conservative") << Profile::Conservative << QStringList() << QStringList{u"serfHealth"_s};
    QTest::newRow("balanced") << Profile::Balanced << QStringList() << QStringList();
    QTest::newRow("fast")
        << Profile::Fast << QStringList{u"profile: Fast is not available yet; use Balanced or Conservative"_s}
        << QStringList();
}

void TestLeaseOptions::profilesThemselves()
{
    QFETCH(Profile, profile);
    LeaseOptions options = validOptions();
    options.profile = profile;
    QTEST(options.validate(), "problems");
    QTEST(options.nodeChecks(), "nodeChecks");
}

void TestLeaseOptions::f10_f38_ttl_data()
{
    QTest::addColumn<Milliseconds>("ttl");
    QTest::addColumn<bool>("allowShort");
    QTest::addColumn<QString>("problem");
    const QString never = u"ttl: %1 would never expire or is no duration; it must be between 10 s and 24 h"_s;
    QTest::newRow("9 s")
        << Milliseconds{9s} << false
        << u"ttl: 9 s is below Consul's minimum of 10 s; set allowShortTtl if your servers allow it"_s;
    QTest::newRow("9999 ms")
        << Milliseconds{9999ms} << false
        << u"ttl: 9999 ms is below Consul's minimum of 10 s; set allowShortTtl if your servers allow it"_s;
    QTest::newRow("9 s where servers allow it") << Milliseconds{9s} << true << QString();
    QTest::newRow("10 s") << Milliseconds{10s} << false << QString();
    QTest::newRow("86400 s") << Milliseconds{86400s} << false << QString();
    QTest::newRow("86401 s") << Milliseconds{86401s} << false
                             << u"ttl: 86401 s is above Consul's maximum of 24 h"_s;
    QTest::newRow("0") << Milliseconds{0} << false << never.arg(u"0 s"_s);
    QTest::newRow("0 where servers allow short ones") << Milliseconds{0} << true << never.arg(u"0 s"_s);
    QTest::newRow("-1") << Milliseconds{-1} << false << never.arg(u"-1 ms"_s);
    QTest::newRow("1e12 s") << Milliseconds{1'000'000'000'000s} << false
                            << u"ttl: 1000000000000 s is above Consul's maximum of 24 h"_s;
}

void TestLeaseOptions::f10_f38_ttl()
{
    QFETCH(Milliseconds, ttl);
    QFETCH(bool, allowShort);
    QFETCH(QString, problem);
    LeaseOptions options = validOptions();
    options.ttl = ttl;
    options.allowShortTtl = allowShort;
    QCOMPARE(options.validate(), problem.isEmpty() ? QStringList() : QStringList{problem});
    QCOMPARE(options.timings().ttl.count(), ttl.count()); // Never changed in secret.
}

void TestLeaseOptions::f12_lockDelay_data()
{
    QTest::addColumn<MaybeMilliseconds>("lockDelay");
    QTest::addColumn<qint64>("inForce");
    QTest::addColumn<QString>("problem");
    QTest::newRow("unset") << MaybeMilliseconds() << qint64(9000) << QString();
    QTest::newRow("zero") << MaybeMilliseconds(0s) << qint64(0) << QString();
    QTest::newRow("1 s") << MaybeMilliseconds(1s) << qint64(1000) << QString();
    QTest::newRow("1000 ms") << MaybeMilliseconds(1000ms) << qint64(1000) << QString();
    QTest::newRow("60 s") << MaybeMilliseconds(60s) << qint64(60'000) << QString();
    QTest::newRow("61 s") << MaybeMilliseconds(61s) << qint64(61'000)
                          << u"lockDelay: 61 s is not between 0 s and 60 s"_s;
    QTest::newRow("-1 ms") << MaybeMilliseconds(-1ms) << qint64(-1)
                           << u"lockDelay: -1 ms is not between 0 s and 60 s"_s;
}

void TestLeaseOptions::f12_lockDelay()
{
    QFETCH(MaybeMilliseconds, lockDelay);
    QFETCH(qint64, inForce);
    QFETCH(QString, problem);
    LeaseOptions options = validOptions();
    options.lockDelay = lockDelay;
    QCOMPARE(options.validate(), problem.isEmpty() ? QStringList() : QStringList{problem});
    QCOMPARE(options.timings().lockDelay.count(), inForce);
}

void TestLeaseOptions::f41_waits_data()
{
    QTest::addColumn<Milliseconds>("wait");
    QTest::addColumn<bool>("valid");
    QTest::newRow("0") << Milliseconds{0} << false;
    QTest::newRow("1 ms") << Milliseconds{1} << false;
    QTest::newRow("999 ms") << Milliseconds{999} << false;
    QTest::newRow("1 s") << Milliseconds{1s} << true;
    QTest::newRow("10 min") << Milliseconds{10min} << true;
    QTest::newRow("2 h") << Milliseconds{2h} << false;
}

void TestLeaseOptions::f41_waits()
{
    QFETCH(Milliseconds, wait);
    QFETCH(bool, valid);
    LeaseOptions options = validOptions();
    options.watchWait = wait;
    const QStringList problems = options.validate();
    QCOMPARE(problems.size(), valid ? 0 : 1);
    QVERIFY(valid || problems.first().startsWith("watchWait: "_L1));
}

void TestLeaseOptions::marginAndWindow_data()
{
    QTest::addColumn<LeaseOptions>("options");
    QTest::addColumn<QString>("field"); // Empty: accepted.
    const auto row = [](const char *name, auto change, const QString &field) {
        LeaseOptions options = validOptions();
        change(options);
        QTest::newRow(name) << options << field;
    };
    row(
        "margin zero", [](LeaseOptions &o) { o.margin = 0ms; }, u"margin"_s);
    row(
        "margin negative", [](LeaseOptions &o) { o.margin = -1ms; }, u"margin"_s);
    row(
        "margin as long as the TTL", [](LeaseOptions &o) { o.margin = 10s; }, u"margin"_s);
    row(
        "margin leaves no second try", [](LeaseOptions &o) { o.margin = 5400ms; }, u"margin"_s);
    row(
        "margin leaves just enough", [](LeaseOptions &o) { o.margin = 5379ms; }, QString());
    row(
        "lock-delay too short for two tries", [](LeaseOptions &o) { o.lockDelay = 1ms; }, u"lockDelay"_s);
    row(
        "lock-delay just long enough", [](LeaseOptions &o) { o.lockDelay = 340ms; }, QString());
    row(
        "renewal slower than the window", [](LeaseOptions &o) { o.renewInterval = 9s; }, u"renewInterval"_s);
    row(
        "renewal too often", [](LeaseOptions &o) { o.renewInterval = 49ms; }, u"renewInterval"_s);
    row(
        "renewal without a pause", [](LeaseOptions &o) { o.renewInterval = 0ms; }, u"renewInterval"_s);
    row(
        "renewal as often as allowed", [](LeaseOptions &o) { o.renewInterval = 50ms; }, QString());
    row(
        "time-out too long", [](LeaseOptions &o) { o.requestTimeout = 6s; }, u"requestTimeout"_s);
    row(
        "time-out too short", [](LeaseOptions &o) { o.requestTimeout = 99ms; }, u"requestTimeout"_s);
    row(
        "stop without patience", [](LeaseOptions &o) { o.stopTimeout = 0ms; }, QString());
    row(
        "stop negative", [](LeaseOptions &o) { o.stopTimeout = -1ms; }, u"stopTimeout"_s);
    row(
        "stop for ever", [](LeaseOptions &o) { o.stopTimeout = 61s; }, u"stopTimeout"_s);
}

void TestLeaseOptions::marginAndWindow()
{
    QFETCH(LeaseOptions, options);
    QFETCH(QString, field);
    const QStringList problems = options.validate();
    QVERIFY2(problems.size() == (field.isEmpty() ? 0 : 1), qPrintable(problems.join(u'\n')));
    QVERIFY2(field.isEmpty() || problems.first().startsWith(field + u": "_s),
             qPrintable(problems.join(u'\n')));
}

/// No arithmetic before the ranges are known to hold: it would overflow.
void TestLeaseOptions::extremesAreOnlyRefused()
{
    for (const Milliseconds extreme : {Milliseconds::min(), Milliseconds::max()}) {
        LeaseOptions options = validOptions();
        options.ttl = options.lockDelay = options.margin = options.renewInterval = extreme;
        options.requestTimeout = options.watchWait = options.stopTimeout = extreme;
        QCOMPARE(options.validate().size(), 6); // All but margin, which depends on the TTL.
    }
    LeaseOptions options = validOptions();
    options.margin = Milliseconds::min();
    QCOMPARE(options.validate().size(), 1);
}

void TestLeaseOptions::f31_keys_data()
{
    QTest::addColumn<QString>("serviceName");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("field"); // Empty: accepted.
    for (const QString &bad : {u"a//b"_s, u"/a"_s, u"a/"_s, u"."_s, u".."_s, u"../x"_s}) {
        QTest::addRow("service %s", qPrintable(bad)) << bad << QString() << u"serviceName"_s;
        QTest::addRow("key %s", qPrintable(bad)) << QString() << bad << u"key"_s;
    }
    QTest::newRow("line break in service") << u"a\nb"_s << QString() << u"serviceName"_s;
    QTest::newRow("line break in key") << QString() << u"a\nb"_s << u"key"_s;
    QTest::newRow("nothing") << QString() << QString() << u"serviceName"_s;
    QTest::newRow("blank service") << u"  "_s << QString() << u"serviceName"_s;
    QTest::newRow("key wins over a bad service") << u"a//b"_s << u"k"_s << QString();
    QTest::newRow("bad key beside a good service") << u"a"_s << u"/k"_s << u"key"_s;
    QTest::newRow("grouped service") << u"team/app"_s << QString() << QString();
    QTest::newRow("non-ASCII") << u"ç a+b#c?d%2F"_s << QString() << QString();
}

void TestLeaseOptions::f31_keys()
{
    QFETCH(QString, serviceName);
    QFETCH(QString, key);
    QFETCH(QString, field);
    LeaseOptions options;
    options.serviceName = serviceName;
    options.key = key;
    const QStringList problems = options.validate();
    QVERIFY2(problems.size() == (field.isEmpty() ? 0 : 1), qPrintable(problems.join(u'\n')));
    QVERIFY2(field.isEmpty() || problems.first().startsWith(field + u": "_s),
             qPrintable(problems.join(u'\n')));
    QVERIFY(field.isEmpty() || !problems.first().contains(u'\n'));
}

void TestLeaseOptions::token_data()
{
    QTest::addColumn<QString>("token");
    QTest::addColumn<QString>("tokenFile");
    QTest::addColumn<QString>("problem");
    const QString unsafe = u"token: character %1 is white space, a control character or not ASCII"_s;
    QTest::newRow("none") << QString() << QString() << QString();
    QTest::newRow("blank is anonymous") << u" \t"_s << QString() << QString();
    QTest::newRow("blank beside a file") << u" "_s << u"/etc/token"_s << QString();
    QTest::newRow("uuid") << u"b1gs3c7e-0000-0000-0000-000000000000"_s << QString() << QString();
    QTest::newRow("file") << QString() << u"/etc/token"_s << QString();
    QTest::newRow("both") << u"s3cret"_s << u"/etc/token"_s
                          << u"tokenFile: cannot be set together with token"_s;
    QTest::newRow("line break at the end") << u"s3cret\n"_s << QString() << unsafe.arg(7);
    QTest::newRow("second header") << u"s3cret\r\nX-Evil: 1"_s << QString() << unsafe.arg(7);
    QTest::newRow("space inside") << u"s3c ret"_s << QString() << unsafe.arg(4);
    QTest::newRow("space in front") << u" s3cret"_s << QString() << unsafe.arg(1);
    QTest::newRow("NUL") << u"s3cret\0"_s << QString() << unsafe.arg(7);
    QTest::newRow("non-ASCII") << u"s3crét"_s << QString() << unsafe.arg(5);
}

void TestLeaseOptions::token()
{
    QFETCH(QString, token);
    QFETCH(QString, tokenFile);
    QFETCH(QString, problem);
    LeaseOptions options = validOptions();
    options.token = token;
    options.tokenFile = tokenFile;
    QCOMPARE(options.validate(), problem.isEmpty() ? QStringList() : QStringList{problem});
}

void TestLeaseOptions::candidate()
{
    LeaseOptions options = validOptions();
    options.instanceId = QString(256, u'a');
    options.sessionName = QString(256, u'ç');
    options.metadata = {{u"zone"_s, QString(8 * 1024 - 4, u'x')}};
    options.sessionChecks = QStringList{u"my-check"_s};
    QCOMPARE(options.validate(), QStringList());

    options.instanceId += u'a';
    options.sessionName += u'ç';
    options.metadata.insert(u"x"_s, QString());
    options.sessionChecks += QString();
    QCOMPARE(options.validate(),
             (QStringList{u"instanceId: 257 characters are more than 256"_s,
                          u"sessionName: 257 characters are more than 256"_s,
                          u"metadata: 8193 bytes are more than 8192"_s,
                          u"sessionChecks: must not contain an empty id"_s}));
}

void TestLeaseOptions::everyProblemIsNamed()
{
    LeaseOptions options;
    options.address = u"http://u:hunter2@h"_s;
    options.token = u"hunter2\n"_s;
    options.profile = Profile::Fast;
    options.ttl = 1s;
    const QString all = options.validate().join(u'\n');
    for (const QString &field :
         {u"serviceName: "_s, u"address: "_s, u"token: "_s, u"profile: "_s, u"ttl: "_s})
        QVERIFY2(all.contains(field), qPrintable(all));
    QVERIFY(!all.contains("hunter2"_L1));
}

void TestLeaseOptions::environment()
{
    QProcessEnvironment environment;
    LeaseOptions options = LeaseOptions::fromEnvironment(environment);
    QCOMPARE(options.address, QString());
    QCOMPARE(options.token, QString());
    QCOMPARE(options.environmentProblems, QStringList());

    environment.insert(u"CONSUL_HTTP_ADDR"_s, u"http://h:1"_s);
    environment.insert(u"CONSUL_HTTP_TOKEN"_s, u"s3cret"_s);
    environment.insert(u"CONSUL_NAMESPACE"_s, u"team"_s);
    environment.insert(u"CONSUL_PARTITION"_s, u"part"_s);
    environment.insert(u"CONSUL_HTTP_SSL"_s, u"false"_s);
    environment.insert(u"CONSUL_HTTP_AUTH"_s, QString());
    options = LeaseOptions::fromEnvironment(environment);
    options.serviceName = u"s"_s;
    QCOMPARE(options.validate(), QStringList());
    QCOMPARE(options.address, u"http://h:1"_s);
    QCOMPARE(options.token, u"s3cret"_s);
    QCOMPARE(options.nameSpace, u"team"_s);
    QCOMPARE(options.partition, u"part"_s);

    environment.insert(u"CONSUL_HTTP_TOKEN_FILE"_s, u"/etc/token"_s);
    options = LeaseOptions::fromEnvironment(environment);
    QCOMPARE(options.tokenFile, u"/etc/token"_s);
    QCOMPARE(options.token, QString());
}

void TestLeaseOptions::environmentThatCannotBeHonoured_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("problem");
    const QString tls = u"CONSUL_HTTP_SSL: TLS is not available yet"_s;
    const QString auth = u"CONSUL_HTTP_AUTH: HTTP basic authentication is not supported"_s;
    QTest::newRow("SSL true") << u"CONSUL_HTTP_SSL"_s << u"true"_s << tls;
    QTest::newRow("SSL 1") << u"CONSUL_HTTP_SSL"_s << u"1"_s << tls;
    QTest::newRow("SSL misspelt") << u"CONSUL_HTTP_SSL"_s << u"yes"_s
                                  << u"CONSUL_HTTP_SSL: must be true or false"_s;
    QTest::newRow("address with https")
        << u"CONSUL_HTTP_ADDR"_s << u"https://h"_s << u"address: TLS is not available yet, only http://"_s;
    QTest::newRow("user and password") << u"CONSUL_HTTP_AUTH"_s << u"u:hunter2"_s << auth;
}

void TestLeaseOptions::environmentThatCannotBeHonoured()
{
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, problem);
    QProcessEnvironment environment;
    environment.insert(variable, value);
    LeaseOptions options = LeaseOptions::fromEnvironment(environment);
    options.serviceName = u"s"_s;
    QCOMPARE(options.validate(), QStringList{problem});
}

QTEST_APPLESS_MAIN(TestLeaseOptions)
#include "tst_leaseoptions.moc"
