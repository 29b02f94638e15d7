// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/leaseoptions.h>

#include <QtCore/QString>

#include <chrono>
#include <optional>
#include <vector>

namespace Baton::Lab {

/// Terms and failovers of one election, as the candidates reported them on one boot-time clock.
class FailoverLog
{
public:
    using Instant = std::chrono::nanoseconds; ///< Since boot.

    struct Term
    {
        QString candidate;
        quint64 token = 0;
        Instant from{};
        std::optional<Instant> until; ///< Nothing: not over.
    };
    struct Measurement
    {
        QString what;
        FailoverPrediction predicted;
        std::chrono::milliseconds measured{};
        [[nodiscard]] bool inBand() const
        {
            return measured >= predicted.earliest && measured <= predicted.latest;
        }
    };

    void begin(const QString &candidate, quint64 token, Instant at);
    /// Ends the open term of \a candidate; a term that is over already stays as it is.
    void end(const QString &candidate, Instant at);
    void add(const Measurement &measurement) { m_measurements.push_back(measurement); }

    [[nodiscard]] const std::vector<Term> &terms() const { return m_terms; }
    [[nodiscard]] const std::vector<Measurement> &measurements() const { return m_measurements; }
    /// Pairs of terms that were valid at the same time.
    [[nodiscard]] int overlaps() const;
    [[nodiscard]] bool tokensRise() const;

private:
    std::vector<Term> m_terms;
    std::vector<Measurement> m_measurements;
};

} // namespace Baton::Lab
