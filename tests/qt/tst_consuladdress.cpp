// SPDX-License-Identifier: MIT
#include "qt/consuladdress.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using Baton::Shell::AddressProblem;
using Baton::Shell::ConsulAddress;
using Baton::Shell::parseConsulAddress;

class TestConsulAddress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void f35_acceptedAsConsulsToolsDo_data();
    void f35_acceptedAsConsulsToolsDo();
    void f35_refusedWithTheReason_data();
    void f35_refusedWithTheReason();
    void passwordIsNotRepeated_data();
    void passwordIsNotRepeated();
    void targetIsEncodedOnce_data();
    void targetIsEncodedOnce();
};

void TestConsulAddress::f35_acceptedAsConsulsToolsDo_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QByteArray>("prefix");
    QTest::newRow("empty is the default") << u""_s << u"127.0.0.1"_s << 8500 << ""_qba;
    QTest::newRow("address and port") << u"127.0.0.1:8500"_s << u"127.0.0.1"_s << 8500 << ""_qba;
    QTest::newRow("slash at the end") << u"http://h:8500/"_s << u"h"_s << 8500 << ""_qba;
    QTest::newRow("no port is port 80") << u"h"_s << u"h"_s << 80 << ""_qba;
    QTest::newRow("no port but a colon") << u"h:"_s << u"h"_s << 80 << ""_qba;
    QTest::newRow("no host is this machine") << u":8500"_s << u"127.0.0.1"_s << 8500 << ""_qba;
    QTest::newRow("no host behind the scheme") << u"http://:8500"_s << u"127.0.0.1"_s << 8500 << ""_qba;
    QTest::newRow("IPv6") << u"[::1]:8500"_s << u"::1"_s << 8500 << ""_qba;
    QTest::newRow("IPv6 without a port") << u"[::1]"_s << u"::1"_s << 80 << ""_qba;
    QTest::newRow("IPv6 behind the scheme") << u"http://[::1]:1/p"_s << u"::1"_s << 1 << "/p"_qba;
    QTest::newRow("brackets around a name") << u"[h]:1"_s << u"h"_s << 1 << ""_qba;
    QTest::newRow("underscore") << u"my_host:1"_s << u"my_host"_s << 1 << ""_qba;
    QTest::newRow("highest port") << u"h:65535"_s << u"h"_s << 65535 << ""_qba;
    QTest::newRow("prefix") << u"http://h/prefix"_s << u"h"_s << 80 << "/prefix"_qba;
    QTest::newRow("prefix with a slash at the end") << u"http://h:1/a/b/"_s << u"h"_s << 1 << "/a/b"_qba;
    QTest::newRow("prefix with a percent sign") << u"http://h/50%"_s << u"h"_s << 80 << "/50%25"_qba;
}

void TestConsulAddress::f35_acceptedAsConsulsToolsDo()
{
    QFETCH(QString, text);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(QByteArray, prefix);
    const auto result = parseConsulAddress(text);
    const auto *problem = std::get_if<AddressProblem>(&result);
    QVERIFY2(!problem, problem ? qPrintable(problem->reason) : "");
    QCOMPARE(std::get<ConsulAddress>(result).host, host);
    QCOMPARE(std::get<ConsulAddress>(result).port, port);
    QCOMPARE(std::get<ConsulAddress>(result).prefix, prefix);
}

