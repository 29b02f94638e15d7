// SPDX-License-Identifier: MIT
#include "situations.h"

#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtTest/QTest>

using namespace Baton::Core;
using namespace Qt::StringLiterals;

namespace {

struct Expectations
{
    QHash<QString, QString> pairs; ///< "situation | stimulus" to "State | outputs".
    QStringList problems;
};

QString pairName(const QString &situation, const QString &stimulus)
{
    return situation + u" | "_s + stimulus;
}

/// situations.txt: a situation at the margin, what happens to it in the indented lines that follow.
Expectations readExpectations()
{
    Expectations result;
    QFile file(QFINDTESTDATA("situations.txt"));
    if (!file.open(QIODevice::ReadOnly)) {
        result.problems += u"situations.txt cannot be read"_s;
        return result;
    }
    QString situation;
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine());
        if (line.startsWith(u'#') || line.trimmed().isEmpty())
            continue;
        if (!line.startsWith(u' ')) {
            situation = line.trimmed();
            continue;
        }
        const QStringList cells = line.split(u'|');
        if (cells.size() != 3) {
            result.problems += u"not three cells: "_s + line;
            continue;
        }
        const QString pair = pairName(situation, cells.at(0).trimmed());
        if (result.pairs.contains(pair))
            result.problems += pair + u" stands there twice"_s;
        result.pairs.insert(pair, pairName(cells.at(1).trimmed(), cells.at(2).simplified()));
    }
    return result;
}

QString stateName(const Harness &h)
{
    return QString::fromLatin1(nameOf(StateNames, h.state()));
}

} // namespace

/// Every situation times everything that can come up: the new state and the outputs in order, against a file
/// written by hand. A pair that is not in the file stays as it is and does nothing; a reply that nobody waits
/// for is counted.
class SituationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void file_is_about_known_pairs();
    void pair_data();
    void pair();

private:
    const Expectations m_expected = readExpectations();
};

void SituationsTest::file_is_about_known_pairs()
{
    QCOMPARE(m_expected.problems, QStringList());
    QHash<QString, QString> unknown = m_expected.pairs;
    for (const Situation &situation : situations()) {
        for (const Stimulus &stimulus : stimuli())
            unknown.remove(pairName(QString::fromLatin1(situation.name), QString::fromLatin1(stimulus.name)));
    }
    QCOMPARE(unknown.keys(), QStringList());
}

void SituationsTest::pair_data()
{
    QTest::addColumn<size_t>("situation");
    QTest::addColumn<size_t>("stimulus");
    for (size_t i = 0; i < situations().size(); ++i) {
        for (size_t j = 0; j < stimuli().size(); ++j)
            QTest::addRow("%s | %s", situations().at(i).name, stimuli().at(j).name) << i << j;
    }
}

void SituationsTest::pair()
{
    QFETCH(const size_t, situation);
    QFETCH(const size_t, stimulus);
    const Situation &where = situations().at(situation);
    const Stimulus &what = stimuli().at(stimulus);

    Harness h(situationSettings());
    where.bringAbout(h);
    h.news();
    const QString stays = pairName(stateName(h), {});
    const quint64 late = h.machine().lateReplies();
    bool isLate = QByteArray(what.name) == "a reply to nothing";
    if (what.answers) {
        // Where no such request is under way, the answer is one to an earlier request, or to none.
        const auto pending = h.pending(*what.answers);
        isLate = !pending;
        h.answerRequest(pending ? pending->request : h.lastOf(*what.answers).value_or(9999), what.reply());
    } else {
        what.act(h);
    }
    const QString actual = pairName(stateName(h), h.news().join(u' '));
    QCOMPARE(actual, m_expected.pairs.value(QString::fromLatin1(QTest::currentDataTag()), stays));
    QCOMPARE(h.machine().lateReplies() - late, quint64(isLate ? 1 : 0));
}

QTEST_APPLESS_MAIN(SituationsTest)
#include "tst_situations.moc"
