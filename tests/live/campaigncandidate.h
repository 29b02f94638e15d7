// SPDX-License-Identifier: MIT
#pragma once

#include "campaignprocess.h"
#include "candidate.h"

#include <optional>

namespace Baton::Testing {

// A candidate as a process of its own, with a record of its terms; it can be killed and made to stand still.
class CampaignCandidate : public CampaignProcess
{
public:
    struct Event
    {
        BootTime at{};
        QString name;
        QJsonObject fields;
        [[nodiscard]] quint64 token() const;
        [[nodiscard]] bool endsATerm() const;
    };

    // The arguments that say the same as `options`, as far as these tests use them.
    explicit CampaignCandidate(const LeaseOptions &options);

    // freeze() is true once the process stands still; it then has no lease for as long as it does.
    [[nodiscard]] bool freeze();
    void thaw();
    // Returns when it is gone and all that it wrote has been read.
    void kill();

    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] const QList<Event> &events() const { return m_events; }
    [[nodiscard]] QList<Event> events(const QString &name) const;
    // The term it said to have acquired, and has not said to have ended.
    [[nodiscard]] std::optional<Event> term() const;
    [[nodiscard]] bool isWaiting() const;
    // When it was killed, or found to stand still.
    [[nodiscard]] std::optional<BootTime> haltedAt() const { return m_haltedAt; }

private:
    CampaignCandidate(const LeaseOptions &options, const QString &name);
    void heard(const QJsonObject &line) override;

    const QString m_name;
    QList<Event> m_events;
    std::optional<BootTime> m_haltedAt;
};

} // namespace Baton::Testing
