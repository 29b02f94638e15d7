// SPDX-License-Identifier: MIT
#pragma once

#include "consul/codec.h"

#include <QtCore/QUrl>

#include <memory>

QT_BEGIN_NAMESPACE
class QNetworkAccessManager;
class QNetworkReply;
QT_END_NAMESPACE

/*!
 * One HttpCall in the terms of QNetworkAccessManager: what is switched off, and how its many errors map to
 * the few outcomes that Baton tells apart. Pinned by tst_transport.
 */
namespace Baton::Shell {

/// A manager without proxy and redirects. It is deleted by its event loop, so the last reference may be
/// dropped inside a signal of one of its replies.
[[nodiscard]] std::shared_ptr<QNetworkAccessManager> makeManager();

/// Starts \a call. An empty \a token is not sent.
[[nodiscard]] QNetworkReply *launch(QNetworkAccessManager &manager, const Wire::HttpCall &call,
                                    const QUrl &base, const QByteArray &token);

/// What the finished \a reply with \a body amounts to. \a sent: the request had left completely, so a
/// connection that cannot be made is one that could not be made *again*.
[[nodiscard]] Wire::HttpAnswer answerOf(const QNetworkReply &reply, const QByteArray &body, bool sent);

} // namespace Baton::Shell
