// SPDX-License-Identifier: MIT
#include "commandline.h"

#include <QTest>

using namespace Baton;
using namespace Baton::Tools;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Variables = QMap<QString, QString>;

class TestCommandLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOption();
    void nothingButTheService();
    void optionsWinOverVariables();
    void tokenFileReplacesTheToken();
    void answers_data();
    void answers();
    void refused_data();
    void refused();
    void noSecretInAnError();

private:
    static CampaignCommand parse(const QString &words, const Variables &variables = {});
};

CampaignCommand TestCommandLine::parse(const QString &words, const Variables &variables)
{
    QProcessEnvironment environment;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        environment.insert(it.key(), it.value());
    return parseCampaign(words.split(u' ', Qt::SkipEmptyParts), environment);
}

void TestCommandLine::everyOption()
{
    const auto command =
        parse(u"--service s --key k/l --address 127.0.0.1:1 --datacenter dc --token-file /t --profile "
              "conservative --ttl 12s --lock-delay 14s --margin 3s --renew-interval 1500ms --stop-timeout 2s "
              "--allow-short-ttl --instance me --token-floor 18446744073709551615 --quit-on-eof"_s);
    QCOMPARE(command.error, QString());
    QCOMPARE(command.answer, QString());
    const LeaseOptions &options = command.options;
    QCOMPARE(options.serviceName, u"s"_s);
    QCOMPARE(options.lockKey(), u"k/l"_s);
    QCOMPARE(options.address, u"127.0.0.1:1"_s);
    QCOMPARE(options.datacenter, u"dc"_s);
    QCOMPARE(options.tokenFile, u"/t"_s);
    QCOMPARE(command.tokenFileName, u"--token-file"_s);
    QCOMPARE(options.profile, Profile::Conservative);
    QCOMPARE(options.ttl, std::optional(12'000ms));
    QCOMPARE(options.lockDelay, std::optional(14'000ms));
    QCOMPARE(options.margin, std::optional(3'000ms));
    QCOMPARE(options.renewInterval, std::optional(1'500ms));
    QCOMPARE(options.stopTimeout, std::optional(2'000ms));
    QVERIFY(options.allowShortTtl);
    QCOMPARE(options.instanceId, u"me"_s);
    QCOMPARE(options.tokenFloor, std::numeric_limits<quint64>::max());
    QVERIFY(command.quitOnEof);
}

void TestCommandLine::nothingButTheService()
{
    const auto command = parse(u"--service=s"_s);
    QCOMPARE(command.error, QString());
    QCOMPARE(command.options.lockKey(), u"service/s/leader"_s);
    QCOMPARE(command.options.profile, Profile::Balanced);
    QVERIFY(!command.options.ttl);
    QVERIFY(!command.options.lockDelay);
    QVERIFY(!command.options.allowShortTtl);
    QVERIFY(!command.quitOnEof);
}

void TestCommandLine::optionsWinOverVariables()
{
    const Variables variables{{u"CONSUL_HTTP_ADDR"_s, u"127.0.0.1:1"_s},
                              {u"CONSUL_HTTP_TOKEN_FILE"_s, u"/v"_s}};
    QCOMPARE(parse(u"--service s"_s, variables).options.address, u"127.0.0.1:1"_s);
    QCOMPARE(parse(u"--service s"_s, variables).options.tokenFile, u"/v"_s);
    QCOMPARE(parse(u"--service s"_s, variables).tokenFileName, u"CONSUL_HTTP_TOKEN_FILE"_s);
    const auto command = parse(u"--service s --address 127.0.0.1:2 --token-file /o"_s, variables);
    QCOMPARE(command.options.address, u"127.0.0.1:2"_s);
    QCOMPARE(command.options.tokenFile, u"/o"_s);
    // A variable that is wrong does not matter where an option takes its place.
    QCOMPARE(parse(u"--service s --address 127.0.0.1:2"_s, {{u"CONSUL_HTTP_ADDR"_s, u"h:99999"_s}}).error,
             QString());
}

void TestCommandLine::tokenFileReplacesTheToken()
{
    const Variables variables{{u"CONSUL_HTTP_TOKEN"_s, u"abc"_s}};
    QCOMPARE(parse(u"--service s"_s, variables).options.token, u"abc"_s);
    const auto command = parse(u"--service s --token-file /o"_s, variables);
    QCOMPARE(command.error, QString());
    QCOMPARE(command.options.token, QString());
    QCOMPARE(command.options.tokenFile, u"/o"_s);
}

void TestCommandLine::answers_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("beginning");
    QTest::newRow("help") << u"--help"_s << u"Usage: baton campaign "_s;
    QTest::newRow("short help") << u"-h"_s << u"Usage: baton campaign "_s;
    QTest::newRow("help beside something wrong")
        << u"--ttl x --help --bogus"_s << u"Usage: baton campaign "_s;
    QTest::newRow("version") << u"--version"_s << u"baton " BATON_VERSION "\n"_s;
}

void TestCommandLine::answers()
{
    QFETCH(QString, words);
    QFETCH(QString, beginning);
    const auto command = parse(words);
    QCOMPARE(command.error, QString());
    QVERIFY2(command.answer.startsWith(beginning), qPrintable(command.answer));
}

void TestCommandLine::refused_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<QString>("beginning");
    const auto row = [](const char *name, const QString &words, const QString &beginning,
                        const Variables &variables = {}) {
        QTest::newRow(name) << words << variables << beginning;
    };
    row("no service", u""_s, u"--service: must not be empty unless --key is set"_s);
    row("empty service", u"--service="_s, u"--service: the value is empty"_s);
    row("f31 service with //", u"--service a//b"_s, u"--service: the lock key"_s);
    row("f31 key with .", u"--key a/./b"_s, u"--key: the lock key"_s);
    row("unknown option", u"--service s --bogus"_s, u"--bogus: "_s);
    row("unknown option with a value", u"--service s --bogus=1"_s, u"--bogus: "_s);
    row("value missing", u"--service s --ttl"_s, u"Missing value after '--ttl'"_s);
    row("value where none is taken", u"--service s --quit-on-eof=1"_s,
        u"Unexpected value after '--quit-on-eof'"_s);
    row("stray word", u"--service s t"_s, u"unexpected word 't'"_s);
    row("ttl without a unit", u"--service s --ttl 10"_s, u"--ttl: '10' is not a duration"_s);
    row("lock-delay", u"--service s --lock-delay soon"_s, u"--lock-delay: 'soon' is not a duration"_s);
    row("margin", u"--service s --margin -1s"_s, u"--margin: '-1s' is not a duration"_s);
    row("renew-interval", u"--service s --renew-interval 1"_s, u"--renew-interval: '1' is not"_s);
    row("stop-timeout", u"--service s --stop-timeout x"_s, u"--stop-timeout: 'x' is not"_s);
    row("f10 ttl 9 s", u"--service s --ttl 9s"_s,
        u"--ttl: 9 s is below Consul's minimum of 10 s; set --allow-short-ttl"_s);
    row("f10 ttl 0", u"--service s --ttl 0s"_s, u"--ttl: 0 s"_s);
    row("f10 ttl above a day", u"--service s --ttl 86401s"_s, u"--ttl: 86401 s is above"_s);
    row("f12 lock-delay 61 s", u"--service s --lock-delay 61s"_s, u"--lock-delay: 61 s is not between"_s);
    row("margin as long as the ttl", u"--service s --margin 10s"_s, u"--margin: 10 s is not above 0"_s);
    row("stop-timeout too long", u"--service s --stop-timeout 2m"_s,
        u"--stop-timeout: 120 s is not between"_s);
    row("renewals too far apart", u"--service s --renew-interval 9s"_s,
        u"--renew-interval: renewing every 9 s"_s);
    row("lock-delay too short", u"--service s --lock-delay 200ms"_s, u"--lock-delay: renewing every"_s);
    row("profile fast", u"--service s --profile fast"_s, u"--profile: fast is not available yet"_s);
    row("heartbeat", u"--service s --heartbeat 400ms"_s, u"--heartbeat: "_s);
    row("unknown profile", u"--service s --profile Balanced"_s, u"--profile: 'Balanced' is none of"_s);
    row("token-floor", u"--service s --token-floor -1"_s, u"--token-floor: '-1' is not a whole number"_s);
    row("token-floor above 64 bits", u"--service s --token-floor 18446744073709551616"_s,
        u"--token-floor: "_s);
    row("instance too long", u"--service s --instance "_s + QString(257, u'x'), u"--instance: "_s);
    row("f35 https", u"--service s --address https://h"_s, u"--address: TLS"_s);
    row("f35 port", u"--service s --address h:99999"_s, u"--address: the port"_s);
    row("f35 port in the variable", u"--service s"_s, u"CONSUL_HTTP_ADDR: the port"_s,
        {{u"CONSUL_HTTP_ADDR"_s, u"h:99999"_s}});
    row("f35 TLS by variable", u"--service s"_s, u"CONSUL_HTTP_SSL: "_s, {{u"CONSUL_HTTP_SSL"_s, u"true"_s}});
    row("token with a blank", u"--service s"_s, u"CONSUL_HTTP_TOKEN: character 2"_s,
        {{u"CONSUL_HTTP_TOKEN"_s, u"a b"_s}});
    row("the first problem", u"--service s --ttl x --margin y"_s, u"--ttl: "_s);
}

void TestCommandLine::refused()
{
    QFETCH(QString, words);
    QFETCH(Variables, variables);
    QFETCH(QString, beginning);
    const auto command = parse(words, variables);
    QVERIFY2(command.error.startsWith(beginning), qPrintable(command.error));
    QVERIFY(command.answer.isEmpty());
}

void TestCommandLine::noSecretInAnError()
{
    // Consul's own tools have this option; who tries it here must not find the token in a log.
    QVERIFY(!parse(u"--service s --token s3cret"_s).error.contains("s3cret"_L1));
    QVERIFY(!parse(u"--service s --token=s3cret"_s).error.contains("s3cret"_L1));
    QVERIFY(!parse(u"--service s --address http://u:s3cret@h"_s).error.contains("s3cret"_L1));
    QVERIFY(!parse(u"--service s"_s, {{u"CONSUL_HTTP_TOKEN"_s, u"s3cret\n"_s}}).error.contains("s3cret"_L1));
    QCOMPARE(printable(u"a\nb\x1b[1m\u202e"_s), u"a?b?[1m?"_s);
}

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
