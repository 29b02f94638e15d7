// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <chrono>

namespace Baton::Testing {

// What came back. Status 0 means that no complete answer arrived in time; the reason is in `error`.
struct HttpAnswer
{
    int status = 0;
    QByteArray body;
    QString error;
    QByteArray head = {}; // status line and headers

    // The value of a header, whatever its case; null where there is none.
    [[nodiscard]] QByteArray header(const QByteArray &name) const;

    [[nodiscard]] bool isOk() const { return status == 200; }
};

// Sends one request on a connection of its own and blocks until it is answered. It runs no event loop, so
// nothing of the code under test is called meanwhile, and it works on any thread. `target` is sent as it is:
// path and query, already percent-encoded. A `token` goes with it as X-Consul-Token.
[[nodiscard]] HttpAnswer httpRequest(const QString &host, quint16 port, const QByteArray &method,
                                     const QByteArray &target, const QByteArray &body,
                                     std::chrono::milliseconds timeout, const QByteArray &token = {});

} // namespace Baton::Testing
