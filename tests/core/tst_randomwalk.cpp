// SPDX-License-Identifier: MIT
#include "walk.h"

#include <QtTest/QTest>

using namespace Baton::Core;
using namespace Qt::StringLiterals;

namespace {
constexpr int Rows = 20;
constexpr int SeedsOfARow = 100;
/// Most walks are short, since most is reached soon; a few go far.
constexpr int stepsOf(quint64 seed)
{
    return seed % 9 == 0 ? 300 : 50;
}

} // namespace

/// Two thousand sequences of inputs, each made by its seed, and what must hold at every step of them.
class RandomWalkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void walk_data();
    void walk();
    void cleanupTestCase();

private:
    static void tellHow(quint64 seed);
    qsizetype m_walks = 0;
    qsizetype m_terms = 0;
    size_t m_mostRequests = 0;
};

void RandomWalkTest::walk_data()
{
    QTest::addColumn<quint64>("firstSeed");
    for (int row = 0; row < Rows; ++row) {
        const quint64 first = quint64(row) * SeedsOfARow + 1;
        QTest::addRow("seeds %llu to %llu", first, first + SeedsOfARow - 1) << first;
    }
}

void RandomWalkTest::walk()
{
    QFETCH(const quint64, firstSeed);
    for (quint64 seed = firstSeed; seed < firstSeed + SeedsOfARow; ++seed) {
        Walk walk(seed);
        for (int i = 0; i < stepsOf(seed) && walk.invariants().violation().isEmpty(); ++i)
            walk.step();
        if (walk.invariants().violation().isEmpty())
            walk.end();
        const QString violation = walk.invariants().violation();
        if (!violation.isEmpty() || QTest::currentTestFailed())
            tellHow(seed);
        QVERIFY2(violation.isEmpty(),
                 qPrintable(u"seed %1: it does not hold that %2"_s.arg(seed).arg(violation)));
        QVERIFY2(!QTest::currentTestFailed(), qPrintable(u"seed %1"_s.arg(seed)));
        ++m_walks;
        m_terms += walk.invariants().terms();
        m_mostRequests = std::max(m_mostRequests, walk.invariants().mostRequests());
    }
}

/// The same walk again, told step by step: the last ones lead to the place.
void RandomWalkTest::tellHow(quint64 seed)
{
    constexpr qsizetype Told = 30;
    QStringList story;
    Walk walk(seed);
    for (int i = 0; i <= stepsOf(seed) && walk.invariants().violation().isEmpty(); ++i) {
        if (i < stepsOf(seed))
            walk.step();
        else
            walk.end();
        story += walk.lastStep() + u" -> "_s + walk.news().join(u' ');
    }
    for (const QString &line : story.mid(std::max<qsizetype>(0, story.size() - Told)))
        qInfo().noquote() << line;
}

/// A walk that never leads, or never asks for anything, would show nothing.
void RandomWalkTest::cleanupTestCase()
{
    qInfo() << "terms:" << m_terms << "most requests in ten seconds:" << m_mostRequests;
    QVERIFY(m_terms > m_walks);
}

QTEST_APPLESS_MAIN(RandomWalkTest)
#include "tst_randomwalk.moc"
