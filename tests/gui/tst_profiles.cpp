// SPDX-License-Identifier: MIT
#include "models/profiles.h"

#include <QtCore/QFile>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Qt::StringLiterals;

namespace {

const QString Token = u"b1gs33cr-e700-4000-8000-000000000000"_s;

} // namespace

class tst_Profiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void keptOverRestarts();
    void namesAreUnique();
    void currentOne();
    void removed();
    void badSettingsAreLeftOut();
    void tokenNeverReachesTheSettings();
    void problems_data();
    void problems();
    void optionsOfAProfile();
    void profileOfTheEnvironment();
    void credentialsInAddresses_data();
    void credentialsInAddresses();

private:
    [[nodiscard]] QString path() const { return m_dir->path() + u"/monitor.ini"_s; }
    [[nodiscard]] std::unique_ptr<QSettings> settings() const
    {
        return std::make_unique<QSettings>(path(), QSettings::IniFormat);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

void tst_Profiles::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
}

void tst_Profiles::keptOverRestarts()
{
    ConnectionProfile profile = ConnectionProfile::make(u"prod-eu"_s, u"https://consul.example:8501"_s);
    profile.datacenter = u"dc1"_s;
    profile.nameSpace = u"n"_s;
    profile.partition = u"p"_s;
    profile.prefixes = {u"service/"_s, u"jobs/"_s};
    profile.tokenSource = TokenSource::File;
    profile.tokenFile = u"/etc/baton/token"_s;
    ConnectionProfile whole = ConnectionProfile::make(u"test"_s, u"127.0.0.1:8500"_s);
    whole.prefixes = {QString()};
    {
        const auto ini = settings();
        Profiles profiles(*ini);
        QVERIFY(profiles.all().isEmpty() && !profiles.current());
        profiles.save(profile);
        profiles.save(whole);
        profiles.setCurrent(profile.id);
    }
    const auto ini = settings();
    const Profiles profiles(*ini);
    QCOMPARE(profiles.all(), (QList{profile, whole}));
    QCOMPARE(profiles.current(), std::optional(profile));
}

void tst_Profiles::namesAreUnique()
{
    const auto ini = settings();
    Profiles profiles(*ini);
    for (int i = 0; i < 3; ++i)
        profiles.save(ConnectionProfile::make(u"a"_s, {}));
    QCOMPARE(profiles.all()[1].name, u"a (2)"_s);
    QCOMPARE(profiles.all()[2].name, u"a (3)"_s);
    profiles.save(profiles.all()[1]);
    QCOMPARE(profiles.all()[1].name, u"a (2)"_s);
}

void tst_Profiles::currentOne()
{
    const auto ini = settings();
    Profiles profiles(*ini);
    QSignalSpy current(&profiles, &Profiles::currentChanged);
    ConnectionProfile profile = ConnectionProfile::make(u"a"_s, {});
    profiles.setCurrent(profile.id);
    QCOMPARE(current.size(), 0);
    profiles.save(profile);
    profiles.setCurrent(profile.id);
    profiles.setCurrent(profile.id);
    QCOMPARE(current.size(), 1);
    profile.address = u"127.0.0.1:1"_s;
    profiles.save(profile);
    QCOMPARE(current.size(), 2);
    profiles.save(profile);
    QCOMPARE(current.size(), 2);
}

void tst_Profiles::removed()
{
    const ConnectionProfile profile = ConnectionProfile::make(u"a"_s, {});
    {
        const auto ini = settings();
        Profiles profiles(*ini);
        QSignalSpy changed(&profiles, &Profiles::changed);
        profiles.save(profile);
        profiles.setCurrent(profile.id);
        profiles.remove(u"nothing"_s);
        QCOMPARE(changed.size(), 1);
        profiles.remove(profile.id);
        QVERIFY(!profiles.current() && profiles.all().isEmpty());
    }
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains(profile.id.toUtf8()));
}

void tst_Profiles::badSettingsAreLeftOut()
{
    {
        const auto ini = settings();
        ini->setValue(u"profiles/order"_s,
                      QStringList{u"../../etc"_s, u"missing"_s, u"good"_s, u"good"_s, QString()});
        ini->setValue(u"profiles/current"_s, u"missing"_s);
        ini->setValue(u"profiles/good/name"_s, u"good"_s);
        ini->setValue(u"profiles/good/token_source"_s, u"magic"_s);
        ini->setValue(u"profiles/good/prefixes"_s, QStringList());
    }
    const auto ini = settings();
    const Profiles profiles(*ini);
    QCOMPARE(profiles.all().size(), 1);
    QCOMPARE(profiles.all()[0].tokenSource, TokenSource::None);
    QCOMPARE(profiles.all()[0].prefixes, QStringList{u"service/"_s});
    QVERIFY(!profiles.current());
}

