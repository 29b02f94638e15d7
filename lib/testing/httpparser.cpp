// SPDX-License-Identifier: MIT
#include "httpparser.h"

#include <QtCore/QUrl>

#include <algorithm>

namespace Baton::Testing {

namespace {

bool isToken(const QByteArray &text)
{
    static constexpr QByteArrayView Marks = "!#$%&'*+-.^_`|~";
    return !text.isEmpty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || Marks.contains(c);
    });
}

/// A whole number without sign or space, at most \a limit; nothing for anything else.
std::optional<qsizetype> number(const QByteArray &text, int base, qsizetype limit)
{
    const bool plain = !text.isEmpty() && std::ranges::all_of(text, [base](char c) {
        return (c >= '0' && c <= '9') || (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
    });
    bool fits = false;
    const qulonglong value = text.toULongLong(&fits, base);
    if (!plain || !fits || value > qulonglong(limit))
        return std::nullopt;
    return qsizetype(value);
}

/// What stands before the first \a mark, or everything.
QByteArray upTo(const QByteArray &text, char mark)
{
    const qsizetype at = text.indexOf(mark);
    return at < 0 ? text : text.left(at);
}

bool sameName(QByteArrayView left, QByteArrayView right)
{
    return left.compare(right, Qt::CaseInsensitive) == 0;
}

} // namespace

QByteArray Request::header(QByteArrayView name) const
{
    const auto found =
        std::ranges::find_if(headers, [name](const auto &h) { return sameName(h.first, name); });
    return found == headers.end() ? QByteArray() : found->second;
}

void HttpParser::feed(QByteArrayView bytes)
{
    if (!m_refusal)
        m_buffer.append(bytes);
}

std::optional<Request> HttpParser::next()
{
    while (!m_refusal && m_state != State::Done && step()) { }
    // What is consumed is dropped once here, not at every line, which would cost quadratic time.
    m_buffer.remove(0, m_position);
    m_searched -= m_position;
    m_position = 0;
    if (m_refusal || m_state != State::Done)
        return std::nullopt;
    m_state = State::RequestLine;
    m_headSize = 0;
    return std::exchange(m_request, {});
}

/// One line or one piece of a body; false where more bytes are needed.
bool HttpParser::step()
{
    if (m_state == State::FixedBody || m_state == State::ChunkData) {
        const std::optional<QByteArray> bytes = takeBytes(m_expected);
        if (!bytes)
            return false;
        m_request.body += *bytes;
        m_state = m_state == State::FixedBody ? State::Done : State::ChunkEnd;
        return true;
    }
    const std::optional<QByteArray> line = takeLine();
    if (!line)
        return false;
    switch (m_state) {
    case State::RequestLine:
        parseRequestLine(*line);
        break;
    case State::Header:
        line->isEmpty() ? endOfHeaders() : parseHeader(*line);
        break;
    case State::ChunkSize:
        parseChunkSize(*line);
        break;
    case State::ChunkEnd:
        m_state = State::ChunkSize;
        if (!line->isEmpty())
            refuse(400, "a chunk is longer than it said");
        break;
    case State::Trailer:
        if (line->isEmpty())
            m_state = State::Done;
        break;
    case State::FixedBody:
    case State::ChunkData:
    case State::Done:
        Q_UNREACHABLE();
    }
    return true;
}

std::optional<QByteArray> HttpParser::takeLine()
{
    const qsizetype end = m_buffer.indexOf('\n', std::max(m_searched, m_position));
    const qsizetype seen = (end < 0 ? m_buffer.size() : end + 1) - m_position;
    if (m_headSize + seen > m_limits.head) {
        refuse(431, "the head is too long");
        return std::nullopt;
    }
    if (end < 0) {
        m_searched = m_buffer.size();
        return std::nullopt;
    }
    QByteArray line = m_buffer.mid(m_position, end - m_position);
    if (line.endsWith('\r'))
        line.chop(1);
    m_position = m_searched = end + 1;
    m_headSize += seen;
    return line;
}

std::optional<QByteArray> HttpParser::takeBytes(qsizetype size)
{
    if (m_buffer.size() - m_position < size)
        return std::nullopt;
    const QByteArray bytes = m_buffer.mid(m_position, size);
    m_position = m_searched = m_position + size;
    return bytes;
}

void HttpParser::parseRequestLine(const QByteArray &line)
{
    if (line.isEmpty())
        return; // RFC 9112, 2.2: an empty line before a request is skipped.
    const QByteArrayList words = line.split(' ');
    if (words.size() != 3 || !isToken(words[0]) || !words[1].startsWith('/'))
        return refuse(400, "not a request line");
    if (words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0")
        return refuse(505, "only HTTP/1.1");
    m_request.method = words[0];
    m_request.target = words[1];
    m_request.keepAlive = words[2] == "HTTP/1.1";
    const QByteArray path = upTo(words[1], '?');
    m_request.path = QUrl::fromPercentEncoding(path);
    m_request.query = QUrlQuery(QString::fromUtf8(words[1].mid(path.size() + 1)));
    m_state = State::Header;
}

void HttpParser::parseHeader(const QByteArray &line)
{
    const QByteArray name = upTo(line, ':');
    if (name.size() == line.size() || !isToken(name))
        return refuse(400, "not a header");
    m_request.headers.append({name, line.mid(name.size() + 1).trimmed()});
}

void HttpParser::endOfHeaders()
{
    m_headSize = 0;
    if (sameName(m_request.header("Connection"), "close"))
        m_request.keepAlive = false;
    QByteArrayList lengths;
    QByteArrayList codings;
    for (const auto &[name, value] : std::as_const(m_request.headers)) {
        if (sameName(name, "Content-Length"))
            lengths.append(value);
        else if (sameName(name, "Transfer-Encoding"))
            codings.append(value);
    }
    if (lengths.size() + codings.size() > 1)
        return refuse(400, "more than one length");
    if (!codings.isEmpty()) {
        m_state = State::ChunkSize;
        if (!sameName(codings.first(), "chunked"))
            refuse(501, "unknown transfer encoding");
        return;
    }
    if (lengths.isEmpty()) {
        m_state = State::Done;
        return;
    }
    const std::optional<qsizetype> length =
        number(lengths.first(), 10, std::numeric_limits<qsizetype>::max());
    if (!length)
        return refuse(400, "not a length");
    if (*length > m_limits.body)
        return refuse(413, "the body is too long");
    m_expected = *length;
    m_state = State::FixedBody;
}

void HttpParser::parseChunkSize(const QByteArray &line)
{
    m_headSize = 0; // Chunks may be many; the limit of the head holds for each line, and for all trailers.
    const QByteArray digits = upTo(line, ';').trimmed();
    const std::optional<qsizetype> size = number(digits, 16, std::numeric_limits<qsizetype>::max());
    if (!size)
        return refuse(400, "not a chunk size");
    if (*size > m_limits.body - m_request.body.size())
        return refuse(413, "the body is too long");
    m_expected = *size;
    m_state = *size == 0 ? State::Trailer : State::ChunkData;
}

void HttpParser::refuse(int status, const QByteArray &text)
{
    m_refusal = Refusal{status, text};
    m_buffer.clear();
    m_position = m_searched = 0;
}

} // namespace Baton::Testing
