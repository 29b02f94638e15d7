// SPDX-License-Identifier: MIT
#include "models/exporttable.h"
#include "models/journalkeeper.h"
#include "models/journalmodel.h"
#include "models/journalstore.h"
#include "records.h"

#include <QtCore/QBuffer>
#include <QtCore/QDir>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QMetaEnum>
#include <QtCore/QTemporaryDir>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Monitor;
using namespace Baton::Monitor::Testing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

JournalEntry line(int number)
{
    ObservedChange change;
    change.kind = ChangeKind::LeaderElected;
    change.at = seen(std::chrono::seconds(number));
    change.key = u"service/x/leader"_s;
    change.leader = u"w%1"_s.arg(number);
    change.token = quint64(number);
    return JournalEntry::of(change, snapshotOf({}));
}

QList<JournalEntry> lines(int first, int last)
{
    QList<JournalEntry> all;
    for (int number = first; number <= last; ++number)
        all.append(line(number));
    return all;
}

void write(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class tst_Journal : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void everyKindHasWords();
    void linesAreReadBackAsWritten();
    void badLinesAreNoEntries_data();
    void badLinesAreNoEntries();
    void modelAppendsAndPrepends();
    void f64_modelIsBounded();
    void timesOfLinesFitTheAxis();
    void storeKeepsOverRestarts();
    void storeReadsTheNewest();
    void storeSurvivesACutLine();
    void storeSurvivesBadInput();
    void f64_storeIsBounded();
    void secondWindowReadsOnly();
    void storeSaysWhyItCannotWrite();
    void filesArePrivate();
    void keeperWritesWhatWaits();
    void keeperTellsErrors();
    void csvIsQuotedAndGuarded_data();
    void csvIsQuotedAndGuarded();
    void exports();
    void exportToAFullDisk();

private:
    Clock m_clock{[] { return Nanoseconds(10min); }};
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_folder;
};

void tst_Journal::initTestCase()
{
    qputenv("TZ", "UTC");
    m_clock.setWallOffset(wallOffset());
}

void tst_Journal::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_folder = m_dir->path() + u"/journal"_s;
}

void tst_Journal::everyKindHasWords()
{
    const auto kinds = QMetaEnum::fromType<ChangeKind>();
    for (int i = 0; i < kinds.keyCount(); ++i) {
        JournalEntry entry = line(1);
        entry.kind = ChangeKind(kinds.value(i));
        entry.session = u"3f1c02aa-1111-2222-3333-444455559b21"_s;
        QVERIFY(!entry.kindText().isEmpty() && !entry.sentence().isEmpty() && !entry.tag().isEmpty());
        QVERIFY2(!entry.sentence().contains(u'%'), qPrintable(entry.sentence()));
    }
    QCOMPARE(line(7).sentence(), u"w7 leads with token 7"_s);
    const JournalEntry silent =
        JournalEntry::of(failing(ConnectionState::Stale, ObserveTrouble::TimedOut, 1s), m_clock);
    QCOMPARE(silent.sentence(), u"Consul does not answer"_s);
    QVERIFY(silent.isProblem());
    const JournalEntry again = JournalEntry::of(live(1s), m_clock);
    QCOMPARE(again.sentence(), u"Consul answers"_s);
    QVERIFY(!again.isProblem());
    QCOMPARE(JournalEntry::droppedChanges(5, QDateTime::currentDateTimeUtc()).sentence(),
             u"5 changes came too fast to be kept"_s);
}

void tst_Journal::linesAreReadBackAsWritten()
{
    JournalEntry full = line(1);
    full.kind = ChangeKind::StateChanged;
    full.session = u"s\n\"\u202E"_s;
    full.token = 18446744073709551615u;
    full.end = TermEnd::ReleasedOrEnded;
    full.before = ElectionState::Led;
    full.after = ElectionState::LockDelay;
    full.evidence = u"because"_s;
    JournalEntry bare;
    bare.wallMs = 1;
    const QList<JournalEntry> all{
        full, line(2), bare,
        JournalEntry::of(failing(ConnectionState::Refused, ObserveTrouble::Denied, 1s), m_clock),
        JournalEntry::droppedChanges(9, m_clock.date(1s))};
    for (const JournalEntry &entry : all) {
        const QByteArray json = entry.toJson();
        QVERIFY(!json.contains('\n'));
        QCOMPARE(JournalEntry::fromJson(json), std::optional(entry));
    }
}

