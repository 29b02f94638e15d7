// SPDX-License-Identifier: MIT
#include "models/outages.h"

#include "models/format.h"
#include "models/verdict.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Outages)
};

} // namespace

QList<Notice> Outages::look(const ClusterSnapshot &snapshot, const ConnectionReport &connection,
                            Nanoseconds now, const CandidateClaims &claims)
{
    QList<Notice> notices;
    lookAtConnection(connection, now, &notices);
    if (connection.state == ConnectionState::Live) {
        lookAtElections(snapshot, now, claims, &notices);
    } else {
        for (auto outage = m_outages.begin(); outage != m_outages.end(); ++outage) {
            if (!outage.key().isEmpty())
                outage->lastBad = now;
        }
    }
    endQuietOnes(now, &notices);
    return notices;
}

int Outages::open() const
{
    return int(std::count_if(m_outages.cbegin(), m_outages.cend(), [](const Outage &o) { return o.told; }));
}

Outages::Outage &Outages::bad(const QString &key, const QString &name, Nanoseconds now)
{
    auto found = m_outages.find(key);
    if (found == m_outages.end())
        found = m_outages.insert(key, Outage{.name = name, .since = now});
    found->lastBad = now;
    return *found;
}

void Outages::lookAtElections(const ClusterSnapshot &snapshot, Nanoseconds now, const CandidateClaims &claims,
                              QList<Notice> *notices)
{
    for (const ElectionPtr &election : snapshot.elections) {
        const Concern concern = concernOf(*election, visibilityOf(snapshot.prefixes, *election), now, claims);
        if (!isAlarm(concern))
            continue;
        const QString name = Format::inSentence(election->name);
        Outage &outage = bad(election->key, name, now);
        if (std::exchange(outage.told, true))
            continue;
        notices->append({.key = election->key,
                         .title = u"%1: %2"_s.arg(name, stateText(*election, concern, now)),
                         .text = stateSentence(*election, concern, now)});
    }
}

void Outages::lookAtConnection(const ConnectionReport &connection, Nanoseconds now, QList<Notice> *notices)
{
    if (connection.state != ConnectionState::Stale && connection.state != ConnectionState::Refused)
        return;
    Outage &outage = bad({}, Text::tr("Consul"), now);
    if (outage.told || now - outage.since < UnansweredLimit)
        return;
    outage.told = true;
    const TroubleText trouble = troubleText(connection.error);
    notices->append({.title = trouble.cause.isEmpty() ? Text::tr("Consul does not answer") : trouble.cause,
                     .text = trouble.remedy});
}

void Outages::endQuietOnes(Nanoseconds now, QList<Notice> *notices)
{
    for (auto outage = m_outages.begin(); outage != m_outages.end();) {
        if (now - outage->lastBad < QuietTime) {
            ++outage;
            continue;
        }
        if (outage->told) {
            notices->append(
                {.key = outage.key(),
                 .began = false,
                 .title = Text::tr("%1: well again").arg(outage->name),
                 .text = Text::tr("It took %1.").arg(Format::age(outage->lastBad - outage->since))});
        }
        outage = m_outages.erase(outage);
    }
}

} // namespace Baton::Monitor