void TestConsulAddress::f35_refusedWithTheReason_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("TLS") << u"https://h"_s << u"TLS is not available yet"_s;
    QTest::newRow("Unix socket") << u"unix:///x"_s << u"Unix sockets"_s;
    QTest::newRow("path of a socket") << u"/x.sock"_s << u"Unix sockets"_s;
    QTest::newRow("path without a scheme") << u"h/prefix"_s << u"http://"_s;
    QTest::newRow("IPv6 without brackets") << u"::1"_s << u"[::1]:8500"_s;
    QTest::newRow("bracket not closed") << u"[::1"_s << u"host:port"_s;
    QTest::newRow("text after the bracket") << u"[::1]x:1"_s << u"host:port"_s;
    QTest::newRow("brackets around nothing") << u"[]"_s << u"no host"_s;
    QTest::newRow("port too large") << u"h:99999"_s << u"1 to 65535"_s;
    QTest::newRow("port 0") << u"h:0"_s << u"1 to 65535"_s;
    QTest::newRow("port with a sign") << u"h:+80"_s << u"1 to 65535"_s;
    QTest::newRow("port is a word") << u"h:http"_s << u"1 to 65535"_s;
    QTest::newRow("spaces around") << u" h:8500 "_s << u"white space"_s;
    QTest::newRow("only a space") << u" "_s << u"white space"_s;
    QTest::newRow("line break") << u"h:8500\n"_s << u"white space"_s;
    QTest::newRow("NUL") << u"h\0:8500"_s << u"white space"_s;
    QTest::newRow("user and password") << u"http://u:p@h"_s << u"user name and password"_s;
    QTest::newRow("scheme alone") << u"http://"_s << u"no host"_s;
    QTest::newRow("scheme in capitals") << u"HTTP://h:8500"_s << u"unknown scheme"_s;
    QTest::newRow("foreign scheme") << u"ftp://h"_s << u"unknown scheme"_s;
    QTest::newRow("query") << u"http://h/?token=x"_s << u"must end"_s;
    QTest::newRow("fragment") << u"http://h#x"_s << u"must end"_s;
    QTest::newRow("host with a forbidden character") << u"a<b:1"_s << u"not a valid host"_s;
}

void TestConsulAddress::f35_refusedWithTheReason()
{
    QFETCH(QString, text);
    QFETCH(QString, word);
    const auto result = parseConsulAddress(text);
    QVERIFY(std::holds_alternative<AddressProblem>(result));
    const QString reason = std::get<AddressProblem>(result).reason;
    QVERIFY2(reason.contains(word), qPrintable(reason));
}

void TestConsulAddress::passwordIsNotRepeated_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("http") << u"http://u:hunter2@h"_s;
    QTest::newRow("https") << u"https://u:hunter2@h"_s;
    QTest::newRow("no scheme") << u"u:hunter2@h:8500"_s;
    QTest::newRow("as the scheme") << u"hunter2://h"_s;
    QTest::newRow("as the port") << u"h:hunter2"_s;
    QTest::newRow("in the query") << u"http://h?token=hunter2"_s;
}

void TestConsulAddress::passwordIsNotRepeated()
{
    QFETCH(QString, text);
    const auto result = parseConsulAddress(text);
    QVERIFY(std::holds_alternative<AddressProblem>(result));
    QVERIFY(!std::get<AddressProblem>(result).reason.contains("hunter2"_L1));
}

void TestConsulAddress::targetIsEncodedOnce_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("plain") << u"h:1"_s << "/v1/kv/k?consistent"_qba
                           << "http://h:1/v1/kv/k?consistent"_qba;
    QTest::newRow("IPv6") << u"[::1]:1"_s << "/v1/txn"_qba
                          << "http://[::1]:1/v1/txn"_qba;
    QTest::newRow("prefix") << u"http://h:1/p"_s << "/v1/txn"_qba
                            << "http://h:1/p/v1/txn"_qba;
    QTest::newRow("encoded slash, plus and percent")
        << u"h:1"_s << "/v1/kv/a%2Fb%2B50%25%2525?dc=a%2Bb&wait=50s"_qba
        << "http://h:1/v1/kv/a%2Fb%2B50%25%2525?dc=a%2Bb&wait=50s"_qba;
    QTest::newRow("encoded space, hash, question mark, non-ASCII")
        << u"h:1"_s << "/v1/kv/%20%23%3F%C3%A7%C2%A0%F0%9F%98%80"_qba
        << "http://h:1/v1/kv/%20%23%3F%C3%A7%C2%A0%F0%9F%98%80"_qba;
}

void TestConsulAddress::targetIsEncodedOnce()
{
    QFETCH(QString, address);
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, url);
    const auto parsed = std::get<ConsulAddress>(parseConsulAddress(address));
    QVERIFY(parsed.url(target).isValid());
    QCOMPARE(parsed.url(target).toEncoded(), url);
}

QTEST_APPLESS_MAIN(TestConsulAddress)
#include "tst_consuladdress.moc"
