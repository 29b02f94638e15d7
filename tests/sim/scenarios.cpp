// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTextStream>

using namespace Qt::StringLiterals;
using namespace Baton::Sim;

namespace {

QTextStream &out()
{
    static QTextStream stream(stdout);
    return stream;
}

/// What is only expected with "-", what only happens with "+", and what both have: their longest common
/// subsequence.
void printDifference(const QStringList &expected, const QStringList &actual)
{
    const size_t rows = size_t(expected.size());
    const size_t columns = size_t(actual.size());
    std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1));
    for (size_t i = rows; i-- > 0;) {
        for (size_t j = columns; j-- > 0;)
            common[i][j] = expected[qsizetype(i)] == actual[qsizetype(j)]
                ? common[i + 1][j + 1] + 1
                : std::max(common[i + 1][j], common[i][j + 1]);
    }
    size_t i = 0;
    size_t j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && expected[qsizetype(i)] == actual[qsizetype(j)]) {
            out() << "  " << expected[qsizetype(i++)] << '\n';
            ++j;
        } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
            out() << "- " << expected[qsizetype(i++)] << '\n';
        } else {
            out() << "+ " << actual[qsizetype(j++)] << '\n';
        }
    }
}

bool check(const QString &path, bool writes)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        out() << path << ": cannot be read\n";
        return false;
    }
    const Scenario scenario(QString::fromUtf8(file.readAll()));
    file.close();
    const QStringList actual = scenario.live();
    const bool violated = !actual.filter(u"VIOLATED"_s).isEmpty();
    const bool same = actual == scenario.expected();
    if (writes && !violated) {
        const QByteArray text = scenario.withTrace(actual).toUtf8();
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    out() << (same && !violated ? "as expected  " : "DIFFERENT    ") << QFileInfo(path).fileName() << '\n';
    if (!same || violated)
        printDifference(scenario.expected(), actual);
    return same && !violated;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Lives scenarios in virtual time and compares what happens with the traces written in their files."_s);
    parser.addHelpOption();
    const QCommandLineOption write(u"write"_s, u"Write what happens into the files instead."_s);
    parser.addOption(write);
    parser.addPositionalArgument(u"file"_s, u"Scenarios, see scenario.h."_s, u"file..."_s);
    parser.process(application);
    bool fine = !parser.positionalArguments().isEmpty();
    for (const QString &path : parser.positionalArguments()) {
        try {
            fine = check(path, parser.isSet(write)) && fine;
        } catch (const QString &problem) {
            out() << path << ": " << problem << '\n';
            fine = false;
        }
    }
    return fine ? 0 : 1;
}
