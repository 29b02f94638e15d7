// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QUrlQuery>

#include <optional>
#include <utility>

namespace Baton::Testing {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

/// One HTTP request as it came.
struct Request
{
    QByteArray method;
    QByteArray target; ///< As sent.
    QString path; ///< Percent-decoded.
    QUrlQuery query;
    Headers headers; ///< In the order and spelling of the peer.
    QByteArray body;
    bool keepAlive = true;
    quint64 connection = 0; ///< Counts the connections of one HttpFace from 1.

    /// The first header of that name, whatever its case; null where there is none.
    [[nodiscard]] QByteArray header(QByteArrayView name) const;
};

/*!
 * Bytes to HTTP/1.1 requests, incrementally and under limits. Pure: no socket, no clock. Takes Content-Length
 * and chunked bodies and any number of requests one after another; refuses what is ambiguous (both lengths, a
 * folded header). After a refusal it stays refused, since nothing says where the next request would begin.
 */
class HttpParser
{
public:
    struct Limits
    {
        qsizetype head = 64 * 1024; ///< Request line and headers together; also all trailers.
        qsizetype body = 8 * 1024 * 1024; ///< Consul's own limit for a value is 512 KiB.
    };
    /// The status to answer before closing, and why.
    struct Refusal
    {
        int status = 400;
        QByteArray text;
    };

    HttpParser() = default;
    explicit HttpParser(const Limits &limits) : m_limits(limits) { }

    void feed(QByteArrayView bytes);
    /// The next whole request, or nothing: then either refusal() says why or more bytes are needed.
    [[nodiscard]] std::optional<Request> next();
    [[nodiscard]] const std::optional<Refusal> &refusal() const { return m_refusal; }

private:
    enum class State { RequestLine, Header, FixedBody, ChunkSize, ChunkData, ChunkEnd, Trailer, Done };

    bool step();
    std::optional<QByteArray> takeLine();
    std::optional<QByteArray> takeBytes(qsizetype size);
    void parseRequestLine(const QByteArray &line);
    void parseHeader(const QByteArray &line);
    void endOfHeaders();
    void parseChunkSize(const QByteArray &line);
    void refuse(int status, const QByteArray &text);

    Limits m_limits;
    QByteArray m_buffer;
    qsizetype m_position = 0; ///< Start of what is not yet consumed.
    qsizetype m_searched = 0; ///< No line ends before here.
    State m_state = State::RequestLine;
    Request m_request;
    qsizetype m_headSize = 0;
    qsizetype m_expected = 0; ///< Bytes of the body or chunk that comes next.
    std::optional<Refusal> m_refusal;
};

} // namespace Baton::Testing
