// SPDX-License-Identifier: MIT
#pragma once

#include "testing/httpface.h"

#include <QtCore/QMap>

#include <functional>

/// A Consul of a few sessions and keys, for observers: lists, long polls and whatever the test puts in
/// between. It answers in the thread that made it.
class FakeCluster
{
public:
    using Request = Baton::Testing::Request;
    using Responder = Baton::Testing::Responder;

    FakeCluster();

    [[nodiscard]] QString address() const { return m_face.url().toString(); }

    void setSession(const QString &id, const QString &name, const QString &ttl = QStringLiteral("10s"));
    void removeSession(const QString &id);
    void setKey(const QString &key, const QString &session, const QByteArray &value);
    void removeKey(const QString &key);
    /// Everything is as it was, with another index.
    void setIndex(quint64 index);
    /// ACLs are in force, so that nothing proves an absence.
    void setAcls(bool on) { m_acls = on; }

    /// Sees every request first; true: it has taken the exchange over.
    std::function<bool(const Request &request, const Responder &responder)> intercept;

    void goDown();
    void comeUp();

    /// Requests whose target begins so.
    [[nodiscard]] int count(const QByteArray &target) const;
    [[nodiscard]] quint64 connections() const { return m_face.connectionsAccepted(); }
    [[nodiscard]] qsizetype openConnections() const { return m_face.openConnections(); }

private:
    struct Key
    {
        QString session;
        QByteArray value;
        quint64 index = 0;
        quint64 lockIndex = 0;
    };
    struct Poll
    {
        Request request;
        Responder responder;
    };

    void handle(const Request &request, const Responder &responder);
    void answer(const Request &request, const Responder &responder) const;
    void changed();
    [[nodiscard]] QByteArray keyJson(const QString &name) const;

    QMap<QString, QByteArray> m_sessions;
    QMap<QString, Key> m_keys;
    QList<Poll> m_polls;
    QList<QByteArray> m_seen;
    quint64 m_index = 10;
    bool m_acls = false;
    quint16 m_port = 0;
    Baton::Testing::HttpFace m_face;
};
