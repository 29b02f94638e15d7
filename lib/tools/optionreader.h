// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCommandLineParser>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace Baton::Tools {

/// Takes the options that are set and remembers the first that is wrong.
class OptionReader
{
public:
    /// \a command is `baton <command>`; \a add makes its options known to the parser.
    OptionReader(const QString &command, void (*add)(QCommandLineParser &parser), const QStringList &words);

    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool isSet(const QString &option) const { return m_parser.isSet(option); }
    [[nodiscard]] const QCommandLineParser &parser() const { return m_parser; }

    void refuse(const QString &error);
    void refuse(const QString &option, const QString &problem);

    /// Nothing where it is not set. A variable of a script that turned out empty is no value.
    std::optional<QString> value(const QString &option);
    void read(const QString &option, QString &field);
    void read(const QString &option, std::optional<std::chrono::milliseconds> &field);
    void read(const QString &option, quint64 &field);

private:
    QCommandLineParser m_parser;
    QString m_error;
};

} // namespace Baton::Tools
