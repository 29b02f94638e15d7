// SPDX-License-Identifier: MIT
#include "json.h"

#include <QtCore/QStringDecoder>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Wire {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<char16_t> hexDigit(char c)
{
    if (isDigit(c))
        return char16_t(c - '0');
    if (c >= 'a' && c <= 'f')
        return char16_t(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return char16_t(c - 'A' + 10);
    return std::nullopt;
}

/// Recursive descent; every method returns false at the first byte that does not belong there.
class Parser
{
public:
    explicit Parser(QByteArrayView document) : m_text(document) { }

    bool document(Json &value)
    {
        if (!this->value(value, 0))
            return false;
        skipSpace();
        return m_at == m_text.size();
    }

    bool list(const std::function<bool(const Json &)> &take)
    {
        skipSpace();
        if (!this->take('['))
            return false;
        skipSpace();
        if (!this->take(']')) {
            do {
                Json item;
                m_values = 0;
                if (!value(item, 1) || !take(item))
                    return false;
                skipSpace();
            } while (this->take(','));
            if (!this->take(']'))
                return false;
        }
        skipSpace();
        return m_at == m_text.size();
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    /// The next byte, or NUL at the end: no rule below accepts a NUL.
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_at]; }

    bool take(char expected)
    {
        if (atEnd() || m_text[m_at] != expected)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(QByteArrayView word)
    {
        if (!m_text.sliced(m_at).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }

    void skipSpace()
    {
        while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t')
            ++m_at;
    }

    bool value(Json &result, int depth)
    {
        if (++m_values > Json::MaxValues)
            return false;
        skipSpace();
        switch (peek()) {
        case 'n':
            result.type = Json::Type::Null;
            return takeWord("null");
        case 'f':
            result.type = Json::Type::False;
            return takeWord("false");
        case 't':
            result.type = Json::Type::True;
            return takeWord("true");
        case '"':
            result.type = Json::Type::String;
            return string(result.text);
        case '[':
            result.type = Json::Type::Array;
            return depth < Json::MaxDepth && array(result, depth + 1);
        case '{':
            result.type = Json::Type::Object;
            return depth < Json::MaxDepth && object(result, depth + 1);
        default:
            result.type = Json::Type::Number;
            return number(result.text);
        }
    }

    bool array(Json &result, int depth)
    {
        take('[');
        skipSpace();
        if (take(']'))
            return true;
        do {
            if (!value(result.items.emplace_back(), depth))
                return false;
            skipSpace();
        } while (take(','));
        return take(']');
    }

    bool object(Json &result, int depth)
    {
        take('{');
        skipSpace();
        if (take('}'))
            return true;
        do {
            skipSpace();
            QString name;
            if (!string(name) || result.names.contains(name))
                return false;
            result.names.append(name);
            skipSpace();
            if (!take(':') || !value(result.items.emplace_back(), depth))
                return false;
            skipSpace();
        } while (take(','));
        return take('}');
    }

    bool digits()
    {
        const qsizetype begin = m_at;
        while (isDigit(peek()))
            ++m_at;
        return m_at > begin;
    }

    bool number(QString &result)
    {
        const qsizetype begin = m_at;
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            if (!digits())
                return false;
        }
        result = QString::fromLatin1(m_text.sliced(begin, m_at - begin));
        return true;
    }

    bool string(QString &result)
    {
        if (!take('"'))
            return false;
        while (!take('"')) {
            if (peek() == '\\' ? !escape(result) : !plainRun(result))
                return false;
        }
        return result.isValidUtf16(); // Escapes can name half of a surrogate pair.
    }

    /// Everything up to the next quote or backslash.
    bool plainRun(QString &result)
    {
        const qsizetype begin = m_at;
        while (!atEnd() && m_text[m_at] != '"' && m_text[m_at] != '\\') {
            if (uchar(m_text[m_at]) < 0x20)
                return false;
            ++m_at;
        }
        const QByteArrayView bytes = m_text.sliced(begin, m_at - begin);
        // Nearly all of Consul's texts are, and a decoder costs more than they do.
        if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return uchar(c) < 0x80; })) {
            result += QLatin1StringView(bytes);
            return m_at > begin;
        }
        QStringDecoder utf8(QStringDecoder::Utf8,
                            QStringDecoder::Flag::ConvertInitialBom | QStringDecoder::Flag::Stateless);
        const QString run = utf8(bytes);
        result += run;
        return m_at > begin && !utf8.hasError();
    }

    bool escape(QString &result)
    {
        take('\\');
        const char kind = peek();
        if (kind == 'u')
            return unicodeEscape(result);
        static constexpr QByteArrayView From = "\"\\/bfnrt";
        static constexpr QByteArrayView To = "\"\\/\b\f\n\r\t";
        const qsizetype index = kind == '\0' ? -1 : From.indexOf(kind);
        if (index < 0)
            return false;
        ++m_at;
        result += QLatin1Char(To[index]);
        return true;
    }

    bool unicodeEscape(QString &result)
    {
        take('u');
        char16_t unit = 0;
        for (int i = 0; i < 4; ++i) {
            const std::optional<char16_t> digit = hexDigit(peek());
            if (!digit)
                return false;
            unit = char16_t(unit << 4 | *digit);
            ++m_at;
        }
        result += QChar(unit);
        return true;
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    int m_values = 0;
};

} // namespace

std::optional<Json> Json::parse(QByteArrayView document)
{
    Json value;
    if (!Parser(document).document(value))
        return std::nullopt;
    return value;
}

bool Json::parseEach(QByteArrayView document, const std::function<bool(const Json &item)> &take)
{
    return Parser(document).list(take);
}

const Json *Json::member(QStringView name) const
{
    const qsizetype index = names.indexOf(name);
    return index < 0 ? nullptr : &items[std::size_t(index)];
}

} // namespace Baton::Wire
