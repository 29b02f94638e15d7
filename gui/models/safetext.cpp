// SPDX-License-Identifier: MIT
#include "models/format.h"

using namespace Qt::StringLiterals;

namespace Baton::Monitor::Format {
namespace {

/// More marks than that on one letter are no writing, and would be painted over the rows above and below.
constexpr int MostMarks = 3;

constexpr char16_t Ellipsis = 0x2026;

bool isMark(QChar::Category category)
{
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

/// Nothing that is seen, or something that looks like a blank and is none.
bool hides(char32_t character, QChar::Category category)
{
    switch (category) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return character != ' ';
    default:
        return false;
    }
}

QString symbolOf(char32_t character)
{
    if (character < 0x20)
        return QString(QChar(char16_t(0x2400 + character)));
    if (character == 0x7f)
        return QString(QChar(u'\x2421'));
    return u"‹U+%1›"_s.arg(QString::number(uint(character), 16).toUpper(), 4, '0'_L1);
}

/// Takes the code point at \a *place and moves behind it.
char32_t next(QStringView text, qsizetype *place)
{
    const QChar first = text[(*place)++];
    if (!first.isSurrogate())
        return first.unicode();
    if (first.isHighSurrogate() && *place < text.size() && text[*place].isLowSurrogate())
        return QChar::surrogateToUcs4(first, text[(*place)++]);
    return QChar::ReplacementCharacter;
}

} // namespace

QString safe(const QString &text, int most)
{
    QString shown;
    int marks = 0;
    qsizetype place = 0;
    while (place < text.size()) {
        const char32_t character = next(text, &place);
        const QChar::Category category = QChar::category(character);
        marks = isMark(category) ? marks + 1 : 0;
        const bool asSymbol = hides(character, category) || marks > MostMarks;
        const QString piece = asSymbol ? symbolOf(character) : QString::fromUcs4(&character, 1);
        const bool last = place == text.size();
        if (shown.size() + piece.size() + (last ? 0 : 1) > most)
            return shown + QChar(Ellipsis);
        shown += piece;
    }
    return shown;
}

QString safe(const QByteArray &bytes, int most)
{
    // Four bytes a character at most, so more are not needed; a character that is cut there is cut anyway.
    return safe(QString::fromUtf8(bytes.first(std::min(bytes.size(), qsizetype(most) * 4 + 4))), most);
}

QString inSentence(const QString &text, int most)
{
    const QString shown = safe(text, most);
    for (const QChar character : shown) {
        const QChar::Direction direction = character.direction();
        if (direction == QChar::DirR || direction == QChar::DirAL || character.isSurrogate())
            return QChar(0x2068) + shown + QChar(0x2069);
    }
    return shown;
}

} // namespace Baton::Monitor::Format
