// SPDX-License-Identifier: MIT
#include "httprequest.h"

#include <QDeadlineTimer>
#include <QNetworkProxy>
#include <QTcpSocket>

#include <optional>

namespace Baton::Testing {
namespace {

// The value of `Content-Length`, if there is one.
std::optional<qsizetype> contentLength(const HttpAnswer &answer)
{
    bool isNumber = false;
    const qlonglong length = answer.header("Content-Length").toLongLong(&isNumber);
    return isNumber ? std::optional(qsizetype(length)) : std::nullopt;
}

HttpAnswer parse(const QByteArray &received)
{
    const qsizetype headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return {0, {}, QStringLiteral("the connection closed before the end of the header")};
    const QByteArray head = received.left(headEnd);
    const HttpAnswer answer{head.split(' ').value(1).toInt(), received.mid(headEnd + 4), {}, head};
    const std::optional<qsizetype> length = contentLength(answer);
    if (length && *length != answer.body.size())
        return {0, {}, QStringLiteral("the answer was cut short")};
    return answer;
}

} // namespace

QByteArray HttpAnswer::header(const QByteArray &name) const
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
            return line.mid(colon + 1).trimmed();
    }
    return {};
}

HttpAnswer httpRequest(const QString &host, quint16 port, const QByteArray &method, const QByteArray &target,
                       const QByteArray &body, std::chrono::milliseconds timeout, const QByteArray &token)
{
    const QDeadlineTimer deadline(timeout);
    QTcpSocket socket;
    socket.setProxy(QNetworkProxy::NoProxy);
    socket.connectToHost(host, port);
    if (!socket.waitForConnected(int(deadline.remainingTime())))
        return {0, {}, socket.errorString()};

    // HTTP/1.0 makes the server end the body by closing, never by chunks.
    socket.write(method + ' ' + target + " HTTP/1.0\r\nHost: " + host.toLatin1()
                 + (token.isEmpty() ? QByteArray() : "\r\nX-Consul-Token: " + token)
                 + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    QByteArray received;
    while (socket.state() == QAbstractSocket::ConnectedState) {
        if (deadline.hasExpired())
            return {0, {}, QStringLiteral("no answer within %1 ms").arg(timeout.count())};
        socket.waitForReadyRead(int(deadline.remainingTime()));
        received += socket.readAll();
    }
    return parse(received + socket.readAll());
}

} // namespace Baton::Testing
