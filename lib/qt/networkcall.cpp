// SPDX-License-Identifier: MIT
#include "networkcall.h"

#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>

#include <algorithm>
#include <cstring>
#include <functional>

namespace Baton::Shell {

using Wire::Exchange;

namespace {

/// Without a bound QNetworkAccessManager reads more than 100 MiB ahead of us (measured).
constexpr qint64 ReadBuffer = 64 * 1024;

/*!
 * A body that can be read once. QNetworkAccessManager repeats a PUT by itself when the connection closes
 * before the answer, unless it cannot rewind the body: then it gives up with ContentReSendError.
 */
class OneShotBody : public QIODevice
{
public:
    explicit OneShotBody(const QByteArray &body) : m_left(body) { open(ReadOnly | Unbuffered); }

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override
    {
        return m_left.size() + QIODevice::bytesAvailable();
    }
    [[nodiscard]] bool atEnd() const override { return bytesAvailable() == 0; }

    /// Repeating is harmless while nothing of the body has been handed out: that is the kept connection which
    /// the server had closed in the meantime.
    bool reset() override { return !m_started; }

protected:
    qint64 readData(char *data, qint64 maxSize) override
    {
        const qsizetype size = std::min<qsizetype>(m_left.size(), qsizetype(maxSize));
        std::memcpy(data, m_left.constData(), size_t(size));
        m_left.remove(0, size);
        m_started = m_started || size > 0;
        return size;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_left;
    bool m_started = false;
};

/// \a target after the address and path of \a base, encoded as it is.
QUrl urlFor(const QUrl &base, const QByteArray &target)
{
    QByteArray prefix = base.toEncoded(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    if (prefix.endsWith('/'))
        prefix.chop(1);
    return QUrl::fromEncoded(prefix + target, QUrl::StrictMode);
}

QNetworkRequest requestFor(const Wire::HttpCall &call, const QUrl &base, const QByteArray &token)
{
    QNetworkRequest request(urlFor(base, call.target));
    // Consul compresses even five bytes when it is let, and QNetworkAccessManager lets it unless told
    // otherwise.
    request.setRawHeader("Accept-Encoding", "identity");
    request.setRawHeader("Accept-Language", "en");
    request.setRawHeader("User-Agent", "baton/" BATON_VERSION);
    if (!token.isEmpty())
        request.setRawHeader("X-Consul-Token", token);
    if (!call.body.isEmpty())
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::Http2CleartextAllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    return request;
}

/// The whole answer is there: no error, or one that only restates a status of 400 and more.
bool isAnswered(QNetworkReply::NetworkError error, int status)
{
    if (error == QNetworkReply::NoError)
        return status != 0;
    const bool ownFailure = error <= QNetworkReply::UnknownNetworkError
        || error == QNetworkReply::ContentReSendError || error == QNetworkReply::ProtocolUnknownError
        || error == QNetworkReply::ProtocolFailure;
    return status >= 400 && !ownFailure;
}

bool isChunked(const QNetworkReply &reply)
{
    return reply.rawHeader("Transfer-Encoding").compare("chunked", Qt::CaseInsensitive) == 0;
}

/// QNetworkAccessManager takes one in ten cut chunked answers for whole ones (measured on 6.4.2). No proper
/// prefix of a JSON array or object is one, so there a cut is noticed all the same; of anything else it would
/// not be.
bool showsItsEnd(const QByteArray &body)
{
    return body.startsWith('[') || body.startsWith('{');
}

QString wordsFor(const QNetworkReply &reply)
{
    if (reply.error() != QNetworkReply::ContentReSendError)
        return reply.errorString();
    // Qt has no text of its own for this one. It also gives up so when it has rewound the body for a redirect
    // that it is not to follow.
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 300 && status < 400)
        return QStringLiteral("A redirect, which is never followed");
    return QStringLiteral("Connection closed before the answer, and the request must not be repeated");
}

Exchange failureOf(QNetworkReply::NetworkError error, bool sent)
{
    switch (error) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::UnknownNetworkError: // Among others: no route to the host.
        return sent ? Exchange::Interrupted : Exchange::Unreachable;
    default:
        return Exchange::Interrupted;
    }
}

} // namespace

std::shared_ptr<QNetworkAccessManager> makeManager()
{
    std::shared_ptr<QNetworkAccessManager> manager(new QNetworkAccessManager,
                                                   std::mem_fn(&QObject::deleteLater));
    manager->setProxy(QNetworkProxy::NoProxy);
    // A followed redirect would turn a PUT into something else and carry the token to a stranger.
    manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    return manager;
}

QNetworkReply *launch(QNetworkAccessManager &manager, const Wire::HttpCall &call, const QUrl &base,
                      const QByteArray &token)
{
    QNetworkRequest request = requestFor(call, base, token);
    QNetworkReply *reply = nullptr;
    if (call.method == "GET") {
        reply = manager.get(request);
    } else if (call.once) {
        Q_ASSERT(!call.body.isEmpty()); // Without a body there is nothing that could not be rewound.
        request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        request.setHeader(QNetworkRequest::ContentLengthHeader, call.body.size());
        auto *body = new OneShotBody(call.body);
        reply = manager.put(request, body);
        body->setParent(reply);
    } else {
        reply = manager.put(request, call.body);
    }
    reply->setReadBufferSize(ReadBuffer);
    return reply;
}

Wire::HttpAnswer answerOf(const QNetworkReply &reply, const QByteArray &body, bool sent)
{
    Wire::HttpAnswer answer;
    answer.status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    answer.contentType = reply.rawHeader("Content-Type");
    answer.consulIndex = reply.rawHeader("X-Consul-Index");
    answer.consulKnownLeader = reply.rawHeader("X-Consul-Knownleader");
    answer.consulLastContact = reply.rawHeader("X-Consul-Lastcontact");
    answer.consulFiltered = reply.rawHeader("X-Consul-Results-Filtered-By-ACLs");
    if (!isAnswered(reply.error(), answer.status)) {
        answer.exchange = failureOf(reply.error(), sent);
        answer.errorText = wordsFor(reply);
        return answer;
    }
    const bool counted = reply.hasRawHeader("Content-Length");
    if (counted && reply.rawHeader("Content-Length") != QByteArray::number(body.size())) {
        answer.exchange = Exchange::Interrupted;
        answer.errorText = QStringLiteral("The answer is not of its announced length");
        return answer;
    }
    answer.lengthKnown = counted || (isChunked(reply) && showsItsEnd(body));
    answer.exchange = Exchange::Complete;
    answer.body = body;
    return answer;
}

} // namespace Baton::Shell
