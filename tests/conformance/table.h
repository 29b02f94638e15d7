// SPDX-License-Identifier: MIT
#pragma once

#include "transcript.h"

#include <QTest>

namespace Baton::Testing {

struct Row
{
    const char *name;
    QByteArrayList lines;
};

inline void addRows(const QList<Row> &rows)
{
    QTest::addColumn<QByteArrayList>("lines");
    for (const Row &row : rows)
        QTest::newRow(row.name) << row.lines;
}

// Asks both sides and compares answer by answer.
inline void compareSides(const QByteArrayList &lines, const Side &embedded, const Side &real,
                         const QMap<QByteArray, QByteArray> &tokens = {},
                         Transcript::Indexes indexes = Transcript::Indexes::Compared)
{
    static int number = 0;
    const QByteArray key = "row-" + QByteArray::number(++number);
    QList<QByteArrayList> answers;
    for (const Side *side : {&embedded, &real}) {
        Transcript transcript(*side, key, tokens);
        for (const QByteArray &line : lines)
            transcript.ask(line);
        answers += transcript.neutral(indexes);
        transcript.cleanUp();
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (answers[0][i] != answers[1][i])
            QFAIL("\nembedded: " + answers[0][i] + "\nreal:     " + answers[1][i]);
    }
}

} // namespace Baton::Testing
