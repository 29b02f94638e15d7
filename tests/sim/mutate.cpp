// SPDX-License-Identifier: MIT
#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QMap>
#include <QtCore/QTextStream>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace Qt::StringLiterals;

/*
 * Makes copies of sources that contain every mutant at once, chosen at run time, and a table of them. The
 * product's own sources stay free of all this. A mutant is a file:
 *
 *     # What is wrong, in one sentence; it goes on while lines begin with "#".
 *     breaks <invariant>...
 *     file <path below the root>
 *     <<<<
 *     the text as it is, found exactly once
 *     ====
 *     the text that contains both, chosen by MUTATED
 *     >>>>
 *
 * with as many `file` and text parts as it needs. Text that is not found, found twice, or touched by two
 * mutants is an error of the build: the mutant has lost its place.
 */
namespace {

[[noreturn]] void fail(const QString &text)
{
    fprintf(stderr, "mutate: %s\n", qPrintable(text));
    exit(1);
}

QString contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        fail(u"cannot read "_s + path);
    return QString::fromUtf8(file.readAll());
}

/// Leaves a file alone that would not change, so that nothing is compiled for nothing.
void write(const QString &path, const QString &content)
{
    if (QFileInfo::exists(path) && contentOf(path) == content)
        return;
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content.toUtf8()) < 0)
        fail(u"cannot write "_s + path);
}

struct Change
{
    QString mutant;
    QString before;
    QString after;
};

struct Mutant
{
    QString name;
    QString fault;
    QString breaks;
};

class Mutants
{
public:
    void read(const QString &path)
    {
        const int number = int(m_mutants.size());
        Mutant mutant;
        mutant.name = QFileInfo(path).completeBaseName();
        Change change{mutant.name, {}, {}};
        QString file;
        QString *text = nullptr;
        for (const QString &line : contentOf(path).split(u'\n')) {
            if (line == u"<<<<") {
                change.before.clear();
                text = &change.before;
            } else if (line == u"====" && text) {
                change.after.clear();
                text = &change.after;
            } else if (line == u">>>>" && text) {
                text = nullptr;
                change.after.replace(u"MUTATED"_s, u"::Baton::Sim::isMutated(%1)"_s.arg(number));
                m_changes[file] += change;
            } else if (text) {
                *text += line + u'\n';
            } else if (line.startsWith(u"# ")) {
                mutant.fault += (mutant.fault.isEmpty() ? QString() : u" "_s) + line.mid(2);
            } else if (line.startsWith(u"breaks ")) {
                mutant.breaks = line.mid(7);
            } else if (line.startsWith(u"file ")) {
                file = line.mid(5);
            } else if (!line.isEmpty()) {
                fail(u"%1: what is \"%2\"?"_s.arg(path, line));
            }
        }
        m_mutants.push_back(mutant);
    }

    /// \a content of \a file with every change made to it.
    [[nodiscard]] QString applied(const QString &file, const QString &content)
    {
        QMap<qsizetype, Change> places;
        for (const Change &change : m_changes.take(file)) {
            const qsizetype at = content.indexOf(change.before);
            if (at < 0 || content.indexOf(change.before, at + 1) >= 0)
                fail(u"%1: its text is not found exactly once in %2"_s.arg(change.mutant, file));
            const auto next = places.lowerBound(at);
            const bool overlaps = (next != places.end() && next.key() < at + change.before.size())
                || (next != places.begin() && std::prev(next).key() + std::prev(next)->before.size() > at);
            if (overlaps)
                fail(u"%1 touches the text of another mutant in %2"_s.arg(change.mutant, file));
            places.insert(at, change);
        }
        QString result;
        qsizetype from = 0;
        for (auto it = places.cbegin(); it != places.cend(); ++it) {
            result += content.mid(from, it.key() - from) + it->after;
            from = it.key() + it->before.size();
        }
        return u"#include \"mutation.h\"\n"_s + result + content.mid(from);
    }

    void expectNothingLeft() const
    {
        if (!m_changes.isEmpty())
            fail(m_changes.firstKey() + u" is not among the files that are mutated"_s);
    }

    [[nodiscard]] QString table() const
    {
        QString text = u"// Made by mutate.cpp.\n#include \"mutants.h\"\n\nnamespace Baton::Sim {\n\n"
                       "std::span<const Mutant> mutants()\n{\n    static constexpr Mutant All[] = {\n"_s;
        for (const Mutant &mutant : m_mutants)
            text += u"        {R\"(%1)\", R\"(%2)\", R\"(%3)\"},\n"_s.arg(mutant.name, mutant.fault,
                                                                          mutant.breaks);
        return text + u"    };\n    return All;\n}\n\n} // namespace Baton::Sim\n"_s;
    }

private:
    std::vector<Mutant> m_mutants;
    QMap<QString, QList<Change>> m_changes;
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 5)
        fail(u"usage: mutate ROOT FOLDER-OF-MUTANTS OUTPUT FILE..."_s);
    const QDir root(arguments[1]);
    const QDir folder(arguments[2]);
    const QDir output(arguments[3]);
    Mutants mutants;
    for (const QString &name : folder.entryList({u"*.mutant"_s}, QDir::Files, QDir::Name))
        mutants.read(folder.filePath(name));
    for (const QString &file : arguments.mid(4))
        write(output.filePath(file), mutants.applied(file, contentOf(root.filePath(file))));
    mutants.expectNothingLeft();
    write(output.filePath(u"mutants.cpp"_s), mutants.table());
    return 0;
}
