// SPDX-License-Identifier: MIT
#pragma once

#include "fakecluster.h"

#include <Baton/observeroptions.h>

/// What has not happened after this long never will; in milliseconds.
inline constexpr int Patience = 20'000;
inline const QString Key = QStringLiteral("service/a/leader");
inline const QString S1 = QStringLiteral("6056010b-4175-11be-ecb1-b105a3701bf3");
inline const QString S2 = QStringLiteral("72f4406c-b94e-393a-cc88-e10509e9c05f");

inline Baton::ObserverOptions optionsFor(const FakeCluster &cluster)
{
    Baton::ObserverOptions options;
    options.address = cluster.address();
    options.wait = std::chrono::seconds(1);
    return options;
}
