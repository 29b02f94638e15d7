// SPDX-License-Identifier: MIT
#pragma once

#include "httpparser.h"

#include <QtCore/QPointer>

#include <chrono>
#include <functional>

namespace Baton::Testing {

class HttpConnection;

/// A whole answer in bytes, with its Content-Length; for answers that are cut or dripped on purpose.
[[nodiscard]] QByteArray httpAnswer(int status, const QByteArray &body = {}, const Headers &headers = {});

/*!
 * The open end of one exchange: a cheap handle that can be copied and kept. An exchange ends with reply(),
 * finish(), close() or reset(), or when the peer goes away; after that every call on its handles does
 * nothing. Never answering is to drop the handle. Use it in the thread of its HttpFace.
 */
class Responder
{
public:
    Responder() = default;
    Responder(HttpConnection *connection, quint64 exchange);

    /// The peer is still there and has no whole answer yet.
    [[nodiscard]] bool isOpen() const;

    void reply(int status, const QByteArray &body = {}, const Headers &headers = {}) const;

    /// Bytes as they are; the exchange stays open.
    void send(const QByteArray &bytes) const;
    /// \a bytes in pieces of \a size, the first at once; the exchange stays open.
    void drip(const QByteArray &bytes, std::chrono::milliseconds interval, qsizetype size = 1) const;
    /// Repeats \a chunk for as long as the peer takes it.
    void flood(const QByteArray &chunk) const;
    /// What was sent was the whole answer; the connection is kept for the next request.
    void finish() const;

    /// An orderly end (FIN) once everything has been sent.
    void close() const;
    /// RST, at once.
    void reset() const;

    /// Runs \a action then, if the connection still exists.
    void after(std::chrono::milliseconds delay, std::function<void()> action) const;
    /// Runs \a action if the peer goes away before the exchange has ended.
    void whenGone(std::function<void()> action) const;

private:
    [[nodiscard]] HttpConnection *open() const;

    QPointer<HttpConnection> m_connection;
    quint64 m_exchange = 0;
};

} // namespace Baton::Testing
