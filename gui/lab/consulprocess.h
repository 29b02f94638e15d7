// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QProcess>
#include <QtCore/QTimer>
#include <QtNetwork/QNetworkAccessManager>

#include <chrono>

namespace Baton::Lab {

/// A Consul of the lab's own: one agent on free loopback ports, in memory, gone with the object.
class ConsulProcess : public QObject
{
    Q_OBJECT
public:
    enum class Kind {
        Real, ///< HashiCorp's program.
        Simulated, ///< `baton agent`.
    };

    ConsulProcess(Kind kind, const QString &program, QObject *parent = nullptr);
    ~ConsulProcess() override;

    void start();
    /// `127.0.0.1:port`, once started.
    [[nodiscard]] QString address() const;
    /// "1.8.7", once ready.
    [[nodiscard]] QString version() const { return m_version; }

Q_SIGNALS:
    /// Sessions can be made.
    void ready();
    void failed(const QString &reason);

private:
    void launch();
    void ask();
    void answered(QNetworkReply *reply);
    void ended();
    void giveUp(const QString &reason);

    [[nodiscard]] QStringList arguments(const QList<quint16> &ports) const;

    const Kind m_kind;
    const QString m_program;
    QProcess m_process;
    QNetworkAccessManager m_network;
    QTimer m_next; ///< The next look whether it is ready.
    QElapsedTimer m_since;
    quint16 m_port = 0;
    int m_launches = 0;
    bool m_ready = false;
    QString m_version;
};

} // namespace Baton::Lab
