// SPDX-License-Identifier: MIT
#include "responder.h"

#include "httpconnection.h"

#include <QtCore/QTimer>

#include <algorithm>

namespace Baton::Testing {

namespace {

QByteArray reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 301:
        return "Moved Permanently";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 409:
        return "Conflict";
    case 413:
        return "Request Entity Too Large";
    case 429:
        return "Too Many Requests";
    case 500:
        return "Internal Server Error";
    default:
        return "Status " + QByteArray::number(status);
    }
}

} // namespace

QByteArray httpAnswer(int status, const QByteArray &body, const Headers &headers)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reason(status) + "\r\n";
    for (const auto &[name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    return bytes + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

Responder::Responder(HttpConnection *connection, quint64 exchange)
    : m_connection(connection), m_exchange(exchange)
{
}

HttpConnection *Responder::open() const
{
    return m_connection && m_connection->isServing(m_exchange) ? m_connection.data() : nullptr;
}

bool Responder::isOpen() const
{
    return open() != nullptr;
}

void Responder::reply(int status, const QByteArray &body, const Headers &headers) const
{
    send(httpAnswer(status, body, headers));
    finish();
}

void Responder::send(const QByteArray &bytes) const
{
    if (HttpConnection *connection = open())
        connection->send(bytes);
}

void Responder::drip(const QByteArray &bytes, std::chrono::milliseconds interval, qsizetype size) const
{
    if (HttpConnection *connection = open())
        connection->drip(bytes, interval, size);
}

void Responder::flood(const QByteArray &chunk) const
{
    if (HttpConnection *connection = open())
        connection->flood(chunk);
}

void Responder::finish() const
{
    if (HttpConnection *connection = open())
        connection->finish();
}

void Responder::close() const
{
    if (HttpConnection *connection = open())
        connection->close();
}

void Responder::reset() const
{
    if (HttpConnection *connection = open())
        connection->reset();
}

void Responder::after(std::chrono::milliseconds delay, std::function<void()> action) const
{
    if (HttpConnection *connection = open())
        QTimer::singleShot(delay, Qt::PreciseTimer, connection, std::move(action));
}

void Responder::whenGone(std::function<void()> action) const
{
    if (HttpConnection *connection = open())
        connection->whenGone(std::move(action));
}

} // namespace Baton::Testing
