// SPDX-License-Identifier: MIT
#include "httpface.h"

#include "httpconnection.h"

#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

namespace Baton::Testing {

HttpFace::HttpFace(Handler handler, QObject *parent)
    : QObject(parent), m_handler(std::move(handler)), m_server(new QTcpServer(this))
{
    // Hundreds of parked polls are normal for an agent; the kernel's own queue holds what comes in one burst.
    m_server->setListenBacklogSize(1024);
    connect(m_server, &QTcpServer::newConnection, this, &HttpFace::accept);
}

HttpFace::~HttpFace() = default;

bool HttpFace::listen(const QHostAddress &address, quint16 port)
{
    return m_server->listen(address, port);
}

void HttpFace::stopListening()
{
    m_server->close();
}

void HttpFace::resetConnections()
{
    const auto connections = findChildren<HttpConnection *>(Qt::FindDirectChildrenOnly);
    for (HttpConnection *connection : connections)
        connection->reset();
}

QString HttpFace::errorString() const
{
    return m_server->errorString();
}

quint16 HttpFace::port() const
{
    return m_server->serverPort();
}

QUrl HttpFace::url() const
{
    QUrl url;
    url.setScheme(QStringLiteral("http"));
    url.setHost(m_server->serverAddress().toString());
    url.setPort(port());
    return url;
}

qsizetype HttpFace::openConnections() const
{
    return findChildren<HttpConnection *>(Qt::FindDirectChildrenOnly).size();
}

void HttpFace::accept()
{
    while (QTcpSocket *socket = m_server->nextPendingConnection())
        new HttpConnection(socket, ++m_accepted, m_handler, this);
}

} // namespace Baton::Testing
