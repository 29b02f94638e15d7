// SPDX-License-Identifier: MIT
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;

/// A seed is worth what its replay shows: the same world each time, and where something is violated the way
/// there.
class ReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replays_alike_data();
    void replays_alike();
    void violation_shows_seed_and_trace();
    void golden_trace_that_differs_is_shown();
};

namespace {

struct Result
{
    int code = -1;
    QString text;
};

Result run(const QString &program, const QStringList &arguments, const QString &seed = {})
{
    constexpr int LongestMs = 120'000;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!seed.isEmpty())
        environment.insert(u"BATON_SEED"_s, seed);
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(LongestMs))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

} // namespace

void ReplayTest::replays_alike_data()
{
    QTest::addColumn<QString>("seed");
    for (const QString &seed : {u"1"_s, u"2"_s, u"18446744073709551615"_s})
        QTest::addRow("%s", qPrintable(seed)) << seed;
}

void ReplayTest::replays_alike()
{
    QFETCH(const QString, seed);
    const Result first = run(QStringLiteral(BATON_SIMULATE), {u"--whole"_s}, seed);
    const Result second = run(QStringLiteral(BATON_SIMULATE), {u"--whole"_s}, seed);
    QCOMPARE(first.code, 0);
    QVERIFY2(first.text.contains(u"LEADS with token"_s), qPrintable(first.text.right(500)));
    QVERIFY(first.text.count(u'\n') > 100);
    QCOMPARE(first.text, second.text);
}

/// With a mutant, since the candidate as it is violates nothing.
void ReplayTest::violation_shows_seed_and_trace()
{
    const Result first =
        run(QStringLiteral(BATON_KILLMUTANTS), {u"--only"_s, u"late-win-announced"_s, u"--trace"_s});
    QCOMPARE(first.code, 0);
    QVERIFY2(first.text.contains(QRegularExpression(u"BATON_SEED=[0-9]+"_s)), qPrintable(first.text));
    const qsizetype violated = first.text.indexOf(u"VIOLATED: no lease is valid beyond its window"_s);
    QVERIFY2(violated > first.text.indexOf(u"LEADS with token"_s), qPrintable(first.text));
}

void ReplayTest::golden_trace_that_differs_is_shown()
{
    QFile golden(QStringLiteral(BATON_SCENARIOS_FOLDER "/crash.txt"));
    QVERIFY(golden.open(QIODevice::ReadOnly));
    QByteArray text = golden.readAll();
    QVERIFY(text.contains("LEADS with token 15"));
    QTemporaryDir folder;
    QFile changed(folder.filePath(u"changed.txt"_s));
    QVERIFY(changed.open(QIODevice::WriteOnly));
    changed.write(text.replace("LEADS with token 15", "LEADS with token 14"));
    changed.close();
    const Result result = run(QStringLiteral(BATON_SCENARIOS), {changed.fileName()});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.text.contains(QRegularExpression(u"\\n- .*token 14\\n\\+ .*token 15\\n"_s)),
             qPrintable(result.text));
}

QTEST_GUILESS_MAIN(ReplayTest)
#include "tst_replay.moc"