void tst_Profiles::tokenNeverReachesTheSettings()
{
    {
        const auto ini = settings();
        Profiles profiles(*ini);
        ConnectionProfile profile =
            ConnectionProfile::make(u"a"_s, u"http://user:%1@127.0.0.1:8500"_s.arg(Token));
        profile.tokenSource = TokenSource::Environment;
        profile.tokenVariable = Token;
        profile.tokenFile = Token;
        profiles.save(profile);
        const QProcessEnvironment environment = [] {
            QProcessEnvironment made;
            made.insert(u"CONSUL_HTTP_TOKEN"_s, Token);
            made.insert(u"CONSUL_HTTP_ADDR"_s, u"127.0.0.1:8500"_s);
            return made;
        }();
        profiles.save(ConnectionProfile::fromEnvironment(environment));
        QCOMPARE(profiles.all().size(), 2);
    }
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(written.contains("127.0.0.1:8500"));
    QVERIFY2(!written.contains(Token.toUtf8()), written.constData());
}

void tst_Profiles::problems_data()
{
    QTest::addColumn<ConnectionProfile>("profile");
    QTest::addColumn<QString>("says");
    ConnectionProfile good = ConnectionProfile::make(u"a"_s, u"127.0.0.1:8500"_s);
    QTest::newRow("none") << good << QString();
    ConnectionProfile bad = good;
    bad.name = u" "_s;
    QTest::newRow("no name") << bad << u"needs a name"_s;
    bad = good;
    bad.address = u"http://u:p@h:8500"_s;
    QTest::newRow("password in the address") << bad << u"must not contain a user name"_s;
    bad = good;
    bad.tokenSource = TokenSource::File;
    bad.tokenFile = Token;
    QTest::newRow("token for a file") << bad << u"whole path"_s;
    bad = good;
    bad.tokenSource = TokenSource::Environment;
    bad.tokenVariable = Token;
    QTest::newRow("token for a variable") << bad << u"the name of one"_s;
    bad.tokenVariable = u"BATON_NOT_SET"_s;
    QTest::newRow("variable that is not set") << bad << u"no variable BATON_NOT_SET"_s;
    bad = good;
    bad.prefixes = {};
    QTest::newRow("nothing to watch") << bad << u"prefixes"_s;
    bad = good;
    bad.address = u"h:99999"_s;
    QTest::newRow("bad port") << bad << u"address"_s;
}

void tst_Profiles::problems()
{
    QFETCH(ConnectionProfile, profile);
    QFETCH(QString, says);
    const QStringList problems = profile.validate(QProcessEnvironment());
    QCOMPARE(problems.isEmpty(), says.isEmpty());
    const QString all = problems.join(u'\n');
    QVERIFY2(all.contains(says), qPrintable(all));
    QVERIFY2(!all.contains(Token) && !all.contains(u"u:p"_s), qPrintable(all));
}

void tst_Profiles::optionsOfAProfile()
{
    QProcessEnvironment environment;
    environment.insert(u"MY_TOKEN"_s, Token);
    ConnectionProfile profile = ConnectionProfile::make(u"a"_s, u"127.0.0.1:1"_s);
    profile.datacenter = u"dc2"_s;
    profile.prefixes = {u"jobs/"_s};
    QCOMPARE(profile.options(environment).token, QString());
    profile.tokenSource = TokenSource::Environment;
    profile.tokenVariable = u"MY_TOKEN"_s;
    const ObserverOptions options = profile.options(environment);
    QCOMPARE(options.address, u"127.0.0.1:1"_s);
    QCOMPARE(options.datacenter, u"dc2"_s);
    QCOMPARE(options.prefixes, QStringList{u"jobs/"_s});
    QCOMPARE(options.token, Token);
    profile.tokenSource = TokenSource::File;
    profile.tokenFile = u"/etc/token"_s;
    QCOMPARE(profile.options(environment).tokenFile, u"/etc/token"_s);
    QCOMPARE(profile.options(environment).token, QString());
}

void tst_Profiles::profileOfTheEnvironment()
{
    QProcessEnvironment environment;
    environment.insert(u"CONSUL_HTTP_ADDR"_s, u"10.0.0.9:8500"_s);
    environment.insert(u"CONSUL_HTTP_TOKEN"_s, Token);
    const ConnectionProfile profile = ConnectionProfile::fromEnvironment(environment);
    QCOMPARE(profile.address, u"10.0.0.9:8500"_s);
    QCOMPARE(profile.tokenSource, TokenSource::Environment);
    QCOMPARE(profile.options(environment).token, Token);
    QVERIFY(profile.validate(environment).isEmpty());
    QCOMPARE(ConnectionProfile::fromEnvironment(QProcessEnvironment()).id, profile.id);
    environment.insert(u"CONSUL_HTTP_SSL"_s, u"true"_s);
    QVERIFY(!ConnectionProfile::fromEnvironment(environment).validate(environment).isEmpty());
}

void tst_Profiles::credentialsInAddresses_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("bare");
    QTest::newRow("none") << u"http://h:8500/prefix@x"_s << u"http://h:8500/prefix@x"_s;
    QTest::newRow("with scheme") << u"http://u:p@h:8500"_s << u"http://h:8500"_s;
    QTest::newRow("without scheme") << u"u:p@h:8500"_s << u"h:8500"_s;
    QTest::newRow("two at signs") << u"http://u:p@q@h"_s << u"http://h"_s;
}

void tst_Profiles::credentialsInAddresses()
{
    QFETCH(QString, address);
    QTEST(withoutCredentials(address), "bare");
}

QTEST_GUILESS_MAIN(tst_Profiles)
#include "tst_profiles.moc"
