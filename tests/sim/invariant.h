// SPDX-License-Identifier: MIT
#pragma once

#include "chance.h"

#include <QtCore/QString>

#include <array>
#include <optional>

namespace Baton::Sim {

/// What must hold in every world.
enum class Invariant {
    OneLease,
    RisingTokens,
    TokenOrigin,
    FencedStore,
    OneEnd,
    DeadlineRule,
    LossInTime,
    CauseOfLoss,
    FinalNews,
    EndOfSession,
    OneTermASession,
    OwnSessions,
    NothingLeft,
    CalmRequests,
    PatientLock,
    Recovery,
};

struct InvariantText
{
    QLatin1StringView name; ///< For mutants and tables.
    QLatin1StringView text;
};
inline constexpr std::array<InvariantText, 16> InvariantTexts{{
    {QLatin1StringView("one-lease"), QLatin1StringView("at most one lease is valid")},
    {QLatin1StringView("rising-tokens"), QLatin1StringView("tokens rise strictly, in the order of locks")},
    {QLatin1StringView("token-origin"),
     QLatin1StringView("the token is the index of the very write that took the lock")},
    {QLatin1StringView("fenced-store"), QLatin1StringView("a fenced store accepts no stale write")},
    {QLatin1StringView("one-end"), QLatin1StringView("each announced term has exactly one end")},
    {QLatin1StringView("deadline-rule"),
     QLatin1StringView("no lease is valid beyond its window from the last acknowledged renewal's sending, "
                       "and none comes back")},
    {QLatin1StringView("loss-in-time"), QLatin1StringView("a passed deadline is told within a timer tick")},
    {QLatin1StringView("cause-of-loss"), QLatin1StringView("a loss has the cause that it names")},
    {QLatin1StringView("final-news"),
     QLatin1StringView("final news of Consul end the lease at once, doubtful ones are asked about")},
    {QLatin1StringView("end-of-session"),
     QLatin1StringView("a lock given up in order is released, any other session is destroyed, and neither "
                       "renewed")},
    {QLatin1StringView("one-term-a-session"), QLatin1StringView("a session serves one term")},
    {QLatin1StringView("own-sessions"),
     QLatin1StringView("only own sessions are renewed, released or destroyed")},
    {QLatin1StringView("nothing-left"), QLatin1StringView("nothing is left 2 x TTL after the stop")},
    {QLatin1StringView("calm-requests"), QLatin1StringView("no hot loop")},
    {QLatin1StringView("patient-lock"),
     QLatin1StringView("a key seen held is not locked, and a lost one not before the holder's lock-delay")},
    {QLatin1StringView("recovery"), QLatin1StringView("after healing, one leader within the predicted time")},
}};
inline const InvariantText &textOf(Invariant invariant)
{
    return InvariantTexts[size_t(invariant)];
}

struct Violation
{
    Invariant invariant{};
    QString detail;
    Instant at;
};

} // namespace Baton::Sim
