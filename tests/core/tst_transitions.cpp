// SPDX-License-Identifier: MIT
#include "names.h"

#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace Baton::Core;

namespace {

struct Expectations
{
    QHash<QByteArray, QByteArray> cells; ///< "State on Event" to the next state or "-".
    QByteArrayList problems;
};

QByteArray cellName(const QByteArray &state, const QByteArray &event)
{
    return state + " on " + event;
}

/// The matrix of transitions.txt: a heading of states, then a line for each event.
Expectations readExpectations()
{
    Expectations result;
    QFile file(QFINDTESTDATA("transitions.txt"));
    if (!file.open(QIODevice::ReadOnly)) {
        result.problems += "transitions.txt cannot be read";
        return result;
    }
    QByteArrayList states;
    while (!file.atEnd()) {
        QByteArrayList words = file.readLine().simplified().split(' ');
        if (words.first().isEmpty() || words.first() == "#")
            continue;
        if (states.isEmpty()) {
            states = words;
            continue;
        }
        const QByteArray event = words.takeFirst();
        if (words.size() != states.size()) {
            result.problems += "the line of " + event + " has a wrong number of cells";
            continue;
        }
        for (qsizetype i = 0; i < states.size(); ++i) {
            const QByteArray name = cellName(states.at(i), event);
            if (result.cells.contains(name))
                result.problems += name + " stands there twice";
            result.cells.insert(name, words.at(i));
        }
    }
    return result;
}

} // namespace

/// The table of the machine, cell by cell, against a file written by hand. What actually happens in a cell is
/// tst_situations' matter.
class TransitionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void file_is_complete();
    void cell_data();
    void cell();
    void no_pair_twice();
    void over_is_no_origin();
};

void TransitionsTest::file_is_complete()
{
    const Expectations expected = readExpectations();
    QCOMPARE(expected.problems, QByteArrayList());
    QSet<QByteArray> known;
    for (const auto &[state, stateName] : StateNames) {
        for (const auto &[event, eventName] : EventNames) {
            if (state != State::Over)
                known.insert(cellName(stateName, eventName));
        }
    }
    const QList<QByteArray> names = expected.cells.keys();
    QCOMPARE(QSet<QByteArray>(names.begin(), names.end()), known);
    // The tables of names are complete: enumerators are counted from zero.
    QCOMPARE(size_t(State::Over) + 1, StateNames.size());
    QCOMPARE(size_t(Event::LockUnknown) + 1, EventNames.size());
}

void TransitionsTest::cell_data()
{
    QTest::addColumn<State>("from");
    QTest::addColumn<Event>("on");
    QTest::addColumn<QByteArray>("expected");
    const Expectations expected = readExpectations();
    for (const auto &[state, stateName] : StateNames) {
        for (const auto &[event, eventName] : EventNames) {
            const QByteArray name = cellName(stateName, eventName);
            if (state != State::Over)
                QTest::newRow(name.constData()) << state << event << expected.cells.value(name, "missing");
        }
    }
}

void TransitionsTest::cell()
{
    QFETCH(const State, from);
    QFETCH(const Event, on);
    QFETCH(const QByteArray, expected);
    QByteArray actual = "-";
    for (const auto &row : CandidateMachine::transitions()) {
        if (row.from == from && row.on == on) {
            actual = nameOf(StateNames, row.to);
            break;
        }
    }
    QCOMPARE(actual, expected);
}

void TransitionsTest::no_pair_twice()
{
    QSet<QByteArray> seen;
    for (const auto &row : CandidateMachine::transitions()) {
        const QByteArray name = cellName(nameOf(StateNames, row.from), nameOf(EventNames, row.on));
        QVERIFY2(!seen.contains(name), name);
        seen.insert(name);
    }
}

void TransitionsTest::over_is_no_origin()
{
    for (const auto &row : CandidateMachine::transitions()) {
        QVERIFY2(row.from != State::Over, nameOf(EventNames, row.on));
        QVERIFY2(row.action != nullptr, nameOf(EventNames, row.on));
    }
}

QTEST_APPLESS_MAIN(TransitionsTest)
#include "tst_transitions.moc"
