// SPDX-License-Identifier: MIT
#pragma once

#include "httpface.h"

#include <QtCore/QObject>

QT_BEGIN_NAMESPACE
class QTcpSocket;
QT_END_NAMESPACE

namespace Baton::Testing {

/// One accepted connection of an HttpFace: reads requests, one exchange at a time. Deletes itself at its end.
class HttpConnection : public QObject
{
    Q_OBJECT
public:
    HttpConnection(QTcpSocket *socket, quint64 number, const HttpFace::Handler &handler, QObject *parent);

    [[nodiscard]] bool isServing(quint64 exchange) const { return m_serving && m_exchange == exchange; }

    void send(const QByteArray &bytes);
    void drip(const QByteArray &bytes, std::chrono::milliseconds interval, qsizetype size);
    void flood(const QByteArray &chunk);
    void finish();
    void close();
    void reset();
    void whenGone(std::function<void()> action);

private:
    void serve();
    void refill();
    void gone();

    QTcpSocket *m_socket;
    const quint64 m_number;
    const HttpFace::Handler m_handler;
    HttpParser m_parser;
    quint64 m_exchange = 0;
    bool m_serving = false;
    bool m_keepAlive = true;
    QByteArray m_flood;
    std::function<void()> m_whenGone;
};

} // namespace Baton::Testing
