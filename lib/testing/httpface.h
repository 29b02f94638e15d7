// SPDX-License-Identifier: MIT
#pragma once

#include "httpparser.h"
#include "responder.h"

#include <QtCore/QObject>
#include <QtCore/QUrl>
#include <QtNetwork/QHostAddress>

#include <functional>

QT_BEGIN_NAMESPACE
class QTcpServer;
QT_END_NAMESPACE

namespace Baton::Testing {

/*!
 * An HTTP/1.1 server for tests and the embedded agent: one thread, any number of parked exchanges, and every
 * answer may be late, cut, reset, dripped, endless or not HTTP at all. Each request is handed to the handler
 * with a Responder, which may be kept and used at any later point of the event loop. Requests of one
 * connection are handed out one after another. Not meant for open networks.
 *
 * Everything happens in the thread it lives in, which needs an event loop.
 */
class HttpFace : public QObject
{
    Q_OBJECT
public:
    using Handler = std::function<void(const Request &request, const Responder &responder)>;

    explicit HttpFace(Handler handler, QObject *parent = nullptr);
    ~HttpFace() override;

    /// Port 0 takes any free one. False where the address cannot be had.
    bool listen(const QHostAddress &address = QHostAddress::LocalHost, quint16 port = 0);
    /// New connections are refused from now on; those that are open go on.
    void stopListening();
    /// Ends every open connection with a reset, as the death of a process's host would at its next packet.
    void resetConnections();

    [[nodiscard]] QString errorString() const;
    [[nodiscard]] quint16 port() const;
    [[nodiscard]] QUrl url() const;
    [[nodiscard]] quint64 connectionsAccepted() const { return m_accepted; }
    [[nodiscard]] qsizetype openConnections() const;

private:
    void accept();

    Handler m_handler;
    QTcpServer *m_server = nullptr;
    quint64 m_accepted = 0;
};

} // namespace Baton::Testing
