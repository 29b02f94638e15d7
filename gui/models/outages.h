// SPDX-License-Identifier: MIT
#pragma once

#include "models/electiontext.h"

#include <QtCore/QHash>
#include <QtCore/QList>

namespace Baton::Monitor {

/// Something for the desktop to tell: an outage that began, or one that ended. Texts are plain and safe to
/// show.
struct Notice
{
    /// The election; empty where Consul itself does not answer.
    QString key{};
    bool began = true;
    QString title{};
    QString text{};

    bool operator==(const Notice &) const = default;
};

/*!
 * Turns the states of elections and of the connection into notices: at most one when an outage begins and one
 * when it ends. An outage is an alarm of one election (isAlarm()), or a Consul that does not answer for
 * UnansweredLimit. It ends once all was well for QuietTime, so that something that flaps each second is one
 * outage. While Consul does not answer nothing is known of elections, so their outages neither begin nor end.
 *
 * Pure, but for what it remembers: time comes in as an argument.
 */
class Outages
{
public:
    static constexpr std::chrono::seconds QuietTime{10};
    static constexpr std::chrono::seconds UnansweredLimit{10};

    /// What is to be told now. Call it at every change, and each second.
    [[nodiscard]] QList<Notice> look(const ClusterSnapshot &snapshot, const ConnectionReport &connection,
                                     Nanoseconds now, const CandidateClaims &claims = {});
    /// Outages that have begun and not ended.
    [[nodiscard]] int open() const;

private:
    struct Outage
    {
        QString name;
        Nanoseconds since{};
        Nanoseconds lastBad{};
        bool told = false;
    };

    Outage &bad(const QString &key, const QString &name, Nanoseconds now);
    void lookAtElections(const ClusterSnapshot &snapshot, Nanoseconds now, const CandidateClaims &claims,
                         QList<Notice> *notices);
    void lookAtConnection(const ConnectionReport &connection, Nanoseconds now, QList<Notice> *notices);
    void endQuietOnes(Nanoseconds now, QList<Notice> *notices);

    /// By key; the empty key is the connection.
    QHash<QString, Outage> m_outages;
};

} // namespace Baton::Monitor
