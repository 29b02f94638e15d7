// SPDX-License-Identifier: MIT
#pragma once

#include "world.h"

#include <QtCore/QStringList>

namespace Baton::Sim {

/*!
 * A story with its golden trace, both in one text file:
 *
 *     # What it shows, in sentences.
 *     candidates a b
 *     log 300                        (optional: how long Consul's log takes, in ms)
 *     1000 b start                   (at 1000 ms; a deed of act.cpp, here one that is done to b)
 *     5000 a cut 20000               (for 20 s)
 *     9000 * delete-key              (done to Consul)
 *     60000 end
 *     ----
 *     the trace, line by line
 *
 * All candidates have the profile Balanced, a perfect network and clocks that agree, so that only what the
 * script does disturbs them.
 */
class Scenario
{
public:
    /// A problem with the text of a script is thrown as a QString: only its author sees it.
    explicit Scenario(const QString &text);

    /// What happens, with sessions called after their makers: "a2" is the second one of a.
    [[nodiscard]] QStringList live() const;
    [[nodiscard]] const QStringList &expected() const { return m_expected; }
    /// The file with \a trace as what is expected.
    [[nodiscard]] QString withTrace(const QStringList &trace) const;

private:
    struct Line
    {
        Instant at;
        Act act;
    };
    void readLine(const QString &line);
    void readAct(const QStringList &words);
    [[nodiscard]] int numberOf(const QString &candidate) const;

    QStringList m_script;
    QStringList m_expected;
    Plan m_plan;
    std::vector<Line> m_acts;
    Instant m_end;
};

} // namespace Baton::Sim