void tst_Journal::badLinesAreNoEntries_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut") << line(1).toJson().chopped(10);
    QTest::newRow("an array") << QByteArray("[1]");
    QTest::newRow("no date") << QByteArray(R"({"event":"leader_lost"})");
    QTest::newRow("bad date") << QByteArray(R"({"wall":"yesterday","event":"leader_lost"})");
    QTest::newRow("unknown event") << QByteArray(R"({"wall":"2026-11-30T14:00:00.000Z","event":"dance"})");
    QTest::newRow("event is a number") << QByteArray(R"({"wall":"2026-11-30T14:00:00.000Z","event":7})");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe\x00{", 4);
}

void tst_Journal::badLinesAreNoEntries()
{
    QFETCH(QByteArray, line);
    QCOMPARE(JournalEntry::fromJson(line), std::nullopt);
}

void tst_Journal::modelAppendsAndPrepends()
{
    JournalModel model(m_clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.append(lines(10, 12));
    const QPersistentModelIndex chosen = model.index(1, 0);
    const QString key = chosen.data(KeyRole).toString();
    model.prepend(lines(1, 3));
    model.append({});
    model.append(lines(13, 13));
    QCOMPARE(model.rowCount(), 7);
    QCOMPARE(model.entry(0)->leader, u"w1"_s);
    QCOMPARE(model.entry(6)->leader, u"w13"_s);
    QCOMPARE(model.entry(7), nullptr);
    QCOMPARE(chosen.row(), 4);
    QCOMPARE(chosen.data(KeyRole).toString(), key);
    QCOMPARE(model.index(0, JournalModel::Time).data().toString(), u"14:00:00"_s);
    QCOMPARE(model.index(0, JournalModel::Time).data(Qt::ToolTipRole).toString(),
             u"2026-11-30 14:00:00.850 (±150 ms)"_s);
    for (int column = 0; column < model.columnCount(); ++column) {
        QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
        for (int role = KeyRole; role <= CountdownRole; ++role)
            QVERIFY(model.index(0, column).data(role).isValid());
        if (column > 0)
            QVERIFY(model.index(0, column).data(SortRole).isValid());
    }
    QVERIFY(model.index(0, JournalModel::Time).data(SortRole).toLongLong()
            < model.index(6, JournalModel::Time).data(SortRole).toLongLong());
    QCOMPARE(resets.size(), 0);
}

void tst_Journal::f64_modelIsBounded()
{
    JournalModel model(m_clock);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    const QList<JournalEntry> burst(250, line(1)); // A quarter of a second at 1000 a second.
    int seenMost = 0;
    for (int i = 0; i < 2'400; ++i) { // Ten minutes of it.
        model.append(burst);
        seenMost = std::max(seenMost, model.rowCount());
    }
    QVERIFY(seenMost <= JournalModel::MaxLines);
    QVERIFY(model.rowCount() > JournalModel::MaxLines - JournalModel::DropStep - 250);
    QCOMPARE(model.dropped(), quint64(600'000 - model.rowCount()));
    // In steps, not once a batch.
    QVERIFY(removed.size() <= 400'000 / JournalModel::DropStep + 1);
    model.append(QList<JournalEntry>(JournalModel::MaxLines + 5, line(2)));
    QCOMPARE(model.rowCount(), JournalModel::MaxLines);
    model.prepend(lines(1, 3));
    QCOMPARE(model.rowCount(), JournalModel::MaxLines);
}

void tst_Journal::timesOfLinesFitTheAxis()
{
    JournalModel model(m_clock);
    model.append(lines(60, 60));
    QCOMPARE(model.instant(0), Nanoseconds(60s - 150ms));
    JournalEntry old = line(1);
    old.wallMs -= 86'400'000;
    model.prepend({old});
    QCOMPARE(model.instant(0), Nanoseconds(850ms - 24h));
}

void tst_Journal::storeKeepsOverRestarts()
{
    for (int run = 0; run < 3; ++run) {
        JournalStore store(m_folder);
        QCOMPARE(store.read(100).entries, lines(0, run * 10 - 1));
        QVERIFY(store.append(lines(run * 10, run * 10 + 9)));
        QVERIFY(store.isWritable());
    }
}

void tst_Journal::storeReadsTheNewest()
{
    JournalStore store(m_folder);
    QVERIFY(store.append(lines(1, 100)));
    QCOMPARE(store.read(3).entries, lines(98, 100));
    QCOMPARE(store.read(0).entries.size(), 0);
}

void tst_Journal::storeSurvivesACutLine()
{
    QVERIFY(JournalStore(m_folder).append(lines(1, 3)));
    QFile file(m_folder + u"/journal.jsonl"_s);
    QVERIFY(file.resize(file.size() - 15));
    const StoredJournal cut = JournalStore(m_folder).read(100);
    QCOMPARE(cut.entries, lines(1, 2));
    QCOMPARE(cut.badLines, 1);
    QVERIFY(JournalStore(m_folder).append(lines(4, 5)));
    const StoredJournal mended = JournalStore(m_folder).read(100);
    QCOMPARE(mended.entries, lines(1, 2) + lines(4, 5));
    QCOMPARE(mended.badLines, 1);
}

void tst_Journal::storeSurvivesBadInput()
{
    QVERIFY(JournalStore(m_folder).append(lines(1, 1)));
    const QString path = m_folder + u"/journal.jsonl"_s;
    write(path, QByteArrayLiteral("\n\n{}\n\xff\xfe\x00\n"));
    write(path, QByteArray(3 * JournalStore::MaxLine, 'x') + '\n');
    write(path, "{\"wall\":\"2026-11-30T14:00:00.000Z\",\"event\":\"a kind of a later version\"}\n");
    QVERIFY(JournalStore(m_folder).append(lines(2, 2)));
    const StoredJournal journal = JournalStore(m_folder).read(100);
    QCOMPARE(journal.entries, lines(1, 2));
    QCOMPARE(journal.badLines, 4);
    QCOMPARE(JournalStore(m_dir->path() + u"/nothing"_s).read(100).entries.size(), 0);
}

void tst_Journal::f64_storeIsBounded()
{
    constexpr qint64 Bound = 20'000;
    JournalStore store(m_folder, Bound);
    qint64 most = 0;
    for (int i = 0; i < 200; ++i) {
        QVERIFY2(store.append(lines(i * 10, i * 10 + 9)), qPrintable(store.error()));
        qint64 size = 0;
        const QFileInfoList files = QDir(m_folder).entryInfoList({u"*.jsonl"_s}, QDir::Files);
        for (const QFileInfo &file : files)
            size += file.size();
        most = std::max(most, size);
    }
    QVERIFY2(most <= Bound, qPrintable(QString::number(most)));
    QVERIFY(most > Bound / 2);
    // The newest are all there, and a batch larger than the bound does no harm.
    const QList<JournalEntry> kept = store.read(1'000'000).entries;
    QVERIFY(kept.size() > 20);
    QCOMPARE(kept, lines(2000 - int(kept.size()), 1999));
    QVERIFY(store.append(lines(1, 1'000)));
    QCOMPARE(store.read(10).entries, lines(991, 1'000));
}

void tst_Journal::secondWindowReadsOnly()
{
    JournalStore first(m_folder);
    QVERIFY(first.append(lines(1, 2)));
    JournalStore second(m_folder);
    QVERIFY(!second.append(lines(3, 3)));
    QVERIFY(!second.isWritable());
    QVERIFY2(second.error().contains(u"Another window"_s), qPrintable(second.error()));
    QCOMPARE(second.read(100).entries, lines(1, 2));
}

void tst_Journal::storeSaysWhyItCannotWrite()
{
    write(m_folder, "a file where the folder should be");
    JournalStore store(m_folder);
    QVERIFY(!store.append(lines(1, 1)));
    QVERIFY(!store.error().isEmpty());
    QVERIFY(QFile::remove(m_folder));
    QVERIFY(store.append(lines(2, 2)));
    QVERIFY(store.error().isEmpty());
}

void tst_Journal::filesArePrivate()
{
    JournalStore store(m_folder);
    QVERIFY(store.append(lines(1, 1)));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(m_folder + u"/journal.jsonl"_s) & others));
    QVERIFY(!(QFile::permissions(m_folder) & others));
}

void tst_Journal::keeperWritesWhatWaits()
{
    {
        JournalKeeper keeper(m_folder);
        for (int i = 0; i < 100; ++i)
            keeper.append(lines(i, i));
        QCOMPARE(keeper.lost(), 0u);
    }
    JournalKeeper keeper(m_folder);
    QSignalSpy loaded(&keeper, &JournalKeeper::loaded);
    keeper.load(1'000);
    QVERIFY(loaded.wait());
    QCOMPARE(loaded[0][0].value<StoredJournal>().entries, lines(0, 99));
    keeper.append(QList<JournalEntry>(JournalKeeper::MaxWaiting + 1, line(1)));
    QCOMPARE(keeper.lost(), quint64(JournalKeeper::MaxWaiting + 1));
}

void tst_Journal::keeperTellsErrors()
{
    write(m_folder, "a file where the folder should be");
    JournalKeeper keeper(m_folder);
    QSignalSpy errors(&keeper, &JournalKeeper::errorChanged);
    keeper.append(lines(1, 1));
    keeper.append(lines(2, 2));
    QTRY_COMPARE(errors.size(), 1);
    QVERIFY(!errors[0][0].toString().isEmpty());
    QVERIFY(QFile::remove(m_folder));
    keeper.append(lines(3, 3));
    QTRY_COMPARE(errors.size(), 2);
    QVERIFY(errors[1][0].toString().isEmpty());
}

void tst_Journal::csvIsQuotedAndGuarded_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cell");
    QTest::newRow("plain") << u"api-5"_s << u"api-5"_s;
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("comma") << u"a,b"_s << u"\"a,b\""_s;
    QTest::newRow("quote") << u"a\"b"_s << u"\"a\"\"b\""_s;
    QTest::newRow("line end") << u"a\r\nb"_s << u"\"a\r\nb\""_s;
    QTest::newRow("semicolon") << u"a;b"_s << u"\"a;b\""_s;
    QTest::newRow("blank") << u" a"_s << u"\" a\""_s;
    QTest::newRow("formula") << u"=1+1"_s << u"\"'=1+1\""_s;
    QTest::newRow("formula with quotes")
        << u"=HYPERLINK(\"http://x\")"_s << u"\"'=HYPERLINK(\"\"http://x\"\")\""_s;
    QTest::newRow("plus") << u"+cmd|' /C calc'!A0"_s << u"\"'+cmd|' /C calc'!A0\""_s;
    QTest::newRow("at") << u"@SUM(A1)"_s << u"\"'@SUM(A1)\""_s;
    QTest::newRow("minus") << u"-x"_s << u"\"'-x\""_s;
    QTest::newRow("behind blanks") << u"  =1"_s << u"\"'  =1\""_s;
    QTest::newRow("behind a tab") << u"\t=1"_s << u"\"'\t=1\""_s;
    QTest::newRow("full width") << u"＝1"_s << u"\"'＝1\""_s;
    QTest::newRow("a negative number is one") << u"-12.500"_s << u"-12.500"_s;
    QTest::newRow("NUL") << u"a\0b"_s << u"a␀b"_s;
}

void tst_Journal::csvIsQuotedAndGuarded()
{
    QFETCH(QString, text);
    QTEST(csvCell(text), "cell");
}

void tst_Journal::exports()
{
    JournalModel model(m_clock);
    JournalEntry evil = line(2);
    evil.leader = u"=cmd, \"x\""_s;
    model.append({line(1), evil});
    QBuffer csv;
    QVERIFY(csv.open(QIODevice::WriteOnly));
    QVERIFY(exportCsv(model, csv,
                      {JournalModel::Time, JournalModel::Kind, JournalModel::Leader, JournalModel::Token}));
    QCOMPARE(csv.data(),
             QByteArray("Time,Event,Leader,Token\r\n"
                        "2026-11-30T14:00:00.850Z,leader_elected,w1,1\r\n"
                        "2026-11-30T14:00:01.850Z,leader_elected,\"'=cmd, \"\"x\"\"\",2\r\n"));
    QBuffer json;
    QVERIFY(json.open(QIODevice::WriteOnly));
    QVERIFY(exportJsonLines(model, json));
    const QList<QByteArray> written = json.data().split('\n');
    QCOMPARE(written.size(), 3);
    QCOMPARE(JournalEntry::fromJson(written[1]), std::optional(evil));
    QVERIFY(exportCsv(model, csv));
}

void tst_Journal::exportToAFullDisk()
{
    QFile full(u"/dev/full"_s);
    if (!full.exists())
        QSKIP("this system has no /dev/full");
    QVERIFY(full.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    JournalModel model(m_clock);
    model.append(lines(1, 3));
    QVERIFY(!exportCsv(model, full));
    QVERIFY(!exportJsonLines(model, full));
}

QTEST_GUILESS_MAIN(tst_Journal)
#include "tst_journal.moc"
