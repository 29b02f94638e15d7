// SPDX-License-Identifier: MIT
#include "optionreader.h"

#include "duration.h"

using namespace Qt::StringLiterals;

namespace Baton::Tools {

OptionReader::OptionReader(const QString &command, void (*add)(QCommandLineParser &parser),
                           const QStringList &words)
{
    add(m_parser);
    const bool understood = m_parser.parse(QStringList{command} + words);
    if (!m_parser.unknownOptionNames().isEmpty())
        refuse(m_parser.unknownOptionNames().first(), u"there is no such option"_s);
    else if (!understood)
        refuse(m_parser.errorText());
    else if (!m_parser.positionalArguments().isEmpty())
        refuse(u"unexpected word '%1'"_s.arg(m_parser.positionalArguments().first()));
}

void OptionReader::refuse(const QString &error)
{
    if (m_error.isEmpty())
        m_error = error;
}

void OptionReader::refuse(const QString &option, const QString &problem)
{
    refuse(u"--%1: %2"_s.arg(option, problem));
}

std::optional<QString> OptionReader::value(const QString &option)
{
    if (!isSet(option))
        return std::nullopt;
    const QString value = m_parser.value(option);
    if (value.isEmpty())
        refuse(option, u"the value is empty"_s);
    return value;
}

void OptionReader::read(const QString &option, QString &field)
{
    if (const auto text = value(option))
        field = *text;
}

void OptionReader::read(const QString &option, std::optional<std::chrono::milliseconds> &field)
{
    const auto text = value(option);
    if (!text)
        return;
    field = parseDuration(*text);
    if (!field)
        refuse(option, u"'%1' is not a duration such as 500ms, 10s or 1m30s"_s.arg(*text));
}

void OptionReader::read(const QString &option, quint64 &field)
{
    const auto text = value(option);
    if (!text)
        return;
    bool ok = false;
    field = text->toULongLong(&ok);
    if (!ok)
        refuse(option, u"'%1' is not a whole number from 0 to 18446744073709551615"_s.arg(*text));
}

} // namespace Baton::Tools
