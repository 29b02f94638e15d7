// SPDX-License-Identifier: MIT
#include "eventlog.h"
#include "providerevents.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>
#include <QTest>

using namespace Baton;
using namespace Baton::Tools;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Which event a signal of the provider becomes. The signals are emitted by hand: some come only in races.
class TestProviderEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endOfATerm_data();
    void endOfATerm();
    void leaderThatIsNotBaton();
};

namespace {
// What the log has to say once `act` is done.
QList<QJsonObject> linesOf(const std::function<void(LeaseProvider &)> &act)
{
    QTemporaryFile file;
    if (!file.open())
        qFatal("no temporary file");
    LeaseProvider provider{LeaseOptions()};
    EventLog log(file.handle(), u"a"_s);
    const ProviderEvents events(provider, log);
    act(provider);
    log.flush(30s);
    file.seek(0);
    QList<QJsonObject> lines;
    while (!file.atEnd())
        lines += QJsonDocument::fromJson(file.readLine()).object();
    return lines;
}
} // namespace

void TestProviderEvents::endOfATerm_data()
{
    QTest::addColumn<LostReason>("reason");
    QTest::addColumn<QString>("event");
    const auto meta = QMetaEnum::fromType<LostReason>();
    for (int i = 0; i < meta.keyCount(); ++i) {
        const auto reason = LostReason(meta.value(i));
        const bool inOrder = reason == LostReason::Released || reason == LostReason::Cancelled;
        QTest::newRow(tag(reason).data()) << reason << (inOrder ? u"released"_s : u"lost"_s);
    }
}

void TestProviderEvents::endOfATerm()
{
    QFETCH(LostReason, reason);
    const auto lines = linesOf([reason](LeaseProvider &provider) { Q_EMIT provider.leadershipLost(reason); });
    QCOMPARE(lines.size(), 1);
    QTEST(lines.first()["event"_L1].toString(), "event");
    QCOMPARE(lines.first()["reason"_L1].toString(), tag(reason));
}

void TestProviderEvents::leaderThatIsNotBaton()
{
    LeaderInfo leader;
    leader.session = u"11111111-2222-4333-8444-555555555555"_s;
    leader.index = 9007199254740993u;
    const auto lines = linesOf([&](LeaseProvider &provider) { Q_EMIT provider.leaderChanged(leader); });
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines.first()["index"_L1].toInteger(), 9007199254740993);
    QCOMPARE(lines.first()["session"_L1].toString(), leader.session);
    QVERIFY(!lines.first().contains("token"_L1));
    QVERIFY(!lines.first().contains("leader"_L1));
}

QTEST_GUILESS_MAIN(TestProviderEvents)
#include "tst_providerevents.moc"
