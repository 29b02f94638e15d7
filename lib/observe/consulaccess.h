// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>
#include <Baton/observeroptions.h>
#include <consul/queries.h>

#include <QtCore/QUrl>

namespace Baton::Observe {

/// The way to one Consul, resolved from options that validate() accepts.
struct ConsulAccess
{
    QUrl base;
    Wire::Scope scope;
    QByteArray token;
    QString tokenFile;

    explicit ConsulAccess(const ObserverOptions &options);
    /// Reads the token file, if there is one. What is wrong with it, else an empty text.
    [[nodiscard]] QString readToken();
};

/// What \a failure of a request for \a part means to somebody who watches.
[[nodiscard]] ObserveError errorOf(const Wire::Failure &failure, Wire::Exchange exchange, ObservedPart part,
                                   const QString &subject = {});
/// Somebody has to mend it: trying again soon is of no use.
[[nodiscard]] bool needsMending(ObserveTrouble trouble);

} // namespace Baton::Observe
