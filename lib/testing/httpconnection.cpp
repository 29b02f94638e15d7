// SPDX-License-Identifier: MIT
#include "httpconnection.h"

#include <QtCore/QTimer>
#include <QtNetwork/QTcpSocket>

#ifdef Q_OS_WIN
#include <winsock2.h>
#else
#include <sys/socket.h>
#endif

namespace Baton::Testing {

namespace {

/// Read ahead of a peer that sends while its last request is still parked.
constexpr qint64 ReadBuffer = 1024 * 1024;
/// Kept ready for a peer that takes a flood.
constexpr qint64 FloodAhead = 256 * 1024;

/// Makes closing \a descriptor send RST instead of FIN.
void dropOnClose(qintptr descriptor)
{
    linger option{};
    option.l_onoff = 1;
    option.l_linger = 0;
#ifdef Q_OS_WIN
    setsockopt(SOCKET(descriptor), SOL_SOCKET, SO_LINGER, reinterpret_cast<const char *>(&option),
               sizeof option);
#else
    setsockopt(int(descriptor), SOL_SOCKET, SO_LINGER, &option, sizeof option);
#endif
}

} // namespace

HttpConnection::HttpConnection(QTcpSocket *socket, quint64 number, const HttpFace::Handler &handler,
                               QObject *parent)
    : QObject(parent), m_socket(socket), m_number(number), m_handler(handler)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(ReadBuffer);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(m_socket, &QTcpSocket::readyRead, this, &HttpConnection::serve);
    connect(m_socket, &QTcpSocket::bytesWritten, this, &HttpConnection::refill);
    connect(m_socket, &QTcpSocket::disconnected, this, &HttpConnection::gone);
}

void HttpConnection::serve()
{
    // A handler that answers at once comes back here through finish(); the loop below goes on by itself.
    while (!m_serving && m_socket->state() == QAbstractSocket::ConnectedState) {
        m_parser.feed(m_socket->readAll());
        std::optional<Request> request = m_parser.next();
        if (m_parser.refusal()) {
            send(httpAnswer(m_parser.refusal()->status, m_parser.refusal()->text));
            close();
        }
        if (!request)
            return;
        request->connection = m_number;
        m_serving = true;
        m_keepAlive = request->keepAlive;
        m_handler(*request, Responder(this, ++m_exchange));
    }
}

void HttpConnection::send(const QByteArray &bytes)
{
    if (m_socket->state() == QAbstractSocket::ConnectedState)
        m_socket->write(bytes);
}

void HttpConnection::drip(const QByteArray &bytes, std::chrono::milliseconds interval, qsizetype size)
{
    send(bytes.left(size));
    if (bytes.size() <= size)
        return;
    const auto next = [this, exchange = m_exchange, rest = bytes.mid(size), interval, size] {
        if (isServing(exchange))
            drip(rest, interval, size);
    };
    QTimer::singleShot(interval, Qt::PreciseTimer, this, next);
}

void HttpConnection::flood(const QByteArray &chunk)
{
    m_flood = chunk;
    refill();
}

void HttpConnection::refill()
{
    while (!m_flood.isEmpty() && m_socket->bytesToWrite() < FloodAhead
           && m_socket->state() == QAbstractSocket::ConnectedState) {
        m_socket->write(m_flood);
    }
}

void HttpConnection::finish()
{
    if (!m_keepAlive) {
        close();
        return;
    }
    m_serving = false;
    m_whenGone = nullptr;
    // Not from here: the handler that answers is still running.
    QMetaObject::invokeMethod(this, &HttpConnection::serve, Qt::QueuedConnection);
}

void HttpConnection::close()
{
    m_whenGone = nullptr;
    m_serving = false;
    m_flood.clear();
    m_socket->disconnectFromHost();
}

void HttpConnection::reset()
{
    m_whenGone = nullptr;
    m_serving = false;
    dropOnClose(m_socket->socketDescriptor());
    m_socket->abort();
}

void HttpConnection::whenGone(std::function<void()> action)
{
    m_whenGone = std::move(action);
}

void HttpConnection::gone()
{
    m_serving = false;
    if (const auto action = std::exchange(m_whenGone, nullptr))
        action();
    deleteLater();
}

} // namespace Baton::Testing
